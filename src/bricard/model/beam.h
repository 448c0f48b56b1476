// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bricard/math/expression.h"
#include "bricard/math/rotation.h"
#include "bricard/model/fields.h"
#include "bricard/model/mode_choice.h"
#include "bricard/model/source.h"

// What the user says of flexible beams.                                                    theory: docs/theory/beams.md
namespace bricard {

using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

enum class SectionType { rectangle, circle, tube, box, i_section, general };

/// A number, or a formula in s from 0 at the start of a beam to 1 at its end.
struct SectionValue {
  double number = 0;
  std::optional<Expression> formula;
  SectionValue(double x = 0) : number(x) {}  // NOLINT: a number is such a value
  operator double() const { return number; }
  SectionValue at(double s) const { return formula ? formula->value(0, &s) : number; }
};

/// A cross-section: y and z are its axes, x runs along the beam.
struct BeamSection {
  Place place;
  SectionType type = SectionType::rectangle;
  double s = 0;
  SectionValue width, height, radius, thickness, flange;
  SectionValue area, Iy, Iz, J, shear_y, shear_z;
  static constexpr auto fields() {
    return std::tuple{
        required(&BeamSection::type, "type", "", "rectangle, circle, tube, box, I or general"),
        field(&BeamSection::s, "s", "", "in `sections`: where it is, 0 at the start and 1 at the end of the beam"),
        field(&BeamSection::width, "width", "m", "along y, of all but circles and tubes; > 0"),
        field(&BeamSection::height, "height", "m", "along z, of the same; > 0"),
        field(&BeamSection::radius, "radius", "m", "of a circle, of a tube outside; > 0"),
        field(&BeamSection::thickness, "thickness", "m", "of the wall of a tube or box, of the web of an I; > 0"),
        field(&BeamSection::flange, "flange", "m", "thickness of the flanges of an I, across z; > 0"),
        field(&BeamSection::area, "area", "m^2", "of a general section, > 0, as all that follows"),
        field(&BeamSection::Iy, "Iy", "m^4", "second moment of area about y"),
        field(&BeamSection::Iz, "Iz", "m^4", "second moment of area about z"),
        field(&BeamSection::J, "J", "m^4", "torsion constant of Saint-Venant"),
        field(&BeamSection::shear_y, "shear_y", "", "share of the area that carries shear along y, 5/6 of a rectangle"),
        field(&BeamSection::shear_z, "shear_z", "", "the same along z")};
  }
  static constexpr std::array values{&BeamSection::width,     &BeamSection::height, &BeamSection::radius,
                                     &BeamSection::thickness, &BeamSection::flange, &BeamSection::area,
                                     &BeamSection::Iy,        &BeamSection::Iz,     &BeamSection::J,
                                     &BeamSection::shear_y,   &BeamSection::shear_z};

