// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>

#include "bricard/assemble/frames.h"
#include "bricard/elements/two_point.h"

// From names in the model to frames, joints and markers.
namespace bricard {

/// The model with its names looked up in constant time.
struct Named {
  const Model& model;
  FrameTable frames;
  std::unordered_map<std::string, int> nodes, joints;
  std::unordered_map<std::string, std::string> beam_markers;  ///< arm.end: the body that is this node of the beam

  explicit Named(const Model& m);
  // They throw ModelError.
  int node(const Reference& body) const;
  int joint(const Reference& reference) const;
  MarkerPose marker(const Reference& reference) const;
};

bool names_marker(const Reference& reference);

/// Both markers of a joint. A bare body stands for its body frame, unless `at` and `axis` make both markers; where only
/// directions matter and no place is given, these are at the second body.
std::array<MarkerPose, 2> joint_markers(const Named& named, const Joint& joint);

TwoPointPlace two_point_place(const System& system, const MarkerPose& i, const MarkerPose& j);

}  // namespace bricard
