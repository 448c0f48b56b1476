// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/dense_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bricard {

DenseSolver::DenseSolver(const std::vector<UnknownBlock>& blocks) : blocks_(blocks) {
  int spare = 16;
  for (const UnknownBlock& b : blocks_) {
    n_ += b.size;
    spare = std::max(spare, b.size);
  }
  ground_ = {n_ * n_, spare, false};
  lower_.assign(static_cast<std::size_t>(n_) * n_ + spare * spare, 0.0);
  upper_ = lower_;
  pivot_row_.resize(n_);
}

Slot DenseSolver::slot(int a, int b) const {
  if (a < 0 || b < 0) return ground_;
  const int row = blocks_[a].first, column = blocks_[b].first;
  return {std::max(row, column) + std::min(row, column) * n_, n_, row < column};
}

// upper_ holds the transposed blocks above the diagonal; lower_ becomes the whole matrix.
void DenseSolver::complete_upper_triangle() {
  for (const UnknownBlock& b : blocks_)
    for (int j = b.first; j < b.first + b.size; ++j)
      for (int i = 0; i < b.first; ++i) lower_[i + j * n_] = upper_[j + i * n_];
}

// For each column k: the largest entry on or below the diagonal becomes the pivot u_kk, then
//     l_ik = a_ik / u_kk,   a_ij ← a_ij − l_ik u_kj      i, j > k
// Own loops, since Eigen's blocked LU may allocate, and they are as fast up to a few dozen
// unknowns.
void DenseSolver::eliminate() {
  for (int k = 0; k < n_; ++k) {
    double* pivot_column = &lower_[k * n_];
    int p = k;
    for (int i = k + 1; i < n_; ++i)
      if (std::abs(pivot_column[i]) > std::abs(pivot_column[p])) p = i;
    pivot_row_[k] = p;
    if (p != k)
      for (int j = 0; j < n_; ++j) std::swap(lower_[k + j * n_], lower_[p + j * n_]);

    const double inverse = 1 / pivot_column[k];
    for (int i = k + 1; i < n_; ++i) pivot_column[i] *= inverse;
    for (int j = k + 1; j < n_; ++j) {
      double* column = &lower_[j * n_];
      const double u = column[k];
      for (int i = k + 1; i < n_; ++i) column[i] -= pivot_column[i] * u;
    }
  }
}

FactorReport DenseSolver::factorize() {
  if (n_ == 0) return {};
  const Eigen::Map<const Eigen::MatrixXd> A(lower_.data(), n_, n_);
  const double largest = A.diagonal().cwiseAbs().maxCoeff();
  complete_upper_triangle();
  eliminate();
  const double smallest = A.diagonal().cwiseAbs().minCoeff() / largest;
  return {A.diagonal().allFinite() && smallest > broken_pivot_, smallest};
}

void DenseSolver::solve(VectorXd& x) const {
  for (int k = 0; k < n_; ++k) std::swap(x[k], x[pivot_row_[k]]);
  for (int k = 0; k < n_; ++k) {  // L y = P x
    const double* column = &lower_[k * n_];
    const double y = x[k];
    for (int i = k + 1; i < n_; ++i) x[i] -= column[i] * y;
  }
  for (int k = n_ - 1; k >= 0; --k) {  // U x = y
    const double* column = &lower_[k * n_];
    const double y = x[k] /= column[k];
    for (int i = 0; i < k; ++i) x[i] -= column[i] * y;
  }
}

std::size_t DenseSolver::bytes() const {
  return (lower_.size() + upper_.size()) * sizeof(double) + pivot_row_.size() * sizeof(int);
}

}  // namespace bricard
