// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bricard/math/curve.h"
#include "bricard/math/expression.h"
#include "bricard/model/fields.h"
#include "bricard/model/source.h"

// What acts on joint coordinates or between two markers: motions, couplers, springs, stops, motors, bushings, beams.
namespace bricard {

using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

/// A number whose unit depends on the coordinate of a joint: rad or m and the like. `value` is in SI once the joint is known.
struct JointNumber {
  double value = 0;
  Expression formula{0.0};                                            ///< as it was read
  JointNumber(double number = 0) : value(number), formula(number) {}  // NOLINT: a number is one
  operator double() const { return value; }                           // NOLINT: and is used as one
};

/// A formula in the time and in measures.
struct MeasuredFormula {
  Expression formula;
};

/// A formula in the parameter u of a curve.
struct CurveFormula {
  Expression formula;
};

enum class JointCoordinate { automatic, angle, translation, x, y, z };

/// Prescribes a coordinate of a joint or of two markers as a function of time, by itself, its velocity or acceleration.
struct Motion {
  std::string name;
  Place place;
  Reference joint;
  JointCoordinate coordinate = JointCoordinate::automatic;
  std::optional<Expression> displacement;
  std::optional<std::array<Reference, 2>> between = {};
  std::optional<Expression> velocity = {}, acceleration = {};
  std::optional<JointNumber> start = {}, start_velocity = {};
  static constexpr auto fields() {
    return std::tuple{
        field(&Motion::joint, "joint", "", "joint with an angle or a translation"),
        field(&Motion::between, "between", "", "instead of a joint: two markers"),
        field(&Motion::coordinate, "coordinate", "",
              "angle, translation, x, y or z; needed where there is more than one"),
        field(&Motion::displacement, "displacement", "rad or m", "formula in t"),
        field(&Motion::velocity, "velocity", "rad/s or m/s", "or its rate: formula in t"),
        field(&Motion::acceleration, "acceleration", "rad/s^2 or m/s^2", "or the second rate: formula in t"),
        field(&Motion::start, "start", "rad or m",
              "value at t = 0 with velocity or acceleration; that of the given start positions if absent"),
        field(&Motion::start_velocity, "start_velocity", "rad/s or m/s",
              "rate at t = 0 with acceleration; that of the given start velocities if absent")};
  }
};

enum class CouplerType { gear, rack_and_pinion, coupler };

/// Couples the coordinates of two or three joints, counted from the start:  Σ factor·(x − x₀) = 0.
struct Coupler {
  std::string name;
  Place place;
  CouplerType type = CouplerType::coupler;
  std::vector<Reference> joints;
  std::vector<JointCoordinate> coordinates;
  std::optional<double> ratio, radius;
  std::optional<std::array<double, 2>> teeth;
  bool internal = false;
  std::vector<JointNumber> factors;
  static constexpr auto fields() {
    return std::tuple{
        required(&Coupler::type, "type", "", "gear, rack-and-pinion or coupler"),
        required(&Coupler::joints, "joints", "", "two joints, or three of a coupler"),
        field(&Coupler::coordinates, "coordinates", "",
              "one word per joint, angle or translation; needed if a joint has both"),
        field(&Coupler::ratio, "ratio", "", "gear: turns of the first per turn of the second, < 0 if opposite"),
        field(&Coupler::teeth, "teeth", "", "gear, instead of ratio: numbers of teeth; the joints turn opposite"),
        field(&Coupler::internal, "internal", "", "gear: one of them is a ring with teeth inside; they turn alike"),
        field(&Coupler::radius, "radius", "m",
              "rack-and-pinion: way of the second joint per radian of the first, < 0 if opposite"),
        field(&Coupler::factors, "factors", "1 or rad/m",
              "coupler: one per joint; plain numbers, of translations that are coupled with angles in rad/m")};
  }
};

/// A smooth curve in the x–y plane of a marker: points, a circle, an ellipse, or two formulas.
struct CurveShape {
  std::string name;
  Place place;
  std::vector<Vector2d> points;
  bool closed = false;
  std::optional<double> radius;
  std::optional<std::array<double, 2>> half_axes;
  std::optional<CurveFormula> x, y;
  std::optional<std::array<double, 2>> range;
  static constexpr auto fields() {
    return std::tuple{
        field(&CurveShape::points, "points", "m", "points [x, y] on a cubic spline"),
        field(&CurveShape::closed, "closed", "", "true: the last point is joined to the first"),
        field(&CurveShape::radius, "radius", "m", "instead of points: a circle about the origin"),
        field(&CurveShape::half_axes, "half_axes", "m", "instead of points: an ellipse, half axes along x and y"),
        field(&CurveShape::x, "x", "m", "instead of points: x as a formula in u"),
        field(&CurveShape::y, "y", "m", "y as a formula in u"),
        field(&CurveShape::range, "range", "", "from where to where u runs")};
  }
};

/// f = −k (x − x₀) − c ẋ + preload in a joint coordinate.
struct JointSpring {
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
        field(&JointSpring::stiffness, "stiffness", "N*m/rad or N/m", ">= 0"),
        field(&JointSpring::damping, "damping", "N*m*s/rad or N*s/m", ">= 0"),
        field(&JointSpring::free_position, "free_position", "rad or m", "coordinate without spring force"),
        field(&JointSpring::preload, "preload", "N*m or N", "constant force along the coordinate")};
  }
};

