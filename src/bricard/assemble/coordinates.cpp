// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/coordinates.h"

#include <cmath>
#include <numbers>

namespace bricard {
namespace {

using Kind = Coordinate::Kind;

int angle_index_of(const JointInfo& joint) {
  for (const RelativeCoordinate& c : joint.coordinates)
    if (c.angle_index >= 0) return c.angle_index;
  return -1;
}

}  // namespace

std::string force_signal(const std::string& owner, const Coordinate& c) {
  return owner + (c.turns() ? ".torque" : ".force");
}

Coordinate marker_coordinate(const System& system, const MarkerPose& i, const MarkerPose& j, JointCoordinate wanted) {
  const bool turns = wanted == JointCoordinate::angle;
  Coordinate c = make_coordinate(system, turns ? Kind::angle : Kind::offset, i, j);
  c.axis = wanted == JointCoordinate::x ? 0 : wanted == JointCoordinate::y ? 1 : 2;
  return c;
}

Coordinate joint_coordinate(const System& system, int joint, JointCoordinate wanted) {
  const JointInfo& info = system.joints[joint];
  const int angle = angle_index_of(info);
  if (wanted == JointCoordinate::automatic && angle >= 0) wanted = JointCoordinate::angle;
  Coordinate c = marker_coordinate(system, info.markers[0], info.markers[1], wanted);
  c.joint = joint;
  if (c.turns()) c.angle_index = angle;
  return c;
}

TrackedAngle second_angle(const MarkerPose& i, const MarkerPose& j) {
  TrackedAngle angle{j, i};
  angle.i.R << j.R.col(2), j.R.col(1), -j.R.col(0);
  angle.j.R << i.R.col(2), i.R.col(0), i.R.col(1);
  return angle;
}

ValueAndRate value_at(const Kinematics& k, const Coordinate& c) {
  const CoordinateState x = evaluate(k, c);
  return {counted(k, c, x.value), x.rate};
}

MotionFunction motion_function(const Motion& motion, const ValueAndRate& start, double duration) {
  using MotionKind = MotionFunction::Kind;
  if (motion.displacement) return {MotionKind::displacement, *motion.displacement, 0, 0, duration};
  const double value = motion.start.value_or(start.value), rate = motion.start_velocity.value_or(start.rate);
  if (motion.velocity) return {MotionKind::velocity, *motion.velocity, value, 0, duration};
  return {MotionKind::acceleration, motion.acceleration.value_or(Expression(0.0)), value, rate, duration};
}

// Gears: θ₁ − ratio θ₂ = const, teeth: z₁ θ₁ ± z₂ θ₂;  rack: way − radius angle.
CoordinateConstraints::Item coupler_row(const Coupler& coupler, const std::vector<int>& joints, const Kinematics& start,
                                        System& system) {
  CoordinateConstraints::Item row;
  row.multipliers = system.add_multipliers(1);
  row.offset = 0;
  row.row = system.row_of(row.multipliers);
  row.count = static_cast<int>(joints.size());
  if (coupler.type == CouplerType::coupler) {
    for (int n = 0; n < row.count; ++n) row.factors[n] = coupler.factors[n];
  } else if (coupler.type == CouplerType::rack_and_pinion) {
    row.factors = {-*coupler.radius, 1, 0};
  } else if (coupler.teeth) {
    row.factors = {1, (coupler.internal ? -1 : 1) * (*coupler.teeth)[1] / (*coupler.teeth)[0], 0};
  } else {
    row.factors = {1, -*coupler.ratio, 0};
  }
  double constant = 0;
  for (int n = 0; n < row.count; ++n) {
    auto wanted = coupler.coordinates.empty() ? JointCoordinate::automatic : coupler.coordinates[n];
    if (coupler.type == CouplerType::rack_and_pinion)
      wanted = n == 0 ? JointCoordinate::angle : JointCoordinate::translation;
    if (coupler.type == CouplerType::gear) wanted = JointCoordinate::angle;
    row.coordinates[n] = joint_coordinate(system, joints[n], wanted);
    row.signals[n] = force_signal(coupler.name + "." + system.joints[joints[n]].name, row.coordinates[n]);
    constant += row.factors[n] * value_at(start, row.coordinates[n]).value;
  }
  row.target = MotionFunction(constant);
  return row;
}

CoordinateConstraints::Item screw_row(const Coordinate& angle, const Coordinate& translation, double pitch,
                                      const Kinematics& start) {
  CoordinateConstraints::Item row;
  row.count = 2;
  row.coordinates[0] = translation, row.coordinates[1] = angle;
  row.factors = {1, -pitch / (2 * std::numbers::pi), 0};
  row.target = MotionFunction(value_at(start, translation).value + row.factors[1] * value_at(start, angle).value);
  return row;
}

}  // namespace bricard
