// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/sparse_cholesky.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>

#include "bricard/system/assertion.h"

namespace bricard {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kColumns = 64;  ///< that are eliminated together
constexpr int kRightSides = 64;

/// D → its Cholesky factor in the lower triangle; the column whose pivot is not above its limit, or −1.
int factorize_block(Eigen::Ref<MatrixXd> D, const double* limits, double& pivot) {
  const Index n = D.rows();
  for (Index k = 0; k < n; ++k) {
    pivot = D(k, k);
    if (!(pivot > limits[k])) return static_cast<int>(k);
    const Index rest = n - k - 1;
    D.col(k).tail(rest + 1) /= std::sqrt(pivot);
    for (Index j = 0; j < rest; ++j) D.col(k + 1 + j).tail(rest - j) -= D(k + 1 + j, k) * D.col(k).tail(rest - j);
  }
  return -1;
}

/// [F₁₁; F₂₁] → [L₁₁; L₂₁]
int factorize_panel(Eigen::Ref<MatrixXd> F, const std::vector<double>& limits, double& pivot) {
  const Index n = F.cols(), rows = F.rows();
  for (Index k = 0; k < n; k += kColumns) {
    const Index columns = std::min<Index>(kColumns, n - k), next = k + columns, right = n - next;
    auto D = F.block(k, k, columns, columns);
    const int failed = factorize_block(D, limits.data() + k, pivot);
    if (failed >= 0) return static_cast<int>(k) + failed;
    if (next == rows) break;
    auto below = F.block(next, k, rows - next, columns);
    D.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
    if (right == 0) break;
    F.block(next, next, right, right).selfadjointView<Eigen::Lower>().rankUpdate(below.topRows(right), -1.0);
    F.bottomRightCorner(rows - n, right).noalias() -= below.bottomRows(rows - n) * below.topRows(right).transpose();
  }
  return -1;
}

}  // namespace

/// What a supernode leaves to its parent: the lower triangle of U.
struct SparseCholesky::Front {
  struct Free {
    void operator()(double* entries) const { std::free(entries); }
  };
  std::unique_ptr<double[], Free> memory;
  int size = 0;

  Front() = default;
  /// Zeros take no memory before they are touched.
  explicit Front(int rows) : size(rows) {
    const std::size_t entries = std::max<std::size_t>(1, static_cast<std::size_t>(rows) * rows);
    memory.reset(static_cast<double*>(std::calloc(entries, sizeof(double))));
    if (!memory) throw std::bad_alloc();
  }
  Panel U() const { return {memory.get(), size, size}; }
};

SparseCholesky::SparseCholesky(const SparseMatrix& pattern)
    : tree_(elimination_tree(pattern)), local_(tree_.order.size(), -1) {}

double SparseCholesky::bytes() const {
  return sizeof(double) * (tree_.entries + tree_.waiting) + sizeof(int) * static_cast<double>(tree_.rows.size());
}

SparseCholesky::ConstPanel SparseCholesky::panel(int s) const {
  return {values_.data() + tree_.panel_start[s], tree_.columns(s) + tree_.below(s), tree_.columns(s)};
}

/// Columns of A, and where rows are in this front.
void SparseCholesky::gather(const SparseMatrix& A, int s, Front& front) {
  const int first = tree_.first[s], columns = tree_.columns(s), below = tree_.below(s);
  const int* rows = tree_.rows.data() + tree_.rows_start[s];
  for (int i = 0; i < columns; ++i) local_[first + i] = i;
  for (int i = 0; i < below; ++i) local_[rows[i]] = columns + i;
  Panel F(values_.data() + tree_.panel_start[s], columns + below, columns);
  front = Front(below);
  for (int j = 0; j < columns; ++j)
    for (SparseMatrix::InnerIterator entry(A, tree_.order[first + j]); entry; ++entry) {
      const int p = tree_.position[entry.row()];
      if (p < first + j) continue;
      const int i = local_[p];
      BRICARD_ASSERT(i >= j && i < columns + below && (i < columns ? first + i : rows[i - columns]) == p);
      F(i, j) += entry.value();
    }
}

