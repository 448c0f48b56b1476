// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/integrate/implicit_step.h"

// The family of Newmark: HHT, generalized-α and Newmark itself.             theory: docs/theory/generalized_alpha.md
//     δ = h v_n + h² ((½ − β) a_n + β a_{n+1}),   q_{n+1} = q_n∘Exp(δ),   v_{n+1} = v_n + h ((1 − γ) a_n + γ a_{n+1})
//     (1 − α_m) a_{n+1} + α_m a_n = (1 − α_f) v̇_{n+1} + α_f v̇_n
//     M v̇ + Gᵀλ = f,  g = 0  at n + 1                                      [ArnoldBruls2007, BrulsCardonaArnold2012]
// HHT: α_m = 0, α_f = −α. As M is constant in these coordinates, this is the averaged equation of [NegrutJayKhude2009].
// Stabilized (HHT-SI2): δ has a further term h²/2 ā with M ā = Gᵀμ, and ġ = 0      [NegrutJayKhude2009, eqs. (12), (13)].
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
  GeneralizedAlpha(const System& system, const AlphaCoefficients& coefficients, bool stabilized,
                   const RunSettings& settings, const Tolerances& tolerances = {});

  LocalError local_error() override;
  SolverCounts counts() const override { return step_.newton().counts(); }
  std::size_t bytes() const override { return step_.bytes() + 8 * (2 * memory_.a.size() + error_.size()); }
  const char* solver_name() const override { return step_.newton().solver_name(); }

  void save() override;
  void restore() override;
  void archive(Archive& x) override { x(memory_.a, memory_.h, step_); }

 private:
  void begin(const State& s) override;
  StepReport try_step(double h, const State& s) override;
  void take_step(State& s, StepReport& report) override;
  AlphaCoefficients c_;
  ImplicitStep step_;
  VectorXd error_;
  struct Memory {
    VectorXd a;    // a_n: algorithmic acceleration, carried from step to step
    double h = 0;  // the last step
  };
  Memory memory_, saved_;
};

}  // namespace bricard
