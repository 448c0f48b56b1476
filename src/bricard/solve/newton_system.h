// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "bricard/solve/constraint_geometry.h"
#include "bricard/solve/linear_solver.h"
#include "bricard/system/tangent_assembly.h"

// The one place that builds and solves the linear systems of every method.   theory: docs/theory/newton_system.md
//     [ S + ρ s GᵀG   s Gᵀ ] [ dz ]     [ c r ]         S = c (∂r/∂q ∂q/∂z + ∂r/∂v ∂v/∂z + ∂r/∂a ∂a/∂z)
//     [ s G           −E   ] [ dλ̂ ] = − [ s g ],        λ = s λ̂/c,   s = m_r + d_r h + k_r h²
// A velocity row has s (H T⁻¹ + κ ∂(H v + h₀)/∂q) in the place of s G, s Hᵀ in the place of s Gᵀ and s κ (H v + h₀) in the
// place of s g, κ = ∂q/∂z / (∂v/∂z): lengths, too.
// [Bauchau2009, eqs. (6), (12), (37)]; c = h² for a time step of size h, 1 for statics and start values.
// When constraints are redundant, or nearly so next to a singular position, rows of G depend on each other and their
// pivots vanish. They are kept away from zero by −E (pivot_rule.h; 0 for good rows). This slows the iteration a
// little and does not bias it, because r and g are the true residuals: each Newton step is a multiplier update of the
// augmented Lagrangian method. With `uniform` all constraint rows are softened, which shares forces evenly among
// redundant joints.
namespace bricard {

struct NewtonForm {
  double factor = 1;           ///< c
  double q = 0, v = 0, a = 0;  ///< ∂q/∂z, ∂v/∂z, ∂a/∂z
  double scale = 1;            ///< s
  double augmentation = 0;     ///< ρ
  Regularization regularization{Tolerances{}.projection_epsilon, false};
  bool at_rest = false;         ///< statics: the unknowns of differential states are these themselves, ∂x/∂z = 1
  bool positions_only = false;  ///< velocity rows are left out; to close joints
  bool judges_rows = true;      ///< finds out how independent the rows are, where no softening hides it
  /// For Residual::rate: (H v + h₀) ∂q/∂z / (∂v/∂z) is a length, as g; 0 where velocities do not move.
  double rate() const { return v != 0 ? q / v : 0; }
  /// For Residual::penalty: λ + (ρ s/c) g acts in the place of λ.
  double penalty() const { return augmentation * scale / factor; }
};

struct SolverCounts {
  long factorizations = 0, solves = 0;
  long fallbacks = 0;    ///< factorizations repeated with pivoting
  long refinements = 0;  ///< solutions improved by iterative refinement

  SolverCounts& operator+=(const SolverCounts& other) {
    factorizations += other.factorizations;
    solves += other.solves;
    fallbacks += other.fallbacks;
    refinements += other.refinements;
    return *this;
  }
  void archive(Archive& x) { x(factorizations, solves, fallbacks, refinements); }
};

class NewtonSystem {
 public:
  NewtonSystem(const System& system, SolverType type, const Tolerances& tolerances = {});
  /// With the solver, the scaling and the augmentation of a run.
  NewtonSystem(const System& system, const RunSettings& settings, const Tolerances& tolerances = {});

  /// The equations of a time step h with ∂q/∂z, ∂v/∂z, ∂a/∂z, scaled as the run wants it:
  ///     full  c = h², s of eq. (6)        unit  c = h², s = 1        none  c = s = 1: r, g and λ as they are
  NewtonForm step_form(double h, double q, double v, double a) const;

  /// Assembles the matrix at k and factorizes it. `chart` has T(δ)⁻¹ for every frame.
  void factorize(const Kinematics& k, const std::vector<Matrix3d>& chart, const NewtonForm& form);

  /// The same with Gᵀ, the directions of the constraint forces, taken at other positions than the motion, and G, how the
  /// rows move with z, at others again. For runs whose solver is not symmetric, with a compliance c. Returns whether the
  /// matrix was made with −c, because a singular position lies between those of Gᵀ and G.
  bool factorize_apart(const Kinematics& k, const Kinematics& forces, const Kinematics& rows,
                       const std::vector<Matrix3d>& chart, const NewtonForm& form);

  /// (dz, dλ̂) from right-hand sides in the rows of the matrix: x ← matrix⁻¹ x.
  void solve(VectorXd& x);

