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
  Bdf(const System& system, int order, bool stabilized, const RunSettings& settings, const Tolerances& tolerances);

  LocalError local_error() override;
  SolverCounts counts() const override;
  std::size_t bytes() const override;
  const char* solver_name() const override { return step_.newton().solver_name(); }

  void save() override;
  void restore() override;
  void archive(Archive& x) override { x(memory_, step_, starter_); }

 private:
  void begin(const State& s) override;
  StepReport try_step(double h, const State& s) override;
  void take_step(State& s, StepReport& report) override;
  static constexpr int kPast = kMaxOrder + 2;  // points before the new one
  using Past = std::array<VectorXd, kPast>;

  /// A tolerance needs one point more, to tell the error.
  bool starting() const { return memory_.past < memory_.order + (variable_ ? 1 : 0); }
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
  struct Memory {
    int order = 1, next_order = 1;
    int past = 0;  // how many points are known
    // The start is forgotten after one step: velocities of stiff parts may jump from there to their slow motion.
    bool first = false;
    int steady = 0;                 // steps since the order changed
    std::array<double, kPast> t{};  // before t_n, [0] is 0
    Past y, v;
    void archive(Archive& x) { x(order, next_order, past, first, steady, t, y, v); }
  };
  Memory memory_, saved_;
  VectorXd error_, other_, work_;
};

}  // namespace bricard
