// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>

#include "bricard/integrate/error_norm.h"
#include "bricard/solve/newton_system.h"

// A step sees loads and motions that depend on the time at its ends, or at a few times in between, and nothing of a pulse
// that has come and gone. Where all is at rest the error estimate has no reason to find steps too long.
//                                                                           theory: docs/theory/step_control.md
// With positions and velocities as they are where the step begins, the time alone makes accelerations of
//     M a(τ) + Gᵀλ = −r(t + τ),    G a(τ) = −γ(t + τ)
// A polynomial p through d + 1 of them is what a formula can know. What it does not know of the step's end is
//     velocities  Δv = ∫ (a − p) dτ,    positions  ∫ (h − τ) (a − p) dτ,    and what Δv does to them in another step
namespace bricard {

class LookAhead {
 public:
  LookAhead(const System& system, const RunSettings& settings);

  /// The first of h, h/2, h/4, … of which a formula of this order sees enough, but no less than the interval between looks: a
  /// thousandth of the run or the interval between samples.
  double visible(const State& s, double h, int order);
  /// What its matrix found out about the rows of constraints.
  void archive(Archive& x);

 private:
  bool is_visible(const State& s, double h, int degree);
  void look(double t);
  void make_matrix() { newton_ = std::make_unique<NewtonSystem>(system_, SolverType::automatic); }

  const System& system_;
  ErrorNorm norm_;
  double interval_;
  State at_;
  Kinematics kinematics_;
  Residual residual_;
  VectorXd rate_, bias_, seen_, first_, speed_, way_;  // r and γ below each other
  Eigen::MatrixXd known_;                              // at the times that p goes through
  std::vector<Matrix3d> no_chart_;
  std::unique_ptr<NewtonSystem> newton_;  ///< made when loads change for the first time
};

}  // namespace bricard
