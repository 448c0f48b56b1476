// SPDX-License-Identifier: Apache-2.0
#include "papers/reduced_equations.h"

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

struct Derivatives {
  SparseTangent tangent;
  Kinematics k;
  explicit Derivatives(const System& system) : tangent(system), k(system.make_kinematics()) {}
};

}  // namespace

ReducedEquations::ReducedEquations(const System& system, const State& s, const LinearizeOptions& options,
                                   const LinearEquations& states, double fineness)
    : nudge_(2e-3 * fineness), time_(5e-3 * fineness), system_(system), s_(s), options_(options),
      S_(states.positions()), W_(states.velocities()), is_velocity_row_(system.multipliers(), false) {
  for (const int row : system.velocity_rows()) is_velocity_row_[row] = true;
  S0_.resize(static_cast<int>(S_.size()));
  W0_.resize(static_cast<int>(W_.size()));
  for (size_t i = 0; i < S_.size(); ++i) S0_[i] = value(S_[i], s_, 0);
  for (size_t i = 0; i < W_.size(); ++i) W0_[i] = first_rate(W_[i], s_);
  const Sensitivities y = states.respond(MatrixXd::Identity(states.size(), states.size()));
  reach_ = y.q.cwiseAbs().colwise().maxCoeff().transpose() + y.v.cwiseAbs().colwise().maxCoeff().transpose();
}

State ReducedEquations::at(const State& s, double tau) const {
  State there = s;
  there.t += tau;
  system_.manifold().retract(s.q, tau * s.v + 0.5 * tau * tau * s.a, there.q);
  there.v += tau * s.a;
  return there;
}

State ReducedEquations::base(double tau) const { return at(s_, tau); }

/// A user's formula, or a body's deviation from the undisturbed motion in the axes of the undisturbed reference marker.
double ReducedEquations::value(const LinearCoordinate& c, const State& s, double tau) const {
  Kinematics k = system_.make_kinematics();
  system_.update(s, k);
  if (c.user >= 0) return options_.states[c.user].formula->values(k)[0];
  const State undisturbed = base(tau);
  Kinematics k0 = system_.make_kinematics();
  system_.update(undisturbed, k0);
  const Matrix3d R = k0.frames[options_.reference.node].R * options_.reference.R;
  for (size_t n = 1; n < system_.nodes().size(); ++n) {
    const int axis = c.column - system_.nodes()[n].v;
    if (axis < 0 || axis >= 6) continue;
    if (axis < 3) return R.col(axis).dot(k.frames[n].p - k0.frames[n].p);
    const Matrix3d turn = k.frames[n].R * k0.frames[n].R.transpose();
    return R.col(axis - 3).dot(log_rotation(Quaterniond(turn)));
  }
  return s.v[c.column];  // a differential state
}

double ReducedEquations::along(const LinearCoordinate& c, const State& s, double tau) const {
  return value(c, at(s, tau), tau);
}

double ReducedEquations::first_rate(const LinearCoordinate& c, const State& s) const {
  if (c.differential) return s.v[c.column];
  const auto d = [&](int i) { return along(c, s, i * time_) - along(c, s, -i * time_); };
  return (0.75 * d(1) - 0.15 * d(2) + d(3) / 60) / time_;
}

double ReducedEquations::second_rate(const LinearCoordinate& c, const State& s) const {
  if (c.differential) return s.a[c.column];
  const double middle = value(c, s, 0);
  const auto d = [&](int i) { return along(c, s, i * time_) + along(c, s, -i * time_) - 2 * middle; };
  return (1.5 * d(1) - 0.15 * d(2) + d(3) / 90) / (time_ * time_);
}

int ReducedEquations::node_of(int column) const {
  for (size_t n = 1; n < system_.nodes().size(); ++n)
    if (column >= system_.nodes()[n].v && column < system_.nodes()[n].v + 6) return static_cast<int>(n);
  return -1;
}

VectorXd ReducedEquations::gradient(const LinearCoordinate& c, const State& s) const {
  VectorXd row = VectorXd::Zero(system_.velocities());
  if (c.differential) {
    row[c.column] = 1;
    return row;
  }
  for (int j = 0; j < row.size(); ++j) {
    if (c.user < 0 && node_of(j) != node_of(c.column)) continue;  // of one body alone
    const auto f = [&](double x) {
      State moved = s;
      system_.manifold().retract(s.q, x * VectorXd::Unit(row.size(), j), moved.q);
      return value(c, moved, 0);
    };
    row[j] = (8 * (f(nudge_) - f(-nudge_)) - (f(2 * nudge_) - f(-2 * nudge_))) / (12 * nudge_);
  }
  return row;
}

