// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/integrate/constraint_check.h"
#include "bricard/integrate/error_norm.h"
#include "bricard/integrate/implicit_step.h"
#include "bricard/integrate/radau.h"

// Backward differentiation, orders 1 to 5, with displacements and multipliers as unknowns.   theory: docs/theory/bdf.md
//     δ̇ = Σ αᵢ y_{n+1−i},   v = T(δ) δ̇,   a = Σ αᵢ v_{n+1−i},   M a + Gᵀλ = f,  g = 0       [BottassoBauchauCardona2007]
// y: the past positions in the chart at q_n (y_n = 0), kept as sums of increments, so that small steps lose no digits.
// αᵢ: derivative at t_{n+1} of the polynomial through the last k + 1 points, whatever their distances.
// Order 2 with equal steps is NSTIFF; stabilized, NSTIFF-SI2              [NegrutJayKhude2009, eqs. (3), (4), (9), (10)].
// The first steps are taken by Radau IIA, whose order is 5.
namespace bricard {

class Bdf final : public Integrator {
 public:
  static constexpr int kMaxOrder = 5;

  /// With a tolerance in the settings the order changes from step to step and `order` is the largest one.
  Bdf(const System& system, int order, bool stabilized, const RunSettings& settings);

  void start(const State& s) override;
  StepReport attempt(double h, const State& s) override;
  LocalError local_error() override;
  void accept(State& s, StepReport& report) override;
  SolverCounts counts() const override;
  std::size_t bytes() const override;
  const char* solver_name() const override { return step_.newton().solver_name(); }

 private:
  static constexpr int kPast = kMaxOrder + 2;  // points before the new one
  using Past = std::array<VectorXd, kPast>;

  /// A tolerance needs one point more, to tell the error.
  bool starting() const { return past_ < order_ + (variable_ ? 1 : 0); }
  void extrapolate(int points, const Past& past, VectorXd& y) const;
  double error_of_order(int k, VectorXd& error);
  double largest_turn(const VectorXd& y) const;
  void remember(const VectorXd& increment, const VectorXd& v);

  const System& system_;
  int max_order_;
  bool variable_;
  ErrorNorm norm_;
  ConstraintCheck check_;
  double tolerance_;
  Residual residual_;
  ImplicitStep step_;
  RadauIia starter_;
  int order_;
  int past_ = 0;  // how many points are known
  // The start is forgotten after one step: velocities of stiff parts may jump from there to their slow motion.
  bool first_ = false;
  int steady_ = 0;                 // steps since the order changed
  std::array<double, kPast> t_{};  // before t_n, [0] is 0
  Past y_, v_;
  VectorXd error_, other_, work_;
  LocalError estimate_;
  int next_order_;
};

}  // namespace bricard
