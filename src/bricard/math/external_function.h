// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

namespace bricard {

/// A function from outside, as a Python callable, that formulas may call by its name. It must not throw; a number that is
/// not finite stops the run.
struct ExternalFunction {
  int least = 0, most = 0;  ///< number of arguments
  std::function<double(std::span<const double>)> value;
};

using ExternalFunctions = std::map<std::string, std::shared_ptr<const ExternalFunction>>;

}  // namespace bricard
