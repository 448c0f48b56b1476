// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/solve/newton_system.h"

// Makes velocities, accelerations and multipliers consistent with the constraints at given positions, moving them
// as little as possible in the metric of the mass matrix.                 theory: docs/theory/projection.md
//     velocities:      M (v − v*) + Gᵀμ = 0,   G v = −∂g/∂t
//     accelerations:   M a + Gᵀλ = f,          G a = −(g̈ − G a)
// With independent constraints each is one solution of a saddle-point system. When rows of G are dependent or nearly so,
// −ε stands in the place of the zero block and the solution is repeated with the remaining violation ε μ as new
// right-hand side (augmented Lagrangian): exact in the limit, least-norm λ. Next to a singular position ε is much larger
// than that of the position solve: a hard projection of a partly converged configuration gives huge velocities there, a
// soft one stops after a few repetitions.
namespace bricard {

struct ProjectionSettings {
  double mass_factor = 1;    ///< on M in the matrix: that of the position solve, so that pivots of both compare
  double even = 1e-7;        ///< ε with redundant rows, away from singular positions
  double soft = 8e-4;        ///< ε next to them
  double near = 5e-3;        ///< a row weaker than this tells that one is near, if there are redundant rows
  double near_alone = 1e-8;  ///< and if there are none
  int repetitions = 20;      ///< at most
  double at_once = 3e-4;     ///< a row weaker than this
  int few = 4;               ///< allows no more repetitions: they would make a soft projection hard
  double tolerance = 1e-10;  ///< remaining violation, relative to the largest corrected value
};

/// Works with a NewtonSystem that belongs to someone else, whose last factorization told how independent the rows are
/// where they are now; it is replaced by the projection's.
class Projection {
 public:
  Projection(const System& system, NewtonSystem& newton, const ProjectionSettings& settings);

  /// Factorizes at the positions of k.
  void factorize(const Kinematics& k);
  /// The same where no step has just been solved: finds out first how independent the rows are.
  void factorize_anew(const Kinematics& k);
  /// Corrects s.v; k must belong to s and is updated.
  void velocities(State& s, Kinematics& k);
  /// Sets s.a and s.lambda from scratch; k must belong to s. The residual left in `r` has the true g.
  void accelerations(State& s, const Kinematics& k, Residual& r);
  /// Sets s.lambda alone: the constraint forces under which s moves with the accelerations it has.
  void multipliers(State& s, const Kinematics& k, Residual& r);

 private:
  /// Repeats until G dx = −violation; adds to the two targets.
  void solve(VectorXd& x, VectorXd& target, VectorXd* multipliers);
  void improve_accelerations(State& s, const Kinematics& k, Residual& r);

  const System& system_;
  ProjectionSettings settings_;
  NewtonSystem& newton_;
  std::vector<Matrix3d> no_chart_;
  VectorXd x_, rate_, bias_, before_;
  int repetitions_ = 1;
};

}  // namespace bricard
