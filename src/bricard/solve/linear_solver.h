// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "bricard/model/run_settings.h"
#include "bricard/solve/pivot_rule.h"
#include "bricard/system/element.h"
#include "bricard/system/system.h"

// One small interface to all direct solvers. The unknowns come in blocks; entries are added in place:
//     analyse (constructor)  ->  clear, add through slots, factorize  ->  solve, solve, …
namespace bricard {

struct FactorReport {
  bool healthy = true;        ///< no pivot so small or so large that the result is doubtful
  double smallest_pivot = 0;  ///< relative to the diagonal entry before (or the largest on the diagonal)
  double weakest_row = 1;     ///< smallest pivot of a constraint row relative to its reference, see PivotRule
  int redundant_rows = 0;     ///< rows that depend on others; they do not count in weakest_row
  double highest_row =
      -HUGE_VAL;  ///< with `uniform`: largest pivot of a multiplier before it was softened. They are all
                  ///< negative, and those of coordinates positive (else ∞), if G and Gᵀ belong together
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

  /// What is done about multiplier pivots; null: the solver pivots, and cannot do anything about them.
  virtual PivotRule* pivot_rule() { return nullptr; }
  /// In the place of the usual tolerances.
  void use(const Tolerances& tolerances) {
    broken_pivot_ = tolerances.broken_pivot;
    if (PivotRule* rule = pivot_rule()) rule->use(tolerances);
  }
  /// What factorizations leave for later ones as it is now, and back to it: of steps that are not taken.
  virtual void save() {}
  virtual void restore() {}
  virtual void archive(Archive&) {}

  /// Factorizes what was added. The added values are lost (kept by the caller if needed).
  virtual FactorReport factorize() = 0;
  /// x ← A⁻¹ x, in the numbering of the unknowns.
  virtual void solve(VectorXd& x) const = 0;

  virtual std::size_t bytes() const = 0;

 protected:
  using Storage = std::vector<double, Eigen::aligned_allocator<double>>;
  Storage lower_, upper_;
  double broken_pivot_ = Tolerances{}.broken_pivot;
};

/// `couplings` lists every pair of blocks that meets in the matrix; duplicates and diagonals allowed.
std::unique_ptr<LinearSolver> make_linear_solver(SolverType type, const std::vector<UnknownBlock>& blocks,
                                                 const std::vector<Coupling>& couplings,
                                                 const Tolerances& tolerances = {});

}  // namespace bricard
