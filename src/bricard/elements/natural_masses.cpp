// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/natural_masses.h"

namespace bricard {
namespace {

/// Row k of M x.
template <int d, class Item>
VectorD<d> momentum(const Item& e, int k, const VectorXd& x) {
  VectorD<d> sum = VectorD<d>::Zero();
  for (int l = 0; l < static_cast<int>(e.at.size()); ++l) {
    if (e.at[l].is_fixed()) continue;
    const auto x_l = e.at[l].template rate<d>(x);
    sum += e.m(k, l) * x_l;
    if constexpr (d == 2) sum += e.n(k, l) * quarter_turn(x_l);
  }
  return sum;
}

}  // namespace

template <int d>
void NaturalMasses<d>::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& e : items_)
    for (int k = 0; k < kColumns; ++k)
      for (int l = 0; l <= k; ++l) couplings.push_back({e.at[k].block, e.at[l].block});
}

template <int d>
void NaturalMasses<d>::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& e : items_)
    for (int c = 0; c < kColumns; ++c)
      r.motion.segment<d>(e.at[c].row) += momentum<d>(e, c, k.state->a) - e.weight[c];
}

template <int d>
void NaturalMasses<d>::add_tangent(const Kinematics&, Tangent& T) const {
  const Slot* slot = T.slots;
  for (const Item& e : items_)
    for (int k = 0; k < kColumns; ++k)
      for (int l = 0; l <= k; ++l, ++slot) {
        if (e.at[k].is_fixed() || e.at[l].is_fixed()) continue;
        Eigen::Matrix<double, d, d> M = T.w.a * e.m(k, l) * Eigen::Matrix<double, d, d>::Identity();
        if constexpr (d == 2) M += T.w.a * e.n(k, l) * quarter_turn();
        k == l ? T.add_diagonal(*slot, 0, 0, M) : T.add_symmetric(*slot, 0, 0, M);
      }
}

template <int d>
double NaturalMasses<d>::kinetic_energy(const Kinematics& k) const {
  double sum = 0;
  for (const Item& e : items_)
    for (int c = 0; c < kColumns; ++c)
      sum += 0.5 * e.at[c].template rate<d>(k.state->v).dot(momentum<d>(e, c, k.state->v));
  return sum;
}

template <int d>
double NaturalMasses<d>::potential_energy(const Kinematics& k) const {
  double sum = 0;
  for (const Item& e : items_) {
    sum += e.potential;
    for (int c = 0; c < kColumns; ++c) sum -= e.weight[c].dot(e.at[c].template position<d>(*k.state));
  }
  return sum;
}

template class NaturalMasses<2>;
template class NaturalMasses<3>;

}  // namespace bricard
