// SPDX-License-Identifier: Apache-2.0
#include "bricard/results/report.h"

#include <cmath>
#include <utility>

namespace bricard {

Check compare(std::string name, double value, double reference, double tolerance) {
  const bool pass = std::abs(value - reference) <= tolerance;  // false for NaN
  return {std::move(name), value, reference, tolerance, pass};
}

}  // namespace bricard
