// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/integrate/augmented_settings.h"
#include "bricard/integrate/integrator.h"
#include "bricard/integrate/turn_counter.h"
#include "bricard/solve/condensed_system.h"
#include "bricard/solve/projection.h"

// Augmented Hamiltonian methods [Gonzalez, eqs. (8), (18)–(20)]: momenta p = M v + Gᵀσ, multipliers σ with σ̇ = λ.
//     (M + α GᵀG) v = p − Gᵀ(σ + α (g_t + 2ξω g + ω² ∫g dt)),      σ ← σ + α e,   e = ġ + 2ξω g + ω² ∫g dt
//     ṗ = f + Ġᵀσ
// with Euler's rule, with the trapezoidal rule by fixed-point iteration, and (ahnr) by Newton's method. Needs a constant
// mass matrix: natural coordinates.                          theory: docs/theory/augmented_lagrangian.md
namespace bricard {

class AugmentedHamiltonian final : public Integrator {
 public:
  AugmentedHamiltonian(const System& system, const RunSettings& settings, const Tolerances& tolerances);

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
  /// What the method carries on besides the state.
  struct Past {
    VectorXd p, p_rate, sigma, integral, violation;
  };
  StepReport step_of_euler(const State& s);
  StepReport step_of_trapezoids(const State& s);
  StepReport step_of_newton(const State& s);
  void transpose(double shift, const VectorXd& y, VectorXd& out);
  void momentum(const VectorXd& v, VectorXd& out);
  void solve_velocities();
  void evaluate_violation();
  void rate_of_transpose(const VectorXd& y, VectorXd& out);
  void momentum_rate();
  double factorize_newton();
  void follow(const State& s);

  const System& system_;
  RunSettings settings_;
  NewtonControl control_;
  TurnCounter turns_;
  std::unique_ptr<CondensedSystem> solver_;  // of all but ahnr
  std::unique_ptr<NewtonSystem> newton_;     // of ahnr
  std::unique_ptr<NewtonSystem> work_newton_;
  std::unique_ptr<Projection> projection_;  // where the work of constraint forces is looked at
  AugmentedParameters p_;
  double h_ = 0;
  Past past_, now_, saved_;
  State next_, probe_, rows_;
  Kinematics kinematics_, probe_kinematics_, rows_kinematics_;
  Residual residual_;
  std::vector<Matrix3d> chart_;
  VectorXd delta_, x_, velocities_;
  VectorXd plus_, minus_, y_;
  VectorXd rate_, bias_, e_;
};

}  // namespace bricard