  /// Whether formulas say how it changes along the beam.
  bool varies() const {
    return std::any_of(values.begin(), values.end(), [&](auto value) { return (this->*value).formula.has_value(); });
  }
  /// As it is at s.
  BeamSection at(double where) const {
    BeamSection taken = *this;
    for (const auto value : values) taken.*value = (this->*value).at(where);
    return taken;
  }
};

/// An end of a beam: a place in ground, or a marker that it is welded to.
struct BeamEnd {
  Vector3d position = Vector3d::Zero();
  Reference marker;
  std::string body;  ///< that has the marker; a node, if it is one of a beam
};

/// Formulas in s, from 0 at the start of a beam to 1 at its end: where its line is.
struct BeamCurve {
  std::array<Expression, 3> position;
};

/// Formulas in s and t: a force per length.
struct BeamLoad {
  std::array<Expression, 3> force;
};

/// A named place along a beam.
struct BeamMarker {
  std::string name;
  Place place;
  double s = 0;
};

struct FlexibleBeam {
  std::string name;
  Place place;
  BeamEnd from, to;
  std::vector<Vector3d> points;
  std::optional<BeamCurve> curve;
  std::optional<Vector3d> z_axis;
  double twist = 0;
  std::optional<BeamSection> section;
  std::vector<BeamSection> sections;
  std::string material;
  std::optional<double> youngs_modulus, poissons_ratio, density;
  std::optional<Vector6d> stiffness;
  std::optional<Matrix6d> stiffness_matrix;
  std::optional<double> mass_per_length;
  std::optional<Matrix3d> inertia_per_length;
  Vector3d mass_center = Vector3d::Zero();
  std::optional<int> elements;
  std::optional<double> element_size;
  int degree = 3;
  double damping = 0;
  std::optional<BeamLoad> load, follower_load;
  Vector3d velocity = Vector3d::Zero(), angular_velocity = Vector3d::Zero();
  std::vector<BeamMarker> markers;
  std::optional<ModeChoice> reduce;
  std::string color;
  static constexpr auto fields() {
    return std::tuple{
        field(&FlexibleBeam::from, "from", "m", "its start: a position, ground frame, or a marker it is welded to"),
        field(&FlexibleBeam::to, "to", "m", "its end: the same; with a curve both are its ends if absent"),
        field(&FlexibleBeam::points, "points", "m", "a smooth curve goes through these on the way; straight if absent"),
        field(&FlexibleBeam::curve, "curve", "m",
              "in their place: three formulas in s from 0 to 1, as [cos(s), sin(s), 0], ground frame"),
        field(&FlexibleBeam::z_axis, "z_axis", "any",
              "direction that z of the sections is nearest to, ground frame; [0, 0, 1], for beams along it [0, 1, 0]"),
        field(&FlexibleBeam::twist, "twist", "rad", "by which sections turn about the beam up to its end, evenly"),
        field(&FlexibleBeam::section, "section", "",
              "the cross-section: {type: rectangle, width: ..., height: ...}, numbers or formulas in s"),
        field(&FlexibleBeam::sections, "sections", "", "cross-sections along the beam, each with its s"),
        field(&FlexibleBeam::material, "material", "", "steel, aluminium, titanium, ...; or the next three"),
        field(&FlexibleBeam::youngs_modulus, "youngs_modulus", "N/m^2", "E, > 0; that of the material if absent"),
        field(&FlexibleBeam::poissons_ratio, "poissons_ratio", "", "0 to 0.5; that of the material if absent"),
        field(&FlexibleBeam::density, "density", "kg/m^3", "> 0; that of the material if absent"),
        field(&FlexibleBeam::stiffness, "stiffness", "N, N*m^2",
              "in the place of a section: [EA, GA_y, GA_z, GJ, EI_y, EI_z], all > 0"),
        field(&FlexibleBeam::stiffness_matrix, "stiffness_matrix", "N, N*m, N*m, N*m^2",
              "the same with all couplings: 6 x 6, of (stretch, shear y, shear z, twist, bending y, bending z)"),
        field(&FlexibleBeam::mass_per_length, "mass_per_length", "kg/m", "with a stiffness: > 0"),
        field(&FlexibleBeam::inertia_per_length, "inertia_per_length", "kg*m",
              "with a stiffness: of the section about x, y and z through its mass centre, as that of bodies"),
        field(&FlexibleBeam::mass_center, "mass_center", "m", "with a stiffness: in the axes of the section"),
        field(&FlexibleBeam::elements, "elements", "", "number of elements, 1 to 100000"),
        field(&FlexibleBeam::element_size, "element_size", "m", "in its place: largest length of an element, > 0"),
        field(&FlexibleBeam::degree, "degree", "", "of the elements: 1 (two nodes), 2 or 3 (four nodes); 3 if absent"),
        field(&FlexibleBeam::damping, "damping", "s", "damping stiffness = this times the stiffness, >= 0"),
        field(&FlexibleBeam::load, "load", "N/m",
              "force per length, ground axes: three formulas in s from 0 to 1 and t"),
        field(&FlexibleBeam::follower_load, "follower_load", "N/m",
              "the same in the axes of the sections, with which it turns"),
        field(&FlexibleBeam::velocity, "velocity", "m/s", "of its start at the start of the run, ground frame"),
        field(&FlexibleBeam::angular_velocity, "angular_velocity", "rad/s",
              "with which the whole beam turns about its start then, ground frame"),
        field(&FlexibleBeam::markers, "markers", "", "named places: {middle: 0.5}; start and end are there already"),
        field(&FlexibleBeam::reduce, "reduce", "",
              "makes one body of it that deforms in a few shapes: {modes: 8}; no large deflections"),
        field(&FlexibleBeam::color, "color", "", "#rrggbb; chosen by the viewer if absent")};
  }

  int nodes_per_element() const { return degree + 1; }
  std::string node_name(size_t i) const { return name + "_" + std::to_string(i); }
};

}  // namespace bricard
