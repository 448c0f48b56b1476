// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/assemble/alignment.h"
#include "bricard/assemble/joint_table.h"
#include "bricard/assemble/markers.h"
#include "bricard/elements/coincidences.h"
#include "bricard/elements/coordinate_constraints.h"
#include "bricard/elements/curve_constraints.h"
#include "bricard/elements/distances.h"
#include "bricard/elements/rolling_constraints.h"
#include "bricard/elements/rotation_constraints.h"
#include "bricard/elements/rotor_inertias.h"
#include "bricard/elements/slide_constraints.h"

// Joints as rows of constraint primitives.                                theory: docs/theory/joints.md
namespace bricard {

/// Null without a reference. Throws ModelError.
std::shared_ptr<const Curve> find_curve(const Model& model, const std::optional<Reference>& reference);

/// Collects the elements of each kind while the joints are numbered.
struct Parts {
  std::vector<Coincidences::Item> coincidences;
  std::vector<AxisConstraints::Item> axes;
  std::vector<SlideConstraints::Item> slides;
  std::vector<Distances::Item> distances;
  std::vector<CoordinateConstraints::Item> coordinates;
  std::vector<CurveConstraints::Item> curves;
  std::vector<RollingConstraints::Item> rolling;
  std::vector<RotorInertias::Item> rotors;
};

/// The rows of a joint: what they are, and the markers whose axes they refer to.
struct JointRows {
  JointPrimitives primitives;
  std::array<MarkerPose, 2> markers;
  bool on_curve_plane = false;      ///< a second row of point-on-curve
  std::vector<Vector3d> no_slip{};  ///< of a wheel: directions in the first body in which it does not slip
  JointEnds ends{};                 ///< where the joint's coordinates are measured; in the plane `markers` are turned
  int rows() const { return primitives.rows() + (on_curve_plane ? 1 : 0) + static_cast<int>(no_slip.size()); }
};
/// Of all joints, with axes aligned as the model says.
std::vector<JointRows> joint_rows(const Named& named);

/// Numbers the joint and adds the rows to the parts.
void add_joint(const Named& named, const Joint& joint, const JointRows& rows, System& system, Parts& parts);

/// Three rows that keep a body parallel to the plane of the model, and no joint.
void add_plane(const Named& named, int node, System& system, Parts& parts);

}  // namespace bricard
