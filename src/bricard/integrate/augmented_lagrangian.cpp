// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/augmented_lagrangian.h"

#include <cmath>

namespace bricard {
namespace {

constexpr int kEulerPasses = 2;  // more make the multipliers of a singular position worse, not better

bool is_newton(IntegratorType type) { return type == IntegratorType::alnr; }
bool is_euler(IntegratorType type) { return type == IntegratorType::penalty_euler || type == IntegratorType::al_euler; }

}  // namespace

AugmentedLagrangian::AugmentedLagrangian(const System& system, const RunSettings& settings, const Tolerances& t)
    : system_(system), settings_(settings), control_(system, augmented_rule(settings), t), turns_(system),
      updates_(settings.integrator != IntegratorType::penalty && settings.integrator != IntegratorType::penalty_euler),
      next_(system.make_state()), kinematics_(system.make_kinematics()), ahead_kinematics_(kinematics_), ahead_(next_),
      residual_(system.make_residual()) {
  if (is_newton(settings.integrator)) {
    newton_ = std::make_unique<NewtonSystem>(system, SolverType::sparse_lu, t);
  } else {
    solver_ = std::make_unique<CondensedSystem>(system, settings.solver, t);
  }
  const int n = system.velocities(), m = system.multipliers();
  chart_.assign(system.nodes().size(), Matrix3d::Identity());
  for (VectorXd* x : {&delta_, &ddelta_, &a_, &velocities_}) x->setZero(n);
  x_.setZero(newton_ ? n + m : n);
  for (VectorXd* x : {&rate_, &bias_, &moved_rate_, &unused_, &lambda_, &e_}) x->setZero(m);
}

void AugmentedLagrangian::begin(const State& s) { lambda_ = updates_ ? s.lambda : VectorXd::Zero(lambda_.size()); }

StepReport AugmentedLagrangian::try_step(double h, const State& s) {
  h_ = h;
  p_ = augmented_parameters(system_, settings_, h, h * control_.length_of(s.v));
  carry_over(s, next_);
  if (updates_) lambda_ = s.lambda;
  StepReport report = is_newton(settings_.integrator)  ? step_of_newton(s)
                      : is_euler(settings_.integrator) ? step_of_euler(s)
                                                       : step_of_trapezoids(s);
  if (report.status == StepStatus::accepted && e_.size())
    control_.refuse_lost(residual_.constraint.lpNorm<Eigen::Infinity>(), report);
  return report;
}

/// e = (g̈) + 2ξω ġ + ω² g, without G a unless it is asked for; g is in residual_.
void AugmentedLagrangian::stabilized_violation(bool with_accelerations) {
  system_.constraint_rates(kinematics_, rate_, bias_);
  e_ = bias_ + 2 * p_.xi * p_.omega * rate_;
  if (!with_accelerations) return;
  velocities_ = next_.v;
  next_.v += next_.a;  // ġ is linear in v: what a adds to it is G a
  system_.update(next_, kinematics_);
  system_.constraint_rates(kinematics_, moved_rate_, unused_);
  next_.v = velocities_;
  system_.update(next_, kinematics_);
  e_ += moved_rate_ - rate_;
}

/// a at the positions and velocities of next_, and λ* after it.
void AugmentedLagrangian::solve_accelerations() {
  system_.update(next_, kinematics_);
  stabilized_violation(false);
  next_.a.setZero();
  next_.lambda = lambda_ + p_.alpha * e_;
  residual_.penalty = p_.alpha * p_.omega * p_.omega;
  system_.residual(kinematics_, residual_);
  Weights w;
  w.a = 1;
  w.penalty = p_.alpha;
  solver_->factorize(kinematics_, chart_, w);
  x_ = -residual_.motion.head(x_.size());
  solver_->solve(x_);
  next_.a = x_;
  stabilized_violation(true);
  e_ += p_.omega * p_.omega * residual_.constraint;
  next_.lambda = lambda_ + p_.alpha * e_;
  if (updates_) lambda_ = next_.lambda;
}

//     v_{n+1} = v_n + h a_n,   q_{n+1} = q_n + h v_n
StepReport AugmentedLagrangian::step_of_euler(const State& s) {
  next_.t = s.t;
  next_.q = s.q;
  next_.v = s.v;
  StepReport report;
  report.iterations = updates_ ? settings_.passes.value_or(kEulerPasses) : 1;
  for (int k = 0; k < report.iterations; ++k) solve_accelerations();
  delta_ = h_ * s.v;
  next_.t = s.t + h_;
  next_.v = s.v + h_ * next_.a;
  system_.manifold().retract(s.q, delta_, next_.q);
  report.correction = h_ * h_ * control_.length_of(next_.a);
  if (!std::isfinite(report.correction)) report.status = StepStatus::not_finite;
  return report;
}

//     v = v_n + h/2 (a_n + a),   q = q_n + h/2 (v_n + v)
void AugmentedLagrangian::follow(const State& s) {
  next_.v = s.v + (h_ / 2) * (s.a + a_);
  delta_ = (h_ / 2) * (s.v + next_.v);
  system_.manifold().retract(s.q, delta_, next_.q);
}

StepReport AugmentedLagrangian::step_of_trapezoids(const State& s) {
  next_.t = s.t + h_;
  a_ = s.a;
  control_.begin(h_, s);
  StepReport report;
  for (bool done = false; !done;) {
    follow(s);
    solve_accelerations();
    ddelta_ = next_.a - a_;
    const double change = 0.25 * h_ * h_ * control_.length_of(ddelta_);
    a_ = next_.a;
    const double violation = residual_.constraint.lpNorm<Eigen::Infinity>();
    done = control_.is_last(augmented_correction(change, control_.length_of(delta_), violation), report);
  }
  follow(s);
  return report;
}

//     v = 2/h δ − v_n,   a = 4/h² δ − 4/h v_n − a_n
void AugmentedLagrangian::advance(const State& s) {
  system_.manifold().retract(s.q, delta_, next_.q);
  next_.v = (2 / h_) * delta_ - s.v;
  next_.a = (4 / (h_ * h_)) * delta_ - (4 / h_) * s.v - s.a;
  system_.update(next_, kinematics_);
}

// The unknowns are dq and dy, y = λ* + α e. The rows of e move with κ₀G + 2κ₁Ġ + G̈,
//     κ₀ = 4/h² + 4ξω/h + ω²,   κ₁ = 2/h + ξω,
// which is κ₀ times G at q + (2κ₁ v + a)/κ₀: exact for constraints that are quadratic in q. Returns whether a singular
// position lies between this place and q, where α has the other sign.
bool AugmentedLagrangian::factorize_newton() {
  for (size_t i = 1; i < chart_.size(); ++i)
    if (system_.nodes()[i].block >= 0)
      chart_[i] = tangent_operator_inverse(delta_.segment<3>(system_.nodes()[i].v + 3));
  const double k0 = 4 / (h_ * h_) + 4 * p_.xi * p_.omega / h_ + p_.omega * p_.omega, k1 = 2 / h_ + p_.xi * p_.omega;
  ahead_ = next_;
  ddelta_ = (2 * k1 / k0) * next_.v + (1 / k0) * next_.a;
  system_.manifold().retract(next_.q, ddelta_, ahead_.q);
  system_.update(ahead_, ahead_kinematics_);
  NewtonForm form;
  form.factor = 0.25 * h_ * h_;
  form.q = 1, form.v = 2 / h_, form.a = 4 / (h_ * h_);
  form.scale = system_.reference_mass;
  form.regularization.uniform = true;
  form.regularization.compliance = form.scale * form.scale / (form.factor * p_.alpha * k0);
  return newton_->factorize_apart(kinematics_, kinematics_, ahead_kinematics_, chart_, form);
}

/// e at the positions of δ.
void AugmentedLagrangian::evaluate(const State& s) {
  advance(s);
  stabilized_violation(true);
  residual_.penalty = 0;
  system_.residual(kinematics_, residual_);  // for g
  e_ += p_.omega * p_.omega * residual_.constraint;
}

StepReport AugmentedLagrangian::step_of_newton(const State& s) {
  const int n = system_.velocities(), m = system_.multipliers();
  next_.t = s.t + h_;
  delta_ = h_ * s.v + (0.5 * h_ * h_) * s.a;
  control_.begin(h_, s);
  StepReport report;
  evaluate(s);
  for (bool done = false; !done;) {
    next_.lambda = lambda_ + p_.alpha * e_;
    if (factorize_newton()) next_.lambda = lambda_ - p_.alpha * e_;
    system_.residual(kinematics_, residual_);
    x_.head(n) = -newton_->form().factor * residual_.motion.head(n);
    x_.tail(m).setZero();
    newton_->solve(x_);
    velocities_ = x_.head(n);
    system_.manifold().apply_tangent_inverse(delta_, velocities_, ddelta_);
    delta_ += ddelta_;
    const double length = control_.length_of(velocities_), violation = residual_.constraint.lpNorm<Eigen::Infinity>();
    done = control_.is_last(augmented_correction(length, control_.length_of(delta_), violation), report);
    // λ* + α e of the new positions, without round-off of g
    lambda_ = next_.lambda + (newton_->form().scale / newton_->form().factor) * x_.tail(m);
    evaluate(s);
  }
  next_.lambda = lambda_;
  return report;
}

void AugmentedLagrangian::take_step(State& s, StepReport& report) {
  if (residual_.constraint.size()) report.position_violation = residual_.constraint.lpNorm<Eigen::Infinity>();
  system_.update(next_, kinematics_);
  turns_.count(h_, s, kinematics_, next_);
  std::swap(s, next_);
}

void AugmentedLagrangian::save() {
  if (newton_) newton_->save();
  if (solver_) solver_->save();
  turns_.save();
}

void AugmentedLagrangian::restore() {
  if (newton_) newton_->restore();
  if (solver_) solver_->restore();
  turns_.restore();
}

void AugmentedLagrangian::archive(Archive& x) {
  if (newton_) x(*newton_);
  if (solver_) x(*solver_);
  x(turns_);
}

SolverCounts AugmentedLagrangian::counts() const { return newton_ ? newton_->counts() : solver_->counts(); }
const char* AugmentedLagrangian::solver_name() const {
  return newton_ ? newton_->solver_name() : solver_->solver_name();
}

std::size_t AugmentedLagrangian::bytes() const {
  std::size_t doubles =
      2 * (next_.q.size() + next_.v.size() + next_.a.size() + next_.lambda.size() + next_.angles.size());
  for (const VectorXd* x : {&delta_, &ddelta_, &x_, &a_, &velocities_, &rate_, &bias_, &moved_rate_, &unused_, &lambda_,
                            &e_, &residual_.motion, &residual_.constraint})
    doubles += x->size();
  return (newton_ ? newton_->bytes() : solver_->bytes()) + 8 * doubles + sizeof(Matrix3d) * chart_.size() +
         2 * sizeof(Frame) * kinematics_.frames.size();
}

}  // namespace bricard
