// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/assemble/joints.h"
#include "bricard/assemble/natural.h"

// Which points and vectors are shared at the joints, and which of them a body is described by.
namespace bricard {

struct Sharing {
  std::vector<NaturalPoint> variables;
  std::vector<JointRows> rows;            ///< what is left of each joint
  std::vector<std::vector<int>> columns;  ///< per node, those its frame follows from; [0] is empty
  std::vector<std::vector<int>> tied;     ///< per node, further variables of it

  const Vector3d& local(int variable, int node) const;
};

Sharing share_variables(const Named& named, const Kinematics& start, double length);

}  // namespace bricard
