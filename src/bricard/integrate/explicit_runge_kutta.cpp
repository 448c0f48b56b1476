// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/explicit_runge_kutta.h"

#include <cmath>

namespace bricard {
namespace {

constexpr int kMaxPositionIterations = 10;
constexpr double kRoundOff = 1e-15;

}  // namespace

ExplicitTableau rk4_tableau() {
  ExplicitTableau t;
  t.a.setZero(4, 4);
  t.a(1, 0) = t.a(2, 1) = 0.5;
  t.a(3, 2) = 1;
  t.b.setZero(4);
  t.b << 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6;
  t.c = t.a.rowwise().sum();
  t.order = 4;
  return t;
}

ExplicitTableau dopri_tableau() {
  ExplicitTableau t;
  t.a.setZero(7, 7);
  t.a.row(1).head(1) << 1.0 / 5;
  t.a.row(2).head(2) << 3.0 / 40, 9.0 / 40;
  t.a.row(3).head(3) << 44.0 / 45, -56.0 / 15, 32.0 / 9;
  t.a.row(4).head(4) << 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729;
  t.a.row(5).head(5) << 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656;
  t.a.row(6).head(6) << 35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84;
  t.b = t.a.row(6).transpose();
  Eigen::VectorXd fourth(7);
  fourth << 5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40;
  t.b_error = t.b - fourth;
  t.c = t.a.rowwise().sum();
  t.order = 5;
  return t;
}

ExplicitRungeKutta::ExplicitRungeKutta(const System& system, const ExplicitTableau& tableau, const RunSettings& settings)
    : system_(system), turns_(system), tableau_(tableau), newton_(system, settings.solver), projection_(system, newton_, {}),
      next_(system.make_state()), kinematics_(system.make_kinematics()), residual_(system.make_residual()) {
  const int n = system.velocities();
  no_chart_.assign(system.nodes().size(), Matrix3d::Identity());
  rate_.assign(tableau.b.size(), VectorXd::Zero(n));
  acceleration_.assign(tableau.b.size(), VectorXd::Zero(n));
  for (VectorXd* x : {&delta_, &dz_, &error_}) x->setZero(n);
  x_.setZero(system.unknowns());
}

StepReport ExplicitRungeKutta::attempt(double h, const State& s) {
  h_ = h;
  StepReport report;
  report.iterations = 1;
  const Eigen::Index stages = tableau_.b.size();
  for (Eigen::Index i = 0; i < stages; ++i) {
    delta_.setZero();
    next_.v = s.v;
    for (Eigen::Index j = 0; j < i; ++j) {
      delta_ += h * tableau_.a(i, j) * rate_[j];
      next_.v += h * tableau_.a(i, j) * acceleration_[j];
    }
    next_.t = s.t + tableau_.c[i] * h;
    next_.angles = s.angles;
    next_.inputs = s.inputs;
    system_.manifold().retract(s.q, delta_, next_.q);
    system_.update(next_, kinematics_);
    system_.manifold().apply_tangent_inverse(delta_, next_.v, rate_[i]);
    projection_.factorize_anew(kinematics_);
    projection_.accelerations(next_, kinematics_, residual_);
    acceleration_[i] = next_.a;
  }
  delta_.setZero();
  next_.v = s.v;
  for (Eigen::Index i = 0; i < stages; ++i) {
    delta_ += h * tableau_.b[i] * rate_[i];
    next_.v += h * tableau_.b[i] * acceleration_[i];
  }
  next_.t = s.t + h;
  system_.manifold().retract(s.q, delta_, next_.q);
  if (!delta_.allFinite() || !next_.v.allFinite()) report.status = StepStatus::not_finite;
  return report;
}

LocalError ExplicitRungeKutta::local_error() {
  if (tableau_.b_error.size() == 0) return {};
  error_.setZero();
  for (Eigen::Index i = 0; i < tableau_.b.size(); ++i) error_ += h_ * tableau_.b_error[i] * rate_[i];
  return {&error_, 5, 5, 0};
}

/// Newton's method with the mass matrix as metric:   M dz + Gᵀμ = 0,   G dz = −g
void ExplicitRungeKutta::project_positions(StepReport& report) {
  const int n = system_.velocities(), m = system_.multipliers();
  const double size = std::max(system_.reference_length, next_.q.lpNorm<Eigen::Infinity>());
  for (int k = 0; k < kMaxPositionIterations; ++k) {
    system_.update(next_, kinematics_);
    system_.residual(kinematics_, residual_);
    report.position_violation = m ? residual_.constraint.lpNorm<Eigen::Infinity>() : 0;
    if (report.position_violation <= kRoundOff * size) return;
    if (k == 0) projection_.factorize_anew(kinematics_);
    x_.head(n).setZero();
    x_.tail(m) = -newton_.form().scale * residual_.constraint;
    newton_.solve(x_);
    dz_ = x_.head(n);
    system_.manifold().retract(next_.q, dz_, next_.q);
  }

}

void ExplicitRungeKutta::accept(State& s, StepReport& report) {
  next_.lambda = s.lambda;
  project_positions(report);
  system_.update(next_, kinematics_);
  projection_.factorize_anew(kinematics_);
  projection_.velocities(next_, kinematics_);
  projection_.accelerations(next_, kinematics_, residual_);
  turns_.count(h_, s, kinematics_, next_);
  std::swap(s, next_);
}

std::size_t ExplicitRungeKutta::bytes() const {
  const std::size_t n = delta_.size(), m = system_.multipliers();
  return newton_.bytes() + 8 * (2 * rate_.size() * n + 12 * n + 6 * m) + sizeof(Matrix3d) * no_chart_.size() +
         sizeof(Frame) * kinematics_.frames.size();
}

}  // namespace bricard
