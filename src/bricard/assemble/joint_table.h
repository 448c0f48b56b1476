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
  std::vector<int> slides;     ///< second origin on the planes across these axes of the first marker, one row each
  std::vector<AxisPair> axes;  ///< one row each
  /// One more primitive; `curve` may have a second row, for the plane, and `rolling` has one for each direction of slip.
  enum class Special { none, distance, twist, screw, curve, knife_edge, rolling } special = Special::none;
  std::vector<RelativeCoordinate> coordinates;
  int rows() const { return plain_rows() + (special == Special::none ? 0 : 1); }
  /// Rows without those of the special primitive.
  int plain_rows() const { return (coincide ? 3 : 0) + static_cast<int>(slides.size() + axes.size()); }
};

const JointPrimitives& primitives_of(JointType type);

}  // namespace bricard
