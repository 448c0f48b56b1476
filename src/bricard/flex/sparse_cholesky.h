// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Sparse>
#include <cstddef>
#include <vector>

#include "bricard/flex/elimination_tree.h"
#include "bricard/flex/work_watch.h"

// P A Pᵀ = L Lᵀ of a large symmetric positive definite matrix, by fronts.      theory: docs/theory/finite_elements.md
// Columns of L with (nearly) the same rows form a supernode. In the order of the tree, each gathers its columns of A and what
// its children left into a dense front,
//     F = [F₁₁ ·; F₂₁ F₂₂],     F₁₁ = L₁₁L₁₁ᵀ,   L₂₁ = F₂₁L₁₁⁻ᵀ,   U = F₂₂ − L₂₁L₂₁ᵀ,
// keeps L₁₁ and L₂₁, and leaves U to its parent.                                                   [DuffReid1983], [Liu1992]
namespace bricard {

struct CholeskyReport {
  int unknown = -1;     ///< whose pivot is not positive, or only round-off
  double pivot = 0;     ///< there
  double diagonal = 0;  ///< of A there

  bool regular() const { return unknown < 0; }
};

class SparseCholesky {
 public:
  using SparseMatrix = Eigen::SparseMatrix<double>;

  /// Finds an order for matrices whose entries are where `pattern` has some, in both triangles.
  explicit SparseCholesky(const SparseMatrix& pattern);

  /// Of A the triangle is read that comes first in this order. A pivot below n ε times its diagonal counts as zero: such
  /// matrices are singular, or not positive definite.
  CholeskyReport factorize(const SparseMatrix& A, const WorkWatch& watch = {});

  /// A⁻¹b, for as many columns as b has.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const;

  int size() const { return static_cast<int>(tree_.order.size()); }
  double entries() const { return tree_.entries; }        ///< of L, as stored
  double operations() const { return tree_.operations; }  ///< of a factorization: additions and multiplications
  double bytes() const;                                   ///< of memory at most, while it is made

 private:
  struct Front;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Panel = Eigen::Map<Eigen::MatrixXd>;
  using ConstPanel = Eigen::Map<const Eigen::MatrixXd>;

  ConstPanel panel(int s) const;
  void gather(const SparseMatrix& A, int s, Front& front);
  void solve_permuted(RowMajor& x) const;

  EliminationTree tree_;
  std::vector<double> values_;  ///< of L, one panel of rows × columns for each supernode
  std::vector<int> local_;      ///< row of an unknown in the front at work, by its position
};

}  // namespace bricard