State ReducedEquations::place(const VectorXd& positions) const {
  State s = s_;
  Derivatives d(system_);
  Residual r = system_.make_residual();
  const int n = system_.velocities(), m = system_.multipliers(), z = static_cast<int>(S_.size());
  for (int iteration = 0; iteration < 12; ++iteration) {
    system_.update(s, d.k);
    system_.residual(d.k, r);
    d.tangent.evaluate(d.k, 0, 0, 0);
    MatrixXd J(m + z, n);
    VectorXd f(m + z);
    J.topRows(m) = MatrixXd(d.tangent.G());
    f.head(m) = r.constraint;
    for (int i = 0; i < m; ++i)
      if (is_velocity_row_[i]) J.row(i).setZero(), f[i] = 0;
    for (int i = 0; i < z; ++i) J.row(m + i) = gradient(S_[i], s), f[m + i] = value(S_[i], s, 0) - positions[i];
    if (f.lpNorm<Eigen::Infinity>() < 2e-15) break;
    system_.manifold().retract(s.q, -J.completeOrthogonalDecomposition().solve(f), s.q);
  }
  return s;
}

// ṡ = s_q v + ∂s/∂t, the latter at v = 0.
void ReducedEquations::move(const VectorXd& velocities, State& s) const {
  const int n = system_.velocities(), m = system_.multipliers(), z = static_cast<int>(W_.size());
  Derivatives d(system_);
  s.v.setZero();
  s.a.setZero();
  system_.update(s, d.k);
  d.tangent.evaluate(d.k, 0, 0, 0);
  MatrixXd J(m + z, n);
  VectorXd f(m + z), rate = VectorXd::Zero(m), bias = rate;
  system_.constraint_rates(d.k, rate, bias);
  J.topRows(m) = MatrixXd(d.tangent.G());
  f.head(m) = -rate;
  for (int i = 0; i < z; ++i) J.row(m + i) = gradient(W_[i], s), f[m + i] = velocities[i] - first_rate(W_[i], s);
  s.v = J.completeOrthogonalDecomposition().solve(f);
}

void ReducedEquations::accelerate(State& s) const {
  const int n = system_.velocities(), m = system_.multipliers();
  Derivatives d(system_);
  s.a.setZero();
  s.lambda.setZero();
  system_.update(s, d.k);
  Residual r = system_.make_residual();
  system_.residual(d.k, r);
  d.tangent.evaluate(d.k, 0, 0, 1);
  MatrixXd J = MatrixXd::Zero(n + m, n + m);
  J.topLeftCorner(n, n) = MatrixXd(d.tangent.S());
  J.topRightCorner(n, m) = MatrixXd(d.tangent.reactions()).transpose();
  J.bottomLeftCorner(m, n) = MatrixXd(d.tangent.G());
  VectorXd rate = VectorXd::Zero(m), bias = rate, f(n + m);
  system_.constraint_rates(d.k, rate, bias);
  f << -r.motion.head(n), -bias;
  const VectorXd x = J.completeOrthogonalDecomposition().solve(f);
  s.a = x.head(n);
  s.lambda = x.tail(m);
}

State ReducedEquations::disturbed(const VectorXd& x) const {
  State s = place(S0_ + x.head(S0_.size()));
  move(W0_ + x.tail(W0_.size()), s);
  accelerate(s);
  return s;
}

VectorXd ReducedEquations::coordinates(const State& s) const {
  const int z0 = static_cast<int>(S_.size()), z1 = static_cast<int>(W_.size());
  VectorXd x(z0 + z1);
  State gliding = s;  // rates do not depend on accelerations, and differences are better without large ones
  gliding.a.setZero();
  for (int i = 0; i < z0; ++i) x[i] = value(S_[i], s, 0) - S0_[i];
  for (int i = 0; i < z1; ++i) x[z0 + i] = first_rate(W_[i], gliding) - W0_[i];
  return x;
}

VectorXd ReducedEquations::rates(const VectorXd& x) const {
  const int z0 = static_cast<int>(S_.size()), z1 = static_cast<int>(W_.size());
  const State s = disturbed(x);
  VectorXd y(z0 + z1);
  for (int i = 0; i < z0; ++i) y[i] = first_rate(S_[i], s);
  for (int i = 0; i < z1; ++i) y[z0 + i] = second_rate(W_[i], s);
  return y;
}

MatrixXd ReducedEquations::matrix(double step) const {
  const int size = static_cast<int>(S_.size() + W_.size());
  MatrixXd A(size, size);
  for (int j = 0; j < size; ++j) {
    const double h = step / std::max(1.0, reach_[j]);
    const VectorXd unit = VectorXd::Unit(size, j) * h;
    A.col(j) = (8 * (rates(unit) - rates(-unit)) - (rates(2 * unit) - rates(-2 * unit))) / (12 * h);
  }
  return A;
}

}  // namespace bricard
