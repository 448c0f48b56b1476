// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/integrate/constraint_check.h"
#include "bricard/integrate/integrator.h"
#include "bricard/integrate/turn_counter.h"
#include "bricard/solve/projection.h"

// Explicit Runge–Kutta on the index-1 equations, with projection after each step: an independent reference for motions
// that are not stiff.                                                    theory: docs/theory/explicit_runge_kutta.md
//     δ̇ = T(δ)⁻¹ v,   v̇ from   M v̇ + Gᵀλ = f,  G v̇ = −(g̈ − G v̇)
//     then positions to g = 0 and velocities to ġ = 0, both along M⁻¹Gᵀ
// RK4: the classical method of order 4.  DOPRI: order 5 with an embedded formula of order 4     [HairerNorsettWanner1993]
namespace bricard {

struct ExplicitTableau {
  Eigen::MatrixXd a;
  Eigen::VectorXd b, c, b_error;  ///< b_error: b minus the weights of the embedded formula; empty: none
  int order;
};
ExplicitTableau rk4_tableau();
ExplicitTableau dopri_tableau();

class ExplicitRungeKutta final : public Integrator {
 public:
  ExplicitRungeKutta(const System& system, const ExplicitTableau& tableau, const RunSettings& settings,
                     const Tolerances& tolerances);

  LocalError local_error() override;
  SolverCounts counts() const override;
  std::size_t bytes() const override;
  const char* solver_name() const override { return newton_.solver_name(); }

  void save() override;
  void restore() override;
  void archive(Archive& x) override;

 private:
  void begin(const State& s) override;
  StepReport try_step(double h, const State& s) override;
  void take_step(State& s, StepReport& report) override;
  bool set_stage(Eigen::Index i, const State& s, StepReport& report);
  void set_end(const State& s);
  void factorize_end();
  bool project_positions(const State& s, StepReport& report);
  void estimate_error();

  /// The matrix where the step began, by which all stages with redundant or weak rows are put on g = 0.
  struct StartOfStep {
    NewtonSystem newton;
    Projection projection;
    StartOfStep(const System& system, SolverType solver, const Tolerances& t)
        : newton(system, solver, t), projection(system, newton) {}
  };

  const System& system_;
  SolverType solver_;
  Tolerances t_;
  TurnCounter turns_;
  StepLength length_of_;
  ConstraintCheck check_;
  ExplicitTableau tableau_;
  NewtonSystem newton_;
  Projection projection_;
  std::unique_ptr<StartOfStep> start_;  // with constraints
  bool on_constraints_ = false;         // all stages of this step are
  double time_factor_ = 0;              // with a tolerance: the motion changes within this many steps
  double h_ = 0;
  State next_;
  Kinematics kinematics_;
  Residual residual_;
  std::vector<Matrix3d> no_chart_;
  std::vector<VectorXd> rate_, acceleration_;  // δ̇ and v̇ of each stage
  VectorXd inputs_, saved_inputs_;             // those that the accelerations of the last state were computed with
  VectorXd delta_, x_, dz_, moved_, error_;
};

}  // namespace bricard
