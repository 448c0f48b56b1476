// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/energy_decaying.h"

#include <algorithm>
#include <cmath>

#include "bricard/integrate/redundant_rows.h"

namespace bricard {
namespace {

// Rows (R_g, R_h) of M/h² for the positions of f and j are [1 −3; 4 6]. R_g + ½ R_h has [3 0], with 3/2 Gᵀλ.
constexpr double kFirst = 3, kSecond = 6, kForces = 1.5;
constexpr double kNoConstraints = 1e12;  // ε that makes constraint rows so soft that they do nothing

NewtonRule decaying_rule(const RunSettings& settings, const Tolerances& t) {
  NewtonRule rule;
  rule.iterations = 2 * settings.max_iterations;
  rule.of_motion = t.decaying_part * settings.tolerance;
  rule.staged = true;
  return rule;
}

}  // namespace

EnergyDecaying::EnergyDecaying(const System& system, const RunSettings& settings, const Tolerances& t)
    : system_(system), turns_(system), control_(system, decaying_rule(settings, t), t), check_(system, settings, t),
      mode_(settings.projection), jump_(system.make_state()), middle_(system.make_state()), next_(system.make_state()),
      kinematics_(system.make_kinematics()), residual_(system.make_residual()) {
  for (auto& newton : newton_) newton = std::make_unique<NewtonSystem>(system, settings, t);
  if (mode_ != ProjectionMode::none) projection_ = std::make_unique<Projection>(system, *newton_[0], kFirst);
  no_chart_.assign(system.nodes().size(), Matrix3d::Identity());
  const int n = system.velocities(), m = system.multipliers();
  for (VectorXd* x : {&z_, &delta_, &mean_, &r_jump_, &r_middle_, &with_rate_, &mass_delta_, &dz_}) x->setZero(n);
  for (VectorXd* x : {&g_jump_, &g_next_, &dlambda_, &memory_.lambda_before}) x->setZero(m);
  x_.setZero(n + m);
  again_.setZero(n + m);
}

void EnergyDecaying::begin(const State& s) {
  system_.update(s, kinematics_);
  NewtonForm form;
  form.a = 1;
  form.scale = system_.reference_mass;
  form.factor = kFirst;
  for (const auto& newton : newton_) newton->factorize(kinematics_, no_chart_, form);
  redundant_ = newton_[0]->redundant_rows() > 0;
  memory_.lambda_before = s.lambda;
  memory_.middle_of_before = s.t;
}

StepReport EnergyDecaying::try_step(double h, const State& s) {
  h_ = h;
  z_.setZero();
  delta_ = h * s.v + 0.5 * h * h * s.a;
  jump_.lambda = s.lambda;
  middle_.lambda = s.lambda;
  jump_.t = s.t;
  middle_.t = s.t + 0.5 * h;
  next_.t = s.t + h;
  for (State* x : {&jump_, &middle_, &next_}) carry_over(s, *x);
  StepReport report = iterate(s);
  if (report.status == StepStatus::accepted) finish(s, report);
  return report;
}

StepReport EnergyDecaying::iterate(const State& s) {
  control_.begin(h_, s, newton_[0]->weakest_row());
  StepReport report;
  for (bool done = false; !done;) {
    evaluate(s);
    if (control_.wants_matrix()) factorize();
    const double length = correct();
    done = control_.is_last({length, control_.length_of(delta_)}, report);
  }
  return report;
}

//     V_g = (δ + z)/h,   v_j = (δ + 4 z)/h,   v_f = (δ − 2 z)/h
//     F_h = M (v_f + 3 v_j − 4 v_i)/h,   F_g = M (v_f − v_i)/h
void EnergyDecaying::evaluate(const State& s) {
  const Eigen::Index n = delta_.size();
  mean_ = (delta_ + z_) / h_;
  system_.manifold().retract(s.q, z_, jump_.q);
  jump_.v = mean_;
  jump_.a = ((4 * delta_ + 10 * z_) / h_ - 4 * s.v) / h_;
  system_.update(jump_, kinematics_);
  system_.residual(kinematics_, residual_);
  r_jump_ = residual_.motion.head(n);
  g_jump_ = residual_.constraint;

  system_.manifold().retract(jump_.q, delta_, next_.q);
  next_.v = (delta_ - 2 * z_) / h_;
  system_.update(next_, kinematics_);
  system_.residual(kinematics_, residual_);
  g_next_ = residual_.constraint;

  dz_ = 0.5 * delta_;
  system_.manifold().retract(jump_.q, dz_, middle_.q);
  const double kappa = energy_correction();
  middle_.v = mean_;
  middle_.a = (next_.v - s.v) / h_;
  system_.update(middle_, kinematics_);
  system_.residual(kinematics_, residual_);
  r_middle_ = residual_.motion.head(n) + kappa * mass_delta_;
}

/// κ with   κ δᵀMδ = V_f − V_j + λ·(g_f − g_j) − h P − r·δ,   r the forces in the middle, P the power of dampers, motions and loads there.
double EnergyDecaying::energy_correction() {
  const Eigen::Index n = delta_.size();
  system_.update(next_, kinematics_);
  double potential = system_.potential_energy(kinematics_);
  system_.update(jump_, kinematics_);
  potential -= system_.potential_energy(kinematics_);
  middle_.v = delta_ / h_;
  middle_.a.setZero();
  system_.update(middle_, kinematics_);
  const double work = system_.has_power() ? h_ * system_.power(kinematics_) : 0;
  system_.residual(kinematics_, residual_);
  with_rate_ = residual_.motion.head(n);
  middle_.a = delta_;
  system_.residual(kinematics_, residual_);
  mass_delta_ = residual_.motion.head(n) - with_rate_;
  const double energy = delta_.dot(mass_delta_);
  return energy > 0 ? (potential + middle_.lambda.dot(g_next_ - g_jump_) - work - with_rate_.dot(delta_)) / energy : 0;
}

// Both in the middle, where kinematics_ is.
void EnergyDecaying::factorize() {
  NewtonForm form = newton_[0]->step_form(h_, 1, std::sqrt(kFirst) / h_, kFirst / (h_ * h_));
  form.augmentation = 0;
  form.regularization = step_regularization(redundant_, newton_[0]->tolerances());
  newton_[0]->factorize(kinematics_, no_chart_, form);
  form.v = std::sqrt(kSecond) / h_;
  form.a = kSecond / (h_ * h_);
  form.regularization = {kNoConstraints, true};
  newton_[1]->factorize(kinematics_, no_chart_, form);
}

//     3 M/h² dY_f + 3/2 Gᵀdλ = −(r_g + ½ r_h),   G dY_f = −g_f;      6 M/h² dY_j = −r_h − 4 M/h² dY_f − Gᵀdλ
double EnergyDecaying::correct() {
  const Eigen::Index n = delta_.size(), m = g_next_.size();
  const double scale = newton_[0]->form().scale, factor = newton_[0]->form().factor;
  x_.head(n) = -factor * (r_middle_ + 0.5 * r_jump_);
  x_.tail(m) = -scale * g_next_;
  if (redundant_) solve_redundant(*newton_[0], x_, again_);
  else newton_[0]->solve(x_);
  dz_ = x_.head(n);
  dlambda_ = (scale / (kForces * factor)) * x_.tail(m);
  // r_h moves along with Y_f and λ
  jump_.a += (4 / (h_ * h_)) * dz_;
  jump_.lambda += dlambda_;
  middle_.lambda += dlambda_;
  system_.update(jump_, kinematics_);
  system_.residual(kinematics_, residual_);
  x_.head(n) = -factor * residual_.motion.head(n);
  x_.tail(m).setZero();
  newton_[1]->solve(x_);
  z_ += x_.head(n);
  delta_ += dz_ - x_.head(n);
  const double of_end = control_.length_of(dz_);
  dz_ = x_.head(n);
  return larger_of(of_end, control_.length_of(dz_));
}

void EnergyDecaying::finish(const State& s, StepReport& report) {
  system_.manifold().retract(s.q, z_, jump_.q);
  system_.manifold().retract(jump_.q, delta_, next_.q);
  next_.v = (delta_ - 2 * z_) / h_;
  // λ belongs to the middle of the step; that of the end is extrapolated
  const double distance = middle_.t - memory_.middle_of_before;
  next_.lambda = middle_.lambda + (0.5 * h_ / distance) * (middle_.lambda - memory_.lambda_before);
  next_.a = (2 / h_) * (next_.v - s.v) - s.a;
  system_.update(next_, kinematics_);
  if (projection_) {
    residual_.penalty = residual_.rate = 0;
    system_.residual(kinematics_, residual_);
    const double closed = residual_.constraint.size() ? residual_.constraint.lpNorm<Eigen::Infinity>() : 0;
    // Where the iteration stagnates, g is closed and positions are still known to its last correction only, along the
    // motion that weak rows hold: these would be open by this part of it.
    const double open = closed + newton_[0]->tolerances().held_by_weak * report.correction;
    if (redundant_)
      projection_->factorize_anew(kinematics_, open);  // the matrices of the step are too soft to tell which rows are
    else projection_->factorize(kinematics_, open);
    projection_->velocities(next_, kinematics_);
    projection_->accelerations(next_, kinematics_, residual_);
  }
  check_.look(h_, next_, kinematics_, residual_, report);
}

void EnergyDecaying::take_step(State& s, StepReport& /*report*/) {
  memory_.lambda_before = middle_.lambda;
  memory_.middle_of_before = middle_.t;
  turns_.count(h_, s, kinematics_, next_);
  std::swap(s, next_);
}

void EnergyDecaying::save() {
  saved_ = memory_;
  for (const auto& newton : newton_) newton->save();
  turns_.save();
}

void EnergyDecaying::restore() {
  memory_ = saved_;
  for (const auto& newton : newton_) newton->restore();
  turns_.restore();
}

SolverCounts EnergyDecaying::counts() const {
  SolverCounts sum;
  for (const auto& newton : newton_) sum += newton->counts();
  return sum;
}

std::size_t EnergyDecaying::bytes() const {
  const std::size_t n = delta_.size(), m = g_next_.size();
  return newton_[0]->bytes() + newton_[1]->bytes() + 8 * (25 * n + 12 * m) + sizeof(Matrix3d) * no_chart_.size() +
         sizeof(Frame) * kinematics_.frames.size();
}

}  // namespace bricard
