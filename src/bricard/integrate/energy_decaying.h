// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/integrate/constraint_check.h"
#include "bricard/integrate/newton_control.h"
#include "bricard/integrate/turn_counter.h"
#include "bricard/solve/projection.h"

// The energy decaying scheme: linear in time within a step, with a jump at its beginning, from state i to j, then to f.
//     V_g = (v_j + v_f)/2,   q_j = q_i∘Exp(z),  z = −h/3 (V_g − v_j),   q_f = q_j∘Exp(δ),  δ = h/3 (4 V_g − v_j)
//     M (v_f − v_i)/h = F_g,   M (v_j − v_i)/h = −(F_g − F_h)/3,   g(q_f) = 0
// F_h: forces at q_j, F_g: between q_j and q_f, both with the multipliers λ. q_j is off the constraints by O(h²), as is
// every value that a function linear in time takes there; to force it onto them would cost an order.
//                                                                          theory: docs/theory/energy_decaying.md
// F_g is the force in the middle plus κ M δ, κ such that its work is exactly the loss of potential energy (plus what
// dampers and motions do) and that constraint forces λ act like a potential λ·g [Gonzalez1996]. Then, for every model and step,
//     T + V at f  =  T + V at i  +  work  −  ½ (v_j − v_i)ᵀM(v_j − v_i)  + higher orders of the jump  [BauchauBottasso1999]
// Rates of rotation enter gyroscopic forces as V_g in F_g and F_h alike, which makes them do no work either.
namespace bricard {

class EnergyDecaying final : public Integrator {
 public:
  EnergyDecaying(const System& system, const RunSettings& settings, const Tolerances& tolerances);

  SolverCounts counts() const override;
  std::size_t bytes() const override;
  const char* solver_name() const override { return newton_[0]->solver_name(); }

  void save() override;
  void restore() override;
  void archive(Archive& x) override {
    x(memory_.lambda_before, memory_.middle_of_before, redundant_, *newton_[0], *newton_[1], turns_);
  }

 private:
  void begin(const State& s) override;
  StepReport try_step(double h, const State& s) override;
  void take_step(State& s, StepReport& report) override;
  StepReport iterate(const State& s);
  void finish(const State& s, StepReport& report);
  void evaluate(const State& s);
  void factorize();
  double correct();
  double energy_correction();

  const System& system_;
  TurnCounter turns_;
  NewtonControl control_;
  ConstraintCheck check_;
  ProjectionMode mode_;
  std::array<std::unique_ptr<NewtonSystem>, 2> newton_;
  std::unique_ptr<Projection> projection_;

  bool redundant_ = false;  // the constraints depend on each other
  double h_ = 0;
  State jump_, middle_, next_;  // at q_j, between q_j and q_f, at q_f
  Kinematics kinematics_;
  Residual residual_;
  std::vector<Matrix3d> no_chart_;
  VectorXd z_, delta_, mean_;  // z, δ, V_g
  VectorXd r_jump_, r_middle_, g_jump_, g_next_;
  VectorXd with_rate_, mass_delta_;
  VectorXd x_, again_, dlambda_, dz_;
  struct Memory {
    VectorXd lambda_before;       // in the middle of the last step
    double middle_of_before = 0;  // the time of it
  };
  Memory memory_, saved_;
};

}  // namespace bricard
