// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/followed_steps.h"
#include "bricard/analysis/statics.h"

namespace bricard {
namespace {

constexpr int kMostHalvings = 8;
constexpr size_t kMostRemarks = 20;

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
  Stability last = found.stability;
  SequenceCount count;
  if (found.found) count.add(found);
  FollowedSteps steps;
  steps.most_halvings = kMostHalvings;
  std::string problem;
  steps.advance = [&](double t, State& next) {
    next.t = t;
    StartReport closed;
    assemble_positions(system, SolverType::automatic, next, closed);
    if (closed.assembled) found = find_equilibrium(system, settings.solver, next);
    report.iterations += found.iterations;
    problem = closed.assembled ? found.problem : closed.problem;
    if (!closed.assembled || !found.found) return false;
    count.add(found);
    if (found.stability != last && report.remarks.size() < kMostRemarks)
      report.remarks.push_back(fmt::format("from t = {:.6g} s: {}", next.t, found.text()));
    last = found.stability;
    return true;
  };
  steps.why_not = [&](const State&, double t) { return fmt::format("t = {:.6g} s: {}", t, problem); };
  if (sequence) follow(settings, hooks, steps, recorder, report, s);
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
