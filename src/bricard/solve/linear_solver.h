// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "bricard/model/run_settings.h"
#include "bricard/system/element.h"
#include "bricard/system/system.h"

// One small interface to all direct solvers. The unknowns come in blocks; entries are added in place:
//     analyse (constructor)  ->  clear, add through slots, factorize  ->  solve, solve, …
namespace bricard {

struct FactorReport {
  bool healthy = true;         ///< no pivot so small or so large that the result is doubtful
  double smallest_pivot = 0;   ///< relative to the largest entry on the diagonal
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

  /// Factorizes what was added. The added values are lost (kept by the caller if needed).
  virtual FactorReport factorize() = 0;
  /// x ← A⁻¹ x, in the numbering of the unknowns.
  virtual void solve(VectorXd& x) const = 0;

  virtual std::size_t bytes() const = 0;

 protected:
  std::vector<double> lower_, upper_;
};

/// `couplings` lists every pair of blocks that meets in the matrix; duplicates and diagonals allowed.
std::unique_ptr<LinearSolver> make_linear_solver(SolverType type, const std::vector<UnknownBlock>& blocks,
                                                 const std::vector<Coupling>& couplings);

}  // namespace bricard
