// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bricard/math/curve.h"
#include "bricard/math/expression.h"
#include "bricard/model/fields.h"
#include "bricard/model/joint_kinds.h"
#include "bricard/model/source.h"

// What acts on joint coordinates: motions, couplers; and the curves of joints.
namespace bricard {

/// A number whose unit depends on the coordinate of a joint: rad or m and the like. `value` is in SI once the joint is known.
struct JointNumber {
  double value = 0;
  Expression formula{0.0};                                            ///< as it was read
  JointNumber(double number = 0) : value(number), formula(number) {}  // NOLINT: a number is one
  operator double() const { return value; }                           // NOLINT: and is used as one
};

/// Of the coordinates of a joint, in the order of joint_kinds.h: a number or a list of them.
struct JointStart {
  std::vector<JointNumber> numbers;
};

/// A formula in the time and in measures.
struct MeasuredFormula {
  Expression formula;
};

/// A formula in the parameter u of a curve.
struct CurveFormula {
  Expression formula;
};

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
        field(&Coupler::ratio, "ratio", "", "gear: turns of the first per turn of the second, < 0 if opposite",
              Range::not_zero),
        field(&Coupler::teeth, "teeth", "", "gear, instead of ratio: numbers of teeth; the joints turn opposite",
              Range::positive),
        field(&Coupler::internal, "internal", "", "gear: one of them is a ring with teeth inside; they turn alike"),
        field(&Coupler::radius, "radius", "m",
              "rack-and-pinion: way of the second joint per radian of the first, < 0 if opposite", Range::not_zero),
        field(&Coupler::factors, "factors", "1 or rad/m",
              "coupler: one per joint; plain numbers, of translations that are coupled with angles in rad/m",
              Range::not_zero)};
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
        field(&CurveShape::radius, "radius", "m", "instead of points: a circle about the origin", Range::positive),
        field(&CurveShape::half_axes, "half_axes", "m", "instead of points: an ellipse, half axes along x and y",
              Range::positive),
        field(&CurveShape::x, "x", "m", "instead of points: x as a formula in u"),
        field(&CurveShape::y, "y", "m", "y as a formula in u"),
        field(&CurveShape::range, "range", "", "from where to where u runs")};
  }
};

}  // namespace bricard
