// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/implicit_step.h"

#include <algorithm>
#include <cmath>

#include "bricard/integrate/redundant_rows.h"

namespace bricard {
namespace {

NewtonRule step_rule(const StepMethod& method, const RunSettings& settings, const Tolerances& t) {
  NewtonRule rule;
  rule.iterations = settings.max_iterations;
  rule.of_motion = settings.tolerance;
  rule.of_first = method.high_order ? t.newton_part_high : t.newton_part;
  if (method.high_order) rule.unseen = t.unseen_part_high;
  else if (method.stabilized) rule.unseen = t.unseen_part;
  rule.remembers = rule.curved = rule.ends_at_noise = true;
  return rule;
}

}  // namespace

ImplicitStep::ImplicitStep(const System& system, const RunSettings& settings, const StepMethod& method,
                           const Tolerances& tolerances)
    : system_(system), turns_(system), method_(method), t_(tolerances),
      control_(system, step_rule(method, settings, t_), t_), polish_(system, t_), mode_(settings.projection),
      newton_(system, settings, t_), next_(system.make_state()), kinematics_(system.make_kinematics()),
      residual_(system.make_residual()) {
  if (mode_ != ProjectionMode::none) projection_ = std::make_unique<Projection>(system, newton_, method.mass_factor);
  const int n = system.velocities(), m = system.multipliers();
  if (system.plane_rows() > 0) method_.turn_limit = HUGE_VAL;  // in a plane all turns commute
  chart_.assign(system.nodes().size(), Matrix3d::Identity());
  for (VectorXd* x : {&formula.delta, &formula.v, &formula.a, &u_, &delta_, &dz_, &ddelta_}) x->setZero(n);
  dlambda_.setZero(m);
  for (VectorXd* x : {&rate_, &bias_}) x->setZero(m);
  if (method.stabilized) {
    for (VectorXd* x : {&up_, &dzp_}) x->setZero(n);
  }
  x_.setZero(n + m);
  if (may_be_even()) again_.setZero(n + m);
  closes_.setOnes(m);
  for (const int row : system.velocity_rows()) closes_[row] = 0;
}

/// Rows on velocities that depend on others contradict them by the error of the formula, at every step.
bool ImplicitStep::may_be_even() const { return method_.long_steps || !system_.velocity_rows().empty(); }

void ImplicitStep::start(const State& s) {
  control_.start();
  polish_.start();
  memory_.grown = method_.watches_velocities && !system_.velocity_rows().empty();  // rolling wheels do so at any step
  // how independent the constraint rows are here is what later pivots are compared with
  system_.update(s, kinematics_);
  for (Matrix3d& T : chart_) T.setIdentity();
  NewtonForm form;
  form.factor = method_.mass_factor;
  form.a = 1;
  form.scale = system_.reference_mass;
  newton_.factorize(kinematics_, chart_, form);
  even_ = may_be_even() && newton_.redundant_rows() > 0;
  if (formula.averaged) {
    begin_ = s;
    begin_kinematics_ = system_.make_kinematics();
    begin_residual_ = system_.make_residual();
  }
  if (formula.in_chart) rate_of_delta_.setZero(system_.velocities());
}

/// q, v and a at n + 1 from u.
void ImplicitStep::advance(const State& s) {
  delta_ = formula.delta + (method_.stabilized ? up_ : u_);
  system_.manifold().retract(s.q, delta_, next_.q);
  if (formula.in_chart) {
    rate_of_delta_ = formula.v + formula.velocity * u_;
    system_.manifold().apply_tangent(delta_, rate_of_delta_, next_.v);
    next_.a = formula.a + (formula.acceleration / formula.velocity) * next_.v;
  } else {
    next_.v = formula.v + formula.velocity * u_;
    next_.a = formula.a + formula.acceleration * u_;
  }
  system_.update(next_, kinematics_);
}

/// r and g; averaged: r is the mean of both ends.
void ImplicitStep::evaluate() {
  system_.residual(kinematics_, residual_);
  if (!formula.averaged) return;
  begin_.a = next_.a;
  begin_.lambda = next_.lambda;
  begin_residual_.penalty = 0;
  system_.residual(begin_kinematics_, begin_residual_);
  residual_.motion = 0.5 * (residual_.motion + begin_residual_.motion);
}

bool ImplicitStep::wants_projection() const {
  if (mode_ != ProjectionMode::automatic) return mode_ == ProjectionMode::full;
  return method_.undamped || newton_.redundant_rows() > 0 || newton_.weakest_row() < t_.weak_row || turns_far();
}

/// The largest difference of two turns, of which the ground's is 0, is at most the diagonal of the box around all.
bool ImplicitStep::turns_far() const {
  if (method_.turn_limit == HUGE_VAL) return false;
  Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();
  for (size_t i = 1; i < system_.nodes().size(); ++i) {
    if (system_.nodes()[i].block < 0) continue;
    const Vector3d turn = kinematics_.frames[i].R * delta_.segment<3>(system_.nodes()[i].v + 3);
    low = low.cwiseMin(turn);
    high = high.cwiseMax(turn);
  }
  return (high - low).squaredNorm() > method_.turn_limit * method_.turn_limit;
}

// Formulas of index 3 leave errors of ġ of the order of h² and damp them. Where wheels roll, or long chains whip, they can
// grow from step to step instead. Once they are much of the velocities, this is such a motion, and from then on all steps
// are projected.
bool ImplicitStep::violation_grows() {
  const bool may_grow = method_.watches_velocities && mode_ == ProjectionMode::automatic && rate_.size() > 0;
  if (memory_.grown || !may_grow) return memory_.grown;
  system_.constraint_rates(kinematics_, rate_, bias_);
  memory_.grown = rate_.lpNorm<Eigen::Infinity>() > t_.much_of_velocity * control_.length_of(next_.v);
  return memory_.grown;
}

//     ∂v/∂z = c_v T(δ)⁻¹;   in the chart, with v = T(δ) δ̇:   c_v (1 + D T⁻¹/c_v),   D = ∂(T δ̇)/∂δ = −T ∂(T⁻¹v)/∂δ
void ImplicitStep::factorize() {
  for (size_t i = 1; i < chart_.size(); ++i) {
    if (system_.nodes()[i].block < 0) continue;
    const Vector3d theta = delta_.segment<3>(system_.nodes()[i].v + 3);
    chart_[i] = tangent_operator_inverse(theta);
    if (!formula.in_chart) continue;
    const Vector3d w = next_.v.segment<3>(system_.nodes()[i].v + 3);
    const Matrix3d D = tangent_operator(theta) * tangent_inverse_derivative(theta, w) * chart_[i];
    chart_[i] = Matrix3d::Identity() - D / formula.velocity;
  }
  newton_.factorize(kinematics_, chart_, form_);
}

// Averaged forces act along Gᵀ of both ends. With a singular position in the middle of the step these cancel in a weak row, and
// Newton's method is slow for that reason: half the step has its ends elsewhere.
/// Whether slow convergence may be due to a singular position at the end of the step.
bool ImplicitStep::may_be_singular() const {
  return !formula.averaged && newton_.weakest_row() < control_.singular_row(newton_.redundant_rows() > 0);
}

/// x_ ← matrix⁻¹ x_. What even rows on velocities are left with is no open joint: the projection removes it.
void ImplicitStep::solve_linear() {
  if (even_) {
    solve_redundant(newton_, x_, again_);
    again_.tail(closes_.size()).array() *= closes_.array();
  } else {
    newton_.solve(x_);
  }
  open_ = newton_.left_by(even_ ? again_ : x_);
}

double ImplicitStep::violation_of_positions() const {
  if (residual_.constraint.size() == 0) return 0;
  return even_ ? residual_.constraint.cwiseProduct(closes_).lpNorm<Eigen::Infinity>()
               : residual_.constraint.lpNorm<Eigen::Infinity>();
}

/// One correction of u and λ. The unknown dz turns the current rotations, δ follows with T(δ)⁻¹ dz. Its length.
double ImplicitStep::correct() {
  if (method_.stabilized) return correct_both();
  const int n = system_.velocities(), m = system_.multipliers();
  x_.head(n) = -form_.factor * residual_.motion.head(n);
  x_.tail(m) = -form_.scale * residual_.constraint;
  solve_linear();
  dz_ = x_.head(n);
  dlambda_ = (form_.scale / form_.factor) * x_.tail(m);
  system_.manifold().apply_tangent_inverse(delta_, dz_, ddelta_);
  u_ += ddelta_;
  next_.lambda += dlambda_;
  return control_.length_of(dz_);
}

//     S dz_v + Gᵀdλ = −r,   G dz_v = −ġ/c_v;        S (dz_p − dz_v) + Gᵀdμ = 0,   G dz_p = −g
// dz_p, which does not depend on ġ, tells how far the iteration is: the velocities are made exact at its end, whatever
// is left of ġ then (velocity_polish.h).
// Velocity rows have y in the place of ġ, and what makes up for g = 0 keeps them: H (dz_p − dz_v) = 0.
double ImplicitStep::correct_both() {
  const int n = system_.velocities(), m = system_.multipliers();
  system_.constraint_rates(kinematics_, rate_, bias_);
  rate_ /= formula.velocity;
  x_.head(n) = -form_.factor * residual_.motion.head(n);
  x_.tail(m) = -form_.scale * rate_;
  solve_linear();
  dz_ = x_.head(n);
  next_.lambda += (form_.scale / form_.factor) * x_.tail(m);
  x_.head(n).setZero();
  x_.tail(m) = form_.scale * (rate_ - residual_.constraint);
  solve_linear();
  dzp_ = dz_ + x_.head(n);
  system_.manifold().apply_tangent_inverse(delta_, dz_, ddelta_);
  u_ += ddelta_;
  system_.manifold().apply_tangent_inverse(delta_, dzp_, ddelta_);
  up_ += ddelta_;
  return control_.length_of(dzp_);
}

StepReport ImplicitStep::solve(const State& s) {
  const double h = formula.h, part = formula.averaged ? 0.5 : 1;
  form_ = newton_.step_form(h, part, part * formula.velocity, formula.acceleration);
  form_.regularization = step_regularization(even_, t_);
  residual_.penalty = form_.penalty() / part;  // the mean of both ends halves it; the matrix has it whole
  residual_.rate = form_.rate();
  next_.t = s.t + h;
  next_.lambda = s.lambda;
  carry_over(s, next_);
  u_.setZero();
  up_.setZero();
  if (formula.averaged) {
    begin_ = s;
    system_.update(begin_, begin_kinematics_);
  }
  control_.begin(h, s);
  StepReport report;
  for (bool done = false; !done;) {
    advance(s);
    evaluate();
    if (control_.wants_matrix()) factorize();
    Correction c{correct(), control_.length_of(delta_), violation_of_positions(), open_};
    c.weakest_row = newton_.weakest_row();
    c.redundant = newton_.redundant_rows() > 0;
    c.may_be_singular = may_be_singular();
    done = control_.is_last(c, report);
  }
  return report;
}

bool ImplicitStep::finish(const State& s, StepReport& report) {
  advance(s);
  report.weakest_row = newton_.weakest_row();
  const bool projects = wants_projection() || (!method_.stabilized && violation_grows());
  if (projects) project(report);
  else if (method_.stabilized)
    polish_(newton_, next_, kinematics_, [&](const VectorXd& x) {
      u_ += x.head(u_.size());
      next_.lambda += (form_.scale / form_.factor) * x.tail(next_.lambda.size());
      advance(s);
    });
  if (!projects && !method_.stabilized && rate_.size()) report.velocity_violation = rate_.lpNorm<Eigen::Infinity>();
  if (report.status == StepStatus::accepted) turns_.count(formula.h, s, kinematics_, next_);
  return projects;
}

void ImplicitStep::project(StepReport& report) {
  residual_.penalty = residual_.rate = 0;
  // the last correction leaves what other equations keep open, what curvature adds to it, and round-off
  const double length = system_.reference_length, last = report.correction;
  const double round_off = t_.round_off * std::max(length, next_.q.lpNorm<Eigen::Infinity>());
  double open = open_ + last * last / length + round_off;
  if (report.singular && residual_.constraint.size()) {  // taken before it had converged: what it left is looked at
    system_.residual(kinematics_, residual_);
    open += residual_.constraint.lpNorm<Eigen::Infinity>();
  }
  // an even matrix is too soft to tell how independent the rows are
  even_ ? projection_->factorize_anew(kinematics_, open) : projection_->factorize(kinematics_, open);
  projection_->velocities(next_, kinematics_);
  projection_->accelerations(next_, kinematics_, residual_);
  report.velocity_violation = projection_->velocity_violation();
  if (residual_.constraint.size()) report.position_violation = residual_.constraint.lpNorm<Eigen::Infinity>();
  const bool contradicts = report.velocity_violation > t_.contradicting_velocity * projection_->largest_rate();
  if (contradicts && !projection_->is_soft()) report.status = StepStatus::contradiction;
}

void ImplicitStep::save() {
  saved_ = memory_;
  control_.save();
  polish_.save();
  newton_.save();
  turns_.save();
}

void ImplicitStep::restore() {
  memory_ = saved_;
  control_.restore();
  polish_.restore();
  newton_.restore();
  turns_.restore();
}

std::size_t ImplicitStep::bytes() const {
  const auto vectors = {&formula.delta, &formula.v,    &formula.a,        &u_,
                        &up_,           &delta_,       &rate_of_delta_,   &dz_,
                        &dzp_,          &ddelta_,      &dlambda_,         &rate_,
                        &bias_,         &x_,           &next_.q,          &next_.v,
                        &next_.a,       &next_.lambda, &residual_.motion, &residual_.constraint,
                        &next_.angles};
  std::size_t doubles = 0;
  for (const VectorXd* x : vectors) doubles += x->size();
  const std::size_t n = u_.size(), m = dlambda_.size();
  const std::size_t charts = sizeof(Matrix3d) * chart_.size();
  const std::size_t projection = projection_ ? 8 * (2 * n + 3 * m) + charts : 0;
  return newton_.bytes() + control_.bytes() + polish_.bytes() + 8 * doubles + charts +
         sizeof(Frame) * kinematics_.frames.size() + projection;
}

}  // namespace bricard
