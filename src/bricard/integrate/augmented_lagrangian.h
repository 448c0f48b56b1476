// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/integrate/augmented_settings.h"
#include "bricard/integrate/integrator.h"
#include "bricard/integrate/turn_counter.h"
#include "bricard/solve/condensed_system.h"

// Penalty and augmented Lagrangian methods [Gonzalez, eqs. (5), (6), (9), (10), (14)].
//     (M + α GᵀG) a = f − Gᵀ(λ* + α (γ + 2ξω ġ + ω² g)),   γ = g̈ − G a,       penalty: λ* = 0
//     λ* ← λ* + α (g̈ + 2ξω ġ + ω² g)                       after each solution
// with Euler's rule, with the trapezoidal rule by fixed-point iteration, and (alnr) by Newton's method.
// theory: docs/theory/augmented_lagrangian.md
namespace bricard {

class AugmentedLagrangian final : public Integrator {
 public:
  AugmentedLagrangian(const System& system, const RunSettings& settings, const Tolerances& tolerances);

  SolverCounts counts() const override;
  std::size_t bytes() const override;
  const char* solver_name() const override;

  void save() override;
  void restore() override;
  void archive(Archive& x) override;

 private:
  void begin(const State& s) override;
  StepReport try_step(double h, const State& s) override;
  void take_step(State& s, StepReport& report) override;
  StepReport step_of_euler(const State& s);
  StepReport step_of_trapezoids(const State& s);
  StepReport step_of_newton(const State& s);
  void solve_accelerations();
  void stabilized_violation(bool with_accelerations);
  void advance(const State& s);
  bool factorize_newton();
  void follow(const State& s);
  void evaluate(const State& s);

  const System& system_;
  RunSettings settings_;
  NewtonControl control_;
  TurnCounter turns_;
  bool updates_;                             // λ*, unless it is the penalty method
  std::unique_ptr<CondensedSystem> solver_;  // of all but alnr
  std::unique_ptr<NewtonSystem> newton_;     // of alnr
  AugmentedParameters p_;
  double h_ = 0;
  State next_;
  Kinematics kinematics_, ahead_kinematics_;
  State ahead_;
  Residual residual_;
  std::vector<Matrix3d> chart_;
  VectorXd delta_, ddelta_, x_, a_, velocities_;
  VectorXd rate_, bias_, moved_rate_, unused_, lambda_, e_;
};

}  // namespace bricard
