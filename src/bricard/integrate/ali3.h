// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/integrate/augmented_settings.h"
#include "bricard/integrate/integrator.h"
#include "bricard/integrate/turn_counter.h"
#include "bricard/solve/condensed_system.h"

// Augmented Lagrangian formulation of index 3 with projections (ALi3) [Gonzalez, eqs. (16), (17)], trapezoidal rule.
//     M a − f + Gᵀ(λ* + α g) = 0  at t_{n+1},     λ* ← λ* + α g after each correction
//     [W + βh²α GᵀG] dq = −βh² r,    W = M + γh C + βh² K
// and with the same matrix, after the last correction, velocities and accelerations that satisfy their constraints:
//     [W + βh²α GᵀG] (v − v*) = −βh²α Gᵀ ġ(v*)
//     [W + βh²α GᵀG] (a − a*) = −r(v, a*, λ* + βh²α g̈(a*)),      λ = λ* + βh²α g̈(a)
// Without the residual and the change of λ this is the paper's projection. λ* belongs to a*, which is of first order where
// constraints move, and carries the round-off of g times α; λ belongs to a.
// theory: docs/theory/augmented_lagrangian.md
namespace bricard {

class Ali3 final : public Integrator {
 public:
  Ali3(const System& system, const RunSettings& settings, const Tolerances& tolerances);

  SolverCounts counts() const override { return solver_.counts(); }
  std::size_t bytes() const override;
  const char* solver_name() const override { return solver_.solver_name(); }

  void save() override;
  void restore() override;
  void archive(Archive& x) override { x(solver_, turns_); }

 private:
  void begin(const State& s) override;
  StepReport try_step(double h, const State& s) override;
  void take_step(State& s, StepReport& report) override;
  void advance(const State& s);
  void factorize();
  void project();
  void set_multipliers();
  void constraint_accelerations();

  const System& system_;
  RunSettings settings_;
  CondensedSystem solver_;
  NewtonControl control_;
  TurnCounter turns_;
  AugmentedParameters p_;
  double h_ = 0, beta_hh_ = 0;
  State next_;
  Kinematics kinematics_;
  Residual residual_;
  std::vector<Matrix3d> chart_;
  VectorXd delta_, ddelta_, x_;
  VectorXd rate_, bias_, gddot_, unused_, velocities_, lambda_;
};

}  // namespace bricard
