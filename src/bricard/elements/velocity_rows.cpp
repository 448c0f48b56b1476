// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/velocity_rows.h"

namespace bricard {

void add_velocity_couplings(const VelocityPlace& place, std::vector<Coupling>& couplings) {
  for (size_t i = 0; i < place.nodes.size(); ++i)
    for (size_t j = i; j < place.nodes.size(); ++j) couplings.push_back({place.nodes[i].block, place.nodes[j].block});
  for (const VelocityPlace::Node& n : place.nodes) couplings.push_back({place.multipliers, n.block});
}

int velocity_slots(const VelocityPlace& place) {
  const int n = static_cast<int>(place.nodes.size());
  return n * (n + 1) / 2 + n;
}

double rate_of(const Weights& w) { return w.row_v != 0 ? w.row_q / w.row_v : 0; }
double penalty_of(const Weights& w) { return w.q != 0 ? w.penalty / w.q : 0; }

VelocityRows::Values velocity_forces(const VelocityPlace& place, const VelocityRows& rows, const State& s, double rate,
                                     double penalty) {
  VelocityRows::Values f(rows.value.size());
  for (Eigen::Index i = 0; i < f.size(); ++i)
    f[i] = s.lambda[place.row + i] + penalty * (i < rows.positions ? 1 : rate) * rows.value[i];
  return f;
}

void add_velocity_residual(const VelocityPlace& place, const VelocityRows& rows, const State& s, Residual& r) {
  const VelocityRows::Values f = velocity_forces(place, rows, s, r.rate, r.penalty);
  for (Eigen::Index i = 0; i < f.size(); ++i) {
    r.constraint[place.row + i] += (i < rows.positions ? 1 : r.rate) * rows.value[i];
    for (size_t n = 0; n < place.nodes.size(); ++n)
      r.motion.segment<6>(place.nodes[n].v) +=
          f[i] * rows.H.block<1, 6>(i, 6 * static_cast<Eigen::Index>(n)).transpose();
  }
}

//     rows      row_v H T⁻¹ + row_q ∂y/∂q, those on positions s G;   columns s Hᵀ
//     penalty   ρ s Hᵀ(H T⁻¹ + rate ∂y/∂q)
void add_velocity_tangent(const VelocityPlace& place, const VelocityRows& rows, const VelocityRows::Square& K,
                          const Slot* slots, Tangent& T) {
  using Block = Eigen::Matrix<double, 6, 6>;
  using Row = Eigen::Matrix<double, 1, 6>;
  const int nodes = static_cast<int>(place.nodes.size()), count = static_cast<int>(rows.value.size());
  VelocityRows::Columns step = rows.H;  // how y moves with the unknown, per row_v
  const double rate = rate_of(T.w);
  for (int i = rows.positions; i < count; ++i)
    for (int n = 0; n < nodes; ++n) {
      step.block<1, 3>(i, 6 * n + 3) = rows.H.block<1, 3>(i, 6 * n + 3) * T.chart[place.nodes[n].node];
      step.block<1, 6>(i, 6 * n) += rate * rows.Y.block<1, 6>(i, 6 * n);
    }
  const auto penalty = [&](int a, int b) {
    Block X = Block::Zero();
    for (int i = 0; i < count && T.w.penalty != 0; ++i)
      if (i < rows.positions ? !T.w.rates_only : T.w.row_v != 0)
        X += T.w.penalty * rows.H.block<1, 6>(i, 6 * a).transpose() * step.block<1, 6>(i, 6 * b);
    return X;
  };
  for (int a = 0; a < nodes; ++a) {
    T.add_diagonal(*slots++, 0, 0, Block(T.w.q * K.block<6, 6>(6 * a, 6 * a) + penalty(a, a)));
    for (int b = a + 1; b < nodes; ++b) {
      const Block X = T.w.q * K.block<6, 6>(6 * a, 6 * b) + penalty(a, b);
      const Block Y = T.w.q * K.block<6, 6>(6 * b, 6 * a) + penalty(b, a);
      T.add_pair(*slots++, 0, 0, X, Block(Y.transpose()));
    }
  }
  for (int n = 0; n < nodes; ++n, ++slots)
    for (int i = 0; i < count; ++i) {
      const double weight = i < rows.positions ? T.w.constraint : T.w.row_v;
      T.add_pair(*slots, place.offset + i, 0, Row(weight * step.block<1, 6>(i, 6 * n)),
                 Row(T.w.constraint * rows.H.block<1, 6>(i, 6 * n)));
    }
}

Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6 * kMaxVelocityNodes, 1> velocities_of(
    const VelocityPlace& place, const Kinematics& k) {
  Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6 * kMaxVelocityNodes, 1> v(6 * place.nodes.size());
  for (size_t n = 0; n < place.nodes.size(); ++n)
    v.segment<6>(6 * static_cast<Eigen::Index>(n)) << k.frames[place.nodes[n].node].v, k.frames[place.nodes[n].node].w;
  return v;
}

}  // namespace bricard
