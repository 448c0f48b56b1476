// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/equilibrium_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bricard/analysis/consistent_start.h"
#include "bricard/solve/projection.h"

namespace bricard {
namespace {

constexpr int kRestarts = 50;          // of relaxation, with joints closed and multipliers made anew
constexpr int kNewtonIterations = 15;  // per load step
constexpr int kQuickIterations = 4;    // of direct solutions
constexpr int kFewIterations = 6;      // of load steps after which the next is longer
constexpr int kRelaxationSteps = 2000;

}  // namespace

double EquilibriumSolver::force_of(const VectorXd& motion) const {
  double largest = 0;
  for (const Manifold::Block& b : system_.manifold().blocks()) {
    if (b.kind == Manifold::Kind::state) continue;
    const double unit = b.kind == Manifold::Kind::rotation ? system_.reference_length : 1;
    largest = std::max(largest, motion.segment(b.v, b.size).lpNorm<Eigen::Infinity>() / unit);
  }
  for (const StateInfo& x : system_.states)  // a rate of its usual size per second as a force: m_r ℓ_r per s²
    largest = std::max(largest, std::abs(motion[x.v]) / x.scale * system_.reference_mass * system_.reference_length);
  return largest;
}

double EquilibriumSolver::extent_of(const State& s) const {
  double extent = system_.reference_length;
  for (const FrameNode& node : system_.nodes())
    if (node.block >= 0)
      extent = std::max(extent, (s.q.segment<3>(node.q) - s.q.segment<3>(system_.nodes()[1].q)).norm());
  return extent;
}

double EquilibriumSolver::size_of(const VectorXd& dz, double length) const {
  double largest = 0;
  for (const Manifold::Block& b : system_.manifold().blocks()) {
    if (b.kind == Manifold::Kind::state) continue;  // may jump
    const double unit = b.kind == Manifold::Kind::rotation ? 1 : length;
    largest = std::max(largest, dz.segment(b.v, b.size).lpNorm<Eigen::Infinity>() / unit);
  }
  return largest;
}

/// Loads alone and reactions alone: the larger of both, so that a residual of 1 is nothing balanced
/// at all.
void EquilibriumSolver::set_reference_force() {
  trial_ = s_;
  trial_.lambda.setZero();
  system_.update(trial_, k_);
  system_.residual(k_, trial_r_);
  const double loads = force_of(trial_r_.motion);
  system_.update(s_, k_);
  system_.residual(k_, r_);
  const VectorXd reactions = r_.motion - trial_r_.motion;
  const double stiffness = system_.reference_stiffness * system_.reference_length;
  reference_force_ = std::max({loads, force_of(reactions), 1e-6 * stiffness, 1e-12 * system_.reference_mass});
}

// The multipliers that leave the least out of balance, in the metric of the masses: those of the
// first moment of motion.
void EquilibriumSolver::estimate_multipliers() {
  s_.lambda.setZero();
  evaluate(s_, r_);
  NewtonForm form;
  form.a = 1;
  form.scale = system_.reference_mass;
  newton_.factorize(k_, no_chart_, form);
  r_.constraint.setZero();
  newton_.correction(r_, dz_, dlambda_);
  ++report.iterations;
  if (dlambda_.allFinite()) s_.lambda = dlambda_;
}

void EquilibriumSolver::factorize(double mass_weight) {
  NewtonForm form;
  form.q = 1;
  form.a = mass_weight;
  form.at_rest = true;
  form.scale = std::max(mass_weight * system_.reference_mass,
                        std::max(system_.reference_stiffness, reference_force_ / system_.reference_length));
  newton_.factorize(k_, no_chart_, form);
  ++report.iterations;
}

void EquilibriumSolver::move() {
  system_.manifold().retract(s_.q, dz_, trial_.q);
  for (const StateInfo& x : system_.states) trial_.v[x.v] = s_.v[x.v] + dz_[x.v];
  trial_.lambda = s_.lambda + dlambda_;
  carry_over(s_, trial_);
  evaluate(trial_, trial_r_);
}

//     |r_i| ≤ c ε (Σ |∂r_i/∂q_j| |q_j| + Σ |G_ji| |λ_j|)
// is what coordinates and reactions that are rounded to double numbers leave: there is nothing better. Only what exceeds it has to
// be nearly balanced: rows in which nothing is stiff have next to no round-off, and must not have to do with less than others.
bool EquilibriumSolver::is_round_off(const Residual& r) {
  system_.update(s_, k_);
  tangent().evaluate(k_, 1, 0, 0);
  VectorXd sizes = VectorXd::Ones(system_.velocities());  // of rotations
  for (const Manifold::Block& b : system_.manifold().blocks())
    if (b.kind == Manifold::Kind::vector) sizes.segment(b.v, b.size) = s_.q.segment(b.q, b.size).cwiseAbs();
    else if (b.kind == Manifold::Kind::state) sizes.segment(b.v, b.size) = s_.v.segment(b.v, b.size).cwiseAbs();
  VectorXd noise = SparseRows(tangent_->S().cwiseAbs()) * sizes;
  noise += SparseRows(tangent_->reactions().cwiseAbs()).transpose() * s_.lambda.cwiseAbs();
  noise *= t_.round_offs * std::numeric_limits<double>::epsilon();
  const VectorXd excess = (r.motion.head(noise.size()).cwiseAbs() - noise).cwiseMax(0);
  return gap_of(r) <= t_.nearly_balanced && force_of(excess) <= t_.nearly_balanced * reference_force_;
}

/// Newton's method; false if it does not converge or would jump. A thin beam that is bent by w gets a residual of EA w² by it,
/// which the next correction takes away: residuals do not tell whether a step was good, corrections do.
bool EquilibriumSolver::newton(int most_iterations) {
  evaluate(s_, r_);
  const double extent = extent_of(s_);
  for (int i = 0; i < most_iterations && error_of(r_) > t_.balance; ++i) {
    factorize(0);
    newton_.correction(r_, dz_, dlambda_);
    const double size = size_of(dz_, extent);
    if (!dz_.allFinite() || !dlambda_.allFinite() || size > t_.largest_correction) break;
    move();
    take_trial();
    if (size < t_.settled && is_nearly_balanced(r_)) break;
  }
  return is_nearly_balanced(r_);
}

void EquilibriumSolver::take_trial() {
  s_.q = trial_.q;
  s_.v = trial_.v;
  s_.lambda = trial_.lambda;
  system_.track_angles(k_, s_.angles, s_.angles);
  std::swap(r_, trial_r_);
}

/// By the polynomial through the last equilibria, three at most: a straight line would stretch a beam that bends.
void EquilibriumSolver::extrapolate(const std::vector<LoadStep>& found, double kappa) {
  const State& last = found.back().s;
  VectorXd way = VectorXd::Zero(system_.velocities()), from_last = way;
  VectorXd lambda = VectorXd::Zero(system_.multipliers());
  const auto first = found.end() - std::min<std::ptrdiff_t>(3, static_cast<std::ptrdiff_t>(found.size()));
  for (auto i = first; i != found.end(); ++i) {
    double weight = 1;
    for (auto j = first; j != found.end(); ++j)
      if (j != i) weight *= (kappa - j->kappa) / (i->kappa - j->kappa);
    system_.manifold().difference(last.q, i->s.q, from_last);
    way += weight * from_last;
    lambda += weight * i->s.lambda;
  }
  system_.manifold().retract(last.q, way, s_.q);
  s_.lambda = lambda;
}

bool EquilibriumSolver::step_loads() {
  set_reference_force();
  missing_.setZero();
  evaluate(s_, r_);
  const VectorXd r0 = r_.motion;
  double step = 1;  // the whole load first
  std::vector<LoadStep> found{{0, s_}};
  while (found.back().kappa < 1) {
    const double kappa = found.back().kappa, next = std::min(1.0, kappa + step);
    missing_ = (1 - next) * r0;
    s_ = found.back().s;
    set_reference_force();
    if (found.size() > 2) extrapolate(found, next);
    const long before = report.iterations;
    const bool direct = step == 1 && kappa == 0;
    if (newton(direct ? kQuickIterations : kNewtonIterations)) {
      found.push_back({next, s_});
      ++report.load_steps;
      if (report.iterations - before <= kFewIterations) step *= 2;
      continue;
    }
    step = direct ? 0.125 : step / 2;
    if (step < t_.smallest_load_step) break;
  }
  s_ = found.back().s;
  missing_.setZero();
  report.load_reached = found.back().kappa;
  return report.load_reached >= 1;
}

void EquilibriumSolver::measure_path(int input, double range) {
  input_ = input;
  range_ = range;
  metric_ = VectorXd::Zero(system_.velocities());
  const double extent = extent_of(s_);
  for (const Manifold::Block& b : system_.manifold().blocks())
    if (b.kind != Manifold::Kind::state)
      metric_.segment(b.v, b.size).setConstant(b.kind == Manifold::Kind::rotation ? 1 : 1 / (extent * extent));
  metric_ /= static_cast<double>(system_.manifold().blocks().size());
  missing_.setZero();
}

/// S (∂z/∂p, ∂λ/∂p) = −(∂r/∂p, 0) with the matrix that was factorized last, at k_.
void EquilibriumSolver::respond_to_load() {
  system_.input_derivative(k_, input_, trial_r_);
  trial_r_.constraint.setZero();
  newton_.correction(trial_r_, with_load_, lambda_with_load_);
}

PathDirection EquilibriumSolver::direction() {
  evaluate(s_, r_);
  factorize(0);
  respond_to_load();
  PathDirection way{with_load_, 1};
  const double length = std::sqrt(product(way, way));
  return {way.motion / length, way.load / length};
}

double EquilibriumSolver::stiffness_of(const VectorXd& z) {
  evaluate(s_, r_);
  tangent().evaluate(k_, 0, 0, 1);
  const VectorXd image = tangent().S() * z;
  factorize(0);
  trial_r_.motion.setZero();
  trial_r_.motion.head(z.size()) = -image;
  trial_r_.constraint.setZero();
  newton_.correction(trial_r_, dz_, dlambda_);
  return z.dot(image) / image.dot(dz_);
}

void EquilibriumSolver::go_along(const State& from, const PathDirection& direction, double distance) {
  s_ = from;
  system_.manifold().retract(from.q, distance * direction.motion, s_.q);
  s_.inputs[input_] = from.inputs[input_] + distance * direction.load;
}

// With the correction dz of r alone, and what p adds,
//     δz = dz + δp ∂z/∂p,   ⟨ẏ, (T(δ)⁻¹ δz, δp)⟩ = s − ⟨ẏ, y − y₀⟩,    q = q₀∘Exp(δ)
// so that the matrix may be singular in the direction of the path, as it is at a limit point.
bool EquilibriumSolver::correct_on_path(const State& from, const PathDirection& direction, double distance) {
  set_reference_force();
  const double extent = extent_of(s_);
  PathDirection way{dz_, 0}, per_load{dz_, 1}, correction{dz_, 0};
  for (int i = 0; i < kNewtonIterations; ++i) {
    evaluate(s_, r_);
    factorize(0);
    newton_.correction(r_, dz_, dlambda_);
    respond_to_load();
    system_.manifold().difference(from.q, s_.q, way.motion);
    way.load = s_.inputs[input_] - from.inputs[input_];
    system_.manifold().apply_tangent_inverse(way.motion, dz_, correction.motion);
    system_.manifold().apply_tangent_inverse(way.motion, with_load_, per_load.motion);
    const double dp =
        (distance - product(direction, way) - product(direction, correction)) / product(direction, per_load);
    dz_ += dp * with_load_;
    dlambda_ += dp * lambda_with_load_;
    const double size = std::max(size_of(dz_, extent), std::abs(dp) / range_);
    if (!dz_.allFinite() || !dlambda_.allFinite() || !(size <= t_.largest_correction)) return false;
    move();
    take_trial();
    s_.inputs[input_] += dp;
    evaluate(s_, r_);
    if (size < t_.settled && is_nearly_balanced(r_)) return true;
  }
  return false;
}

/// −M v/h of the motion so far in the places of its inertia: r with a = −v/h.
void EquilibriumSolver::evaluate_falling(double weight, const VectorXd& velocity) {
  trial_ = s_;
  trial_.a = -std::sqrt(weight) * velocity;
  for (const StateInfo& x : system_.states) trial_.a[x.v] = 0;
  evaluate(trial_, r_);
  trial_.a.setZero();
}

/// Implicit steps h of M z̈ = −r, w = 1/h², one linear system each:
///     (w M + K) dz + Gᵀdλ = −r + w h M v,   G dz = −g,   v = dz/h
/// What falls may fall freely until forces hold it back, where all velocities are taken away (kinetic damping). Steps grow
/// while they turn nothing far, until they are Newton's.
bool EquilibriumSolver::relax() {
  missing_.setZero();
  set_reference_force();
  evaluate(s_, r_);
  double error = error_of(r_);
  const double extent = extent_of(s_);
  // the first step moves about a tenth of the reference length
  double weight = 10 * reference_force_ / (system_.reference_mass * system_.reference_length);
  const double start_weight = weight, heaviest = 1e6 * weight, lightest = 1e-10 * weight;
  int restarts = 0;
  VectorXd velocity = VectorXd::Zero(system_.velocities());
  for (int i = 0; i < kRelaxationSteps; ++i) {
    if (error <= t_.balance) return true;
    evaluate_falling(weight, velocity);
    factorize(weight);
    newton_.correction(r_, dz_, dlambda_);
    ++report.relaxation_steps;
    const double size = size_of(dz_, extent);
    bool good = dz_.allFinite() && dlambda_.allFinite() && size <= t_.largest_turn;
    if (good) {
      move();
      good = trial_r_.motion.allFinite() && gap_of(trial_r_) <= t_.largest_gap;
    }
    if (!good) {
      weight *= 4;
      velocity.setZero();
      if (weight <= heaviest) continue;
      evaluate(s_, r_);
      if (const bool found = is_nearly_balanced(r_); found || restarts++ == kRestarts) return found;
      close_joints();
      set_reference_force();
      error = error_of(r_);
      weight = start_weight;
      continue;
    }
    const double next = error_of(trial_r_);
    const bool stalls = next > 0.5 * error && weight < 1e-6 * start_weight;
    take_trial();
    error = next;
    if (stalls && is_nearly_balanced(r_)) return true;
    velocity = std::sqrt(weight) * dz_;
    if (r_.motion.head(dz_.size()).dot(dz_) > 0) velocity.setZero();
    if (size < 0.25 * t_.largest_turn) weight = std::max(lightest, 0.6 * weight);
    if (i % 20 == 19) set_reference_force(), evaluate(s_, r_), error = error_of(r_);
  }
  return is_nearly_balanced(r_);
}

/// Multipliers that have grown with the gaps of long steps make a stiffness that no step can live with: both are made
/// anew.
void EquilibriumSolver::close_joints() {
  StartReport ignored;
  assemble_positions(system_, SolverType::automatic, s_, ignored);
  estimate_multipliers();
}

/// Moves s along a direction and closes the joints again.
void EquilibriumSolver::kick(const VectorXd& way) {
  system_.manifold().retract(s_.q, t_.kick / std::max(1e-300, size_of(way, system_.reference_length)) * way, s_.q);
  close_joints();
}

/// Of all multipliers that balance the loads those of least norm, as a run has them.
void EquilibriumSolver::share_reactions(SolverType solver) {
  NewtonSystem shares(system_, solver);
  Projection projection(system_, shares);
  State loaded = s_;
  loaded.a.setZero();
  evaluate(loaded, r_);
  projection.factorize_anew(k_);
  if (shares.redundant_rows() == 0) return;
  projection.multipliers(loaded, k_, r_);
  evaluate(loaded, trial_r_);
  evaluate(s_, r_);
  if (error_of(trial_r_) <= std::max(t_.nearly_balanced, error_of(r_))) s_.lambda = loaded.lambda;
}

}  // namespace bricard
