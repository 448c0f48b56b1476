// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/dot_products.h"

#include <algorithm>

namespace bricard {
namespace {

template <int d>
using MatrixD = Eigen::Matrix<double, d, d>;

/// Pairs of variables, each variable with itself, each with the multipliers: in this order.
template <class Item>
void add_variable_couplings(const Item& e, std::vector<Coupling>& couplings) {
  for (int k = 0; k < e.count; ++k) {
    for (int l = 0; l <= k; ++l) couplings.push_back({e.at[k].block, e.at[l].block});
    couplings.push_back({e.multipliers, e.at[k].block});
  }
}

template <int d, class Item>
MatrixD<d> coefficient(const Item& e, int k) {
  MatrixD<d> C = e.c[k] * MatrixD<d>::Identity();
  if constexpr (d == 2) C += e.e[k] * quarter_turn();
  return C;
}

template <int d, class Item, class Values>
VectorD<d> tied(const Item& e, const Values& value) {
  VectorD<d> sum = VectorD<d>::Zero();
  for (int k = 0; k < e.count; ++k) sum += coefficient<d>(e, k) * value(e.at[k]);
  return sum;
}

}  // namespace

template <int d, int kMax>
void NaturalSum<d, kMax>::add(const NaturalVariable& x, double factor, double turned) {
  if (x.is_fixed()) {
    const VectorD<d> value = x.fixed.template head<d>();
    constant += factor * value;
    if constexpr (d == 2) constant += turned * quarter_turn(value);
    return;
  }
  int k = 0;
  while (k < count && at[k].block != x.block) ++k;
  at[k] = x;
  re[k] += factor, im[k] += turned;
  count = std::max(count, k + 1);
}

template <int d, int kMax>
DotProducts<d, kMax>::DotProducts(const std::vector<Item>& items) {
  for (const Item& e : items) {
    Row row{};
    row.row = e.row, row.multipliers = e.multipliers, row.offset = e.offset;
    row.c = e.c, row.scale = e.scale;
    row.c_i = e.i.constant, row.c_j = e.j.constant;
    const auto place_of = [&](const NaturalVariable& x) {
      int k = 0;
      while (k < row.count && row.block[k] != x.block) ++k;
      row.v[k] = x.v, row.block[k] = x.block;
      row.count = std::max(row.count, k + 1);
      return k;
    };
    const auto take = [&](const NaturalSum<d, kMax>& sum, auto& re, auto& im) {
      for (int n = 0; n < sum.count; ++n) {
        const int k = place_of(sum.at[n]);
        re[k] += sum.re[n];
        if constexpr (kTurned) im[k] += sum.im[n];
      }
    };
    take(e.i, row.a, row.a_im);
    take(e.j, row.b, row.b_im);
    row.is_square = row.a == row.b && row.a_im == row.b_im && row.c_i == row.c_j;
    rows_.push_back(row);
  }
}

template <int d, int kMax>
VectorD<d> DotProducts<d, kMax>::times(double re, double im, const VectorD<d>& x) {
  if constexpr (kTurned) return {re * x.x() - im * x.y(), re * x.y() + im * x.x()};
  (void)im;
  return re * x;
}

/// Both sums, with these constants.
template <int d, int kMax>
typename DotProducts<d, kMax>::Pair DotProducts<d, kMax>::directions(const Row& e, const VectorXd& q,
                                                                     const VectorD<d>& c_i, const VectorD<d>& c_j) {
  Pair x{c_i, c_j};
  for (int k = 0; k < e.count; ++k) x.i += times(e.a[k], e.a_im[kTurned ? k : 0], q.segment<d>(e.v[k]));
  if (e.is_square) {
    x.j = x.i;
  } else {
    for (int k = 0; k < e.count; ++k) x.j += times(e.b[k], e.b_im[kTurned ? k : 0], q.segment<d>(e.v[k]));
  }
  return x;
}

template <int d, int kMax>
VectorD<d> DotProducts<d, kMax>::gradient(const Row& e, int k, const Pair& x) {
  const int n = kTurned ? k : 0;
  return e.scale * (times(e.a[k], -e.a_im[n], x.j) + times(e.b[k], -e.b_im[n], x.i));
}

/// s (A_kᵀB_l + B_kᵀA_l)
template <int d, int kMax>
typename DotProducts<d, kMax>::MatrixD DotProducts<d, kMax>::curvature(const Row& e, int k, int l) {
  MatrixD H = e.scale * (e.a[k] * e.b[l] + e.b[k] * e.a[l]) * MatrixD::Identity();
  if constexpr (kTurned) {
    H += e.scale * (e.a_im[k] * e.b_im[l] + e.b_im[k] * e.a_im[l]) * MatrixD::Identity();
    H += e.scale * (e.a[k] * e.b_im[l] - e.a_im[k] * e.b[l] + e.b[k] * e.a_im[l] - e.b_im[k] * e.a[l]) * quarter_turn();
  }
  return H;
}

template <int d, int kMax>
void DotProducts<d, kMax>::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Row& e : rows_)
    for (int k = 0; k < e.count; ++k) {
      for (int l = 0; l <= k; ++l) couplings.push_back({e.block[k], e.block[l]});
      couplings.push_back({e.multipliers, e.block[k]});
    }
}

