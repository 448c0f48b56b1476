// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "bricard/integrate/newton_control.h"
#include "bricard/integrate/turn_counter.h"
#include "bricard/integrate/velocity_polish.h"
#include "bricard/solve/projection.h"

// Newton's method for one step of every formula in which velocities and accelerations follow from the increment.
//     q_{n+1} = q_n∘Exp(δ),   δ = δ₀ + u,   v = v₀ + c_v u,   a = a₀ + c_a u,   M a + Gᵀλ = f,   g = 0     at t_{n+1}
// The unknowns are u and λ; u is what the step adds to its prediction, so that nothing is lost by cancellation however
// small the step.                                                         theory: docs/theory/implicit_step.md
// Stabilized index 2: positions and velocities have increments of their own, u_p and u_v, which differ by what it takes
// to satisfy ġ = 0 besides g = 0:   u_p − u_v = −S⁻¹Gᵀμ,   S the matrix of motion of the step (M/h² for small steps).
namespace bricard {

/// How a step begins and how it moves with the unknown.
struct StepFormula {
  double h = 0;
  double velocity = 0, acceleration = 0;  ///< c_v, c_a
  VectorXd delta, v, a;                   ///< δ₀, v₀, a₀
  /// Formulas with a past differentiate in the chart: v = T(δ) δ̇ with δ̇ = v₀ + c_v u, and a = a₀ + (c_a/c_v) v.
  bool in_chart = false;
  /// Forces are the average of both ends of the step, a and λ hold for the whole step.
  bool averaged = false;
};

/// What stays the same in all steps of a method.
struct StepMethod {
  double mass_factor = 1;   ///< c_a h²
  bool undamped = false;    ///< the formula does not damp what the constraints do to velocities
  bool stabilized = false;  ///< index 2
  bool high_order = false;  ///< more than 2: errors are far smaller than the first correction
  /// Bodies that turn against each other by more than this in a step, rad, may make violations of ġ = 0 grow.
  double turn_limit = HUGE_VAL;
  /// They may grow for other reasons, too, and are measured after each step: some part of the velocities is more than the
  /// order of a formula explains.
  bool watches_velocities = false;
  /// Steps may be so long that Newton's first iterates are far off: redundant rows are kept out of the way
  /// (redundant_rows.h).
  bool long_steps = false;
};

class ImplicitStep {
 public:
  ImplicitStep(const System& system, const RunSettings& settings, const StepMethod& method,
               const Tolerances& tolerances);

  void start(const State& s);
  /// Solves for the end of a step from s with the formula that was set.
  StepReport solve(const State& s);
  /// Consistent velocities, accelerations and multipliers at the end of the step, and the angles. Whether it projected.
  bool finish(const State& s, StepReport& report);
  /// What steps leave for later ones as it is now, and back to it.
  void save();
  void restore();
  void archive(Archive& x) { x(memory_.grown, even_, control_, polish_, newton_, turns_); }

  StepFormula formula;
  State& next() { return next_; }
  const Kinematics& kinematics() const { return kinematics_; }
  const VectorXd& increment() const { return delta_; }  ///< δ, of a finished step
  const VectorXd& correction() const { return u_; }     ///< u, of the velocities
  const VectorXd& position_correction() const { return method_.stabilized ? up_ : u_; }
  NewtonSystem& newton() { return newton_; }
  const NewtonSystem& newton() const { return newton_; }
  std::size_t bytes() const;

 private:
  void advance(const State& s);
  void evaluate();
  void factorize();
  bool may_be_even() const;
  void solve_linear();
  double violation_of_positions() const;
  double correct();
  double correct_both();
  bool wants_projection() const;
  bool violation_grows();
  bool turns_far() const;
  void project(StepReport& report);
  bool may_be_singular() const;

  const System& system_;
  TurnCounter turns_;
  StepMethod method_;
  Tolerances t_;
  NewtonControl control_;
  VelocityPolish polish_;
  ProjectionMode mode_;
  NewtonSystem newton_;
  std::unique_ptr<Projection> projection_;  // none without projections

  State next_;
  Kinematics kinematics_;
  Residual residual_;
  State begin_;  // of averaged formulas only
  Kinematics begin_kinematics_;
  Residual begin_residual_;
  std::vector<Matrix3d> chart_;
  VectorXd u_, up_, delta_, rate_of_delta_;
  VectorXd dz_, dzp_, ddelta_, dlambda_, rate_, bias_, x_, again_;
  VectorXd closes_;    // 1 for rows on positions, 0 for rows on velocities
  bool even_ = false;  // redundant rows, and long steps or rows on velocities
  NewtonForm form_;
  double open_ = 0;  // what the last correction leaves of g because other equations contradict it
  struct Memory {
    bool grown = false;  // violations of velocities have grown
  };
  Memory memory_, saved_;
};

}  // namespace bricard
