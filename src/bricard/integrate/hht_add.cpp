// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/hht_add.h"

#include "bricard/integrate/redundant_rows.h"

namespace bricard {
namespace {

NewtonRule additive_rule(const RunSettings& settings, const Tolerances& t) {
  NewtonRule rule;
  rule.iterations = settings.max_iterations;
  rule.of_motion = settings.tolerance;
  rule.of_first = t.newton_part;
  rule.remembers = true;
  return rule;
}

}  // namespace

HhtAdd::HhtAdd(const System& system, const RunSettings& settings, const Tolerances& t)
    : system_(system), turns_(system), control_(system, additive_rule(settings, t), t), polish_(system, t),
      check_(system, settings, t), alpha_(settings.alpha), b_(settings.b), c_(hht_coefficients(settings.alpha)),
      mode_(settings.projection), newton_(system, settings, t), begin_(system.make_state()), next_(system.make_state()),
      begin_kinematics_(system.make_kinematics()), kinematics_(system.make_kinematics()),
      residual_(system.make_residual()), begin_residual_(system.make_residual()) {
  if (mode_ != ProjectionMode::none)
    projection_ = std::make_unique<Projection>(system, newton_, 1 / (c_.beta * (1 + alpha_)));
  const int n = system.velocities(), m = system.multipliers();
  chart_.assign(system.nodes().size(), Matrix3d::Identity());
  for (VectorXd* x :
       {&memory_.forces, &memory_.applied, &delta_, &pull_, &start_a_, &r_position_, &r_velocity_, &dz_, &error_})
    x->setZero(n);
  for (VectorXd* x : {&psi1_, &psi2_, &memory_.psi1_last, &memory_.psi1_before, &memory_.psi2_last,
                      &memory_.psi2_before, &memory_.lambda_before, &rate_, &bias_})
    x->setZero(m);
  x_.setZero(n + m);
  again_.setZero(n + m);
}

void HhtAdd::begin(const State& s) {
  begin_ = s;
  begin_.a.setZero();
  begin_.lambda.setZero();
  system_.update(begin_, begin_kinematics_);
  system_.residual(begin_kinematics_, begin_residual_);
  memory_.applied = begin_residual_.motion.head(memory_.applied.size());
  memory_.forces = -memory_.applied;
  memory_.lambda_before = s.lambda;
  memory_.middle_of_before = s.t;
  control_.start();
  polish_.start();
  for (VectorXd* psi : {&memory_.psi1_last, &memory_.psi1_before, &memory_.psi2_last, &memory_.psi2_before})
    *psi = s.lambda;
  NewtonForm form;
  form.factor = 1 / (c_.beta * (1 + alpha_));
  form.a = 1;
  form.scale = system_.reference_mass;
  newton_.factorize(begin_kinematics_, chart_, form);
  redundant_ = newton_.redundant_rows() > 0;
}

StepReport HhtAdd::try_step(double h, const State& s) {
  h_ = h;
  const double c_v = c_.gamma / (c_.beta * h);
  form_ = newton_.step_form(h, 1, c_v, 1 / (h * h * c_.beta * (1 + alpha_)));
  form_.augmentation = 0;
  form_.regularization = step_regularization(redundant_, newton_.tolerances());
  begin_ = s;
  start_a_ = s.a;
  begin_.a.setZero();
  system_.update(begin_, begin_kinematics_);
  next_ = s;
  next_.t = s.t + h;
  delta_ = h * s.v + 0.5 * h * h * s.a;
  next_.v = s.v + h * s.a;
  psi1_ = 2 * memory_.psi1_last - memory_.psi1_before;  // they go on
  psi2_ = 2 * memory_.psi2_last - memory_.psi2_before;
  StepReport report = iterate(s);
  if (report.status != StepStatus::accepted) return report;
  estimate_error();
  finish(s, report);
  return report;
}

StepReport HhtAdd::iterate(const State& s) {
  control_.begin(h_, s, newton_.weakest_row());
  StepReport report;
  for (bool done = false; !done;) {
    system_.manifold().retract(s.q, delta_, next_.q);
    system_.update(next_, kinematics_);
    if (control_.wants_matrix()) factorize(s);
    evaluate();
    const double length = correct();
    done = control_.is_last({length, control_.length_of(delta_)}, report);
  }
  return report;
}

void HhtAdd::factorize(const State& s) {
  next_.a = s.a;
  next_.lambda = s.lambda;
  for (size_t i = 1; i < chart_.size(); ++i)
    if (system_.nodes()[i].block >= 0)
      chart_[i] = tangent_operator_inverse(delta_.segment<3>(system_.nodes()[i].v + 3));
  newton_.factorize(kinematics_, chart_, form_);
}

/// x_ ← matrix⁻¹ x_.
void HhtAdd::solve() {
  if (redundant_) solve_redundant(newton_, x_, again_);
  else newton_.solve(x_);
}

//     M X_p − Q_{n+1} + G_{n+1}ᵀ b ψ_II/(2β(1 + α)) + (α Q_n + (1 − b)/(2β) G_nᵀψ_I − (½ − β)/β M a_n)/(1 + α) = 0
//     M X_v − Q_{n+1} + G_{n+1}ᵀ ψ_II/(2γ(1 + α)) + (α Q_n + G_nᵀψ_I/(2γ) − (1 − γ)/γ M a_n)/(1 + α) = 0
//     X_p = (δ − h v_n)/(h²β(1 + α)),   X_v = (v − v_n)/(hγ(1 + α))
void HhtAdd::evaluate() {
  const Eigen::Index n = delta_.size();
  const double beta = c_.beta, gamma = c_.gamma, part = 1 / (1 + alpha_);
  begin_.lambda = psi1_;
  system_.residual(begin_kinematics_, begin_residual_);  // −Q_n + G_nᵀψ_I
  pull_ = begin_residual_.motion.head(n) - memory_.applied;
  next_.a = (delta_ - h_ * begin_.v) * (part / (h_ * h_ * beta));
  next_.lambda = (b_ * part / (2 * beta)) * psi2_;
  system_.residual(kinematics_, residual_);
  r_position_ = residual_.motion.head(n) + part * (-alpha_ * memory_.applied + (1 - b_) / (2 * beta) * pull_ -
                                                   (0.5 - beta) / beta * memory_.forces);
  next_.a = (next_.v - begin_.v) * (part / (h_ * gamma));
  next_.lambda = (part / (2 * gamma)) * psi2_;
  system_.residual(kinematics_, residual_);
  r_velocity_ = residual_.motion.head(n) +
                part * (-alpha_ * memory_.applied + pull_ / (2 * gamma) - (1 - gamma) / gamma * memory_.forces);
  system_.constraint_rates(kinematics_, rate_, bias_);
}

/// Positions and velocities each by one solution with the common matrix. The correction of positions tells how far the
/// iteration is: what is left of ġ, which is most of that of velocities, is removed at its end (velocity_polish.h).
double HhtAdd::correct() {
  const Eigen::Index n = delta_.size(), m = psi1_.size();
  const double to_force = form_.scale / form_.factor;
  x_.head(n) = -form_.factor * r_position_;
  x_.tail(m) = -form_.scale * residual_.constraint;
  solve();
  const VectorXd& x = x_;
  pull_ = x.head(n);
  system_.manifold().apply_tangent_inverse(delta_, pull_, dz_);
  const double length = control_.length_of(dz_);
  delta_ += dz_;
  bias_ = 2 * c_.beta * (1 + alpha_) * to_force * x.tail(m);  // (1 − b) dψ_I + b dψ_II
  x_.head(n) = -form_.factor * r_velocity_;
  x_.tail(m) = (-form_.scale / form_.v) * rate_;
  solve();
  dz_ = x.head(n);
  next_.v += form_.v * dz_;
  for (Eigen::Index i = 0; i < m; ++i) {
    const double sum = 2 * c_.gamma * (1 + alpha_) * to_force * x[n + i];  // dψ_I + dψ_II
    const double first = (bias_[i] - b_ * sum) / (1 - 2 * b_);
    psi1_[i] += first;
    psi2_[i] += sum - first;
  }
  return length;
}

// δ = (β − 1/6 + α/2) h³ v̈ + … too much, and a_{n+1} − a_n = h v̈ + …; total accelerations stand for those of the forces.
void HhtAdd::estimate_error() {
  extrapolate();
  error_ = (c_.beta - 1.0 / 6 + 0.5 * alpha_) * h_ * h_ * (next_.a - start_a_);
}

LocalError HhtAdd::local_error() { return {&error_, 2, 3, 0, newton_.is_near_singular()}; }

/// Multipliers and accelerations at the end of the step; the latter from the cubic through both ends:
///     δ̈ = −6 δ/h² + (2 v_n + 4 δ̇)/h,   δ̇ = T⁻¹v
void HhtAdd::extrapolate() {
  const double distance = begin_.t + 0.5 * h_ - memory_.middle_of_before;
  next_.lambda = 0.5 * (psi1_ + psi2_);
  next_.lambda += (0.5 * h_ / distance) * (next_.lambda - memory_.lambda_before);
  system_.manifold().apply_tangent_inverse(delta_, next_.v, dz_);
  pull_ = (-6 / (h_ * h_)) * delta_ + (2 / h_) * begin_.v + (4 / h_) * dz_;
  system_.manifold().apply_tangent(delta_, pull_, next_.a);
}

void HhtAdd::finish(const State& s, StepReport& report) {
  system_.manifold().retract(s.q, delta_, next_.q);
  system_.update(next_, kinematics_);
  const bool project = mode_ == ProjectionMode::full || (projection_ && redundant_);
  if (!project)
    polish_(newton_, next_, kinematics_, [&](const VectorXd& x) {
      next_.v += form_.v * x.head(delta_.size());
      psi2_ += (2 * c_.gamma * (1 + alpha_) * form_.scale / form_.factor) * x.tail(psi2_.size());
      system_.update(next_, kinematics_);
    });
  if (project) {
    if (redundant_)
      projection_->factorize_anew(kinematics_);  // the matrix of the step is too soft to tell which rows are
    else projection_->factorize(kinematics_);
    projection_->velocities(next_, kinematics_);
    projection_->accelerations(next_, kinematics_, residual_);
  } else {
    extrapolate();
  }
  check_.look(h_, next_, kinematics_, residual_, report);
}

void HhtAdd::take_step(State& s, StepReport& /*report*/) {
  memory_.lambda_before = 0.5 * (psi1_ + psi2_);
  memory_.middle_of_before = begin_.t + 0.5 * h_;
  std::swap(memory_.psi1_before, memory_.psi1_last);
  std::swap(memory_.psi2_before, memory_.psi2_last);
  memory_.psi1_last = psi1_;
  memory_.psi2_last = psi2_;
  dz_ = next_.a;
  bias_ = next_.lambda;
  next_.a.setZero();
  next_.lambda.setZero();
  system_.residual(kinematics_, residual_);  // −Q
  next_.a = dz_;
  next_.lambda = bias_;
  memory_.forces =
      -(1 + alpha_) * residual_.motion.head(memory_.forces.size()) + alpha_ * memory_.applied;  // M a_{n+1}
  memory_.applied = residual_.motion.head(memory_.applied.size());
  turns_.count(h_, s, kinematics_, next_);
  std::swap(s, next_);
}

void HhtAdd::save() {
  saved_ = memory_;
  control_.save();
  polish_.save();
  newton_.save();
  turns_.save();
}

void HhtAdd::restore() {
  memory_ = saved_;
  control_.restore();
  polish_.restore();
  newton_.restore();
  turns_.restore();
}

std::size_t HhtAdd::bytes() const {
  const std::size_t n = delta_.size(), m = psi1_.size();
  return newton_.bytes() + control_.bytes() + polish_.bytes() + 8 * (25 * n + 22 * m) +
         sizeof(Matrix3d) * chart_.size() + 2 * sizeof(Frame) * kinematics_.frames.size();
}

}  // namespace bricard
