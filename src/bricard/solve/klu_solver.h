// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "bricard/solve/linear_solver.h"

namespace bricard {

/// Sparse LU with pivoting by KLU: P A Q = L U, columns ordered by AMD, a diagonal entry is taken
/// as pivot if it is at least `pivot_tolerance` times the largest of its column. The measured
/// alternative to factorizations without pivoting.
///
/// The pivots are chosen in the first factorization and kept while they stay good. Choosing them
/// allocates memory (the fill depends on the pivots); every other factorization does not.
class KluSolver final : public LinearSolver {
 public:
  KluSolver(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings,
            double pivot_tolerance = 0.001);
  ~KluSolver() override;

  const char* name() const override { return "klu"; }
  Slot slot(int a, int b) const override;
  FactorReport factorize() override;
  void solve(VectorXd& x) const override;
  std::size_t bytes() const override;
  /// The choice of pivots.
  void save() override;
  void restore() override;
  void archive(Archive& x) override;

  /// How often pivots were chosen since construction.
  int pivot_searches() const { return pivot_searches_; }

 private:
  /// Where a pair of blocks is stored, with stride blocks_[later].size.
  struct Pair {
    int later, earlier, offset;
  };
  struct Factors;  // KLU's own structures

  void set_pairs(const std::vector<Coupling>& couplings);
  void set_pattern();
  bool keep_pivots();
  void choose_pivots();

  std::vector<UnknownBlock> blocks_;                  ///< later: with higher unknowns
  std::vector<Pair> pairs_;                           ///< sorted by later, earlier
  Slot ground_;                                       ///< after all pairs: where blocks of ground go
  std::vector<int> column_start_, row_;               ///< A by columns
  std::vector<double> value_;                         ///< of A, beside row_
  std::vector<int> value_of_lower_, value_of_upper_;  ///< entry of lower_ or upper_ -> value_ or −1
  double growth_ = 0;  ///< reciprocal pivot growth when the pivots were chosen; 0: none chosen
  double saved_growth_ = 0;
  std::vector<double> chosen_, saved_chosen_;  ///< the values for which they were chosen
  int pivot_searches_ = 0;
  std::unique_ptr<Factors> factors_;
};

}  // namespace bricard
