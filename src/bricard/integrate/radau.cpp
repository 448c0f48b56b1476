// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/radau.h"

#include <algorithm>
#include <cmath>

#include "bricard/integrate/redundant_rows.h"

namespace bricard {
namespace {

double tolerance_of(const System& system, const RunSettings& settings) {
  return settings.rtol ? *settings.rtol + settings.atol / system.reference_length : 0;
}

// Errors of a step are far smaller than its first correction; the iteration goes on to a small part of the motion, times the
// tolerance of the settings. With a tolerance of the run it may leave a part of the allowed error of a step.
NewtonRule radau_rule(const System& system, int stages, const RunSettings& settings, const Tolerances& t) {
  NewtonRule rule;
  rule.iterations = settings.rtol ? Limits::iterations_with_tolerance : 2 * settings.max_iterations;
  rule.of_motion = t.radau_part * settings.tolerance;
  rule.staged = rule.to_the_end = true;
  const double order = 2 * stages - 1;
  if (settings.rtol)
    rule.always = t.radau_part_of_allowed * system.reference_length *
                  std::pow(tolerance_of(system, settings), (order + 1) / order);
  return rule;
}

// L of B = L U, U with ones on its diagonal.
Eigen::MatrixXd lower_factor(const Eigen::MatrixXd& B) {
  const Eigen::Index n = B.rows();
  Eigen::MatrixXd L = Eigen::MatrixXd::Zero(n, n), U = Eigen::MatrixXd::Identity(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = j; i < n; ++i) L(i, j) = B(i, j) - L.row(i).head(j).dot(U.col(j).head(j));
    for (Eigen::Index i = j + 1; i < n; ++i) U(j, i) = (B(j, i) - L.row(j).head(j).dot(U.col(i).head(j))) / L(j, j);
  }
  return L;
}

// R lower triangular with R² = L.
Eigen::MatrixXd root_of_lower(const Eigen::MatrixXd& L) {
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(L.rows(), L.cols());
  for (Eigen::Index i = 0; i < L.rows(); ++i) {
    R(i, i) = std::sqrt(L(i, i));
    for (Eigen::Index j = i - 1; j >= 0; --j) {
      const Eigen::Index between = i - j - 1;
      R(i, j) =
          (L(i, j) - R.row(i).segment(j + 1, between).dot(R.col(j).segment(j + 1, between))) / (R(i, i) + R(j, j));
    }
  }
  return R;
}

}  // namespace

