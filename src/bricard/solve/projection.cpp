// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/projection.h"

namespace bricard {
namespace {

constexpr int kMaxImprovements = 30;

}  // namespace

Projection::Projection(const System& system, NewtonSystem& newton, const ProjectionSettings& settings)
    : system_(system), settings_(settings), newton_(newton) {
  no_chart_.assign(system.nodes().size(), Matrix3d::Identity());
  x_.setZero(system.unknowns());
  rate_.setZero(system.multipliers());
  bias_.setZero(system.multipliers());
  before_.setZero(system.velocities());
}

void Projection::factorize(const Kinematics& k) {
  const bool redundant = newton_.redundant_rows() > 0;
  const bool near = newton_.weakest_row() < (redundant ? settings_.near : settings_.near_alone);
  NewtonForm form;
  form.factor = settings_.mass_factor;
  form.a = 1;
  form.scale = system_.reference_mass;
  form.regularization = {near ? settings_.soft : redundant ? settings_.even : settings_.near_alone, redundant || near};
  repetitions_ = newton_.weakest_row() < settings_.at_once ? settings_.few : settings_.repetitions;
  newton_.factorize(k, no_chart_, form);
}

void Projection::factorize_anew(const Kinematics& k) {
  NewtonForm form;
  form.factor = settings_.mass_factor;
  form.a = 1;
  form.scale = system_.reference_mass;
  newton_.factorize(k, no_chart_, form);
  factorize(k);
}

// Row two of the solved system says s G dx = −s violation + ε dμ̂: what is left to correct is ε dμ̂.
void Projection::solve(VectorXd& x, VectorXd& target, VectorXd* multipliers) {
  const int n = system_.velocities(), m = system_.multipliers();
  const double scale = newton_.form().scale;
  for (int i = 0; i < repetitions_; ++i) {
    newton_.solve(x);
    target += x.head(n);
    if (m == 0) return;
    if (multipliers) *multipliers += scale / settings_.mass_factor * x.tail(m);
    x.head(n).setZero();
    x.tail(m).array() *= -newton_.softness().array();
    if (x.tail(m).lpNorm<Eigen::Infinity>() <= settings_.tolerance * scale * target.lpNorm<Eigen::Infinity>()) return;
  }
}

void Projection::velocities(State& s, Kinematics& k) {
  if (system_.multipliers() == 0) return;
  system_.constraint_rates(k, rate_, bias_);
  x_.head(system_.velocities()).setZero();
  x_.tail(system_.multipliers()) = -newton_.form().scale * rate_;
  solve(x_, s.v, nullptr);
  system_.update(s, k);
}

void Projection::accelerations(State& s, const Kinematics& k, Residual& r) {
  for (const StateInfo& x : system_.states) before_[x.v] = x.implicit ? s.a[x.v] : 0;
  s.a.setZero();
  for (const StateInfo& x : system_.states) s.a[x.v] = before_[x.v];  // where the solution of its equation is looked for
  s.lambda.setZero();
  system_.residual(k, r);
  system_.constraint_rates(k, rate_, bias_);
  x_.head(system_.velocities()) = -settings_.mass_factor * r.motion.head(system_.velocities());
  x_.tail(system_.multipliers()) = -newton_.form().scale * bias_;
  solve(x_, s.a, &s.lambda);
  if (system_.sees_accelerations()) improve_accelerations(s, k, r);
}

//     M x + Gᵀλ = f − M a,   G x = 0;   x is what a lacks
void Projection::multipliers(State& s, const Kinematics& k, Residual& r) {
  s.lambda.setZero();
  system_.residual(k, r);
  x_.head(system_.velocities()) = -settings_.mass_factor * r.motion.head(system_.velocities());
  x_.tail(system_.multipliers()).setZero();
  before_.setZero();
  solve(x_, before_, &s.lambda);
}

// Forces that depend on accelerations or reactions in a nonlinear way: Newton's method.
void Projection::improve_accelerations(State& s, const Kinematics& k, Residual& r) {
  const int n = system_.velocities();
  for (int i = 0; i < kMaxImprovements; ++i) {
    system_.residual(k, r);
    x_.head(n) = -settings_.mass_factor * r.motion.head(n);
    x_.tail(system_.multipliers()).setZero();
    const double size = s.a.lpNorm<Eigen::Infinity>();
    before_ = s.a;
    factorize(k);
    solve(x_, s.a, &s.lambda);
    if ((s.a - before_).lpNorm<Eigen::Infinity>() <= settings_.tolerance * size) return;
  }
}

}  // namespace bricard
