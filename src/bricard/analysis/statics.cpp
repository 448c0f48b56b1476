// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/statics.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <optional>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/modes.h"
#include "bricard/analysis/name_list.h"
#include "bricard/analysis/recorder.h"
#include "bricard/solve/projection.h"

namespace bricard {
namespace {

constexpr double kTolerance = 1e-11;   // of forces relative to those that balance, of |g| per reference length
constexpr double kGoodEnough = 1e-8;   // accepted when round-off stops progress
constexpr double kLargestMove = 0.2;   // per correction: reference lengths, rad
constexpr double kLargestTurn = 0.5;   // per step of relaxation: rad, or distances between bodies
constexpr double kLargestGap = 0.2;    // left by such a step in a joint: reference lengths
constexpr int kRestarts = 50;          // of relaxation, with joints closed and multipliers made anew
constexpr int kNewtonIterations = 15;  // per load step
constexpr int kQuickIterations = 4;    // direct solutions, and load steps after which the next is longer
constexpr double kSmallestLoadStep = 1.0 / 256;
constexpr int kRelaxationSteps = 2000;
constexpr double kNeutral = 1e-12;  // stiffness relative to the largest; thin beams have 1e-10, round-off is 1e-14
constexpr double kKick = 0.05;      // reference lengths or rad: out of an unstable equilibrium
constexpr double kToldFrom = 1e-6, kFar = 0.5;  // of moves, in reference lengths or rad
constexpr size_t kMostNames = 3;                // of what moves, in a sentence

class EquilibriumSolver {
 public:
  EquilibriumSolver(const System& system, SolverType solver, State& s)
      : system_(system), s_(s), trial_(s), newton_(system, solver), k_(system.make_kinematics()),
        r_(system.make_residual()), trial_r_(system.make_residual()),
        no_chart_(system.nodes().size(), Matrix3d::Identity()), missing_(VectorXd::Zero(r_.motion.size())),
        dz_(VectorXd::Zero(system.velocities())), dlambda_(VectorXd::Zero(system.multipliers())) {
    system_.stop(s_);
    s_.a.setZero();
    trial_ = s_;
  }

  bool step_loads();
  bool relax();
  void estimate_multipliers();
  void kick(const VectorXd& way);
  void close_joints();
  void share_reactions(SolverType solver);
  double out_of_balance() { return evaluate(s_, r_), force_of(r_.motion); }
  const VectorXd& last_move() const { return dz_; }
  StaticReport report;

 private:
  /// r − missing and g.
  void evaluate(const State& s, Residual& r) {
    system_.update(s, k_);
    system_.residual(k_, r);
    r.motion -= missing_;
  }
  /// The largest force, torques as forces at ℓ.
  double force_of(const VectorXd& motion) const;
  /// The largest turn, and displacement per `length`.
  double size_of(const VectorXd& dz, double length) const;
  /// The reference length, or how far bodies are apart.
  double extent_of(const State& s) const;
  double gap_of(const Residual& r) const {
    return r.constraint.size() ? r.constraint.lpNorm<Eigen::Infinity>() / system_.reference_length : 0;
  }
  /// Residual relative to the forces that balance each other, and gap relative to ℓ.
  double error_of(const Residual& r) const { return std::max(force_of(r.motion) / reference_force_, gap_of(r)); }
  void set_reference_force();
  void factorize(double mass_weight);
  void move(double fraction);
  void take_trial();
  void evaluate_falling(double weight, const VectorXd& velocity);
  bool newton(int most_iterations);

