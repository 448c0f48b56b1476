// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/solve/linear_solver.h"

// Sparse factorization without pivoting.                                theory: docs/theory/linear_solvers.md
//     symmetric: A = L D Lᵀ,     structurally symmetric: A = L D U with unit L and U
// Each multiplier block is eliminated right after a coordinate block it acts on, those that close loops after the
// bodies of the loop (elimination_order.h), so that no pivoting is needed; redundant rows get −ε. Neighbouring columns of equal
// structure are kept as dense panels (supernodes); a panel's update goes to its ancestors through offsets found
// once. Columns are padded to a multiple of four, so that the inner loops have no rests.
namespace bricard {

class SparseSolver final : public LinearSolver {
 public:
  SparseSolver(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings, bool symmetric);

  const char* name() const override { return symmetric_ ? "sparse-ldlt" : "sparse-lu"; }
  Slot slot(int a, int b) const override;
  PivotRule* pivot_rule() override { return &rule_; }
  void save() override { rule_.save(); }
  void restore() override { rule_.restore(); }
  void archive(Archive& x) override { x(rule_); }
  FactorReport factorize() override;
  void solve(VectorXd& x) const override;
  std::size_t bytes() const override;
  std::size_t entries() const;  ///< stored in the factor

 private:
  struct Panel {
    int first_block, blocks;  ///< in elimination order
    int first, columns;       ///< scalar unknowns, permuted
    int below;                ///< rows under the square part
    int offset;               ///< of the first entry in lower_/upper_
    int first_row;            ///< its rows in rows_
    int first_update;         ///< into updates_
    int stride;               ///< columns + below, rounded up
    int rows() const { return columns + below; }
  };
  /// A block of L₂₁ D L₂₁ᵀ and where it is subtracted.
  struct Update {
    int row, rows, column, columns;  ///< within the rows below
    int offset, stride;
  };

  void find_panels(const std::vector<std::vector<int>>& structure);
  void find_updates();
  int position(int later, int earlier, int* stride) const;
  void prepare_diagonal(const Panel& p);
  void eliminate_symmetric(const Panel& p);
  template <int lanes>
  void eliminate_columns(const Panel& p);
  void eliminate_unsymmetric(const Panel& p);
  double pivot(const Panel& p, int k);
  void finish_column(const Panel& p, int k, double d, int stride);
  void update_ancestors(const Panel& p);

  bool symmetric_;
  PivotRule rule_;
  std::vector<UnknownBlock> blocks_;     // as given
  std::vector<int> order_, place_;       // order_[k]: block eliminated k-th; place_: its inverse
  std::vector<int> start_;               // first permuted scalar of the k-th block
  std::vector<int> panel_of_;            // of the k-th block
  std::vector<std::vector<int>> below_;  // per panel: later blocks, in elimination order
  std::vector<Panel> panels_;
  std::vector<int> rows_;  // permuted scalars of the rows of each panel, padded to its stride
  std::vector<Update> updates_;
  std::vector<int> permutation_;  // scalar as given -> permuted
  Storage product_;               // L₂₁ D U₁₂ of the panel at work
  mutable VectorXd work_;
  mutable Storage panel_;  // of the panel at work: strengths of its rows, or the unknowns of a tall one
  std::vector<double> pivots_, inverse_pivots_;
  std::vector<double> diagonal_;  // of the panel at work, before its elimination
  double smallest_pivot_ = 1;     // of the factorization at work, relative
  double highest_row_ = 0;        // likewise, see FactorReport
  bool weighs_rows_ = true;       // likewise: the strength of rows matters
  std::vector<double>
      strength_;  // σ of each multiplier (and unread sums for coordinates), growing during the factorization
  std::vector<char> is_multiplier_;  // per permuted scalar
  std::vector<int> original_;        // permuted scalar -> as given
  int spare_ = 0;
};

}  // namespace bricard
