// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "bricard/math/expression.h"
#include "bricard/model/contact.h"
#include "bricard/model/fields.h"
#include "bricard/model/joint_elements.h"
#include "bricard/model/source.h"

// All kinds of forces. Each describes itself: word, fields with units and ranges, what it needs to have an effect. A new one
// is a struct and a list in ForceLists; reader, schema, checks, results and tests walk these lists. What it does to the
// equations says assemble/forces.cpp.                                        theory: docs/theory/forces.md
namespace bricard {

using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

;

/// A formula in the time, measures and the variables of a spring: `length` and `rate`, or `angle` and `rate`.
struct SpringLaw {
  Expression formula;
};
struct TorsionLaw {
  Expression formula;
};

/// Whether a spring pulls and pushes, or does one of them only.
enum class SpringAction { both, pull, push };

/// A spring and damper along the line between two points:  F = k (l − l₀) + c l̇ + preload + law, pulling if > 0.
struct SpringDamper {
  static constexpr ForceKind kind{"spring-damper", "spring", {"stiffness", "damping", "preload", "law"}};
  std::string name;
  Place place;
  std::array<Reference, 2> between;
  double stiffness = 0, damping = 0;
  std::optional<double> free_length;
  double preload = 0;
  std::optional<SpringLaw> law;
  SpringAction acts = SpringAction::both;
  static constexpr auto fields() {
    return std::tuple{
        required(&SpringDamper::between, "between", "", "the two ends: body or body.marker"),
        field(&SpringDamper::stiffness, "stiffness", "N/m", ">= 0", Range::not_negative),
        field(&SpringDamper::damping, "damping", "N*s/m", ">= 0", Range::not_negative),
        field(&SpringDamper::free_length, "free_length", "m", "length without force; start length if absent",
              Range::not_negative),
        field(&SpringDamper::preload, "preload", "N", "constant pull"),
        field(&SpringDamper::law, "law", "N",
              "pull by a formula in length, rate, t and measures, or a table over length"),
        field(&SpringDamper::acts, "acts", "",
              "both; pull: only where longer than free_length, as a rope; push: only where shorter, as a buffer")};
  }
};

/// A torsional spring and damper in a revolute or cylindrical joint:  M = −k (θ − θ₀) − c θ̇ − law on the second body.
struct TorsionSpring {
  static constexpr ForceKind kind{"torsion-spring", "torsion spring", {"stiffness", "damping", "law"}};
  std::string name;
  Place place;
  Reference joint;
  double stiffness = 0, damping = 0, free_angle = 0;
  std::optional<TorsionLaw> law;
  static constexpr auto fields() {
    return std::tuple{required(&TorsionSpring::joint, "joint", "", "revolute or cylindrical joint"),
                      field(&TorsionSpring::stiffness, "stiffness", "N*m/rad", ">= 0", Range::not_negative),
                      field(&TorsionSpring::damping, "damping", "N*m*s/rad", ">= 0", Range::not_negative),
                      field(&TorsionSpring::free_angle, "free_angle", "rad", "angle without torque"),
                      field(&TorsionSpring::law, "law", "N*m",
                            "torque back by a formula in angle, rate, t and measures, or a table over angle")};
  }
};

/// Formulas in the time and in measures.
using LoadFormulas = std::array<Expression, 3>;

/// A force and a torque on a body at a marker, by formulas.
struct AppliedForce {
  static constexpr ForceKind kind{"force", "force", {"force", "torque"}};
  std::string name;
  Place place;
  Reference on;
  LoadFormulas force;
  LoadFormulas torque;
  Reference frame{"ground", {}};  ///< `ground`, `body` (axes of the marker where it acts) or any marker
  Reference reaction;             ///< the body on which the opposite acts; empty if none
  static constexpr auto fields() {
    return std::tuple{
        required(&AppliedForce::on, "on", "", "where it acts: body or body.marker"),
        field(&AppliedForce::force, "force", "N", "three formulas in t and measures"),
        field(&AppliedForce::torque, "torque", "N*m", "three formulas in t and measures"),
        field(&AppliedForce::frame, "frame", "",
              "whose axes the components refer to: ground, body (the marker where it acts) or any marker"),
        field(&AppliedForce::reaction, "reaction", "", "second body, which gets the opposite at the same point")};
  }
};

/// f = −k (x − x₀) − c ẋ + preload in a joint coordinate.
struct JointSpring {
  static constexpr ForceKind kind{"joint-spring", "joint spring", {"stiffness", "damping", "preload"}};
  std::string name;
  Place place;
  Reference joint;
  JointCoordinate coordinate = JointCoordinate::automatic;
  JointNumber stiffness, damping, free_position, preload;
  static constexpr auto fields() {
    return std::tuple{
        required(&JointSpring::joint, "joint", "", "joint with an angle or a translation"),
        field(&JointSpring::coordinate, "coordinate", "",
              "angle, translation, x or y; needed where there is more than one"),
        field(&JointSpring::stiffness, "stiffness", "N*m/rad or N/m", ">= 0", Range::not_negative),
        field(&JointSpring::damping, "damping", "N*m*s/rad or N*s/m", ">= 0", Range::not_negative),
        field(&JointSpring::free_position, "free_position", "rad or m", "coordinate without spring force"),
        field(&JointSpring::preload, "preload", "N*m or N", "constant force along the coordinate")};
  }
};

/// Keeps a joint coordinate between two limits by stiff springs with damping.
struct JointStop {
  static constexpr ForceKind kind{"joint-stop", "joint stop", {"lower", "upper"}};
  std::string name;
  Place place;
  Reference joint;
  JointCoordinate coordinate = JointCoordinate::automatic;
  std::optional<JointNumber> lower, upper;
  JointNumber stiffness, damping, depth = 1e-3;
  static constexpr auto fields() {
    return std::tuple{
        required(&JointStop::joint, "joint", "", "joint with an angle or a translation"),
        field(&JointStop::coordinate, "coordinate", "",
              "angle, translation, x or y; needed where there is more than one"),
        field(&JointStop::lower, "lower", "rad or m", "limit from below; none if absent"),
        field(&JointStop::upper, "upper", "rad or m", "limit from above; none if absent"),
        required(&JointStop::stiffness, "stiffness", "N*m/rad or N/m", "of the stop, > 0", Range::positive),
        field(&JointStop::damping, "damping", "N*m*s/rad or N*s/m", "of the stop, >= 0", Range::not_negative),
        field(&JointStop::depth, "depth", "rad or m", "depth at which the damping is complete, > 0", Range::positive)};
  }
};

/// A force or torque in a joint coordinate by a formula.
struct Motor {
  static constexpr ForceKind kind{"motor", "motor"};
  std::string name;
  Place place;
  Reference joint;
  JointCoordinate coordinate = JointCoordinate::automatic;
  MeasuredFormula force;
  static constexpr auto fields() {
    return std::tuple{
        required(&Motor::joint, "joint", "", "joint with an angle or a translation"),
        field(&Motor::coordinate, "coordinate", "", "angle, translation, x or y; needed where there is more than one"),
        required(&Motor::force, "force", "N*m or N", "along the coordinate: formula in t and measures")};
  }
};

/// A six-component spring and damper between two markers, each component for itself.
struct Bushing {
  static constexpr ForceKind kind{
      "bushing", "bushing", {"stiffness", "rotational_stiffness", "damping", "rotational_damping", "force", "torque"}};
  std::string name;
  Place place;
  std::array<Reference, 2> between;
  std::optional<Vector3d> at;
  Vector3d stiffness = Vector3d::Zero(), rotational_stiffness = Vector3d::Zero();
  Vector3d damping = Vector3d::Zero(), rotational_damping = Vector3d::Zero();
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  static constexpr auto fields() {
    return std::tuple{
        required(&Bushing::between, "between", "", "the two frames: body or body.marker"),
        field(&Bushing::at, "at", "m", "where it is at the start, ground frame and axes; makes both markers"),
        field(&Bushing::stiffness, "stiffness", "N/m", "along x, y, z of the first marker, >= 0", Range::not_negative),
        field(&Bushing::rotational_stiffness, "rotational_stiffness", "N*m/rad", "about x, y, z, >= 0",
              Range::not_negative),
        field(&Bushing::damping, "damping", "N*s/m", "along x, y, z, >= 0", Range::not_negative),
        field(&Bushing::rotational_damping, "rotational_damping", "N*m*s/rad", "about x, y, z, >= 0",
              Range::not_negative),
        field(&Bushing::force, "force", "N", "constant force on the second body, axes of the first marker"),
        field(&Bushing::torque, "torque", "N*m", "constant torque on the second body")};
  }
};

/// The same with full matrices.
struct FieldForce {
  static constexpr ForceKind kind{"field", "field"};
  std::string name;
  Place place;
  std::array<Reference, 2> between;
  std::optional<Vector3d> at;
  Matrix6d stiffness = Matrix6d::Zero(), damping = Matrix6d::Zero();
  Vector6d free_position = Vector6d::Zero(), preload = Vector6d::Zero();
  static constexpr auto fields() {
    return std::tuple{
        required(&FieldForce::between, "between", "", "the two frames: body or body.marker"),
        field(&FieldForce::at, "at", "m", "where it is at the start, ground frame and axes; makes both markers"),
        required(&FieldForce::stiffness, "stiffness", "N/m, N/rad, N*m/m, N*m/rad", "six rows of six numbers"),
        field(&FieldForce::damping, "damping", "N*s/m, N*s/rad, N*m*s/m, N*m*s/rad", "six rows of six numbers"),
        field(&FieldForce::free_position, "free_position", "m, rad", "displacement and rotation vector without force"),
        field(&FieldForce::preload, "preload", "N, N*m", "constant force and torque on the second body")};
  }
};

/// A massless beam between two markers, straight along x of the first; linear in its own frame.
struct BeamForce {
  static constexpr ForceKind kind{"beam", "beam"};
  std::string name;
  Place place;
  std::array<Reference, 2> between;
  std::optional<double> length;
  double youngs_modulus = 0, shear_modulus = 0, area = 0, Ixx = 0, Iyy = 0, Izz = 0, asy = 0, asz = 0,
         damping_ratio = 0;
  static constexpr auto fields() {
    return std::tuple{
        required(&BeamForce::between, "between", "",
                 "its two ends: body or body.marker; x of the first along the beam"),
        field(&BeamForce::length, "length", "m", "without load, > 0; start distance if absent", Range::positive),
        required(&BeamForce::youngs_modulus, "youngs_modulus", "N/m^2", "> 0", Range::positive),
        required(&BeamForce::shear_modulus, "shear_modulus", "N/m^2", "> 0", Range::positive),
        required(&BeamForce::area, "area", "m^2", "of the cross-section, > 0", Range::positive),
        required(&BeamForce::Ixx, "Ixx", "m^4", "torsion constant, > 0", Range::positive),
        required(&BeamForce::Iyy, "Iyy", "m^4", "second moment of area about y, > 0", Range::positive),
        required(&BeamForce::Izz, "Izz", "m^4", "second moment of area about z, > 0", Range::positive),
        field(&BeamForce::asy, "asy", "", "shear deflection factor along y, >= 0; 0: none, 1.2 for a rectangle",
              Range::not_negative),
        field(&BeamForce::asz, "asz", "", "the same along z", Range::not_negative),
        field(&BeamForce::damping_ratio, "damping_ratio", "s", "damping matrix = this times the stiffness matrix, >= 0",
              Range::not_negative)};
  }
};

/// Where a force acts: in a joint, and there in one of its coordinates; between two frames, and there at a place that
/// makes both markers.
template <class Force>
concept InJoint = requires(const Force& f) {
  { f.joint } -> std::convertible_to<Reference>;
};
template <class Force>
concept InCoordinate = InJoint<Force> && requires(const Force& f) {
  f.coordinate;
};
template <class Force>
concept Between = requires(const Force& f) {
  { f.between } -> std::convertible_to<std::array<Reference, 2>>;
};

/// The forces of a model, one list for each kind.
struct ForceLists {
  std::vector<SpringDamper> springs;
  std::vector<TorsionSpring> torsion_springs;
  std::vector<AppliedForce> forces;
  std::vector<JointSpring> joint_springs;
  std::vector<JointStop> joint_stops;
  std::vector<Motor> motors;
  std::vector<Bushing> bushings;
  std::vector<FieldForce> fields;
  std::vector<BeamForce> beams;
  std::vector<Contact> contacts;

  static constexpr auto force_lists() {
    return std::tuple{&ForceLists::springs,       &ForceLists::torsion_springs, &ForceLists::forces,
                      &ForceLists::joint_springs, &ForceLists::joint_stops,     &ForceLists::motors,
                      &ForceLists::bushings,      &ForceLists::fields,          &ForceLists::beams,
                      &ForceLists::contacts};
  }
};

/// do_it(list) for the list of each kind, in the order above. The type of its elements is the kind.
template <class Lists, class Function>
void for_each_force_list(Lists&& model, Function&& do_it) {
  std::apply([&](const auto... list) { (do_it(model.*list), ...); }, ForceLists::force_lists());
}

/// do_it(force) for each force.
template <class Lists, class Function>
void for_each_force(Lists&& model, Function&& do_it) {
  for_each_force_list(model, [&](auto& list) {
    for (auto& force : list) do_it(force);
  });
}

/// The words of all kinds, in the order of the lists; of those in one section of the model file.
std::vector<std::string> force_words();
std::vector<std::string> force_words(std::string_view section);

}  // namespace bricard