template <int d, int kMax>
void DotProducts<d, kMax>::add_residual(const Kinematics& k, Residual& r) const {
  for (const Row& e : rows_) {
    const Pair x = directions(e, k.state->q, e.c_i, e.c_j);
    const double g = e.scale * (x.i.dot(x.j) - e.c);
    const double F = k.state->lambda[e.row] + r.penalty * g;
    r.constraint[e.row] += g;
    for (int n = 0; n < e.count; ++n) r.motion.segment<d>(e.v[n]) += F * gradient(e, n, x);
  }
}

template <int d, int kMax>
void DotProducts<d, kMax>::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slot = T.slots;
  for (const Row& e : rows_) {
    const Pair x = directions(e, k.state->q, e.c_i, e.c_j);
    double F = k.state->lambda[e.row];
    if (T.w.q != 0) F += T.w.penalty / T.w.q * e.scale * (x.i.dot(x.j) - e.c);
    const double bend = T.w.q * F;
    for (int n = 0; n < e.count; ++n) {
      const VectorD<d> G_n = gradient(e, n, x);
      for (int l = 0; l <= n; ++l, ++slot) {
        const MatrixD K = (T.w.penalty * G_n) * gradient(e, l, x).transpose() + bend * curvature(e, n, l);
        n == l ? T.add_diagonal(*slot, 0, 0, K) : T.add_symmetric(*slot, 0, 0, K);
      }
      if (T.w.constraint != 0) T.add_symmetric(*slot, e.offset, 0, (T.w.constraint * G_n.transpose()).eval());
      ++slot;
    }
  }
}

template <int d, int kMax>
void DotProducts<d, kMax>::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  const VectorD<d> none = VectorD<d>::Zero();
  for (const Row& e : rows_) {
    const Pair x = directions(e, k.state->q, e.c_i, e.c_j), v = directions(e, k.state->v, none, none);
    rate[e.row] += e.scale * (x.i.dot(v.j) + x.j.dot(v.i));
    bias[e.row] += 2 * e.scale * v.i.dot(v.j);
  }
}

template <int d>
void NaturalTies<d>::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& e : items_) add_variable_couplings(e, couplings);
}

template <int d>
void NaturalTies<d>::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& e : items_) {
    const VectorD<d> g = tied<d>(e, [&](const NaturalVariable& x) { return x.template position<d>(*k.state); });
    const VectorD<d> F = k.state->lambda.segment<d>(e.row) + r.penalty * g;
    r.constraint.segment<d>(e.row) += g;
    for (int c = 0; c < e.count; ++c) r.motion.segment<d>(e.at[c].row) += coefficient<d>(e, c).transpose() * F;
  }
}

template <int d>
void NaturalTies<d>::add_tangent(const Kinematics&, Tangent& T) const {
  const Slot* slot = T.slots;
  for (const Item& e : items_)
    for (int n = 0; n < e.count; ++n) {
      const MatrixD<d> G_n = coefficient<d>(e, n);
      for (int l = 0; l <= n; ++l, ++slot) {
        if (T.w.penalty == 0 || e.at[n].is_fixed() || e.at[l].is_fixed()) continue;
        const MatrixD<d> K = T.w.penalty * G_n.transpose() * coefficient<d>(e, l);
        n == l ? T.add_diagonal(*slot, 0, 0, K) : T.add_symmetric(*slot, 0, 0, K);
      }
      if (!e.at[n].is_fixed()) T.add_symmetric(*slot, 0, 0, (T.w.constraint * G_n).eval());
      ++slot;
    }
}

template <int d>
void NaturalTies<d>::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd&) const {
  for (const Item& e : items_)
    rate.segment<d>(e.row) += tied<d>(e, [&](const NaturalVariable& x) { return x.template rate<d>(k.state->v); });
}

template struct NaturalSum<2, 3>;
template struct NaturalSum<3, 3>;
template struct NaturalSum<2, 8>;
template struct NaturalSum<3, 8>;
template class DotProducts<2, 3>;
template class DotProducts<3, 3>;
template class DotProducts<2, 8>;
template class DotProducts<3, 8>;
template class NaturalTies<2>;
template class NaturalTies<3>;

}  // namespace bricard
