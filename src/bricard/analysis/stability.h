// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bricard {

/// Whether small motions die away, stay as they are, or grow.
enum class Stability { stable, neutral, unstable };

constexpr const char* name_of(Stability stability) {
  constexpr const char* kNames[] = {"stable", "neutral", "unstable"};
  return kNames[static_cast<int>(stability)];
}

}  // namespace bricard