  /// The same `times` times at most. Row two says G dz = −g + E dλ̂/s: what the softness E leaves of the rows is the next
  /// right-hand side, and stands in the lower part of x at the end, the upper one is 0. `take` is called after each
  /// solution, which is then x.
  template <class Take>
  void solve_repeatedly(VectorXd& x, int times, const Take& take) {
    const int n = system_.velocities(), m = system_.multipliers();
    for (int i = 0; i < times; ++i) {
      solve(x);
      take();
      x.head(n).setZero();
      x.tail(m).array() *= -softness().array();
      if (m == 0 || x.tail(m).lpNorm<Eigen::Infinity>() == 0) return;
    }
  }

  /// Newton's correction for residuals r, g: dz and dλ (not dλ̂).
  void correction(const Residual& r, VectorXd& dz, VectorXd& dlambda);

  /// Strength of the weakest constraint row where the last factorization that was not uniform was made: 1 as usual, 0
  /// dependent on others.
  double weakest_row() const { return memory_.weakest_row; }
  bool is_near_singular() const { return memory_.weakest_row < tolerances_.near_singular; }
  /// How far the rows are from being dependent there, as a part of their length; 1 if that is no question.
  double independence() const { return memory_.independence; }
  int redundant_rows() const { return redundant_rows_; }
  /// Σ G²/M of a strong row, as it stands in a matrix of this form; with masses and geometry of the start.
  double typical_row(const NewtonForm& form) const {
    return typical_row_ * form.scale * form.scale / (form.factor * form.a);
  }
  /// What stands in the place of the zero block: −this on the diagonal, per multiplier.
  Eigen::VectorBlock<const VectorXd> softness() const { return softness_.tail(system_.multipliers()); }

  /// What a solution (dz, dλ̂) leaves of its constraint rows, as a length: s (g + G dz) = E dλ̂.
  double left_by(const VectorXd& x) const;

  /// What factorizations leave for later ones as it is now, and back to it: of steps that are not taken.
  void save();
  void restore();
  void archive(Archive& x);

  const Tolerances& tolerances() const { return tolerances_; }
  const NewtonForm& form() const { return form_; }
  const SolverCounts& counts() const { return counts_; }
  const char* solver_name() const { return main_.solver->name(); }
  std::size_t bytes() const;
  /// The matrix of the last factorize() as a dense one, for tests and studies of conditioning.
  Eigen::MatrixXd dense_matrix(const Kinematics& k, const std::vector<Matrix3d>& chart, const NewtonForm& form);

 private:
  /// A solver with the places of all tangent blocks in its storage.
  struct Engine {
    std::unique_ptr<LinearSolver> solver;
    std::vector<Slot> slots;             ///< of all batches, one after the other
    std::vector<Slot> multiplier_slots;  ///< diagonal block of each multiplier block
    std::vector<double> kept_lower, kept_upper;
  };
  Engine make_engine(SolverType type) const;
  double yielding(const Regularization& r) const;
  double pivot_unit(const NewtonForm& form) const;
  void assemble(Engine& engine, const Kinematics& k, const std::vector<Matrix3d>& chart, const NewtonForm& form);
  void multiply(const Engine& engine, const VectorXd& x, VectorXd& y) const;
  void keep_matrix(Engine& engine) const;
  template <class Visitor>
  void visit_constraints(Engine& engine, bool forces, const Visitor& visit);
  FactorReport factorize_kept(const Kinematics& k, const std::vector<Matrix3d>& chart, double compliance);
  void measure_start(const Kinematics& k, const std::vector<Matrix3d>& chart);
  void judge_independence(const FactorReport& report, const Kinematics& k);

  const System& system_;
  Tolerances tolerances_;
  Scaling scaling_ = Scaling::full;
  double augmentation_ = 0;
  TangentAssembly tangents_;
  std::vector<Coupling> couplings_;  ///< of all batches
  std::vector<int> distinct_;        ///< one slot for each different pair of blocks
  std::vector<int> multiplier_blocks_;
  Engine main_, fallback_;
  Engine* current_ = nullptr;
  std::vector<double> constraints_[2];  ///< entries of G and of Gᵀ taken elsewhere
  NewtonForm form_;
  SolverCounts counts_;
  VectorXd softness_;  ///< per unknown, 0 for coordinates
  std::unique_ptr<ConstraintGeometry> geometry_;
  int redundant_rows_ = 0;
  double typical_row_ = 0;  ///< 1/kg
  bool measured_ = false;   ///< the geometry of the constraints is known to the solver
  VectorXd x_, rhs_, product_;
  struct Memory {
    bool apart_weak = true;                    ///< rows taken elsewhere were weak the last time
    bool refine = false;                       ///< the last factorization was doubtful
    double weakest_row = 1, independence = 1;  ///< where the last one was made that could tell
    void archive(Archive& x) { x(apart_weak, refine, weakest_row, independence); }
  };
  Memory memory_, saved_;
};

}  // namespace bricard
