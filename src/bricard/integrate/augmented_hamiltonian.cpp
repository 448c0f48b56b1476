// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/augmented_hamiltonian.h"

#include <cmath>

#include "bricard/system/assertion.h"

namespace bricard {
namespace {

constexpr double kShift = 0.1;  // of a step, for the derivative of G: exact for constraints quadratic in q

}  // namespace

AugmentedHamiltonian::AugmentedHamiltonian(const System& system, const RunSettings& settings, const Tolerances& t)
    : system_(system), settings_(settings), control_(system, augmented_rule(settings), t), turns_(system),
      next_(system.make_state()), probe_(next_), rows_(next_), kinematics_(system.make_kinematics()),
      probe_kinematics_(kinematics_), rows_kinematics_(kinematics_), residual_(system.make_residual()) {
  BRICARD_ASSERT(next_.q.size() == next_.v.size());  // positions are added to
  if (settings.integrator == IntegratorType::ahnr) {
    newton_ = std::make_unique<NewtonSystem>(system, SolverType::sparse_lu, t);
  } else {
    solver_ = std::make_unique<CondensedSystem>(system, settings.solver, t);
  }
  if (system.has_power()) {
    if (!newton_) work_newton_ = std::make_unique<NewtonSystem>(system, SolverType::sparse_lu, t);
    projection_ = std::make_unique<Projection>(system, newton_ ? *newton_ : *work_newton_);
  }
  const int n = system.velocities(), m = system.multipliers();
  chart_.assign(system.nodes().size(), Matrix3d::Identity());
  for (VectorXd* x : {&delta_, &velocities_, &plus_, &minus_, &past_.p, &past_.p_rate}) x->setZero(n);
  x_.setZero(newton_ ? n + m : n);
  for (VectorXd* x : {&rate_, &bias_, &e_, &y_, &past_.sigma, &past_.integral, &past_.violation}) x->setZero(m);
  now_ = past_;
}

/// out = Gᵀy where the motion of next_ is `shift` later.
void AugmentedHamiltonian::transpose(double shift, const VectorXd& y, VectorXd& out) {
  probe_.t = next_.t + shift;
  probe_.q = next_.q + shift * next_.v;
  probe_.v = next_.v;
  carry_over(next_, probe_);
  system_.update(probe_, probe_kinematics_);
  probe_.lambda = y;
  system_.constraint_forces(probe_kinematics_, residual_);
  out = residual_.motion.head(out.size());
}

void AugmentedHamiltonian::rate_of_transpose(const VectorXd& y, VectorXd& out) {
  transpose(kShift * h_, y, plus_);
  transpose(-kShift * h_, y, minus_);
  out = (plus_ - minus_) / (2 * kShift * h_);
}

/// e = ġ + 2ξω g + ω² ∫g dt at next_.
void AugmentedHamiltonian::evaluate_violation() {
  system_.update(next_, kinematics_);
  system_.residual(kinematics_, residual_);
  system_.constraint_rates(kinematics_, rate_, bias_);
  now_.violation = residual_.constraint;
  now_.integral = past_.integral + (h_ / 2) * (past_.violation + now_.violation);
  e_ = rate_ + 2 * p_.xi * p_.omega * now_.violation + p_.omega * p_.omega * now_.integral;
}

/// v from p at the positions of next_, and σ after it.
void AugmentedHamiltonian::solve_velocities() {
  next_.v.setZero();
  next_.a.setZero();
  next_.lambda.setZero();
  evaluate_violation();
  y_ = now_.sigma + p_.alpha * e_;
  transpose(0, y_, plus_);
  Weights w;
  w.a = 1;
  w.penalty = p_.alpha;
  solver_->factorize(kinematics_, chart_, w);
  x_ = now_.p - plus_;
  solver_->solve(x_);
  next_.v = x_;
  evaluate_violation();
  now_.sigma += p_.alpha * e_;
}

void AugmentedHamiltonian::momentum_rate() {
  rate_of_transpose(now_.sigma, now_.p_rate);
  next_.a.setZero();
  next_.lambda.setZero();
  system_.update(next_, kinematics_);
  system_.residual(kinematics_, residual_);
  now_.p_rate -= residual_.motion.head(now_.p_rate.size());
}

/// M v, which is what the residual has more than without accelerations; f is left in residual_ with the other sign.
void AugmentedHamiltonian::momentum(const VectorXd& v, VectorXd& out) {
  next_.lambda.setZero();
  next_.a = v;
  system_.update(next_, kinematics_);
  system_.residual(kinematics_, residual_);
  out = residual_.motion.head(out.size());
  next_.a.setZero();
  system_.residual(kinematics_, residual_);
  out -= residual_.motion.head(out.size());
}

void AugmentedHamiltonian::begin(const State& s) {
  residual_.penalty = 0;
  next_ = s;
  momentum(s.v, past_.p);
  past_.violation = residual_.constraint;
  past_.p_rate = -residual_.motion.head(past_.p.size());  // σ = 0
  past_.sigma.setZero();
  past_.integral.setZero();
  if (projection_) projection_->factorize_anew(kinematics_);
}

StepReport AugmentedHamiltonian::try_step(double h, const State& s) {
  h_ = h;
  p_ = augmented_parameters(system_, settings_, h, h * control_.length_of(s.v));
  next_.t = s.t + h;
  carry_over(s, next_);
  now_ = past_;
  residual_.penalty = 0;
  StepReport report = settings_.integrator == IntegratorType::ah_euler ? step_of_euler(s)
                      : settings_.integrator == IntegratorType::ah     ? step_of_trapezoids(s)
                                                                       : step_of_newton(s);
  if (report.status == StepStatus::accepted && e_.size())
    control_.refuse_lost(now_.violation.lpNorm<Eigen::Infinity>(), report);
  return report;
}

StepReport AugmentedHamiltonian::step_of_euler(const State& s) {
  delta_ = h_ * s.v;
  next_.q = s.q + delta_;
  now_.p = past_.p + h_ * past_.p_rate;
  StepReport report;
  report.iterations = settings_.passes.value_or(1);
  for (int k = 0; k < report.iterations; ++k) {
    solve_velocities();
    // Euler's rule for the integral, too
    now_.integral = past_.integral + h_ * past_.violation;
  }
  momentum_rate();
  report.correction = h_ * (next_.v - s.v).lpNorm<Eigen::Infinity>();
  if (!std::isfinite(report.correction)) report.status = StepStatus::not_finite;
  return report;
}

void AugmentedHamiltonian::follow(const State& s) {
  delta_ = (h_ / 2) * (s.v + velocities_);
  next_.q = s.q + delta_;
  now_.p = past_.p + (h_ / 2) * (past_.p_rate + now_.p_rate);
}

StepReport AugmentedHamiltonian::step_of_trapezoids(const State& s) {
  velocities_ = s.v;
  control_.begin(h_, s);
  StepReport report;
  for (bool done = false; !done;) {
    follow(s);
    solve_velocities();
    momentum_rate();
    const double change = (h_ / 2) * (next_.v - velocities_).lpNorm<Eigen::Infinity>();
    velocities_ = next_.v;
    const double violation = now_.violation.lpNorm<Eigen::Infinity>();
    done = control_.is_last(augmented_correction(change, control_.length_of(delta_), violation), report);
  }
  follow(s);
  return report;
}

// Unknowns dq and dy, y = σ + α e; with p eliminated by the trapezoidal rule the equation is
//     2/h M v − f + (2/h Gᵀ − Ġᵀ) y = 2/h p_n + ṗ_n
// (2/h Gᵀ − Ġᵀ) is 2/h times Gᵀ half a step earlier, and the rows of e move with κ₀G + Ġ, κ₀ = 2/h + 2ξω + ω²h/2, which is
// κ₀ times G at q + v/κ₀: both exact for constraints that are quadratic in q. Returns α for this correction: negative if a
// singular position lies between these places.
double AugmentedHamiltonian::factorize_newton() {
  const double k0 = 2 / h_ + 2 * p_.xi * p_.omega + p_.omega * p_.omega * h_ / 2;
  NewtonForm form;
  form.factor = 0.25 * h_ * h_;
  form.q = 1, form.v = 2 / h_, form.a = 4 / (h_ * h_);
  form.scale = system_.reference_mass;
  form.regularization.uniform = true;
  form.regularization.compliance = 2 * form.scale * form.scale / (p_.alpha * k0 * h_);
  next_.lambda.setZero();
  system_.update(next_, kinematics_);
  const auto later = [&](double shift, State& s, Kinematics& k) {
    s.t = next_.t + shift;
    s.q = next_.q + shift * next_.v;
    s.v = next_.v;
    s.lambda.setZero();
    carry_over(next_, s);
    system_.update(s, k);
  };
  later(-h_ / 2, probe_, probe_kinematics_);
  later(1 / k0, rows_, rows_kinematics_);
  return newton_->factorize_apart(kinematics_, probe_kinematics_, rows_kinematics_, chart_, form) ? -p_.alpha
                                                                                                  : p_.alpha;
}

StepReport AugmentedHamiltonian::step_of_newton(const State& s) {
  const int n = system_.velocities(), m = system_.multipliers();
  delta_ = h_ * s.v + (0.5 * h_ * h_) * s.a;
  const auto evaluate = [&] {
    next_.q = s.q + delta_;
    next_.v = (2 / h_) * delta_ - s.v;
    evaluate_violation();
  };
  control_.begin(h_, s);
  StepReport report;
  evaluate();
  for (bool done = false; !done;) {
    const double alpha = factorize_newton();
    y_ = now_.sigma + alpha * e_;
    rate_of_transpose(y_, velocities_);
    next_.a = (2 / h_) * next_.v;
    next_.lambda = (2 / h_) * y_;
    system_.update(next_, kinematics_);
    system_.residual(kinematics_, residual_);
    x_.head(n) = -0.25 * h_ * h_ * (residual_.motion.head(n) - velocities_ - (2 / h_) * past_.p - past_.p_rate);
    x_.tail(m).setZero();
    newton_->solve(x_);
    velocities_ = x_.head(n);
    delta_ += velocities_;
    const double length = control_.length_of(velocities_);
    done = control_.is_last(augmented_correction(length, control_.length_of(delta_), 0), report);
    evaluate();
    now_.sigma += alpha * e_;
  }
  if (report.status != StepStatus::accepted) return report;
  transpose(0, now_.sigma, now_.p);  // p = M v + Gᵀσ
  momentum(next_.v, plus_);
  now_.p += plus_;
  now_.p_rate = (2 / h_) * (now_.p - past_.p) - past_.p_rate;
  return report;
}

/// The method has no accelerations and multipliers of its own at the end of a step. Those of the middle are left there,
/// unless their work is looked at.
void AugmentedHamiltonian::take_step(State& s, StepReport& report) {
  if (now_.violation.size()) report.position_violation = now_.violation.lpNorm<Eigen::Infinity>();
  next_.a = (next_.v - s.v) / h_;
  next_.lambda = (now_.sigma - past_.sigma) / h_;
  system_.update(next_, kinematics_);
  if (projection_) {
    projection_->factorize_anew(kinematics_);
    projection_->accelerations(next_, kinematics_, residual_);
  }
  turns_.count(h_, s, kinematics_, next_);
  std::swap(past_, now_);
  std::swap(s, next_);
}

void AugmentedHamiltonian::save() {
  saved_ = past_;
  for (NewtonSystem* newton : {newton_.get(), work_newton_.get()})
    if (newton) newton->save();
  if (solver_) solver_->save();
  turns_.save();
}

void AugmentedHamiltonian::restore() {
  past_ = saved_;
  for (NewtonSystem* newton : {newton_.get(), work_newton_.get()})
    if (newton) newton->restore();
  if (solver_) solver_->restore();
  turns_.restore();
}

void AugmentedHamiltonian::archive(Archive& x) {
  x(past_.p, past_.p_rate, past_.sigma, past_.integral, past_.violation, turns_);
  for (NewtonSystem* newton : {newton_.get(), work_newton_.get()})
    if (newton) x(*newton);
  if (solver_) x(*solver_);
}

SolverCounts AugmentedHamiltonian::counts() const { return newton_ ? newton_->counts() : solver_->counts(); }
const char* AugmentedHamiltonian::solver_name() const {
  return newton_ ? newton_->solver_name() : solver_->solver_name();
}

std::size_t AugmentedHamiltonian::bytes() const {
  std::size_t doubles =
      3 * (next_.q.size() + next_.v.size() + next_.a.size() + next_.lambda.size() + next_.angles.size());
  for (const VectorXd* x : {&delta_, &x_, &velocities_, &plus_, &minus_, &y_, &rate_, &bias_, &e_, &residual_.motion,
                            &residual_.constraint})
    doubles += x->size();
  for (const Past* past : {&past_, &now_, &saved_}) doubles += 2 * past->p.size() + 3 * past->sigma.size();
  return (newton_ ? newton_->bytes() : solver_->bytes()) + (work_newton_ ? work_newton_->bytes() : 0) + 8 * doubles +
         sizeof(Matrix3d) * chart_.size() + 3 * sizeof(Frame) * kinematics_.frames.size();
}

}  // namespace bricard
