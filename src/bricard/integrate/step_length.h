// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/system.h"

namespace bricard {

/// How long a correction is: its largest component, those of rotations times the reference length.
class StepLength {
 public:
  explicit StepLength(const System& system) : lengths_(VectorXd::Ones(system.velocities())) {
    for (const Manifold::Block& b : system.manifold().blocks())
      if (b.kind == Manifold::Kind::rotation) lengths_.segment<3>(b.v).setConstant(system.reference_length);
  }
  double operator()(const VectorXd& dz) const {
    return dz.size() ? dz.cwiseProduct(lengths_).lpNorm<Eigen::Infinity>() : 0;
  }
  std::size_t bytes() const { return sizeof(double) * lengths_.size(); }

 private:
  VectorXd lengths_;
};

}  // namespace bricard
