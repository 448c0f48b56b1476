// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/integrate/step_length.h"
#include "bricard/solve/newton_system.h"

namespace bricard {

/// Velocities of stabilized methods at the end of a step. ġ is linear in v: a few solutions with the matrix of the step bring
/// it to round-off. How much one of them leaves is remembered, so that the last one need not be looked at.
class VelocityPolish {
 public:
  VelocityPolish(const System& system, const Tolerances& tolerances)
      : system_(system), length_of_(system), exact_(tolerances.exact_velocity),
        forgetting_(tolerances.forgetting_rates), rate_(VectorXd::Zero(system.multipliers())), bias_(rate_),
        x_(VectorXd::Zero(system.unknowns())) {}

  void start() { left_ = 1; }
  /// `move(x)` adds the solution x, in the unknowns of the step, to s, to which k then belongs.
  template <class Move>
  void operator()(NewtonSystem& newton, const State& s, const Kinematics& k, const Move& move) {
    const int n = system_.velocities(), m = system_.multipliers();
    double before = 0;
    left_ = std::pow(std::max(left_, 1e-16), forgetting_);
    for (int i = 0; m > 0 && i < Limits::polishing; ++i) {
      system_.constraint_rates(k, rate_, bias_);
      const double violation = rate_.lpNorm<Eigen::Infinity>(), exact = exact_ * length_of_(s.v);
      if (i > 0) left_ = violation / before;
      if (violation <= exact) return;
      before = violation;
      x_.head(n).setZero();
      x_.tail(m) = (-newton.form().scale / newton.form().v) * rate_;
      newton.solve(x_);
      move(x_);
      if (violation * left_ <= exact) return;
    }
  }

  void save() { saved_ = left_; }
  void restore() { left_ = saved_; }
  void archive(Archive& x) { x(left_); }
  std::size_t bytes() const { return length_of_.bytes() + sizeof(double) * (2 * rate_.size() + x_.size()); }

 private:
  const System& system_;
  StepLength length_of_;
  double exact_, forgetting_;
  double left_ = 1, saved_ = 1;  // part of ġ that a solution leaves
  VectorXd rate_, bias_, x_;
};

}  // namespace bricard
