// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/ali3.h"

namespace bricard {
namespace {

constexpr double kBeta = 0.25, kGamma = 0.5;

}  // namespace

Ali3::Ali3(const System& system, const RunSettings& settings, const Tolerances& t)
    : system_(system), settings_(settings), solver_(system, settings.solver, t),
      control_(system, augmented_rule(settings), t), turns_(system), next_(system.make_state()),
      kinematics_(system.make_kinematics()), residual_(system.make_residual()) {
  const int n = system.velocities(), m = system.multipliers();
  chart_.assign(system.nodes().size(), Matrix3d::Identity());
  for (VectorXd* x : {&delta_, &ddelta_, &x_, &velocities_}) x->setZero(n);
  for (VectorXd* x : {&rate_, &bias_, &gddot_, &unused_, &lambda_}) x->setZero(m);
}

void Ali3::begin(const State&) {}

//     v = c_v δ − v_n,   a = c_a δ − 4/h v_n − a_n
void Ali3::advance(const State& s) {
  system_.manifold().retract(s.q, delta_, next_.q);
  next_.v = (kGamma / (kBeta * h_)) * delta_ - s.v;
  next_.a = (1 / beta_hh_) * delta_ - (1 / (kBeta * h_)) * s.v - s.a;
  system_.update(next_, kinematics_);
}

// W has no stiffness of the constraint forces: it would make the projections indefinite next to singular positions.
// With λ = −α g there are none.
void Ali3::factorize() {
  std::swap(next_.lambda, lambda_);
  next_.lambda = -p_.alpha * residual_.constraint;
  for (size_t i = 1; i < chart_.size(); ++i)
    if (system_.nodes()[i].block >= 0)
      chart_[i] = tangent_operator_inverse(delta_.segment<3>(system_.nodes()[i].v + 3));
  Weights w;
  w.q = beta_hh_, w.v = kGamma * h_, w.a = 1;
  w.penalty = beta_hh_ * p_.alpha;
  solver_.factorize(kinematics_, chart_, w);
  std::swap(next_.lambda, lambda_);
}

StepReport Ali3::try_step(double h, const State& s) {
  h_ = h, beta_hh_ = kBeta * h * h;
  next_.t = s.t + h;
  next_.lambda = s.lambda;
  carry_over(s, next_);
  delta_ = h * s.v + (0.5 * h * h) * s.a;
  const int n = system_.velocities();
  double motion = control_.length_of(delta_);
  p_ = augmented_parameters(system_, settings_, h, motion);
  control_.begin(h, s);
  StepReport report;
  for (bool first = true, done = false; !done; first = false) {
    advance(s);
    residual_.penalty = first ? p_.alpha : 2 * p_.alpha;  // that of the update that comes next, too
    system_.residual(kinematics_, residual_);
    if (!first) next_.lambda += p_.alpha * residual_.constraint;
    factorize();
    x_ = -beta_hh_ * residual_.motion.head(n);
    solver_.solve(x_);
    system_.manifold().apply_tangent_inverse(delta_, x_, ddelta_);
    delta_ += ddelta_;
    const double length = control_.length_of(x_);
    if (first) motion = std::max(motion, length);  // a start from rest moves by its first correction
    done =
        control_.is_last(augmented_correction(length, motion, residual_.constraint.lpNorm<Eigen::Infinity>()), report);
  }
  if (report.status == StepStatus::accepted && residual_.constraint.size())
    control_.refuse_lost(residual_.constraint.lpNorm<Eigen::Infinity>(), report);
  return report;
}

void Ali3::take_step(State& s, StepReport& report) {
  advance(s);
  residual_.penalty = 0;
  if (residual_.constraint.size()) {
    lambda_ = next_.lambda;
    project();
    report.position_violation = residual_.constraint.lpNorm<Eigen::Infinity>();
  }
  turns_.count(h_, s, kinematics_, next_);
  if (residual_.constraint.size()) set_multipliers();  // leaves the kinematics of other velocities behind
  std::swap(s, next_);
}

/// g̈ at the velocities and accelerations of next_, whose ġ is in rate_; leaves it in gddot_.
void Ali3::constraint_accelerations() {
  velocities_ = next_.v;
  next_.v += next_.a;  // ġ is linear in v: what a adds to it is G a
  system_.update(next_, kinematics_);
  system_.constraint_rates(kinematics_, gddot_, unused_);
  next_.v = velocities_;
  gddot_ += bias_ - rate_;
}

/// With the matrix of the last correction.
void Ali3::project() {
  const double stiffness = beta_hh_ * p_.alpha;
  system_.constraint_rates(kinematics_, rate_, bias_);
  next_.lambda = stiffness * rate_;
  system_.constraint_forces(kinematics_, residual_);
  x_ = -residual_.motion.head(x_.size());
  solver_.solve(x_);
  next_.v += x_;
  system_.update(next_, kinematics_);
  system_.constraint_rates(kinematics_, rate_, bias_);
  constraint_accelerations();
  next_.lambda = lambda_ + stiffness * gddot_;
  system_.update(next_, kinematics_);
  system_.residual(kinematics_, residual_);
  x_ = -residual_.motion.head(x_.size());
  solver_.solve(x_);
  next_.a += x_;
}

/// Those that belong to the accelerations of the projection.
void Ali3::set_multipliers() {
  constraint_accelerations();
  next_.lambda = lambda_ + beta_hh_ * p_.alpha * gddot_;
}

void Ali3::save() {
  solver_.save();
  turns_.save();
}

void Ali3::restore() {
  solver_.restore();
  turns_.restore();
}

std::size_t Ali3::bytes() const {
  std::size_t doubles = 0;
  for (const VectorXd* x : {&delta_, &ddelta_, &x_, &rate_, &bias_, &gddot_, &unused_, &velocities_, &lambda_, &next_.q,
                            &next_.v, &next_.a, &next_.lambda, &next_.angles, &residual_.motion, &residual_.constraint})
    doubles += x->size();
  return solver_.bytes() + 8 * doubles + sizeof(Matrix3d) * chart_.size() + sizeof(Frame) * kinematics_.frames.size();
}

}  // namespace bricard
