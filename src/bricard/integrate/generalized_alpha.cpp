// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/generalized_alpha.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bricard {
namespace {

constexpr double kPositionEpsilon = 1e-11;  // ε of the position solve
constexpr double kSlowRate = 0.25;         // corrections that shrink less ask for a new matrix
constexpr double kUsualRate = 1e-4;        // taken for true when the second correction is round-off

// The first correction is about as large as the error of the formula in this step; what is left after the last one must
// not add to it.
constexpr double kPartOfFirst = 1e-3;


// Near a singular position convergence is judged by the correction itself and by g: a remembered rate says nothing about
// the step that meets it. Mechanisms with redundant joints are the ones that have such positions, so they are watched
// from afar; a long chain of slender links may have weak rows for no such reason.
constexpr double kWeakAmongRedundant = 2e-2, kWeakRow = 1e-11, kStrictViolation = 1e-13;

// A second correction that is this small, relative to the largest coordinate, is round-off: the joints of a long chain
// multiply its 1e-16 by the number of links.
constexpr double kRoundOff = 1e-12;
constexpr double kLongChain = 1000;  // bodies; more let the round-off of a correction grow

// Next to a singular position Newton's method is slow and iterating on, cutting the step or failing all make it
// worse: from the fourth iteration a configuration this close is taken as it is, from the seventh one ten times as far.
constexpr int kSingularIteration = 3;
constexpr double kSingularViolation = 1e-7, kSingularCorrection = 1e-4;  // per reference length

}  // namespace

AlphaCoefficients hht_coefficients(double alpha) {
  return {0, -alpha, 0.25 * (1 - alpha) * (1 - alpha), 0.5 - alpha};
}

AlphaCoefficients generalized_alpha_coefficients(double rho) {
  const double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
  const double gamma = 0.5 + alpha_f - alpha_m;
  return {alpha_m, alpha_f, 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma};
}

AlphaCoefficients newmark_coefficients(double beta, double gamma) { return {0, 0, beta, gamma}; }

namespace {

// All members of the family damp numerically if and only if γ > ½. Without, velocities that violate the constraints never
// decay and the multipliers of an index-3 step oscillate.
bool is_undamped(const AlphaCoefficients& c) { return c.gamma - 0.5 < 1e-3; }

// What stands before M in the matrix of a step.
double mass_factor(const AlphaCoefficients& c) { return (1 - c.alpha_m) / ((1 - c.alpha_f) * c.beta); }

}  // namespace

GeneralizedAlpha::GeneralizedAlpha(const System& system, const AlphaCoefficients& coefficients, const RunSettings& settings)
    : system_(system), c_(coefficients), tolerance_(settings.tolerance), max_iterations_(settings.max_iterations),
      augmentation_(settings.augmentation), mode_(settings.projection), undamped_(is_undamped(coefficients)),
      newton_(system, settings.solver), next_(system.make_state()), kinematics_(system.make_kinematics()),
      residual_(system.make_residual()) {
  const bool pivots = settings.solver == SolverType::dense || settings.solver == SolverType::klu;
  if (pivots && mode_ == ProjectionMode::automatic) mode_ = ProjectionMode::full;  // they do not see redundant rows
  if (mode_ != ProjectionMode::none) {
    ProjectionSettings projection;
    projection.mass_factor = mass_factor(c_);
    projection_ = std::make_unique<Projection>(system, newton_, projection);
  }
  const int n = system.velocities();
  chart_.assign(system.nodes().size(), Matrix3d::Identity());
  for (VectorXd* x : {&a_, &a_next_, &delta0_, &delta_, &dz_, &ddelta_}) x->setZero(n);
  dlambda_.setZero(system.multipliers());
  rates_.setZero(next_.angles.size());
  lengths_.setOnes(n);
  for (const Manifold::Block& b : system.manifold().blocks())
    if (b.kind == Manifold::Kind::rotation) lengths_.segment<3>(b.v).setConstant(system.reference_length);
}

void GeneralizedAlpha::start(const State& s) {
  a_ = s.a;
  rate_ = 1;
  // how independent the constraint rows are here is what later pivots are compared with
  system_.update(s, kinematics_);
  for (Matrix3d& T : chart_) T.setIdentity();
  NewtonForm form;
  form.factor = mass_factor(c_);
  form.a = 1;
  form.scale = system_.reference_mass;
  newton_.factorize(kinematics_, chart_, form);
}

StepReport GeneralizedAlpha::step(double h, State& s) {
  predict(h, s);
  StepReport report = iterate(h, s);
  if (report.status == StepStatus::accepted) finish(h, s, report);
  return report;
}

void GeneralizedAlpha::predict(double h, const State& s) {
  form_ = {h * h, 1, c_.gamma / (c_.beta * h), mass_factor(c_) / (h * h), newton_.scale(h), augmentation_, {kPositionEpsilon, false}};
  residual_.penalty = augmentation_ * form_.scale / (h * h);
  delta0_ = h * s.v + h * h * (0.5 - c_.beta) * a_;
  a_next_ = a_;
  next_.t = s.t + h;
  next_.lambda = s.lambda;
  next_.angles = s.angles;
}

