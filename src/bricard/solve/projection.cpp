// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/projection.h"

namespace bricard {

Projection::Projection(const System& system, SolverType solver, const ProjectionSettings& settings)
    : system_(system), settings_(settings), newton_(system, solver) {
  no_chart_.assign(system.nodes().size(), Matrix3d::Identity());
  x_.setZero(system.unknowns());
  rate_.setZero(system.multipliers());
  bias_.setZero(system.multipliers());
}

// Hard or soft as the last time, and once more the other way if that turns out wrong.
void Projection::factorize(const Kinematics& k) {
  NewtonForm form;
  form.a = 1;
  form.scale = system_.reference_mass;
  const auto factorize_as = [&](bool soft) {
    soft_ = soft;
    form.regularization = soft ? Regularization{settings_.epsilon, true} : Regularization{settings_.soft_below, false};
    newton_.factorize(k, no_chart_, form);
  };
  factorize_as(soft_);
  const bool redundant = newton_.redundant_rows() > 0;
  if (soft_ && !redundant && newton_.weakest_row() > settings_.hard_above) factorize_as(false);
  if (!soft_ && (redundant || newton_.weakest_row() < settings_.soft_below)) factorize_as(true);
}

// Row two of the solved system says s G dx = −s violation + ε dμ̂: what is left to correct is ε dμ̂.
void Projection::solve(VectorXd& x, VectorXd& target, VectorXd* multipliers) {
  const int n = system_.velocities(), m = system_.multipliers();
  const double scale = newton_.form().scale;
  const bool weak = newton_.weakest_row() < settings_.few_below;
  const int repetitions = weak ? settings_.few_repetitions : settings_.max_repetitions;
  for (int i = 0; i < repetitions; ++i) {
    newton_.solve(x);
    target += x.head(n);
    if (m == 0) return;
    if (multipliers) *multipliers += scale * x.tail(m);
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
  s.a.setZero();
  s.lambda.setZero();
  system_.residual(k, r);
  system_.constraint_rates(k, rate_, bias_);
  x_.head(system_.velocities()) = -r.motion.head(system_.velocities());
  x_.tail(system_.multipliers()) = -newton_.form().scale * bias_;
  solve(x_, s.a, &s.lambda);
}

}  // namespace bricard
