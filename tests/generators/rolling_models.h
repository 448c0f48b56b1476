// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "generators/draw.h"

// Wheels, blades and tops that roll and glide on a plane anywhere in space.
namespace bricard::testing {

struct RollingFamily {
  std::string name;
  std::string (*draw)(Draw& draw);  ///< a model file without run settings, started without slip
};
const std::vector<RollingFamily>& rolling_families();

}  // namespace bricard::testing
