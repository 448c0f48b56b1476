// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/statics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/equilibrium_solver.h"
#include "bricard/analysis/modes.h"
#include "bricard/analysis/name_list.h"

namespace bricard {
namespace {

constexpr double kToldFrom = 1e-6, kFar = 0.5;  // of moves, in reference lengths or rad
constexpr size_t kMostNames = 3;                // of what moves, in a sentence

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

SoftestMotion softest_motion(const System& system, const State& s, double neutral) {
  if (!system.states.empty())
    if (const auto motion = slowest_motion_with_states(system, s)) return *motion;
  const ModeRange range = find_mode_range(system, s);
  if (!range.any()) return {};
  const Mode& softest = range.softest[0];
  const double limit = neutral * std::max(std::abs(range.fastest[0].stiffness), 1e-3);
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

StaticReport find_equilibrium(const System& system, SolverType type, State& s, const StaticTolerances& tolerances) {
  EquilibriumSolver solver(system, type, s, tolerances);
  StaticReport& report = solver.report;
  const State start = s;
  solver.estimate_multipliers();
  report.found = solver.step_loads();
  if (!report.found) report.found = solver.relax();
  SoftestMotion soft;
  for (int attempt = 0; attempt < 4 && report.found; ++attempt) {
    soft = softest_motion(system, s, tolerances.neutral);
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

}  // namespace bricard
