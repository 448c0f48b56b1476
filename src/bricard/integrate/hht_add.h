// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/integrate/constraint_check.h"
#include "bricard/integrate/generalized_alpha.h"
#include "bricard/integrate/turn_counter.h"

// HHT with additive constraint corrections, stabilized index 2.           theory: docs/theory/stabilized_index2.md
//     δ = h v_n + h² ((½ − β) a_n + β a_{n+1}) + h²/2 ((1 − b) R_I + b R_II)
//     v_{n+1} = v_n + h ((1 − γ) a_n + γ a_{n+1}) + h/2 (R_I + R_II)
//     M a_{n+1} = (1 + α) Q_{n+1} − α Q_n,   M R_I = −G_nᵀψ_I,   M R_II = −G_{n+1}ᵀψ_II,   g = 0,  ġ = 0  at n + 1
//                                       [NegrutJayKhude2009, eq. (11); its velocity formula needs a, not q̈, as here]
// Multiplied by M, both formulas are balances of forces, and no inverse of M is needed: the history is M a_n. The
// multipliers of results are extrapolated to the end of the step from those in the middle of two steps, (ψ_I + ψ_II)/2.
namespace bricard {

class HhtAdd final : public Integrator {
 public:
  HhtAdd(const System& system, const RunSettings& settings, const Tolerances& tolerances);

  LocalError local_error() override;
  SolverCounts counts() const override { return newton_.counts(); }
  std::size_t bytes() const override;
  const char* solver_name() const override { return newton_.solver_name(); }

  void save() override;
  void restore() override;
  void archive(Archive& x) override { x(memory_, redundant_, control_, polish_, newton_, turns_); }

 private:
  void begin(const State& s) override;
  StepReport try_step(double h, const State& s) override;
  void take_step(State& s, StepReport& report) override;
  StepReport iterate(const State& s);
  void factorize(const State& s);
  void evaluate();
  void solve();
  double correct();
  void finish(const State& s, StepReport& report);
  void estimate_error();
  void extrapolate();

  const System& system_;
  TurnCounter turns_;
  NewtonControl control_;
  VelocityPolish polish_;
  ConstraintCheck check_;
  double alpha_, b_;
  AlphaCoefficients c_;
  ProjectionMode mode_;
  NewtonSystem newton_;
  std::unique_ptr<Projection> projection_;

  bool redundant_ = false;  // the constraints depend on each other
  double h_ = 0;
  State begin_, next_;  // begin_: the state of the beginning, with multipliers ψ_I
  Kinematics begin_kinematics_, kinematics_;
  Residual residual_, begin_residual_;
  std::vector<Matrix3d> chart_;
  VectorXd psi1_, psi2_;  // of the step at work, first guessed
  VectorXd delta_, pull_, start_a_, r_position_, r_velocity_, rate_, bias_, x_, again_, dz_, error_;
  NewtonForm form_;
  struct Memory {
    VectorXd forces;                    // M a_n
    VectorXd applied;                   // −Q_n
    VectorXd psi1_last, psi2_last;      // of the last step
    VectorXd psi1_before, psi2_before;  // of the one before
    VectorXd lambda_before;             // in the middle of the last step
    double middle_of_before = 0;
    void archive(Archive& x) {
      x(forces, applied, psi1_last, psi2_last, psi1_before, psi2_before, lambda_before, middle_of_before);
    }
  };
  Memory memory_, saved_;
};

}  // namespace bricard
