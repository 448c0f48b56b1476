// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/system/system.h"

// Bodies as nodes, joints as edges: loops, and what hangs together.
namespace bricard {

/// A closed way through joints; bodies[i] and bodies[i + 1] meet in joints[i], the last and the
/// first in the last.
struct Loop {
  std::vector<int> bodies, joints;  ///< nodes (0: ground) and numbers of joints
};

/// One loop for each joint beyond a spanning tree, which is grown from ground in breadth so that
/// the loops are short.
std::vector<Loop> find_loops(const System& system);

/// Bodies that hang together by joints but have none to ground.
struct LooseGroup {
  std::vector<int> bodies;
  bool has_forces = false;  ///< springs or applied forces, besides gravity
};
std::vector<LooseGroup> find_loose_groups(const System& system);

}  // namespace bricard
