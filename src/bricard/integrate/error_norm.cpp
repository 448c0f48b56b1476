// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/error_norm.h"

#include <cmath>

namespace bricard {

ErrorNorm::ErrorNorm(const System& system, const RunSettings& settings)
    : system_(system), tolerance_(settings.rtol.value_or(0) + settings.atol / system.reference_length) {}

ErrorNorm::Value ErrorNorm::operator()(const VectorXd& error, int order, int power) const {
  Value worst;
  const auto count = [&](double size, int node, bool rotation) {
    if (size <= worst.ratio) return;  // a NaN is found below
    worst = {size, node, rotation};
  };
  const double length = system_.reference_length;
  for (const UnknownBlock& b : system_.blocks()) {
    if (b.multiplier) break;  // they come last
    if (b.node >= 0) {
      count(error.segment<3>(b.first).norm() / length, b.node, false);
      count(error.segment<3>(b.first + 3).norm(), b.node, true);
    } else if (b.is_vector()) {
      count(error.segment(b.first, b.size).norm() / length, -1, false);
    }
  }
  for (size_t i = 0; i < system_.states.size(); ++i)
    count(std::abs(error[system_.states[i].v]) / system_.states[i].scale, -2 - static_cast<int>(i), false);
  if (!error.allFinite()) worst.ratio = HUGE_VAL;
  worst.ratio /= std::pow(tolerance_, static_cast<double>(power) / order);
  return worst;
}

}  // namespace bricard
