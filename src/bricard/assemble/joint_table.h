// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/model/model.h"
#include "bricard/system/system.h"

// The joint library as a table of constraint primitives.                theory: docs/theory/joints.md
namespace bricard {

/// An axis of the first marker kept perpendicular to one of the second (0, 1, 2: x, y, z).
struct AxisPair {
  int of_first, of_second;
};

struct JointPrimitives {
  bool coincide = false;       ///< origins together: three rows
  int slides = 0;              ///< second origin on planes of the first marker: x, y, z in this order
  std::vector<AxisPair> axes;  ///< one row each
  bool distance = false;       ///< one row
  std::vector<RelativeCoordinate> coordinates;
  int rows() const { return (coincide ? 3 : 0) + slides + static_cast<int>(axes.size()) + (distance ? 1 : 0); }
};

const JointPrimitives& primitives_of(JointType type);

}  // namespace bricard
