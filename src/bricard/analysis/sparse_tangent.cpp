// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/sparse_tangent.h"

#include <algorithm>
#include <utility>

namespace bricard {

// Each coupling has a small full block of its own; those with ground share one that is never read.
SparseTangent::SparseTangent(const System& system)
    : system_(system), tangents_(system), couplings_(tangents_.couplings()) {
  const auto& blocks = system.blocks();
  int largest = 6;
  for (const UnknownBlock& b : blocks) largest = std::max(largest, b.size);
  int offset = largest * largest;
  for (const Coupling& c : couplings_) {
    if (c.a < 0 || c.b < 0) {
      slots_.push_back({0, largest, false});
    } else {
      slots_.push_back({offset, blocks[c.a].size, false});
      offset += blocks[c.a].size * blocks[c.b].size;
    }
  }
  lower_.resize(offset);
  upper_.resize(offset);
  chart_.assign(system.nodes().size(), Matrix3d::Identity());
}

void SparseTangent::evaluate(const Kinematics& k, double w_q, double w_v, double w_a, double row_v, double row_q) {
  std::fill(lower_.begin(), lower_.end(), 0.0);
  std::fill(upper_.begin(), upper_.end(), 0.0);
  Tangent T;
  T.w = {w_q, w_v, w_a, 1, 0, w_v, w_a, row_v, row_q};
  T.chart = chart_.data();
  T.lower = lower_.data();
  T.upper = upper_.data();
  tangents_.add(k, slots_.data(), T);
  for (Matrix* matrix : {&S_, &G_, &B_}) matrix->made = false;
}

const SparseRows& SparseTangent::S() { return made(S_, false, false); }
const SparseRows& SparseTangent::G() { return made(G_, true, false); }
const SparseRows& SparseTangent::reactions() { return made(B_, true, true); }

// Of a coupling of a row of g and a block of coordinates one triangle has ∂g/∂q, the other one ∂r/∂λ, whichever comes first.
const SparseRows& SparseTangent::made(Matrix& matrix, bool of_constraints, bool forces) {
  if (std::exchange(matrix.made, true)) return matrix.rows;
  const int n = system_.velocities();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(std::max<Eigen::Index>(matrix.rows.nonZeros(), 4 * n));
  const auto add = [&](int row, int column, double value) {
    if (value != 0) entries.emplace_back(row, column, value);
  };
  for (size_t c = 0; c < couplings_.size(); ++c) {
    if (couplings_[c].a < 0 || couplings_[c].b < 0) continue;
    const UnknownBlock& row = system_.blocks()[couplings_[c].a];
    const UnknownBlock& column = system_.blocks()[couplings_[c].b];
    if (of_constraints ? row.multiplier == column.multiplier : row.multiplier || column.multiplier) continue;
    const bool diagonal = couplings_[c].a == couplings_[c].b;
    const std::vector<double>& of_rows = row.multiplier != forces ? lower_ : upper_;
    for (int j = 0; j < column.size; ++j)
      for (int i = 0; i < row.size; ++i) {
        const int at = slots_[c].offset + i + j * slots_[c].stride;
        if (of_constraints && row.multiplier) add(row.first + i - n, column.first + j, of_rows[at]);
        else if (of_constraints) add(column.first + j - n, row.first + i, of_rows[at]);
        else add(row.first + i, column.first + j, lower_[at]);
        if (!of_constraints && !diagonal) add(column.first + j, row.first + i, upper_[at]);
      }
  }
  matrix.rows.resize(of_constraints ? system_.multipliers() : n, n);
  matrix.rows.setFromTriplets(entries.begin(), entries.end());
  return matrix.rows;
}

}  // namespace bricard
