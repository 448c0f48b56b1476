// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "bricard/model/model.h"
#include "bricard/system/system.h"

// The joint library as a table of constraint primitives: the equations of each of model/joint_kinds.h, in space and in the
// plane.                                                                 theory: docs/theory/joints.md
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
  std::vector<RelativeCoordinate> coordinates{};
  int rows() const { return plain_rows() + (special == Special::none ? 0 : 1); }
  /// Rows without those of the special primitive.
  int plain_rows() const { return (coincide ? 3 : 0) + static_cast<int>(slides.size() + axes.size()); }
};

/// What is left of a joint in a planar model. Its rows refer to axes of the plane: z the normal, x along the joint's axis,
/// if that lies in the plane.
struct PlanarForm {
  enum class Axis { any, normal, in_plane };
  /// A universal joint turns with either axis about the normal; a cylindrical one is a pin if its axis is the normal.
  enum class Choice { none, either_axis, pin_along_normal };

  std::array<Axis, 2> axis{Axis::any, Axis::any};  ///< where the z axes of the two markers must point
  bool same_height = false;                        ///< the origins must not be apart along the normal
  bool same_axes = false;                          ///< markers must not be turned out of the plane against each other
  std::vector<int> slides{};
  std::vector<AxisPair> axes{};
  Choice choice = Choice::none;
  const char* refusal = nullptr;  ///< why there is no such joint; {} stands for the planar model
};

const JointPrimitives& primitives_of(JointType type);
const PlanarForm& planar_form_of(JointType type);

}  // namespace bricard
