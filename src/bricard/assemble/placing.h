// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "bricard/assemble/frames.h"

// Where bodies are at the start that are placed relative to others, or along joints with `start`.
//                                                                             theory: docs/theory/start.md, Placing
namespace bricard {

/// The second marker of a joint as the first one sees it, and its motion, in the axes of the first.
struct RelativeStart {
  Pose pose;
  Vector3d velocity = Vector3d::Zero(), spin = Vector3d::Zero();
};

/// By the numbers of `start` and `start_velocity`, zero where they are absent.
RelativeStart relative_start(const Joint& joint);

/// What the description says of names.
struct PlacingNames {
  std::function<MarkerPose(const Reference&)> marker;
  std::function<std::array<MarkerPose, 2>(const Joint&)> ends;
};

/// The configuration that the description is about: bodies relative to others are where these are.
void place_given(const Model& model, const PlacingNames& names, FrameTable& frames);
/// The start: joints with `start` have these coordinates. Throws ModelError.
void place_start(const Model& model, const PlacingNames& names, FrameTable& frames);

}  // namespace bricard
