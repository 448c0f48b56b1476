// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>
#include <random>

#include "bricard/math/rotation.h"

namespace bricard::testing {

/// Random numbers that are the same on every machine: mt19937 is, the distributions of the standard library are not.
class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  /// In [low, high).
  double uniform(double low, double high) { return low + (high - low) * (random_() * 0x1p-32); }
  /// Its logarithm is uniform.
  double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  int below(int count) { return static_cast<int>(uniform(0, count)); }
  bool chance(double p) { return uniform(0, 1) < p; }
  double sign() { return chance(0.5) ? 1 : -1; }
  Vector3d direction() {
    const double z = uniform(-1, 1), turn = uniform(0, 2 * std::numbers::pi), r = std::sqrt(1 - z * z);
    return {r * std::cos(turn), r * std::sin(turn), z};
  }
  Vector3d vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Matrix3d rotation() { return Eigen::AngleAxisd(uniform(0, std::numbers::pi), direction()).toRotationMatrix(); }

 private:
  std::mt19937 random_;
};

}  // namespace bricard::testing
