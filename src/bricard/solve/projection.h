// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/solve/newton_system.h"

// Makes velocities, accelerations and multipliers consistent with the constraints at given positions, moving them
// as little as possible in the metric of the mass matrix.                 theory: docs/theory/projection.md
//     velocities:      M (v − v*) + Gᵀμ = 0,   G v = −∂g/∂t
//     accelerations:   M a + Gᵀλ = f,          G a = −(g̈ − G a)
// With independent constraints each is one solution of a saddle-point system. When rows of G are dependent or nearly so,
// −ε stands in the place of the zero block and the solution is repeated with the remaining violation ε μ as new
// right-hand side (augmented Lagrangian): exact in the limit, least-norm λ. This ε is much larger than that of the
// position solve: next to a singular position a hard projection of a partly converged configuration gives huge
// velocities, a soft one stops after a few repetitions.
namespace bricard {

struct ProjectionSettings {
  double epsilon = 8e-4;     ///< of the soft form
  double soft_below = 1e-8;  ///< a row weaker than this makes the projection soft
  double hard_above = 1e-2;  ///< and hard again when all are stronger than this
  int max_repetitions = 20;  ///< away from singular positions
  int few_repetitions = 3;   ///< when a row is weaker than `few_below`: more would make the soft projection hard
  double few_below = 1e-3;
  double tolerance = 1e-10;  ///< remaining violation, relative to the largest corrected value
};

class Projection {
 public:
  Projection(const System& system, SolverType solver, const ProjectionSettings& settings);

  /// Factorizes at the positions of k.
  void factorize(const Kinematics& k);
  /// Corrects s.v; k must belong to s and is updated.
  void velocities(State& s, Kinematics& k);
  /// Sets s.a and s.lambda from scratch; k must belong to s. The residual left in `r` has the true g.
  void accelerations(State& s, const Kinematics& k, Residual& r);

  const SolverCounts& counts() const { return newton_.counts(); }
  /// Constraint rows that depend on others, as of the last factorization.
  int redundant_rows() const { return newton_.redundant_rows(); }
  std::size_t bytes() const { return newton_.bytes(); }

 private:
  /// Repeats until G dx = −violation; adds to the two targets.
  void solve(VectorXd& x, VectorXd& target, VectorXd* multipliers);

  const System& system_;
  ProjectionSettings settings_;
  NewtonSystem newton_;
  std::vector<Matrix3d> no_chart_;
  VectorXd x_, rate_, bias_;
  bool soft_ = false;
};

}  // namespace bricard
