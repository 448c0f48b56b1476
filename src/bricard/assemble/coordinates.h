// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/coordinate_constraints.h"
#include "bricard/model/model.h"

// From names of joint coordinates to what elements need of them.
namespace bricard {

/// A coordinate of a joint; `automatic` is the first one it has.
Coordinate joint_coordinate(const System& system, int joint, JointCoordinate wanted);

/// A coordinate of two markers that belong to no joint.
Coordinate marker_coordinate(const System& system, const MarkerPose& i, const MarkerPose& j, JointCoordinate wanted);

/// The second angle of a universal joint, atan2(y_j·z_i, z_j·z_i), as an angle about z of a renamed marker j.
TrackedAngle second_angle(const MarkerPose& i, const MarkerPose& j);

/// Its value and rate at a state, on the turn the state remembers.
struct ValueAndRate {
  double value, rate;
};
ValueAndRate value_at(const Kinematics& k, const Coordinate& c);

/// c(t) of a motion that has its coordinate at `start` when nothing else is said.
MotionFunction motion_function(const Motion& motion, const ValueAndRate& start, double duration);

/// The row of a coupler between coordinates of its joints; multipliers are added to the system.
CoordinateConstraints::Item coupler_row(const Coupler& coupler, const std::vector<int>& joints, const Kinematics& start,
                                        System& system);

/// The row  translation − pitch/(2π)·angle = const  of a screw.
CoordinateConstraints::Item screw_row(const Coordinate& angle, const Coordinate& translation, double pitch,
                                      const Kinematics& start);

/// Of the force or torque along a coordinate.
std::string force_signal(const std::string& owner, const Coordinate& c);

}  // namespace bricard
