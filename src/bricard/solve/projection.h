// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/solve/newton_system.h"

// Makes velocities, accelerations and multipliers consistent with the constraints at given positions, moving them
// as little as possible in the metric of the mass matrix.                 theory: docs/theory/projection.md
//     velocities:      M (v − v*) + Gᵀμ = 0,   G v = −∂g/∂t
//     accelerations:   M a + Gᵀλ = f,          G a = −(g̈ − G a)
// With independent constraints each is one solution of a saddle-point system. With redundant ones −E, the same for all
// rows, stands in the place of the zero block, and conjugate gradients with that factor as preconditioner lead to E = 0,
// whatever the masses: exact, and λ of least Σλ² among all that do the same (forces, and torques over ℓ_r).
// Next to a singular position exactness would turn the error of the positions into large velocities; there, and only there,
// the projection is soft.
namespace bricard {

/// Works with a NewtonSystem that belongs to someone else, whose last factorization told how independent the rows are
/// where they are now; it is replaced by the projection's.
class Projection {
 public:
  /// `mass_factor`: on M in the matrix; that of the position solve, so that pivots of both compare. `judges_rows`: each
  /// factorization tells how independent the rows are; else only `factorize_anew` does.
  Projection(const System& system, NewtonSystem& newton, double mass_factor = 1, bool judges_rows = true);

  /// Factorizes at the positions of k, where joints are open by so much.
  void factorize(const Kinematics& k, double open = 0);
  /// The same where no step has just been solved: finds out first how independent the rows are.
  void factorize_anew(const Kinematics& k, double open = 0);
  /// Corrects s.v; k must belong to s and is updated.
  void velocities(State& s, Kinematics& k);
  /// Sets s.a and s.lambda from scratch; k must belong to s. The residual left in `r` has the true g.
  void accelerations(State& s, const Kinematics& k, Residual& r);
  /// Sets s.lambda alone: the constraint forces under which s moves with the accelerations it has.
  void multipliers(State& s, const Kinematics& k, Residual& r);

  /// Whether the last factorization was soft, as a singular position is near.
  bool is_soft() const { return soft_; }
  /// Largest |ġ| that `velocities` left.
  double velocity_violation() const { return velocity_violation_; }
  /// What it is to be compared with: |ġ| before, and the largest velocity.
  double largest_rate() const { return largest_rate_; }
  /// What `accelerations` left of the equations of motion, relative to the largest force.
  double motion_residual() const { return motion_residual_; }

 private:
  NewtonForm form() const;
  void factorize_softly(const Kinematics& k);
  /// Solves until G dx = −violation; adds to the two targets.
  void solve(VectorXd& x, VectorXd& target, VectorXd* multipliers);
  void conjugate_gradients(VectorXd& x, VectorXd& target, VectorXd* multipliers);
  void check_motion(const Kinematics& k, double largest);
  void improve_accelerations(State& s, const Kinematics& k, Residual& r);

  const System& system_;
  Tolerances tolerances_;
  double mass_factor_;
  bool judges_rows_;
  NewtonSystem& newton_;
  std::vector<Matrix3d> no_chart_;
  VectorXd x_, rate_, bias_, before_;
  VectorXd left_, direction_, image_, reached_;  // of conjugate gradients: r; p with its part of x before it; A p; A w
  bool soft_ = false, soft_for_accelerations_ = false;
  bool has_rates_ = false;  // rate_ and bias_ are those of the velocities just projected
  double velocity_violation_ = 0, largest_rate_ = 0, motion_residual_ = 0;
  Residual check_;
};

}  // namespace bricard