  const System& system_;
  State& s_;
  State trial_;
  NewtonSystem newton_;
  Kinematics k_;
  Residual r_, trial_r_;
  std::vector<Matrix3d> no_chart_;
  VectorXd missing_;  ///< (1 − κ) r₀
  VectorXd dz_, dlambda_;
  double reference_force_ = 1;
};

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

void EquilibriumSolver::move(double fraction) {
  system_.manifold().retract(s_.q, fraction * dz_, trial_.q);
  for (const StateInfo& x : system_.states) trial_.v[x.v] = s_.v[x.v] + fraction * dz_[x.v];
  trial_.lambda = s_.lambda + fraction * dlambda_;
  carry_over(s_, trial_);
  evaluate(trial_, trial_r_);
}

/// Newton's method with a line search; false if it does not converge or would jump.
bool EquilibriumSolver::newton(int most_iterations) {
  evaluate(s_, r_);
  double error = error_of(r_);
  for (int i = 0; i <= most_iterations; ++i) {
    if (error <= kTolerance) return true;
    if (i == most_iterations) break;
    factorize(0);
    newton_.correction(r_, dz_, dlambda_);
    if (!dz_.allFinite() || !dlambda_.allFinite() || size_of(dz_, system_.reference_length) > kLargestMove)
      return error <= kGoodEnough;
    double fraction = 1, next = INFINITY;
    for (int halving = 0; halving < 6; ++halving, fraction /= 2) {
      move(fraction);
      next = error_of(trial_r_);
      if (next < (1 - 0.1 * fraction) * error) break;
    }
    if (!(next < error)) return error <= kGoodEnough;
    take_trial();
    error = next;
  }
  return error <= kGoodEnough;
}

void EquilibriumSolver::take_trial() {
  s_.q = trial_.q;
  s_.v = trial_.v;
  s_.lambda = trial_.lambda;
  system_.track_angles(k_, s_.angles, s_.angles);
  std::swap(r_, trial_r_);
}

bool EquilibriumSolver::step_loads() {
  set_reference_force();
  missing_.setZero();
  evaluate(s_, r_);
  const VectorXd r0 = r_.motion;
  double kappa = 0, step = 1;  // the whole load first
  State last = s_;
  while (kappa < 1) {
    const double next = std::min(1.0, kappa + step);
    missing_ = (1 - next) * r0;
    set_reference_force();
    const long before = report.iterations;
    const bool direct = step == 1 && kappa == 0;
    if (newton(direct ? kQuickIterations : kNewtonIterations)) {
      kappa = next;
      last = s_;
      ++report.load_steps;
      if (report.iterations - before <= kQuickIterations) step *= 2;
      continue;
    }
    s_ = last;
    step = direct ? 0.125 : step / 2;
    if (step < kSmallestLoadStep) break;
  }
  missing_.setZero();
  report.load_reached = kappa;
  return kappa >= 1;
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
    if (error <= kTolerance) return true;
    evaluate_falling(weight, velocity);
    factorize(weight);
    newton_.correction(r_, dz_, dlambda_);
    ++report.relaxation_steps;
    const double size = size_of(dz_, extent);
    bool good = dz_.allFinite() && dlambda_.allFinite() && size <= kLargestTurn;
    if (good) {
      move(1);
      good = trial_r_.motion.allFinite() && gap_of(trial_r_) <= kLargestGap;
    }
    if (!good) {
      weight *= 4;
      velocity.setZero();
      if (weight <= heaviest) continue;
      if (error <= kGoodEnough || restarts++ == kRestarts) return error <= kGoodEnough;
      close_joints();
      set_reference_force();
      error = error_of(r_);
      weight = start_weight;
      continue;
    }
    const double next = error_of(trial_r_);
    if (next > 0.5 * error && error <= kGoodEnough && weight < 1e-6 * start_weight) return true;  // round-off
    take_trial();
    error = next;
    velocity = std::sqrt(weight) * dz_;
    if (r_.motion.head(dz_.size()).dot(dz_) > 0) velocity.setZero();
    if (size < 0.25 * kLargestTurn) weight = std::max(lightest, 0.6 * weight);
    if (i % 20 == 19) set_reference_force(), evaluate(s_, r_), error = error_of(r_);
  }
  return error <= kGoodEnough;
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
  system_.manifold().retract(s_.q, kKick / std::max(1e-300, size_of(way, system_.reference_length)) * way, s_.q);
  close_joints();
}

/// Of all multipliers that balance the loads those of least norm, as a run has them.
void EquilibriumSolver::share_reactions(SolverType solver) {
  NewtonSystem shares(system_, solver);
  Projection projection(system_, shares, {});
  State loaded = s_;
  loaded.a.setZero();
  evaluate(loaded, r_);
  projection.factorize_anew(k_);
  if (shares.redundant_rows() == 0) return;
  projection.multipliers(loaded, k_, r_);
  evaluate(loaded, trial_r_);
  evaluate(s_, r_);
  if (error_of(trial_r_) <= std::max(kGoodEnough, error_of(r_))) s_.lambda = loaded.lambda;
}

struct SoftestMotion {
  Stability stability = Stability::stable;
  double stiffness = 0;
  VectorXd z;
};

/// With differential states, as of controllers, what grows or decays is told by all eigenvalues of the linear
/// equations: an inverted pendulum is held up by its controller, not by its stiffness.
std::optional<SoftestMotion> slowest_motion_with_states(const System& system, const State& s) {
  State at_rest = s;
  system.stop(at_rest);
  at_rest.a.setZero();
  const LinearizeOptions options;
  LinearEquations equations(system, at_rest, options);
  if (!equations.report().problem.empty() || equations.size() > EigenmodeOptions{}.dense_limit) return {};
  const EigenmodeResult all = find_eigenmodes(equations, system, {});
  if (!all.problem.empty() || all.modes.empty()) return {};
  const auto grows_less = [](const Eigenmode& a, const Eigenmode& b) { return a.s.real() < b.s.real(); };
  const auto moves = [](const Eigenmode& m) { return m.shape.size() > 0 && !m.shape.isZero(0); };
  const auto fastest_growing = std::max_element(all.modes.begin(), all.modes.end(), grows_less);
  const auto slowest_moving = std::find_if(all.modes.begin(), all.modes.end(), moves);
  const StabilityVerdict verdict = judge_stability(all.modes);
  if (verdict.stability == Stability::unstable)
    return SoftestMotion{Stability::unstable, -std::norm(fastest_growing->s), fastest_growing->shape.real()};
  if (slowest_moving == all.modes.end()) return SoftestMotion{};
  const Stability stability = verdict.zeros > 0 ? Stability::neutral : Stability::stable;
  return SoftestMotion{stability, std::norm(slowest_moving->s), slowest_moving->shape.real()};
}

SoftestMotion softest_motion(const System& system, const State& s) {
  if (!system.states.empty())
    if (const auto motion = slowest_motion_with_states(system, s)) return *motion;
  const ModeRange range = find_mode_range(system, s);
  if (!range.any()) return {};
  const Mode& softest = range.softest[0];
  const double limit = kNeutral * std::max(std::abs(range.fastest[0].stiffness), 1e-3);
  const Stability stability = softest.stiffness > limit    ? Stability::stable
                              : softest.stiffness < -limit ? Stability::unstable
                                                           : Stability::neutral;
  return {stability, softest.stiffness, softest.z};
}

std::string failure_text(const System& system, const State& s, EquilibriumSolver& solver) {
  const std::string moving = name_list(moving_parts(system, s, solver.last_move()), kMostNames);
  return fmt::format("no equilibrium was found: {:.3g} N are still out of balance{}. Look for bodies that nothing "
                     "holds up, and for "
                     "forces without a counterforce.",
                     solver.out_of_balance(), moving.empty() ? "" : ", moving " + moving);
}

/// Turns count as the way of a point at the reference length.
void find_farthest(const System& system, const State& from, const State& to, StaticReport& report) {
  VectorXd way(system.velocities());
  system.manifold().difference(from.q, to.q, way);
  double farthest = kToldFrom;
  for (const FrameNode& node : system.nodes()) {
    if (node.block < 0) continue;
    const double distance = way.segment<3>(node.v).norm(), angle = way.segment<3>(node.v + 3).norm();
    const double size = std::max(distance / system.reference_length, angle);
    if (size <= farthest) continue;
    farthest = size;
    report.farthest = {node.name, distance, angle > kToldFrom ? angle : 0, 0, 0};
  }
  report.is_far = farthest > kFar;
}

}  // namespace

