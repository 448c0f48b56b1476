// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/model/model.h"

namespace bricard {

/// What a check says of a flexible body.
struct FlexibleSummary {
  std::string name, source;
  double mass = 0;
  int shapes = 0;
  double lowest = 0, highest = 0;  ///< frequencies of the shapes, rad/s
  bool stiffens = false, damped = false;
  std::vector<std::string> interfaces = {};
};

std::vector<FlexibleSummary> flexible_bodies(const Model& model);

}  // namespace bricard
