// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/projection.h"

#include "bricard/system/assertion.h"

namespace bricard {
namespace {

double norm(const Eigen::Ref<const VectorXd>& x) { return x.size() ? x.lpNorm<Eigen::Infinity>() : 0; }

}  // namespace

Projection::Projection(const System& system, NewtonSystem& newton, double mass_factor, bool judges_rows)
    : system_(system), tolerances_(newton.tolerances()), mass_factor_(mass_factor), judges_rows_(judges_rows),
      newton_(newton) {
  BRICARD_ASSERT(mass_factor > 0);
  no_chart_.assign(system.nodes().size(), Matrix3d::Identity());
  x_.setZero(system.unknowns());
  rate_.setZero(system.multipliers());
  bias_.setZero(system.multipliers());
  before_.setZero(system.velocities());
  left_.setZero(system.multipliers());
  image_.setZero(system.multipliers());
  reached_.setZero(system.multipliers());
  direction_.setZero(system.unknowns());
  check_ = system.make_residual();
}

NewtonForm Projection::form() const {
  NewtonForm form;
  form.factor = mass_factor_;
  form.a = 1;
  form.scale = system_.reference_mass;
  return form;
}

// Joints that are open by g leave the positions off by g/σ along the motion that they hold least. At a distance σ ℓ from a
// singular position that turns velocities by g/(σ² ℓ), and accelerations and multipliers by g/(σ³ ℓ). The error of the
// step along the motion has no part in it: it leads to other positions with g = 0, where all of this is as it should be.
void Projection::factorize(const Kinematics& k, double open) {
  has_rates_ = false;
  const double sigma = newton_.independence(), length = system_.reference_length;
  soft_ = open / length > tolerances_.turned_by_gap * sigma * sigma;
  soft_for_accelerations_ = open / length > tolerances_.turned_by_gap * sigma * sigma * sigma;
  if (soft_) return factorize_softly(k);
  NewtonForm form = this->form();
  if (newton_.redundant_rows() > 0)
    form.regularization = {0, true, tolerances_.projection_compliance * newton_.typical_row(form)};
  else form.regularization = {tolerances_.projection_epsilon, false};
  form.judges_rows = judges_rows_;
  newton_.factorize(k, no_chart_, form);
}

void Projection::factorize_softly(const Kinematics& k) {
  soft_ = true;
  NewtonForm form = this->form();
  form.regularization = {tolerances_.soft_epsilon, true};
  newton_.factorize(k, no_chart_, form);
}

void Projection::factorize_anew(const Kinematics& k, double open) {
  has_rates_ = soft_ = soft_for_accelerations_ = false;
  newton_.factorize(k, no_chart_, form());
  factorize(k, open);
}

void Projection::solve(VectorXd& x, VectorXd& target, VectorXd* multipliers) {
  const int n = system_.velocities(), m = system_.multipliers();
  newton_.solve_repeatedly(x, soft_ ? Limits::soft_repetitions : 1, [&] {
    target += x.head(n);
    if (multipliers) *multipliers += newton_.form().scale / mass_factor_ * x.tail(m);
  });
  if (soft_ || m == 0) return;
  left_ = -x.tail(m);
  conjugate_gradients(x, target, multipliers);
}

//     A y = b,   A = s² G (c₀M)⁻¹Gᵀ,   P = A + E known by its factor:   w = P⁻¹r   and   A w = r − E w
// The solution with right-hand side (0, −r) has w in its lower and the change of x that goes with it in its upper part.
// Off g = 0 by round-off, b has a part that no motion reaches. It stays in r, and E⁻¹ of it is in y and in every w: once
// A w has vanished, w is that alone, and y has `times` of it too much. So `times` |w| bounds what is wrong with y, and the
// solution that would take it out is spared where that is nothing.
void Projection::conjugate_gradients(VectorXd& x, VectorXd& target, VectorXd* multipliers) {
  const int n = system_.velocities(), m = system_.multipliers();
  const double scale = newton_.form().scale, to_force = scale / mass_factor_;
  const double small = tolerances_.conjugate_residual * scale * target.lpNorm<Eigen::Infinity>();
  double before = 0, times = 1, in_direction = 0, last = HUGE_VAL;
  for (int i = 0; i < Limits::conjugate_gradients; ++i) {
    const double left = left_.lpNorm<Eigen::Infinity>();
    const bool shared = !multipliers || to_force * times * last <= tolerances_.sharing * norm(*multipliers);
    if (left == 0 || (left <= small && shared)) return;
    x.head(n).setZero();
    x.tail(m) = -left_;
    newton_.solve(x);
    reached_ = left_ - newton_.softness().cwiseProduct(x.tail(m));
    const double now = reached_.dot(x.tail(m)), ratio = i == 0 ? 0 : now / before;
    if (reached_.lpNorm<Eigen::Infinity>() <= small || !(now > 0)) {
      if (multipliers) *multipliers -= to_force * times * x.tail(m);
      return;
    }
    direction_ = x + ratio * direction_;
    image_ = reached_ + ratio * image_;
    in_direction = 1 + ratio * in_direction;
    const double curvature = direction_.tail(m).dot(image_);
    if (!(curvature > 0)) return;
    const double length = now / curvature;
    target += length * direction_.head(n);
    if (multipliers) *multipliers += to_force * length * direction_.tail(m);
    times += length * in_direction;
    if (multipliers) last = norm(x.tail(m));
    left_ -= length * image_;
    before = now;
  }
}

// ġ is looked at after each solution: a matrix that leaves something out (the mean of two triangles, say) asks for another.
void Projection::velocities(State& s, Kinematics& k) {
  if (system_.multipliers() == 0) return;
  system_.constraint_rates(k, rate_, bias_);
  largest_rate_ = velocity_violation_ = norm(rate_);
  for (int i = 0; i < Limits::improvements; ++i) {
    x_.head(system_.velocities()).setZero();
    x_.tail(system_.multipliers()) = -newton_.form().scale * rate_;
    solve(x_, s.v, nullptr);
    system_.update(s, k);
    system_.constraint_rates(k, rate_, bias_);
    const double before = velocity_violation_;
    velocity_violation_ = norm(rate_);
    if (i == 0) largest_rate_ = std::max(largest_rate_, norm(s.v));
    if (soft_ || velocity_violation_ <= tolerances_.projected_residual * largest_rate_ ||
        velocity_violation_ > 0.5 * before)
      break;
  }
  has_rates_ = true;
}

void Projection::accelerations(State& s, const Kinematics& k, Residual& r) {
  if (soft_for_accelerations_ && !soft_) factorize_softly(k);
  const int n = system_.velocities(), m = system_.multipliers();
  for (const StateInfo& x : system_.states) before_[x.v] = x.implicit ? s.a[x.v] : 0;
  s.a.setZero();
  for (const StateInfo& x : system_.states)
    s.a[x.v] = before_[x.v];  // where the solution of its equation is looked for
  s.lambda.setZero();
  system_.residual(k, r);
  if (!has_rates_) system_.constraint_rates(k, rate_, bias_);
  has_rates_ = false;
  x_.head(n) = -mass_factor_ * r.motion.head(n);
  x_.tail(m) = -newton_.form().scale * bias_;
  solve(x_, s.a, &s.lambda);
  if (system_.sees_accelerations()) return improve_accelerations(s, k, r);
  check_motion(k, norm(r.motion.head(n)));
  if (soft_ || motion_residual_ <= tolerances_.projected_residual) return;
  x_.head(n) = -mass_factor_ * check_.motion.head(n);
  x_.tail(m).setZero();
  solve(x_, s.a, &s.lambda);
  check_motion(k, norm(r.motion.head(n)));
}

/// What is left of M a + Gᵀλ = f, relative to the largest force.
void Projection::check_motion(const Kinematics& k, double largest) {
  system_.residual(k, check_);
  const double left = norm(check_.motion.head(system_.velocities()));
  motion_residual_ = left > 0 ? left / largest : 0;
}

//     M x + Gᵀλ = f − M a,   G x = 0;   x is what a lacks
void Projection::multipliers(State& s, const Kinematics& k, Residual& r) {
  s.lambda.setZero();
  system_.residual(k, r);
  x_.head(system_.velocities()) = -mass_factor_ * r.motion.head(system_.velocities());
  x_.tail(system_.multipliers()).setZero();
  before_.setZero();
  solve(x_, before_, &s.lambda);
}

// Forces that depend on accelerations or reactions in a nonlinear way: Newton's method.
void Projection::improve_accelerations(State& s, const Kinematics& k, Residual& r) {
  const int n = system_.velocities();
  for (int i = 0; i < Limits::improvements; ++i) {
    system_.residual(k, r);
    x_.head(n) = -mass_factor_ * r.motion.head(n);
    x_.tail(system_.multipliers()).setZero();
    const double size = s.a.lpNorm<Eigen::Infinity>();
    before_ = s.a;
    soft_ ? factorize_softly(k) : factorize(k);
    solve(x_, s.a, &s.lambda);
    if ((s.a - before_).lpNorm<Eigen::Infinity>() <= tolerances_.conjugate_residual * size) return;
  }
}

}  // namespace bricard