CholeskyReport SparseCholesky::factorize(const SparseMatrix& A, const WorkWatch& watch) {
  BRICARD_ASSERT(A.rows() == size() && A.cols() == size());
  values_.clear();
  values_.shrink_to_fit();
  values_.resize(tree_.panel_start.back());
  const Eigen::VectorXd diagonal = A.diagonal();
  std::vector<Front> fronts(tree_.supernodes());
  std::vector<std::vector<int>> children(tree_.supernodes());
  std::vector<double> limits;
  double done = 0;
  for (int s = 0; s < tree_.supernodes(); ++s) {
    const int columns = tree_.columns(s), below = tree_.below(s);
    gather(A, s, fronts[s]);
    Panel F(values_.data() + tree_.panel_start[s], columns + below, columns);
    Panel U = fronts[s].U();
    for (const int c : children[s]) {
      const Panel of_child = fronts[c].U();
      const int* rows = tree_.rows.data() + tree_.rows_start[c];
      for (int j = 0; j < fronts[c].size; ++j) {
        const int to = local_[rows[j]];
        double* column = to < columns ? &F(0, to) : U.col(to - columns).data() - columns;
        for (int i = j; i < fronts[c].size; ++i) column[local_[rows[i]]] += of_child(i, j);
      }
      fronts[c].memory.reset();
    }
    limits.clear();
    for (int j = 0; j < columns; ++j)
      limits.push_back(size() * kEpsilon * std::abs(diagonal[tree_.order[tree_.first[s] + j]]));
    double pivot = 0;
    if (const int failed = factorize_panel(F, limits, pivot); failed >= 0) {
      const int unknown = tree_.order[tree_.first[s] + failed];
      values_.clear();
      return {unknown, pivot, diagonal[unknown]};
    }
    if (below > 0) U.selfadjointView<Eigen::Lower>().rankUpdate(F.bottomRows(below), -1.0);
    if (tree_.parent[s] >= 0) children[tree_.parent[s]].push_back(s);
    const double n = columns, b = below;
    done += n * n * n / 3 + n * n * b + n * b * b;
    watch.at("factorization", done / tree_.operations);
  }
  return {};
}

/// L y = b, then Lᵀx = y
void SparseCholesky::solve_permuted(RowMajor& x) const {
  int most = 0;
  for (int s = 0; s < tree_.supernodes(); ++s) most = std::max(most, tree_.below(s));
  RowMajor part(most, x.cols());
  for (int s = 0; s < tree_.supernodes(); ++s) {
    const int columns = tree_.columns(s), below = tree_.below(s);
    const int* rows = tree_.rows.data() + tree_.rows_start[s];
    const ConstPanel L = panel(s);
    auto own = x.middleRows(tree_.first[s], columns);
    L.topRows(columns).triangularView<Eigen::Lower>().solveInPlace(own);
    auto update = part.topRows(below);
    update.noalias() = L.bottomRows(below) * own;
    for (int i = 0; i < below; ++i) x.row(rows[i]) -= update.row(i);
  }
  for (int s = tree_.supernodes() - 1; s >= 0; --s) {
    const int columns = tree_.columns(s), below = tree_.below(s);
    const int* rows = tree_.rows.data() + tree_.rows_start[s];
    const ConstPanel L = panel(s);
    auto own = x.middleRows(tree_.first[s], columns);
    auto known = part.topRows(below);
    for (int i = 0; i < below; ++i) known.row(i) = x.row(rows[i]);
    own.noalias() -= L.bottomRows(below).transpose() * known;
    L.topRows(columns).triangularView<Eigen::Lower>().transpose().solveInPlace(own);
  }
}

MatrixXd SparseCholesky::solve(const MatrixXd& b) const {
  BRICARD_ASSERT(b.rows() == size() && (size() == 0 || !values_.empty()));
  MatrixXd x(b.rows(), b.cols());
  for (Index k = 0; k < b.cols(); k += kRightSides) {
    const Index count = std::min<Index>(kRightSides, b.cols() - k);
    RowMajor permuted(size(), count);
    for (int p = 0; p < size(); ++p) permuted.row(p) = b.row(tree_.order[p]).segment(k, count);
    solve_permuted(permuted);
    for (int p = 0; p < size(); ++p) x.row(tree_.order[p]).segment(k, count) = permuted.row(p);
  }
  return x;
}

}  // namespace bricard
