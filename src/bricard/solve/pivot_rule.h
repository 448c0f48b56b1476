// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "bricard/solve/tolerances.h"
#include "bricard/system/system.h"

// What a factorization without pivoting does about constraint rows that depend on each other.
//                                                                        theory: docs/theory/linear_solvers.md
// The pivot of a multiplier is −σ + (what rows before it took away); σ = Σ l²d over coordinates, the strength of the row
// alone. |pivot|/σ at round-off: the row is redundant. A pivot that falls far below both σ and its own usual size tells
// that a singular position is near (one alone may have other reasons: slender bodies, long arms that fold). The smaller of
// the two is the reference p; for a redundant row p = σ. Before anything is usual, the same ratio for equal masses
// everywhere (`expect`) tells slender bodies from a start next to a singular position.
namespace bricard {

struct Regularization {
  double epsilon = 0;    ///< pivots are kept at −ε p or below
  bool uniform = false;  ///< instead: ε σ is subtracted from every multiplier pivot (ε p for rows with p far below σ)
  double compliance = 0;  ///< if not 0, with `uniform`: this is subtracted from every multiplier pivot
  double unit = 1;        ///< what is usual is remembered per this, so that matrices with other factors compare
};

class PivotRule {
 public:
  PivotRule() { use({}); }
  void allocate(int unknowns) {
    subtracted_ = memory_.usual = VectorXd::Zero(unknowns);
    ratio_ = geometry_ = memory_.share = VectorXd::Ones(unknowns);
    memory_.redundant.assign(unknowns, 0);
    saved_ = memory_;
  }
  void use(const Tolerances& t) {
    redundant_pivot_ = t.redundant_pivot;
    usual_pivot_ = t.usual_pivot;
    forgetting_ = t.forgetting_pivots;
    well_placed_ = t.well_placed;
  }

  /// From the next factorization on.
  Regularization regularization;
  /// The first idea of what is usual: pivots are |pivot|/geometry if the rows were as independent as they can be.
  void expect(const VectorXd& geometry) {
    geometry_ = geometry;
    memory_.usual.setZero();
    for (size_t i = 0; i < memory_.redundant.size(); ++i) memory_.redundant[i] = geometry[i] <= redundant_pivot_;
  }

  /// Before the first pivot of a factorization.
  void begin() {
    weakest_row_ = 1;
    redundant_rows_ = 0;
    per_unit_ = 1 / regularization.unit;
  }
  /// Whether a multiplier pivot is near its usual size, so that σ need not be worked out; then it is used as it is.
  bool is_usual(double pivot, int unknown) {
    double& usual = memory_.usual[unknown];
    const double size = std::abs(pivot) * per_unit_;
    if (memory_.redundant[unknown] || !(size > usual_pivot_ * usual) || usual == 0) return false;
    usual = std::max(size, forgetting_ * usual);
    subtracted_[unknown] = 0;
    if (size < weakest_row_ * usual) weakest_row_ = size / usual;
    return true;
  }
  /// The pivot to use for a multiplier of strength σ.
  double apply(double pivot, double strength, int unknown) {
    return regularization.uniform ? soften(pivot, strength, unknown) : keep_away(pivot, strength, unknown);
  }

  /// What the last factorization subtracted from the diagonal, per unknown.
  const VectorXd& subtracted() const { return subtracted_; }
  /// |pivot|/σ of the last factorization that was not uniform, per unknown; 1 for coordinates.
  const VectorXd& ratios() const { return ratio_; }
  double weakest_row() const { return weakest_row_; }     ///< of the last factorization, see FactorReport
  int redundant_rows() const { return redundant_rows_; }  ///< likewise

  /// What factorizations leave for later ones as it is now, and back to it: of steps that are not taken.
  void save() { saved_ = memory_; }
  void restore() { memory_ = saved_; }
  void archive(Archive& x) { x(subtracted_, ratio_, geometry_, memory_.usual, memory_.share, memory_.redundant); }

 private:
  double keep_away(double pivot, double strength, int unknown) {
    if (strength == 0) return pivot;
    const double size = std::abs(pivot) * per_unit_;
    strength *= per_unit_;
    ratio_[unknown] = size / strength;
    double& usual = memory_.usual[unknown];
    char& redundant = memory_.redundant[unknown];
    if (usual == 0) usual = redundant ? size : size / geometry_[unknown];
    if (redundant && size > redundant_pivot_ * strength) usual = strength;  // it only seemed so at a singular position
    usual = std::max(size, forgetting_ * usual);
    redundant = usual <= redundant_pivot_ * strength;
    const double reference = redundant ? strength : std::min(usual, strength);
    memory_.share[unknown] = reference > well_placed_ * strength ? 1 : reference / strength;
    redundant_rows_ += redundant;
    if (!redundant) weakest_row_ = std::min(weakest_row_, size / reference);
    subtracted_[unknown] = regularization.unit * std::max(0.0, regularization.epsilon * reference - size);
    return pivot - subtracted_[unknown];
  }

  /// Softened rows do not show which of them are dependent. ε refers to σ itself, so that joints that are alike carry
  /// alike, but for rows that are weak by nature.
  double soften(double pivot, double strength, int unknown) {
    subtracted_[unknown] = regularization.compliance != 0 ? regularization.compliance
                                                          : regularization.epsilon * memory_.share[unknown] * strength;
    return pivot - subtracted_[unknown];
  }

  double redundant_pivot_, usual_pivot_, forgetting_, well_placed_;
  VectorXd subtracted_, ratio_, geometry_;
  int redundant_rows_ = 0;
  double per_unit_ = 1;  ///< 1/Regularization::unit
  double weakest_row_ = 1;
  /// What later factorizations need of earlier ones, per unknown.
  struct Memory {
    VectorXd usual;               ///< largest pivot of late
    VectorXd share;               ///< of σ that ε refers to with the uniform rule
    std::vector<char> redundant;  ///< the row depends on others
  };
  Memory memory_, saved_;
};

}  // namespace bricard
