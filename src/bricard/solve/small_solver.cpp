// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/small_solver.h"

#include <limits>

namespace bricard {

SmallSolver::SmallSolver(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings)
    : blocks_(blocks) {
  int largest = 0;
  for (const UnknownBlock& b : blocks) n_ = std::max(n_, b.first + b.size), largest = std::max(largest, b.size);
  lower_.assign(n_ * n_ + std::max(largest, 6) * n_, 0);  // with room for what is never read
  end_.resize(n_);
  for (const UnknownBlock& b : blocks)
    for (int k = b.first; k < b.first + b.size; ++k) end_[k] = b.first + b.size;
  for (const Coupling& c : couplings) {
    if (c.a < 0 || c.b < 0) continue;
    const UnknownBlock &earlier = blocks[std::min(c.a, c.b)], &later = blocks[std::max(c.a, c.b)];
    for (int k = earlier.first; k < earlier.first + earlier.size; ++k)
      end_[k] = std::max(end_[k], later.first + later.size);
  }
  for (int k = 1; k < n_; ++k) end_[k] = std::max(end_[k], std::min(end_[k - 1], n_));
}

Slot SmallSolver::slot(int a, int b) const {
  if (a < 0 || b < 0) return {n_ * n_, n_, false};
  const bool flipped = blocks_[a].first < blocks_[b].first;
  const int row = blocks_[flipped ? b : a].first, column = blocks_[flipped ? a : b].first;
  return {row + column * n_, n_, flipped};
}

FactorReport SmallSolver::factorize() {
  FactorReport report;
  double* A = lower_.data();
  for (const UnknownBlock& b : blocks_)  // diagonal blocks come in full
    for (int j = b.first; j < b.first + b.size; ++j)
      for (int i = j + 1; i < b.first + b.size; ++i) A[i + j * n_] = 0.5 * (A[i + j * n_] + A[j + i * n_]);
  double smallest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < n_; ++k) {
    double* column = A + k * n_;
    const double pivot = column[k], inverse = 1 / pivot;
    smallest = std::min(smallest, pivot);
    const int end = end_[k];
    for (int i = k + 1; i < end; ++i) {
      const double l = column[i] * inverse;
      double* target = A + i * n_;
      for (int j = i; j < end; ++j) target[j] -= l * column[j];
    }
    for (int i = k + 1; i < end; ++i) column[i] *= inverse;
    column[k] = inverse;
  }
  report.healthy = smallest > 0;
  report.smallest_pivot = smallest;
  return report;
}

void SmallSolver::solve(VectorXd& x) const {
  const double* A = lower_.data();
  double* y = x.data();
  for (int k = 0; k < n_; ++k) {
    const double* column = A + k * n_;
    const double f = y[k];
    for (int i = k + 1; i < end_[k]; ++i) y[i] -= column[i] * f;
  }
  for (int k = n_ - 1; k >= 0; --k) {
    const double* column = A + k * n_;
    double sum = y[k] * column[k];
    for (int i = k + 1; i < end_[k]; ++i) sum -= column[i] * y[i];
    y[k] = sum;
  }
}

}  // namespace bricard
