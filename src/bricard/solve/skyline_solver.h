// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/solve/linear_solver.h"

// LDLᵀ without pivoting on a profile ("skyline"), the solver of finite element programs: each row
// is kept from its first non-zero to the diagonal, and fill stays inside.
// [Bauchau2009, sec. 7]
namespace bricard {

/// Elimination order for a small profile: reverse Cuthill–McKee over the coordinate blocks, each
/// multiplier block right after the last of its coordinates, so that its pivot −G S⁻¹Gᵀ is there.
std::vector<int> profile_order(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings);

class SkylineSolver final : public LinearSolver {
 public:
  SkylineSolver(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings);
  /// With a given elimination order of the blocks.
  SkylineSolver(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings,
                const std::vector<int>& order);

  const char* name() const override { return "skyline"; }
  Slot slot(int a, int b) const override;
  PivotRule* pivot_rule() override { return &rule_; }
  void save() override { rule_.save(); }
  void restore() override { rule_.restore(); }
  void archive(Archive& x) override { x(rule_); }
  FactorReport factorize() override;
  void solve(VectorXd& x) const override;
  std::size_t bytes() const override;

  /// The diagonal of D, in the order of elimination.
  const VectorXd& pivots() const { return pivots_; }

 private:
  /// The rows of one block: columns `first_column` to the diagonal block's last, column-major with
  /// stride `size`. All rows share the first column, which is the first of an earlier block.
  struct BlockRow {
    int size, first_row, first_column, offset;
    int unknown;  ///< first_row in the numbering of the unknowns
    bool multiplier;
    int reach;  ///< the block row whose first row is first_column
    int diagonal() const { return offset + (first_row - first_column) * size; }
  };

  void set_profile(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings,
                   const std::vector<int>& order);
  void allocate(int largest_block);
  double symmetrise_diagonals();
  void reduce(const BlockRow& row);
  void factorize_diagonal(const BlockRow& row);

  std::vector<BlockRow> rows_;  ///< in the order of elimination
  std::vector<int> position_;   ///< block -> block row
  Slot ground_;                 ///< after the profile: where blocks of ground go
  VectorXd pivots_;
  PivotRule rule_;
  VectorXd strength_;            ///< σ of the rows of the block row at work, see PivotRule
  std::vector<double> reduced_;  ///< a block row L D left of the diagonal block
  mutable VectorXd work_;        ///< right-hand side in the order of elimination
};

}  // namespace bricard
