// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bricard/analysis/sparse_tangent.h"
#include "bricard/solve/newton_system.h"

// Small motions that the constraints allow, differential states held:  K z = ω² M z − Gᵀμ,  G z = 0.        theory:
// docs/theory/check.md
namespace bricard {

/// Solves  (w_q K + w_a M) z + Gᵀμ = b,  G z = 0  at one state, also when rows of G depend on each
/// other.
class ConstrainedSolver {
 public:
  ConstrainedSolver(const System& system, SolverType solver) : system_(system), newton_(system, solver) {}
  void factorize(const Kinematics& k, double w_q, double w_a);
  /// b ← z.
  void solve(VectorXd& b);
  NewtonSystem& newton() { return newton_; }

 private:
  const System& system_;
  NewtonSystem newton_;
  VectorXd x_, sum_;
};

/// A motion z with zᵀM z = 1 and its zᵀK z = ω² (< 0: it grows).
struct Mode {
  double stiffness = 0;
  VectorXd z;
};

/// The ends of the spectrum at a state; both empty if nothing can move. Up to 50 bodies all modes are
/// found; beyond, Lanczos's method gives estimates: `fastest` from below, `softest` from above.
struct ModeRange {
  std::vector<Mode> softest, fastest;  ///< one entry or none
  VectorXd lowest;                     ///< stiffnesses of all modes found, the softest first,
  Eigen::MatrixXd shapes;              ///< and their z, in columns
  bool any() const { return !softest.empty(); }
};

/// Questions about small motions at states of one position. They share what is dear in large systems: the structure of
/// tangents and factor.
class SmallMotions {
 public:
  explicit SmallMotions(const System& system)
      : system_(system), tangent_(system), solver_(system, SolverType::automatic), k_(system.make_kinematics()) {}

  ModeRange mode_range(const State& s);
  /// A random velocity that the constraints allow if all motions stand still; 0 if nothing can move. Largest component 1.
  VectorXd random_velocity(const State& s, unsigned seed);
  /// Accelerations and reactions of the position of s held still and let go, motions standing still:
  ///     M a + Gᵀλ = f,   G a = 0
  State let_go(const State& s);
  /// ∂r/∂v of s at rest.
  const SparseRows& damping(const State& s);

 private:
  void evaluate(const State& s, double w_q, double w_v, double w_a);
  void factorize_masses(const State& s);
  VectorXd feasible(unsigned seed);

  const System& system_;
  SparseTangent tangent_;
  ConstrainedSolver solver_;
  Kinematics k_;
  State at_;  ///< that k_ belongs to
  SparseRows M_;
  State factorized_;  ///< where the factor of solver_ is that of M_; no position if it is none
};

ModeRange find_mode_range(const System& system, const State& s);
VectorXd random_feasible_velocity(const System& system, const State& s, unsigned seed);

/// What a small motion along z moves: joint coordinates as hinge.angle, the fastest first (turns
/// counted as lengths at ℓ), and bodies at which no coordinate moves.
std::vector<std::string> moving_parts(const System& system, const State& s, const VectorXd& z);

}  // namespace bricard
