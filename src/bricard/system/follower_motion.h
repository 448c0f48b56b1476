// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/math/rotation.h"

namespace bricard {

using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6Xd = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// How a frame that follows unknowns moves with them, where they are now.
///     twist = J v,    its rate = J v̇ + J̇ v
struct FollowerMotion {
  /// A block of unknowns: where it starts among the velocities, and where its columns start in J.
  struct Part {
    int first, size, column;
  };
  std::vector<Part> parts;
  Matrix6Xd J;
  Matrix6Xd V;                       ///< ∂(J v)/∂q with v held fixed; worked out only if there is a bias
  VectorXd v;                        ///< velocities of its unknowns, one block after the other
  Vector6d bias = Vector6d::Zero();  ///< J̇ v

  /// The entries of `x` that belong to its unknowns.
  void gather(const VectorXd& x, VectorXd& own) const {
    for (const Part& p : parts) own.segment(p.column, p.size) = x.segment(p.first, p.size);
  }
  Vector6d acceleration(const VectorXd& a) const {
    Vector6d sum = bias;
    for (const Part& p : parts) sum.noalias() += J.middleCols(p.column, p.size) * a.segment(p.first, p.size);
    return sum;
  }
};

}  // namespace bricard
