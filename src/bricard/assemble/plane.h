// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/assemble/joint_table.h"
#include "bricard/assemble/markers.h"

// Planar models: three rows keep each body in its plane, and joints have only the rows that are left to say in the
// plane, so that none is redundant.                                      theory: docs/theory/joints.md
namespace bricard {

/// What a joint of a planar model consists of. The axes of `markers` are those of the plane: z along the normal and x
/// along the axis of the joint, if it has one in the plane.
struct PlanarJoint {
  JointPrimitives primitives;
  std::array<MarkerPose, 2> markers;
  std::string fault;  ///< why it does not fit the plane; "" if it does
  std::string key;    ///< of the joint, that is to blame: type, axis, second_axis or between
  int end = -1;       ///< and which of its two ends, −1: not one of them
};
PlanarJoint planar_joint(const Named& named, const Joint& joint);

/// The markers, on ground and on the body, between which a body is held parallel to the plane: as by a planar joint.
std::array<MarkerPose, 2> plane_markers(const Named& named, int node);

/// `[0, 1, 0]`, as messages say a direction: without the signs of zeros.
std::string direction_text(const Vector3d& v);

/// Whether a direction is along the normal of the model's plane or lies in it; neither: skew.
bool is_normal(const Model& model, const Vector3d& direction);
bool is_in_plane(const Model& model, const Vector3d& direction);

}  // namespace bricard
