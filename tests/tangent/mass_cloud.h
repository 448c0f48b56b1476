// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "bricard/model/reduced_part.h"

namespace bricard::testing {

/// Point masses that move with shapes: a flexible part whose integrals are sums.
struct MassCloud {
  struct Point {
    double mass;
    Vector3d x;
    Eigen::Matrix3Xd phi;
    std::array<Eigen::MatrixXd, 3> chi;  ///< symmetric
  };
  std::vector<Point> points;
  Eigen::MatrixXd stiffness, damping;

  int shapes() const { return static_cast<int>(stiffness.rows()); }
  bool shortens() const { return points[0].chi[0].size() > 0; }
};

/// Everything random, of the order of one; `shortens`: with χ.
MassCloud random_cloud(int shapes, bool shortens, unsigned seed);

/// With interfaces at its first two points, whose axes turn at random.
ReducedPart part_of(const MassCloud& cloud, unsigned seed = 1);

}  // namespace bricard::testing
