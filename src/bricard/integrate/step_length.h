// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "bricard/integrate/integrator.h"
#include "bricard/system/system.h"

namespace bricard {

/// How long a correction is: its largest component, as a length.
class StepLength {
 public:
  explicit StepLength(const System& system) : lengths_(system.lengths()), reference_(system.reference_length) {}
  double operator()(const VectorXd& dz) const {
    return dz.size() ? dz.cwiseProduct(lengths_).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0;
  }
  /// Whether an iteration with this correction in a step of h from the velocities v has run away. It might still come to
  /// rest somewhere, measured by its own size.
  bool is_lost(double correction, double h, const VectorXd& v, StepReport& report) const {
    if (correction <= kLost * std::max(reference_, h * (*this)(v))) return false;
    report.status = std::isfinite(correction) ? StepStatus::not_converged : StepStatus::not_finite;
    return true;
  }
  std::size_t bytes() const { return sizeof(double) * lengths_.size(); }

 private:
  static constexpr double kLost = 1000;

  VectorXd lengths_;
  double reference_;
};

/// The larger of two lengths; not a number if either is none, which std::max would hide.
inline double larger_of(double a, double b) { return a > b || std::isnan(a) ? a : b; }

}  // namespace bricard
