// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "bricard/system/system.h"

namespace bricard {

/// How long a correction is: its largest component, as a length.
class StepLength {
 public:
  explicit StepLength(const System& system) : lengths_(system.lengths()) {}
  double operator()(const VectorXd& dz) const {
    return dz.size() ? dz.cwiseProduct(lengths_).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0;
  }
  std::size_t bytes() const { return sizeof(double) * lengths_.size(); }

 private:
  VectorXd lengths_;
};

/// The larger of two lengths; not a number if either is none, which std::max would hide.
inline double larger_of(double a, double b) { return a > b || std::isnan(a) ? a : b; }

}  // namespace bricard
