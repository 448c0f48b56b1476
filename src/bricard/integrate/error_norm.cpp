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
  Eigen::Index of_bodies = 0;
  for (size_t i = 1; i < system_.nodes().size(); ++i) {
    const int v = system_.nodes()[i].v;
    if (system_.nodes()[i].block < 0) continue;
    count(error.segment<3>(v).norm() / length, static_cast<int>(i), false);
    count(error.segment<3>(v + 3).norm(), static_cast<int>(i), true);
    of_bodies += 6;
  }
  if (of_bodies < error.size())
    for (const Manifold::Block& b : system_.manifold().blocks())
      if (b.kind == Manifold::Kind::vector && (b.size != 3 || of_bodies == 0))
        count(error.segment(b.v, b.size).norm() / length, -1, false);
  for (size_t i = 0; i < system_.states.size(); ++i)
    count(std::abs(error[system_.states[i].v]) / system_.states[i].scale, -2 - static_cast<int>(i), false);
  if (!error.allFinite()) worst.ratio = HUGE_VAL;
  worst.ratio /= std::pow(tolerance_, static_cast<double>(power) / order);
  return worst;
}

}  // namespace bricard
