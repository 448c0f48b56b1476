// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/integrate/integrator.h"
#include "bricard/solve/projection.h"

// The family of Newmark: HHT, generalized-α and Newmark itself, index 3.    theory: docs/theory/generalized_alpha.md
//     δ = h v_n + h² ((½ − β) a_n + β a_{n+1}),   q_{n+1} = q_n∘Exp(δ),   v_{n+1} = v_n + h ((1 − γ) a_n + γ a_{n+1})
//     (1 − α_m) a_{n+1} + α_m a_n = (1 − α_f) v̇_{n+1} + α_f v̇_n
//     M v̇ + Gᵀλ = f,  g = 0  at n + 1                                      [ArnoldBruls2007, BrulsCardonaArnold2012]
// HHT: α_m = 0, α_f = −α. As M is constant in these coordinates, this is the averaged equation of [NegrutJayKhude2009].
namespace bricard {

struct AlphaCoefficients {
  double alpha_m, alpha_f, beta, gamma;
};

/// γ = ½ − α, β = (1 − α)²/4, −1/3 ≤ α ≤ 0
AlphaCoefficients hht_coefficients(double alpha);
/// α_m = (2ρ − 1)/(ρ + 1), α_f = ρ/(ρ + 1), γ = ½ + α_f − α_m, β = (γ + ½)²/4
AlphaCoefficients generalized_alpha_coefficients(double rho_infinity);
AlphaCoefficients newmark_coefficients(double beta, double gamma);

class GeneralizedAlpha final : public Integrator {
 public:
  GeneralizedAlpha(const System& system, const AlphaCoefficients& coefficients, const RunSettings& settings);

  void start(const State& s) override;
  StepReport step(double h, State& s) override;
  SolverCounts counts() const override { return newton_.counts(); }
  std::size_t bytes() const override;
  const char* solver_name() const override { return newton_.solver_name(); }

 private:
  void predict(double h, const State& s);
  void advance(double h, const State& s);
  StepReport iterate(double h, const State& s);
  void factorize();
  bool wants_projection() const;
  void finish(double h, State& s, StepReport& report);
  double length_of(const VectorXd& dz) const;

  const System& system_;
  AlphaCoefficients c_;
  double tolerance_;
  int max_iterations_;
  double augmentation_;
  ProjectionMode mode_;
  bool undamped_;           // the formula does not damp what the constraints do to velocities
  NewtonSystem newton_;
  std::unique_ptr<Projection> projection_;  // none without projections

  State next_;
  Kinematics kinematics_;
  Residual residual_;
  std::vector<Matrix3d> chart_;
  VectorXd a_;          // a_n: algorithmic acceleration, carried from step to step
  VectorXd a_next_;     // a_{n+1}
  VectorXd delta0_, delta_, dz_, ddelta_, dlambda_, rates_, lengths_;
  NewtonForm form_;
  double rate_ = 1;         // how much Newton's corrections shrink, as last seen
};

}  // namespace bricard
