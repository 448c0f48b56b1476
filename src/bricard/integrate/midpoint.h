// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/integrate/constraint_check.h"
#include "bricard/integrate/implicit_step.h"

// The midpoint scheme of the scaled equations.                                            [Bauchau2009, eqs. (9), (10)]
//     δ = h (v_n + v_{n+1})/2,   M (v_{n+1} − v_n)/h + ½ (G_n + G_{n+1})ᵀ λ_m = ½ (f_n + f_{n+1}),   g_{n+1} = 0
// λ_m holds for the whole step; without projections it is what results show at its end.
namespace bricard {

class Midpoint final : public Integrator {
 public:
  Midpoint(const System& system, const RunSettings& settings, const Tolerances& t)
      : check_(system, settings, t), residual_(system.make_residual()), step_(system, settings, method(), t) {
    step_.formula.averaged = true;
  }

  SolverCounts counts() const override { return step_.newton().counts(); }
  std::size_t bytes() const override { return step_.bytes(); }
  const char* solver_name() const override { return step_.newton().solver_name(); }

  void save() override { step_.save(); }
  void restore() override { step_.restore(); }
  void archive(Archive& x) override { x(step_); }

 private:
  void begin(const State& s) override { step_.start(s); }
  StepReport try_step(double h, const State& s) override;
  void take_step(State& s, StepReport& /*report*/) override { std::swap(s, step_.next()); }
  static StepMethod method() {
    StepMethod m{2, true, false};
    m.long_steps = true;
    return m;
  }

  ConstraintCheck check_;
  Residual residual_;
  ImplicitStep step_;
};

}  // namespace bricard
