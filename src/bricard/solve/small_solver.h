// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/solve/linear_solver.h"

// LDLᵀ without pivoting for symmetric positive systems of a few unknowns, where other solvers spend their time with
// bookkeeping: a full square, of which each column is used down to its last entry.
namespace bricard {

class SmallSolver final : public LinearSolver {
 public:
  static constexpr int kLargest = 24;  ///< unknowns; with more the sparse solver is faster

  SmallSolver(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings);

  const char* name() const override { return "small LDLT"; }
  Slot slot(int a, int b) const override;
  FactorReport factorize() override;
  void solve(VectorXd& x) const override;
  std::size_t bytes() const override { return 8 * lower_.size() + sizeof(int) * end_.size(); }

 private:
  std::vector<UnknownBlock> blocks_;
  int n_ = 0;
  std::vector<int> end_;  // of each column: one past its last entry, fill included
};

}  // namespace bricard