RadauIia::Tableau RadauIia::make_tableau(int stages) {
  Eigen::MatrixXd A(stages, stages);
  const double r = std::sqrt(6.0);
  if (stages == 1) A << 1;
  else
    A << (88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225,  //
        (296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225,   //
        (16 - r) / 36, (16 + r) / 36, 1.0 / 9;
  Tableau t;
  t.w = A.inverse();
  t.c = A.rowwise().sum();
  t.D = lower_factor(A * A).inverse();
  t.root_of_D = root_of_lower(t.D);
  t.D_of_rates = lower_factor(A).inverse();
  return t;
}

RadauIia::RadauIia(const System& system, int stages, const RunSettings& settings, const Tolerances& t)
    : system_(system), turns_(system), control_(system, radau_rule(system, stages, settings, t), t),
      check_(system, settings, t), stages_(stages), tableau_(make_tableau(stages)), mode_(settings.projection),
      next_(system.make_state()), kinematics_(system.make_kinematics()), residual_(system.make_residual()) {
  for (int i = 0; i < stages; ++i) newton_.push_back(std::make_unique<NewtonSystem>(system, settings, t));
  if (mode_ != ProjectionMode::none) projection_ = std::make_unique<Projection>(system, *newton_[0], tableau_.D(0, 0));
  no_chart_.assign(system.nodes().size(), Matrix3d::Identity());
  if (settings.rtol) time_factor_ = std::pow(tolerance_of(system, settings), -1.0 / (2 * stages - 1));
  const int n = system.velocities(), m = system.multipliers();
  for (int i = 0; i < stages; ++i) {
    Z_[i].setZero(n);
    V_[i].setZero(n);
    lambda_[i].setZero(m);
    dz_[i].setZero(n);
  }
  rows_.setZero(m);
  x_.setZero(n + m);
  work_.setZero(n);
  again_.setZero(n + m);
  error_.setZero(n);
  start_velocity_.setZero(n);
  start_acceleration_.setZero(n);
  for (VectorXd& p : memory_.cubic) p.setZero(n);
}

void RadauIia::begin(const State& s) {
  memory_.last_h = 0;
  system_.update(s, kinematics_);
  NewtonForm form;
  form.a = 1;
  form.scale = system_.reference_mass;
  for (int i = 0; i < stages_; ++i) {
    form.factor = tableau_.D(i, i);
    newton_[i]->factorize(kinematics_, no_chart_, form);
  }
  redundant_ = newton_[0]->redundant_rows() > 0;
}

StepReport RadauIia::try_step(double h, const State& s) {
  h_ = h;
  start_velocity_ = s.v;
  start_acceleration_ = s.a;
  predict(s);
  StepReport report = iterate(s);
  if (report.status == StepStatus::accepted) {
    estimate_error();
    finish(s, report);
  }
  return report;
}

StepReport RadauIia::iterate(const State& s) {
  control_.begin(h_, s, newton_[0]->weakest_row());
  StepReport report;
  for (bool done = false; !done;) {
    stage_velocities();
    const double length = correct(s, control_.wants_matrix());
    done = control_.is_last({length, control_.length_of(Z_[stages_ - 1])}, report);
  }
  return report;
}

// The motion goes on as it was in the last step: in the chart at q_n, whose first two derivatives there are v and v̇,
//     y(τ) = v τ + v̇ τ²/2 + τ³ p(τ),   p of second degree through the beginning of the last step and its first two stages
// Without a last step p is 0.
void RadauIia::predict(const State& s) {
  for (int i = 0; i < stages_; ++i) {
    const double c = tableau_.c[i] * h_;
    Z_[i] = c * s.v + 0.5 * c * c * s.a;
    lambda_[i] = s.lambda;
    if (memory_.last_h == 0) continue;
    const double t = c / memory_.last_h;
    const std::array<double, kStages> at{-1, tableau_.c[0] - 1, tableau_.c[1] - 1};
    for (int j = 0; j < kStages; ++j) {
      double weight = t * t * t;
      for (int k = 0; k < kStages; ++k)
        if (k != j) weight *= (t - at[k]) / (at[j] - at[k]);
      Z_[i] += weight * memory_.cubic[j];
    }
  }
}

/// p of predict(), times the cube of the step, from the accepted one.
void RadauIia::remember(const State& end) {
  if (stages_ < kStages) return;
  for (int j = 0; j < kStages; ++j) {
    const double t = (j == 0 ? 0 : tableau_.c[j - 1]) - 1, tau = t * h_;
    if (j == 0) memory_.cubic[j].setZero();
    else memory_.cubic[j] = Z_[j - 1];
    system_.manifold().rebase(Z_[stages_ - 1], memory_.cubic[j]);
    memory_.cubic[j] = (memory_.cubic[j] - tau * end.v - (0.5 * tau * tau) * end.a) / (t * t * t);
  }
  memory_.last_h = h_;
}

void RadauIia::stage_velocities() {
  for (int i = 0; i < stages_; ++i) {
    work_.setZero();
    for (int j = 0; j < stages_; ++j) work_ += (tableau_.w(i, j) / h_) * Z_[j];
    system_.manifold().apply_tangent(Z_[i], work_, V_[i]);
  }
}

/// next_ and kinematics_ are those of stage i.
void RadauIia::set_stage(int i, const State& s) {
  next_.t = s.t + tableau_.c[i] * h_;
  system_.manifold().retract(s.q, Z_[i], next_.q);
  next_.v = V_[i];
  next_.a.setZero();
  for (int j = 0; j < stages_; ++j) next_.a += (tableau_.w(i, j) / h_) * (V_[j] - s.v);
  next_.lambda = lambda_[i];
  carry_over(s, next_);
  system_.update(next_, kinematics_);
}

/// At the positions of the stage, where kinematics_ is.
void RadauIia::factorize(int stage) {
  const double d = tableau_.D(stage, stage);
  NewtonForm form = newton_[stage]->step_form(h_, 1, std::sqrt(d) / h_, d / (h_ * h_));
  form.regularization = step_regularization(redundant_, newton_[stage]->tolerances());
  newton_[stage]->factorize(kinematics_, no_chart_, form);
}

/// One pass over all stages; the length of the largest correction.
//     Dᵢᵢ M/h² dZᵢ + Gᵀdλᵢ = −rᵢ − Σ_{j<i} Dᵢⱼ M/h² dZⱼ,   G dZᵢ = −gᵢ        all of stage i but the sum
// The sum, and its like for damping with √D/h, is there if v and v̇ move along before r is evaluated. dz: the turns of
// the stages' own frames, in which V and V̇ are, too.
double RadauIia::correct(const State& s, bool new_matrices) {
  const int n = system_.velocities(), m = system_.multipliers();
  double largest = 0;
  for (int i = 0; i < stages_; ++i) {
    if (!system_.velocity_rows().empty()) velocity_rows(i, s);
    set_stage(i, s);
    for (int j = 0; j < i; ++j) {
      next_.v += (tableau_.root_of_D(i, j) / h_) * dz_[j];
      next_.a += (tableau_.D(i, j) / (h_ * h_)) * dz_[j];
    }
    if (i > 0) system_.update(next_, kinematics_);
    if (new_matrices) factorize(i);
    const NewtonForm& form = newton_[i]->form();
    residual_.penalty = form.penalty();
    residual_.rate = h_;
    system_.residual(kinematics_, residual_);
    for (const int row : system_.velocity_rows()) residual_.constraint[row] = rows_[row];
    x_.head(n) = -form.factor * residual_.motion.head(n);
    x_.tail(m) = -form.scale * residual_.constraint;
    solve(i);
    dz_[i] = x_.head(n);
    lambda_[i] += (form.scale / form.factor) * x_.tail(m);
    largest = larger_of(largest, control_.length_of(dz_[i]));
    system_.manifold().apply_tangent_inverse(Z_[i], dz_[i], work_);
    Z_[i] += work_;
  }
  return largest;
}

// Velocity rows y move with V, hence with w in the place of w². Their splitting is D′ of A = L′U′, and with
//     (D′ᵢᵢ/h) H dZᵢ = −yᵢ − Σ_{j<i} (D′ᵢⱼ/h) H dZⱼ
// three passes end the iteration here, too.
void RadauIia::velocity_rows(int i, const State& s) {
  set_stage(i, s);
  for (int j = 0; j < i; ++j) next_.v += (tableau_.D_of_rates(i, j) / h_) * dz_[j];
  if (i > 0) system_.update(next_, kinematics_);
  residual_.penalty = 0;
  residual_.rate = h_ / tableau_.D_of_rates(i, i);
  system_.residual(kinematics_, residual_);
  rows_ = residual_.constraint;
}

/// x_ ← matrix⁻¹ x_ of one stage.
void RadauIia::solve(int stage) {
  if (redundant_) solve_redundant(*newton_[stage], x_, again_);
  else newton_[stage]->solve(x_);
}

constexpr double kGamma0 = 1 / 3.6378342527444957;  // 1 over the real eigenvalue of A⁻¹

/// Weights of the embedded formula of order 3.
std::array<double, 3> embedded_weights() {
  const double r = std::sqrt(6.0);
  return {kGamma0 / 3 * (-13 - 7 * r), kGamma0 / 3 * (-13 + 7 * r), -kGamma0 / 3};
}

// The distance to an embedded formula of order 3                           [HairerWanner1996, section IV.8]
//     of positions:   γ₀ h v_n + Σ eᵢ Zᵢ
LocalError RadauIia::local_error() {
  const bool near_singular = newton_[0]->is_near_singular();
  if (stages_ == 1) return {&error_, 1, 2, 0, near_singular};
  return {&error_, 5, 4, 0, near_singular};
}

void RadauIia::estimate_error() {
  if (time_factor_ == 0) return;
  if (stages_ == 1) {
    error_ = 0.5 * (Z_[0] - h_ * start_velocity_);
    return;
  }
  const std::array<double, 3> e = embedded_weights();
  error_ = (kGamma0 * h_) * start_velocity_;
  for (int i = 0; i < stages_; ++i) error_ += e[i] * Z_[i];
  add_velocity_error();
}

//     of velocities:  r = γ₀ h v̇_n + Σ eᵢ (Vᵢ − v_n),   (M + γh D + γ²h² K) ε + Gᵀμ = M r,   G ε = 0
// Without it a force that jumps before the first stage would not be seen: all stages have the new one, and so has the
// embedded formula. The matrix, one of the iteration's, keeps stiff parts from ruling. A velocity error acts as long as the
// motion goes on as it is, for about tolerance^(−1/5) steps.
void RadauIia::add_velocity_error() {
  const Eigen::Index n = error_.size();
  const std::array<double, 3> e = embedded_weights();
  stage_velocities();
  work_ = (kGamma0 * h_) * start_acceleration_;
  for (int i = 0; i < stages_; ++i) work_ += e[i] * (V_[i] - start_velocity_);
  NewtonSystem& newton = *newton_[0];
  const NewtonForm& form = newton.form();
  next_.a = work_;  // M r is what the residual changes by
  system_.residual(kinematics_, residual_);
  x_.head(n) = residual_.motion.head(n);
  next_.a.setZero();
  system_.residual(kinematics_, residual_);
  x_.head(n) = (form.factor * form.a) * (x_.head(n) - residual_.motion.head(n));
  x_.tail(x_.size() - n).setZero();
  solve(0);
  error_ = error_.cwiseAbs() + (time_factor_ / form.v) * x_.head(n).cwiseAbs();  // γh is 1/form.v
}

// Velocities of the last stage have order 3 in the directions of the constraints, multipliers order 2; made consistent,
// both have that of the positions.
void RadauIia::finish(const State& s, StepReport& report) {
  stage_velocities();
  set_stage(stages_ - 1, s);
  next_.t = s.t + h_;
  if (projection_) {
    residual_.penalty = residual_.rate = 0;
    if (redundant_)
      projection_->factorize_anew(kinematics_);  // the iteration's matrices are too soft to tell which rows are
    else projection_->factorize(kinematics_);
    projection_->velocities(next_, kinematics_);
    projection_->accelerations(next_, kinematics_, residual_);
  }
  check_.look(h_, next_, kinematics_, residual_, report);
}

void RadauIia::take_step(State& s, StepReport& /*report*/) {
  turns_.count(h_, s, kinematics_, next_);
  remember(next_);
  std::swap(s, next_);
}

void RadauIia::save() {
  saved_ = memory_;
  for (const auto& newton : newton_) newton->save();
  turns_.save();
}

void RadauIia::restore() {
  memory_ = saved_;
  for (const auto& newton : newton_) newton->restore();
  turns_.restore();
}

void RadauIia::archive(Archive& x) {
  x(memory_.cubic, memory_.last_h, redundant_, turns_);
  for (const auto& newton : newton_) x(*newton);
}

SolverCounts RadauIia::counts() const {
  SolverCounts sum;
  for (const auto& newton : newton_) sum += newton->counts();
  return sum;
}

std::size_t RadauIia::bytes() const {
  std::size_t bytes = sizeof(Matrix3d) * no_chart_.size() + sizeof(Frame) * kinematics_.frames.size();
  for (const auto& newton : newton_) bytes += newton->bytes();
  const std::size_t n = work_.size(), m = system_.multipliers();
  return bytes + 8 * (stages_ * (4 * n + 2 * m) + 12 * n + 5 * m);
}

}  // namespace bricard