std::string StaticReport::way() const {
  if (load_reached < 1)
    return fmt::format("load stepping stopped at {:.0f} % of the load after {} steps, found in {} relaxation steps",
                       100 * load_reached, load_steps, relaxation_steps);
  const std::string loading = load_steps == 1 ? "found directly" : fmt::format("found in {} load steps", load_steps);
  if (relaxation_steps == 0) return loading;
  return fmt::format("an unstable one was {}, left in {} relaxation steps", loading, relaxation_steps);
}

std::string StaticReport::text() const {
  std::string effort = fmt::format("{}, {:.2g} N out of balance", way(), out_of_balance);
  if (!farthest.body.empty())
    effort += fmt::format("; {} moved {}, by {:.3g} m and {:.3g}°", farthest.body, is_far ? "far" : "most",
                          farthest.distance, farthest.angle * 180 / std::numbers::pi);
  switch (stability) {
    case Stability::stable:
      return lowest_frequency > 0 ? fmt::format("stable equilibrium, softest motion {:.4g} rad/s ({}); {}",
                                                lowest_frequency, direction, effort)
                                  : fmt::format("equilibrium, nothing can move; {}", effort);
    case Stability::neutral:
      return fmt::format("neutral equilibrium: {} can move without any force; {}", direction, effort);
    case Stability::unstable: return fmt::format("unstable equilibrium: {} moves away; {}", direction, effort);
  }
  return "";
}

