// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/explicit_runge_kutta.h"

#include <cmath>

namespace bricard {
namespace {

constexpr double kSlow = 0.5;  // closing joints: less progress asks for a new matrix, or is round-off

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

ExplicitRungeKutta::ExplicitRungeKutta(const System& system, const ExplicitTableau& tableau,
                                       const RunSettings& settings, const Tolerances& t)
    : system_(system), solver_(settings.solver), t_(t), turns_(system), length_of_(system), check_(system, settings, t),
      tableau_(tableau), newton_(system, settings.solver, t), projection_(system, newton_), next_(system.make_state()),
      kinematics_(system.make_kinematics()), residual_(system.make_residual()) {
  const int n = system.velocities();
  no_chart_.assign(system.nodes().size(), Matrix3d::Identity());
  rate_.assign(tableau.b.size(), VectorXd::Zero(n));
  acceleration_.assign(tableau.b.size(), VectorXd::Zero(n));
  for (VectorXd* x : {&delta_, &dz_, &moved_, &error_}) x->setZero(n);
  x_.setZero(system.unknowns());
  if (settings.rtol)
    time_factor_ = std::pow(*settings.rtol + settings.atol / system.reference_length, -1.0 / tableau.order);
}

void ExplicitRungeKutta::begin(const State& s) {
  inputs_ = s.inputs;
  system_.update(s, kinematics_);
  projection_.factorize_anew(kinematics_);
  if (system_.multipliers() == 0) return;
  if (!start_) start_ = std::make_unique<StartOfStep>(system_, solver_, t_);
  start_->projection.factorize_anew(kinematics_);
}

StepReport ExplicitRungeKutta::try_step(double h, const State& s) {
  h_ = h;
  StepReport report;
  report.iterations = 1;
  on_constraints_ = start_ && (newton_.redundant_rows() > 0 || newton_.is_near_singular());
  if (on_constraints_) {
    system_.update(s, kinematics_);
    start_->projection.factorize(kinematics_);
  }
  for (Eigen::Index i = 0; i < tableau_.b.size(); ++i)
    if (!set_stage(i, s, report)) return report;
  set_end(s);
  if (!delta_.allFinite() || !next_.v.allFinite()) {
    report.status = StepStatus::not_finite;
    return report;
  }
  if (!project_positions(s, report)) return report;
  factorize_end();
  moved_ = next_.v;
  projection_.velocities(next_, kinematics_);
  moved_ -= next_.v;
  projection_.accelerations(next_, kinematics_, residual_);
  estimate_error();
  check_.look(h, next_, kinematics_, residual_, report);
  return report;
}

/// A soft factorization does not tell how independent the rows are. residual_ has g of the end.
void ExplicitRungeKutta::factorize_end() {
  const double open = residual_.constraint.size() ? residual_.constraint.lpNorm<Eigen::Infinity>() : 0;
  if (newton_.redundant_rows() > 0 || newton_.weakest_row() < t_.singular_row_explicit)
    projection_.factorize_anew(kinematics_, open);
  else projection_.factorize(kinematics_, open);
}

// Rates of stage i. The first one begins where the last step ended, and its accelerations are known.
// A stage is off g = 0 by h². There rows that are redundant on it, or weak, are not quite so, and would ask for accelerations of
// the order of one: such stages are put on g = ġ = 0 first. With π for that, the formula is that of y' = f(π(y)), which has the
// solutions of y' = f(y) where y = π(y). So it keeps its order if π is the same for all stages: along Gᵀ of the step's start.
bool ExplicitRungeKutta::set_stage(Eigen::Index i, const State& s, StepReport& report) {
  if (i == 0 && s.inputs == inputs_) {
    rate_[0] = s.v;
    acceleration_[0] = s.a;
    return true;
  }
  delta_.setZero();
  next_.v = s.v;
  for (Eigen::Index j = 0; j < i; ++j) {
    delta_ += h_ * tableau_.a(i, j) * rate_[j];
    next_.v += h_ * tableau_.a(i, j) * acceleration_[j];
  }
  next_.t = s.t + tableau_.c[i] * h_;
  carry_over(s, next_);
  system_.manifold().retract(s.q, delta_, next_.q);
  if (on_constraints_ && !project_positions(s, report)) return false;
  system_.update(next_, kinematics_);
  projection_.factorize(kinematics_);
  if (on_constraints_) projection_.velocities(next_, kinematics_);
  system_.manifold().apply_tangent_inverse(delta_, next_.v, rate_[i]);
  projection_.accelerations(next_, kinematics_, residual_);
  acceleration_[i] = next_.a;
  return true;
}

/// The end of the step as the formula has it, before it is projected.
void ExplicitRungeKutta::set_end(const State& s) {
  delta_.setZero();
  next_.v = s.v;
  for (Eigen::Index i = 0; i < tableau_.b.size(); ++i) {
    delta_ += h_ * tableau_.b[i] * rate_[i];
    next_.v += h_ * tableau_.b[i] * acceleration_[i];
  }
  next_.t = s.t + h_;
  carry_over(s, next_);
  system_.manifold().retract(s.q, delta_, next_.q);
}

/// Newton's method with the mass matrix as metric, and the matrix of the last stage, or of the start where stages are projected:
///     M dz + Gᵀμ = 0,   G dz = −g,   δ ← δ + T(δ)⁻¹ dz
/// Whether the constraints are met.
bool ExplicitRungeKutta::project_positions(const State& s, StepReport& report) {
  const int n = system_.velocities(), m = system_.multipliers();
  NewtonSystem& newton = on_constraints_ ? start_->newton : newton_;
  const double size = std::max(system_.reference_length, next_.q.lpNorm<Eigen::Infinity>());
  double before = HUGE_VAL;
  for (int k = 0; k < Limits::position_iterations; ++k) {
    system_.update(next_, kinematics_);
    residual_.penalty = residual_.rate = 0;
    system_.residual(kinematics_, residual_);
    const double violation = m ? residual_.constraint.lpNorm<Eigen::Infinity>() : 0;
    if (violation <= t_.round_off * size || (violation <= t_.noise * size && violation > kSlow * before)) return true;
    if (k > 0 && violation > kSlow * before)
      (on_constraints_ ? start_->projection : projection_).factorize_anew(kinematics_);
    before = violation;
    x_.head(n).setZero();
    x_.tail(m) = -newton.form().scale * residual_.constraint;
    newton.solve(x_);
    dz_ = x_.head(n);
    report.correction = length_of_(dz_);
    if (!std::isfinite(report.correction)) {
      report.status = StepStatus::not_finite;
      return false;
    }
    system_.manifold().apply_tangent_inverse(delta_, dz_, moved_);
    delta_ += moved_;
    system_.manifold().retract(s.q, delta_, next_.q);
  }
  report.singular = before <= 5 * t_.singular_violation * size && newton.weakest_row() < t_.singular_row_explicit;
  if (report.singular) return true;
  report.status = StepStatus::not_converged;
  return false;
}

LocalError ExplicitRungeKutta::local_error() {
  if (tableau_.b_error.size() == 0) return {};
  return {&error_, 5, 5, 0};
}

//     |Σ eᵢ δ̇ᵢ| h + tolerance^(−1/5) h (|Σ eᵢ v̇ᵢ| h + |v − v*|),   v*: before the projection
// A velocity error acts as long as the motion goes on as it is. What the projection moves is an error too.
void ExplicitRungeKutta::estimate_error() {
  if (time_factor_ == 0) return;
  error_.setZero();
  dz_.setZero();
  for (Eigen::Index i = 0; i < tableau_.b.size(); ++i) {
    error_ += h_ * tableau_.b_error[i] * rate_[i];
    dz_ += h_ * tableau_.b_error[i] * acceleration_[i];
  }
  error_ = error_.cwiseAbs() + (time_factor_ * h_) * (dz_.cwiseAbs() + moved_.cwiseAbs());
}

void ExplicitRungeKutta::take_step(State& s, StepReport& /*report*/) {
  turns_.count(h_, s, kinematics_, next_);
  inputs_ = next_.inputs;
  std::swap(s, next_);
}

void ExplicitRungeKutta::save() {
  saved_inputs_ = inputs_;
  newton_.save();
  if (start_) start_->newton.save();
  turns_.save();
}

void ExplicitRungeKutta::restore() {
  inputs_ = saved_inputs_;
  newton_.restore();
  if (start_) start_->newton.restore();
  turns_.restore();
}

void ExplicitRungeKutta::archive(Archive& x) {
  x(inputs_, newton_, turns_);
  if (start_) x(start_->newton);
}

SolverCounts ExplicitRungeKutta::counts() const {
  SolverCounts counts = newton_.counts();
  if (start_) counts += start_->newton.counts();
  return counts;
}

std::size_t ExplicitRungeKutta::bytes() const {
  const std::size_t n = delta_.size(), m = system_.multipliers();
  return newton_.bytes() + (start_ ? start_->newton.bytes() : 0) + 8 * (2 * rate_.size() * n + 12 * n + 6 * m) +
         sizeof(Matrix3d) * no_chart_.size() + sizeof(Frame) * kinematics_.frames.size();
}

}  // namespace bricard
