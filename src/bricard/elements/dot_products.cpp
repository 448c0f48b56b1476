// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/dot_products.h"

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

template <int d>
DotProducts<d>::DotProducts(const std::vector<Item>& items) {
  for (const Item& e : items) {
    Row row{};
    row.row = e.row, row.multipliers = e.multipliers, row.offset = e.offset;
    row.c = e.c, row.scale = e.scale;
    row.is_square = e.a == e.b;
    row.c_i.setZero();
    row.c_j.setZero();
    for (int k = 0; k < e.count; ++k) {
      if (e.at[k].is_fixed()) {
        row.c_i += e.a[k] * e.at[k].fixed.template head<d>();
        row.c_j += e.b[k] * e.at[k].fixed.template head<d>();
        continue;
      }
      row.v[row.count] = e.at[k].v, row.block[row.count] = e.at[k].block;
      row.a[row.count] = e.a[k], row.b[row.count] = e.b[k];
      ++row.count;
    }
    rows_.push_back(row);
  }
}

template <int d>
typename DotProducts<d>::Pair DotProducts<d>::directions(const Row& e, const VectorXd& q) {
  Pair x{e.c_i, e.c_j};
  for (int k = 0; k < e.count; ++k) x.i += e.a[k] * q.segment<d>(e.v[k]);
  if (e.is_square) {
    x.j = x.i;
  } else {
    for (int k = 0; k < e.count; ++k) x.j += e.b[k] * q.segment<d>(e.v[k]);
  }
  return x;
}

template <int d>
VectorD<d> DotProducts<d>::gradient(const Row& e, int k, const Pair& x) {
  return e.scale * (e.a[k] * x.j + e.b[k] * x.i);
}

template <int d>
void DotProducts<d>::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Row& e : rows_)
    for (int k = 0; k < e.count; ++k) {
      for (int l = 0; l <= k; ++l) couplings.push_back({e.block[k], e.block[l]});
      couplings.push_back({e.multipliers, e.block[k]});
    }
}

template <int d>
void DotProducts<d>::add_residual(const Kinematics& k, Residual& r) const {
  for (const Row& e : rows_) {
    const Pair x = directions(e, k.state->q);
    const double g = e.scale * (x.i.dot(x.j) - e.c);
    const double F = k.state->lambda[e.row] + r.penalty * g;
    r.constraint[e.row] += g;
    for (int n = 0; n < e.count; ++n) r.motion.segment<d>(e.v[n]) += F * gradient(e, n, x);
  }
}

//     ∂²g/∂x_k∂x_l = s (a_k b_l + b_k a_l) 1
template <int d>
void DotProducts<d>::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slot = T.slots;
  for (const Row& e : rows_) {
    const Pair x = directions(e, k.state->q);
    double F = k.state->lambda[e.row];
    if (T.w.q != 0) F += T.w.penalty / T.w.q * e.scale * (x.i.dot(x.j) - e.c);
    const double bend = T.w.q * F * e.scale;
    for (int n = 0; n < e.count; ++n) {
      const VectorD<d> G_n = gradient(e, n, x);
      for (int l = 0; l <= n; ++l, ++slot) {
        MatrixD<d> K = (T.w.penalty * G_n) * gradient(e, l, x).transpose();
        K.diagonal().array() += bend * (e.a[n] * e.b[l] + e.b[n] * e.a[l]);
        n == l ? T.add_diagonal(*slot, 0, 0, K) : T.add_symmetric(*slot, 0, 0, K);
      }
      if (T.w.constraint != 0) T.add_symmetric(*slot, e.offset, 0, (T.w.constraint * G_n.transpose()).eval());
      ++slot;
    }
  }
}

template <int d>
void DotProducts<d>::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  for (const Row& e : rows_) {
    const Pair x = directions(e, k.state->q);
    Pair v{VectorD<d>::Zero(), VectorD<d>::Zero()};
    for (int n = 0; n < e.count; ++n) {
      v.i += e.a[n] * k.state->v.template segment<d>(e.v[n]);
      v.j += e.b[n] * k.state->v.template segment<d>(e.v[n]);
    }
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

template class DotProducts<2>;
template class DotProducts<3>;
template class NaturalTies<2>;
template class NaturalTies<3>;

}  // namespace bricard
