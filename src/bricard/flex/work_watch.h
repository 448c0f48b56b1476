// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace bricard {

/// Somebody wanted no more of the work.
struct WorkStopped : std::runtime_error {
  WorkStopped() : std::runtime_error("stopped") {}
};

/// How a caller looks on at work that may take minutes, and how it ends it.
struct WorkWatch {
  std::function<void(const std::string& part, double share)> progress = {};  ///< called now and then; 0 ≤ share ≤ 1
  std::function<bool()> cancelled = {};

  /// Throws WorkStopped if it was cancelled.
  void at(const std::string& part, double share) const {
    if (cancelled && cancelled()) throw WorkStopped();
    if (progress) progress(part, share);
  }
};

}  // namespace bricard
