// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/solve/linear_solver.h"

namespace bricard {

/// LU with partial pivoting of the full matrix, P A = L U: for small systems, where the bookkeeping
/// of sparsity costs more than it saves, and as the reference for all other solvers.
class DenseSolver final : public LinearSolver {
 public:
  explicit DenseSolver(const std::vector<UnknownBlock>& blocks);

  const char* name() const override { return "dense"; }
  Slot slot(int a, int b) const override;
  FactorReport factorize() override;
  void solve(VectorXd& x) const override;
  std::size_t bytes() const override;

 private:
  void complete_upper_triangle();
  void eliminate();

  int n_ = 0;
  Slot ground_;                       ///< n × n matrix, then the place where blocks of ground go
  std::vector<UnknownBlock> blocks_;  ///< eliminated in the order of the unknowns
  std::vector<int> pivot_row_;        ///< row k was exchanged with row pivot_row_[k] ≥ k
};

}  // namespace bricard
