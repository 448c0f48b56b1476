// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/natural_masses.h"

#include <algorithm>

namespace bricard {
namespace {

/// M_ab x; in the plane with the turn.
template <int d>
VectorD<d> times(double m, double n, const VectorD<d>& x) {
  if constexpr (d == 2) return {m * x.x() - n * x.y(), m * x.y() + n * x.x()};
  else return m * x;
}

}  // namespace

template <int d>
NaturalMasses<d>::NaturalMasses(const std::vector<Item>& items) {
  for (const Item& e : items) {
    potential_ += e.potential;
    for (int k = 0; k < kColumns; ++k) {
      if (e.at[k].is_fixed()) {
        potential_ -= e.weight[k].dot(e.at[k].fixed.template head<d>());
        continue;
      }
      Own& x = own(e.at[k]);
      x.m += e.m(k, k);
      x.weight += e.weight[k];
      for (int l = 0; l < k; ++l)
        if (!e.at[l].is_fixed()) mixed_.push_back({e.at[k], e.at[l], e.m(k, l), e.n(k, l)});
    }
  }
}

template <int d>
typename NaturalMasses<d>::Own& NaturalMasses<d>::own(const NaturalVariable& x) {
  const auto known = std::find_if(own_.begin(), own_.end(), [&](const Own& o) { return o.at.block == x.block; });
  if (known != own_.end()) return *known;
  own_.push_back({x, 0, VectorD<d>::Zero()});
  return own_.back();
}

template <int d>
void NaturalMasses<d>::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Own& x : own_) couplings.push_back({x.at.block, x.at.block});
  for (const Mixed& x : mixed_) couplings.push_back({x.a.block, x.b.block});
}

template <int d>
void NaturalMasses<d>::add_residual(const Kinematics& k, Residual& r) const {
  const VectorXd& a = k.state->a;
  for (const Own& x : own_) r.motion.segment<d>(x.at.v) += x.m * a.segment<d>(x.at.v) - x.weight;
  for (const Mixed& x : mixed_) {
    r.motion.segment<d>(x.a.v) += times<d>(x.m, x.n, a.segment<d>(x.b.v));
    r.motion.segment<d>(x.b.v) += times<d>(x.m, -x.n, a.segment<d>(x.a.v));
  }
}

template <int d>
void NaturalMasses<d>::add_tangent(const Kinematics&, Tangent& T) const {
  const Slot* slot = T.slots;
  for (const Own& x : own_) {
    double* at = T.lower + slot->offset;
    for (int i = 0; i < d; ++i) at[i * (1 + slot->stride)] += T.w.a * x.m;
    ++slot;
  }
  for (const Mixed& x : mixed_) {
    Eigen::Matrix<double, d, d> M = T.w.a * x.m * Eigen::Matrix<double, d, d>::Identity();
    if constexpr (d == 2) M += T.w.a * x.n * quarter_turn();
    T.add_symmetric(*slot++, 0, 0, M);
  }
}

template <int d>
double NaturalMasses<d>::kinetic_energy(const Kinematics& k) const {
  const VectorXd& v = k.state->v;
  double sum = 0;
  for (const Own& x : own_) sum += 0.5 * x.m * v.segment<d>(x.at.v).squaredNorm();
  for (const Mixed& x : mixed_) sum += v.segment<d>(x.a.v).dot(times<d>(x.m, x.n, v.segment<d>(x.b.v)));
  return sum;
}

template <int d>
double NaturalMasses<d>::potential_energy(const Kinematics& k) const {
  double sum = potential_;
  for (const Own& x : own_) sum -= x.weight.dot(k.state->q.template segment<d>(x.at.v));
  return sum;
}

template class NaturalMasses<2>;
template class NaturalMasses<3>;

}  // namespace bricard
