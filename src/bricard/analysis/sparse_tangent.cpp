// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/sparse_tangent.h"

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
  const int n = system_.velocities();
  std::vector<Eigen::Triplet<double>> of_S, of_G, of_B;
  of_S.reserve(S_.nonZeros()), of_G.reserve(G_.nonZeros()), of_B.reserve(B_.nonZeros());
  for (size_t c = 0; c < couplings_.size(); ++c) {
    if (couplings_[c].a < 0 || couplings_[c].b < 0) continue;
    const UnknownBlock& row = system_.blocks()[couplings_[c].a];
    const UnknownBlock& column = system_.blocks()[couplings_[c].b];
    const bool diagonal = couplings_[c].a == couplings_[c].b;
    for (int j = 0; j < column.size; ++j)
      for (int i = 0; i < row.size; ++i) {
        const int at = slots_[c].offset + i + j * slots_[c].stride;
        if (row.multiplier != column.multiplier) {
          const double entry = row.multiplier ? lower_[at] : upper_[at];  // row of g, column of q
          const int g = row.multiplier ? row.first + i - n : column.first + j - n;
          const int z = row.multiplier ? column.first + j : row.first + i;
          const double force = row.multiplier ? upper_[at] : lower_[at];  // row of r, column of λ
          if (entry != 0) of_G.emplace_back(g, z, entry);
          if (force != 0) of_B.emplace_back(g, z, force);
        } else if (!row.multiplier) {
          if (lower_[at] != 0) of_S.emplace_back(row.first + i, column.first + j, lower_[at]);
          if (!diagonal && upper_[at] != 0) of_S.emplace_back(column.first + j, row.first + i, upper_[at]);
        }
      }
  }
  S_.resize(n, n);
  S_.setFromTriplets(of_S.begin(), of_S.end());
  G_.resize(system_.multipliers(), n);
  G_.setFromTriplets(of_G.begin(), of_G.end());
  B_.resize(system_.multipliers(), n);
  B_.setFromTriplets(of_B.begin(), of_B.end());
}

}  // namespace bricard
