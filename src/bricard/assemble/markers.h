// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>

#include "bricard/elements/two_point.h"
#include "bricard/model/model.h"
#include "bricard/system/system.h"

// From names in the model to bodies, joints and markers.
namespace bricard {

/// The model with its names looked up in constant time. Bodies are nodes 1, 2, … in the order of the model; ground is
/// node 0.
struct Named {
  const Model& model;
  std::unordered_map<std::string, int> nodes{{"ground", 0}}, joints;

  explicit Named(const Model& m);
  // They throw ModelError.
  int node(const Reference& body) const;
  int joint(const Reference& reference) const;
  MarkerPose marker(const Reference& reference) const;
};

bool names_marker(const Reference& reference);

/// The start pose of a body's mass centre as the user gave it.
struct Pose {
  Vector3d p = Vector3d::Zero();
  Matrix3d R = Matrix3d::Identity();
};
Pose start_pose(const Model& model, int node);

/// Where a marker is at the start, in the ground frame.
Pose start_pose(const Model& model, const MarkerPose& marker);

/// The marker that is at a pose in space at the start.
MarkerPose marker_at(const Model& model, int node, const Pose& global);

/// Distance of two markers at the start.
double start_distance(const Model& model, const MarkerPose& i, const MarkerPose& j);

/// Both markers of a joint. A bare body gets its marker where `at` says or else where the other end's marker is; a rod
/// (distance) or a curve holds it at the origin of its frame. Where only directions matter and no place is given, the
/// markers are at the second body.
std::array<MarkerPose, 2> joint_markers(const Named& named, const Joint& joint);

TwoPointPlace two_point_place(const System& system, const MarkerPose& i, const MarkerPose& j);

}  // namespace bricard
