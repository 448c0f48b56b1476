// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "bricard/model/run_settings.h"
#include "bricard/system/element.h"
#include "bricard/system/system.h"

// One small interface to all direct solvers. The unknowns come in blocks; entries are added in place:
//     analyse (constructor)  ->  clear, add through slots, factorize  ->  solve, solve, …
namespace bricard {

/// A smaller pivot, relative to what the diagonal entry was before, makes a factorization unhealthy.
inline constexpr double kBrokenPivot = 1e-15;

struct FactorReport {
  bool healthy = true;        ///< no pivot so small or so large that the result is doubtful
  double smallest_pivot = 0;  ///< relative to the diagonal entry before (or the largest on the diagonal)
  double weakest_row = 1;     ///< smallest pivot of a constraint row relative to its reference, see Regularization
  int redundant_rows = 0;     ///< rows that depend on others; they do not count in weakest_row
  double highest_row =
      -HUGE_VAL;  ///< with `uniform`: largest pivot of a multiplier before it was softened. They are all
                  ///< negative, and those of coordinates positive (else ∞), if G and Gᵀ belong together
};

/// What a factorization without pivoting does about constraint rows that depend on each other. The pivot of a
/// multiplier is −σ + (what rows before it took away); σ = Σ l²d over coordinates, the strength of the row alone.
/// |pivot|/σ below 1e-10 is round-off: the row is redundant. A pivot that falls far below both σ and its own usual size
/// tells that a singular position is near (one alone may have other reasons: slender bodies, long arms that fold). The
/// smaller of the two is the reference p; for a redundant row p = σ. Before anything is usual, the same ratio for equal
/// masses everywhere (`expect`) tells slender bodies from a start next to a singular position.
struct Regularization {
  double epsilon = 0;    ///< pivots are kept at −ε p or below
  bool uniform = false;  ///< instead: ε σ is subtracted from every multiplier pivot (ε p for rows with p far below σ)
  double compliance = 0;  ///< if not 0, with `uniform`: this is subtracted from every multiplier pivot
  double unit = 1;        ///< what is usual is remembered per this, so that matrices with other factors compare
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual const char* name() const = 0;

  /// Where block (a, b) is to be written; −1 is ground, whose blocks go to a place never read.
  virtual Slot slot(int a, int b) const = 0;
  double* lower() { return lower_.data(); }
  /// Null when the storage is symmetric.
  double* upper() { return upper_.empty() ? nullptr : upper_.data(); }
  std::size_t size() const { return lower_.size(); }  ///< of each array
  void clear();

  /// From the next factorization on. False if the solver pivots and cannot do this.
  virtual bool regularize(const Regularization& /*r*/) { return false; }
  /// What the last factorization subtracted from the diagonal, per unknown.
  const VectorXd& regularization() const { return subtracted_; }
  /// |pivot|/σ of the last factorization, per unknown; 1 for coordinates.
  const VectorXd& row_ratios() const { return ratio_; }
  /// The first idea of what is usual: pivots are |pivot|/geometry if the rows were as independent as they can be.
  void expect(const VectorXd& geometry) {
    geometry_ = geometry;
    memory_.usual_pivot.setZero();
    for (size_t i = 0; i < memory_.redundant.size(); ++i) memory_.redundant[i] = geometry[i] <= kRedundant;
  }

  /// What factorizations leave for later ones (usual pivots) as it is now, and back to it: of steps that are not taken.
  virtual void save() { saved_ = memory_; }
  virtual void restore() { memory_ = saved_; }

  /// Factorizes what was added. The added values are lost (kept by the caller if needed).
  virtual FactorReport factorize() = 0;
  /// x ← A⁻¹ x, in the numbering of the unknowns.
  virtual void solve(VectorXd& x) const = 0;

  virtual std::size_t bytes() const = 0;

 protected:
  static constexpr double kRedundant = 1e-10, kForgetting = 0.999, kNearUsual = 0.05, kWellPlaced = 0.1;

  /// Whether a multiplier pivot is near its usual size, so that σ need not be worked out; then the pivot is used as it is.
  bool is_usual(double pivot, int unknown) {
    double& usual = memory_.usual_pivot[unknown];
    const double size = std::abs(pivot) / rule_.unit;
    if (memory_.redundant[unknown] || !(size > kNearUsual * usual) || usual == 0) return false;
    usual = std::max(size, kForgetting * usual);
    subtracted_[unknown] = 0;
    weakest_row_ = std::min(weakest_row_, size / usual);
    return true;
  }

  /// The pivot to use for a multiplier of strength σ.
  double regularized(double pivot, double strength, int unknown) {
    if (strength == 0) return pivot;
    const double size = std::abs(pivot) / rule_.unit;
    strength /= rule_.unit;
    ratio_[unknown] = size / strength;
    double& usual = memory_.usual_pivot[unknown];
    char& redundant = memory_.redundant[unknown];
    if (usual == 0) usual = redundant ? size : size / geometry_[unknown];
    if (redundant && size > kRedundant * strength) usual = strength;  // it only seemed so at a singular position
    usual = std::max(size, kForgetting * usual);
    redundant = usual <= kRedundant * strength;
    const double reference = redundant ? strength : std::min(usual, strength);
    memory_.share[unknown] = reference > kWellPlaced * strength ? 1 : reference / strength;
    redundant_rows_ += redundant;
    if (!redundant) weakest_row_ = std::min(weakest_row_, size / reference);
    subtracted_[unknown] = rule_.unit * std::max(0.0, rule_.epsilon * reference - size);
    return pivot - subtracted_[unknown];
  }

  /// The same with the uniform rule. Softened rows do not show which of them are dependent. ε refers to σ itself, so that
  /// joints that are alike carry alike, but for rows that are weak by nature.
  double softened(double pivot, double strength, int unknown) {
    subtracted_[unknown] = rule_.compliance != 0 ? rule_.compliance : rule_.epsilon * memory_.share[unknown] * strength;
    return pivot - subtracted_[unknown];
  }

  using Storage = std::vector<double, Eigen::aligned_allocator<double>>;
  Storage lower_, upper_;
  Regularization rule_;
  VectorXd subtracted_;
  void allocate_regularization(int unknowns) {
    subtracted_ = memory_.usual_pivot = VectorXd::Zero(unknowns);
    ratio_ = geometry_ = memory_.share = VectorXd::Ones(unknowns);
    memory_.redundant.assign(unknowns, 0);
    saved_ = memory_;
  }
  /// What later factorizations need of earlier ones, per unknown.
  struct Memory {
    VectorXd usual_pivot;         ///< largest pivot of late
    VectorXd share;               ///< of σ that ε refers to with the uniform rule
    std::vector<char> redundant;  ///< the row depends on others
  };
  Memory memory_, saved_;
  VectorXd ratio_, geometry_;
  int redundant_rows_ = 0;  ///< of the factorization at work
  double weakest_row_ = 1;  ///< of the factorization at work
};

/// `couplings` lists every pair of blocks that meets in the matrix; duplicates and diagonals allowed.
std::unique_ptr<LinearSolver> make_linear_solver(SolverType type, const std::vector<UnknownBlock>& blocks,
                                                 const std::vector<Coupling>& couplings);

}  // namespace bricard
