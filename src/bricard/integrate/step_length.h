// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/system.h"

namespace bricard {

/// How long a correction is: its largest component, as a length.
class StepLength {
 public:
  explicit StepLength(const System& system) : lengths_(system.lengths()) {}
  double operator()(const VectorXd& dz) const {
    return dz.size() ? dz.cwiseProduct(lengths_).lpNorm<Eigen::Infinity>() : 0;
  }
  std::size_t bytes() const { return sizeof(double) * lengths_.size(); }

 private:
  VectorXd lengths_;
};

}  // namespace bricard