StaticReport find_equilibrium(const System& system, SolverType type, State& s) {
  EquilibriumSolver solver(system, type, s);
  StaticReport& report = solver.report;
  const State start = s;
  solver.estimate_multipliers();
  report.found = solver.step_loads();
  if (!report.found) report.found = solver.relax();
  SoftestMotion soft;
  for (int attempt = 0; attempt < 4 && report.found; ++attempt) {
    soft = softest_motion(system, s);
    if (soft.stability != Stability::unstable) break;
    const State unstable = s;
    solver.kick(soft.z);
    if (solver.relax()) continue;
    s = unstable;  // there is no stable one near by: say so
    break;
  }
  if (!s.q.allFinite()) s = start;
  if (report.found) solver.share_reactions(type);
  find_farthest(system, start, s, report);
  report.out_of_balance = solver.out_of_balance();
  if (!report.found) report.problem = failure_text(system, s, solver);
  report.stability = soft.stability;
  if (soft.z.size()) report.direction = name_list(moving_parts(system, s, soft.z), kMostNames);
  if (soft.stability == Stability::stable && soft.stiffness > 0) report.lowest_frequency = std::sqrt(soft.stiffness);
  return report;
}

namespace {

/// How the equilibria of a sequence were found.
struct SequenceCount {
  int direct = 0, by_load_steps = 0, by_relaxation = 0, most_load_steps = 0;
  void add(const StaticReport& found) {
    if (found.relaxation_steps > 0) ++by_relaxation;
    else ++(found.load_steps == 1 ? direct : by_load_steps);
    most_load_steps = std::max(most_load_steps, found.load_steps);
  }
  std::string text() const {
    return fmt::format("{} equilibria: {} found directly, {} in load steps (at most {}), {} by relaxation",
                       direct + by_load_steps + by_relaxation, direct, by_load_steps, most_load_steps, by_relaxation);
  }
};

}  // namespace

Results solve_statics(const System& system, const State& start, const RunSettings& settings, bool sequence,
                      const SimulationHooks& hooks) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  Results results;
  RunReport& report = results.report;
  State s = start;
  StaticReport found = find_equilibrium(system, settings.solver, s);
  report.steps = 1;
  report.iterations = found.iterations;
  if (found.found) report.remarks.push_back(found.text());
  else report.stopped_because = fmt::format("t = {:.6g} s: {}", s.t, found.problem);
  Recorder recorder(system, settings, s, hooks);
  const double end = start.t + settings.duration;
  Stability last = found.stability;
  SequenceCount count;
  if (found.found) count.add(found);
  int halvings = 0;
  while (sequence && report.stopped_because.empty() && end - s.t > 1e-9 * settings.step) {
    const double goal = recorder.next_time();
    const double whole = std::min(goal - s.t, settings.step);
    const State before = s;
    s.t = halvings == 0 && goal - s.t <= settings.step * (1 + 1e-9) ? goal : s.t + std::ldexp(whole, -halvings);
    StartReport closed;
    assemble_positions(system, SolverType::automatic, s, closed);
    if (closed.assembled) found = find_equilibrium(system, settings.solver, s);
    report.iterations += found.iterations;
    if (!closed.assembled || !found.found) {
      ++report.halved_steps;
      if (++halvings > 8)
        report.stopped_because =
            fmt::format("t = {:.6g} s: {}", s.t, closed.assembled ? found.problem : closed.problem);
      s = before;
      continue;
    }
    if (halvings > 0) --halvings;
    ++report.steps;
    count.add(found);
    if (found.stability != last && report.remarks.size() < 20)
      report.remarks.push_back(fmt::format("from t = {:.6g} s: {}", s.t, found.text()));
    last = found.stability;
    recorder.after_step(before, s);
    if (hooks.progress) hooks.progress({s.t - start.t, settings.duration, report.steps, report.iterations});
    if (hooks.cancelled && hooks.cancelled()) report.stopped_because = fmt::format("interrupted at t = {:.6g} s", s.t);
  }
  if (sequence && report.steps > 1) report.remarks.push_back(count.text());
  report.finished = report.stopped_because.empty();
  report.end_time = s.t;
  report.integrator = "static";
  report.solver = "newton";
  report.linear.factorizations = report.linear.solves = report.iterations;
  report.seconds["stepping"] = std::chrono::duration<double>(Clock::now() - begin).count();
  recorder.hand_over(results);
  for (Sample& sample : results.samples) sample.velocity_violation = 0;  // motions stand still
  report.max_velocity_violation = 0;
  return results;
}

}  // namespace bricard
