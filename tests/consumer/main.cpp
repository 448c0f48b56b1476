// SPDX-License-Identifier: Apache-2.0
// Uses the installed library: the exponential of a rotation vector and the logarithm of the result
// give the vector back.
#include <cstdio>

#include "bricard/math/rotation.h"

int main() {
  const Eigen::Vector3d turn(0.3, -1.1, 0.7);
  const Eigen::Quaterniond rotation = bricard::exp_rotation(turn);
  const double error = (bricard::log_rotation(rotation) - turn).norm();
  std::printf("log(exp(x)) - x: %.1e\n", error);
  return error < 1e-14 ? 0 : 1;  // a few roundings of numbers near 1
}