/// Keeps a joint coordinate between two limits by stiff springs with damping.
struct JointStop {
  std::string name;
  Place place;
  Reference joint;
  JointCoordinate coordinate = JointCoordinate::automatic;
  std::optional<JointNumber> lower, upper;
  JointNumber stiffness, damping, depth = 1e-3;
  static constexpr auto fields() {
    return std::tuple{required(&JointStop::joint, "joint", "", "joint with an angle or a translation"),
                      field(&JointStop::coordinate, "coordinate", "",
                            "angle, translation, x or y; needed where there is more than one"),
                      field(&JointStop::lower, "lower", "rad or m", "limit from below; none if absent"),
                      field(&JointStop::upper, "upper", "rad or m", "limit from above; none if absent"),
                      required(&JointStop::stiffness, "stiffness", "N*m/rad or N/m", "of the stop, > 0"),
                      field(&JointStop::damping, "damping", "N*m*s/rad or N*s/m", "of the stop, >= 0"),
                      field(&JointStop::depth, "depth", "rad or m", "depth at which the damping is complete, > 0")};
  }
};

/// A force or torque in a joint coordinate by a formula.
struct Motor {
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
        field(&Bushing::stiffness, "stiffness", "N/m", "along x, y, z of the first marker, >= 0"),
        field(&Bushing::rotational_stiffness, "rotational_stiffness", "N*m/rad", "about x, y, z, >= 0"),
        field(&Bushing::damping, "damping", "N*s/m", "along x, y, z, >= 0"),
        field(&Bushing::rotational_damping, "rotational_damping", "N*m*s/rad", "about x, y, z, >= 0"),
        field(&Bushing::force, "force", "N", "constant force on the second body, axes of the first marker"),
        field(&Bushing::torque, "torque", "N*m", "constant torque on the second body")};
  }
};

/// The same with full matrices.
struct FieldForce {
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
        field(&BeamForce::length, "length", "m", "without load, > 0; start distance if absent"),
        required(&BeamForce::youngs_modulus, "youngs_modulus", "N/m^2", "> 0"),
        required(&BeamForce::shear_modulus, "shear_modulus", "N/m^2", "> 0"),
        required(&BeamForce::area, "area", "m^2", "of the cross-section, > 0"),
        required(&BeamForce::Ixx, "Ixx", "m^4", "torsion constant, > 0"),
        required(&BeamForce::Iyy, "Iyy", "m^4", "second moment of area about y, > 0"),
        required(&BeamForce::Izz, "Izz", "m^4", "second moment of area about z, > 0"),
        field(&BeamForce::asy, "asy", "", "shear deflection factor along y, >= 0; 0: none, 1.2 for a rectangle"),
        field(&BeamForce::asz, "asz", "", "the same along z"),
        field(&BeamForce::damping_ratio, "damping_ratio", "s",
              "damping matrix = this times the stiffness matrix, >= 0")};
  }
};

}  // namespace bricard