/// q, v and v̇ at n + 1 from a_{n+1}.
void GeneralizedAlpha::advance(double h, const State& s) {
  delta_ = delta0_ + h * h * c_.beta * a_next_;
  system_.manifold().retract(s.q, delta_, next_.q);
  next_.v = s.v + h * (1 - c_.gamma) * a_ + h * c_.gamma * a_next_;
  next_.a = ((1 - c_.alpha_m) * a_next_ + c_.alpha_m * a_ - c_.alpha_f * s.a) / (1 - c_.alpha_f);
  system_.update(next_, kinematics_);
}

bool GeneralizedAlpha::wants_projection() const {
  if (mode_ != ProjectionMode::automatic) return mode_ == ProjectionMode::full;
  return undamped_ || newton_.redundant_rows() > 0 || newton_.weakest_row() < kWeakRow;
}

void GeneralizedAlpha::factorize() {
  for (size_t i = 1; i < chart_.size(); ++i)
    chart_[i] = tangent_operator_inverse(delta_.segment<3>(system_.nodes()[i].v + 3));
  newton_.factorize(kinematics_, chart_, form_);
}

/// Newton's method on a_{n+1} and λ. The unknown dz turns the current rotations, δ follows with T(δ)⁻¹ dz.
StepReport GeneralizedAlpha::iterate(double h, const State& s) {
  const double length = system_.reference_length;
  const double size = std::max(length, next_.q.lpNorm<Eigen::Infinity>());
  const double round_off = 1e-15 * size * std::max(1.0, static_cast<double>(system_.nodes().size()) / kLongChain);
  StepReport report;
  double before = 0, first = 0;
  double contraction = std::pow(std::max(rate_, 1e-16), 0.8);  // forgets slowly, so that it is measured again
  for (int k = 0; k < max_iterations_; ++k) {
    advance(h, s);
    system_.residual(kinematics_, residual_);
    if (k == 0 || contraction > kSlowRate) factorize();
    newton_.correction(residual_, dz_, dlambda_);
    system_.manifold().apply_tangent_inverse(delta_, dz_, ddelta_);
    a_next_ += ddelta_ / (h * h * c_.beta);
    next_.lambda += dlambda_;

    const double now = length_of(dz_);
    const double violation = residual_.constraint.size() ? residual_.constraint.lpNorm<Eigen::Infinity>() : 0;
    report.iterations = k + 1;
    report.correction = now;
    if (!std::isfinite(now)) {
      report.status = StepStatus::not_finite;
      return report;
    }
    if (k > 0) contraction = now / std::max(before, std::numeric_limits<double>::min());
    if (k > 0 && now <= kRoundOff * size && newton_.weakest_row() > kWeakRow) {
      rate_ = std::min(contraction, kUsualRate);  // what is left is round-off and may tell nothing about the rate
      return report;
    }
    if (k > 0) rate_ = contraction;
    const double error = contraction < 1 ? now * contraction / (1 - contraction) : now;
    if (k == 0) first = now;
    const double wanted = std::max(round_off, std::min(tolerance_ * length_of(delta_), kPartOfFirst * first));
    if (newton_.weakest_row() < (newton_.redundant_rows() > 0 ? kWeakAmongRedundant : kWeakRow)) {
      if (now <= std::max(round_off, tolerance_ * length_of(delta_)) && violation <= kStrictViolation * length) return report;
    } else if (now <= round_off || error <= wanted) {
      return report;
    }
    const double patience = k < 2 * kSingularIteration ? 1 : 10;
    if (k >= kSingularIteration && contraction > kSlowRate && violation <= patience * kSingularViolation * length &&
        now <= patience * kSingularCorrection * length) {
      report.singular = true;
      return report;
    }
    before = now;
  }
  report.status = StepStatus::not_converged;
  return report;
}

/// Consistent velocities, accelerations and multipliers, then the state is handed over.
void GeneralizedAlpha::finish(double h, State& s, StepReport& report) {
  advance(h, s);
  if (wants_projection()) {
    residual_.penalty = 0;
    projection_->factorize(kinematics_);
    projection_->velocities(next_, kinematics_);
    projection_->accelerations(next_, kinematics_, residual_);
    if (residual_.constraint.size()) report.position_violation = residual_.constraint.lpNorm<Eigen::Infinity>();
    a_next_ = ((1 - c_.alpha_f) * next_.a + c_.alpha_f * s.a - c_.alpha_m * a_) / (1 - c_.alpha_m);
  }
  system_.angle_rates(kinematics_, rates_);
  rates_ = s.angles + h * rates_;
  system_.track_angles(kinematics_, rates_, next_.angles);
  a_.swap(a_next_);
  std::swap(s, next_);
}

double GeneralizedAlpha::length_of(const VectorXd& dz) const {
  return dz.size() ? dz.cwiseProduct(lengths_).lpNorm<Eigen::Infinity>() : 0;
}

std::size_t GeneralizedAlpha::bytes() const {
  const std::size_t n = a_.size(), m = dlambda_.size();
  const std::size_t own = 8 * (7 * n + m + 2 * rates_.size()) + sizeof(Matrix3d) * chart_.size();
  const std::size_t state = 8 * (next_.q.size() + 2 * n + m) + sizeof(Frame) * kinematics_.frames.size();
  const std::size_t residual = 8 * (residual_.motion.size() + residual_.constraint.size());
  const std::size_t projection = projection_ ? 8 * (2 * n + 3 * m) + sizeof(Matrix3d) * chart_.size() : 0;
  return newton_.bytes() + own + state + residual + projection;
}

}  // namespace bricard
