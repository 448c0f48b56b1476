// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "bricard/assemble/markers.h"

// Axes that were meant to be parallel or perpendicular, made so.             theory: docs/theory/alignment.md
// A loop of parallel hinges moves only because its axes are parallel. Axes that are given with seven digits are not:
// rows that should depend on others are then independent by a hair, and loads of any size come of it. So on each body
// the axes of its joints that are parallel or perpendicular within a small angle are turned until they are, and the
// joints of a loop are moved along the common axis until they meet.
namespace bricard {

/// What was done to a joint on one body.
struct AxisTurn {
  std::string joint, body;
  std::string other;  ///< the joint whose axis it is parallel or perpendicular to now; "" if it was only moved
  bool perpendicular = false;
  double angle = 0;  ///< rad
  double shift = 0;  ///< m, along the axis
};

using JointEnds = std::array<MarkerPose, 2>;

struct AlignedJoints {
  std::vector<JointEnds> ends;  ///< both markers of each joint, in the model's order
  std::vector<AxisTurn> turns;
  double widest = 0;  ///< rad; the smallest angle that aligns as much
};

/// The markers of all joints; of a model in space aligned within `angle`, > 0.
AlignedJoints align_joints(const Named& named, double angle);

}  // namespace bricard
