// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulation.h"
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
  State s = start;
  StaticReport found = find_equilibrium(system, settings.solver, s);
  const auto begun = Clock::now();
  std::vector<std::string> remarks;
  std::string problem = found.problem;
  if (found.found) remarks.push_back(found.text());
  Stability last = found.stability;
  SequenceCount count;
  if (found.found) count.add(found);
  FollowedSteps steps;
  steps.most_halvings = kMostHalvings;
  steps.stands_still = true;
  steps.advance = [&](double t, State& next) {
    StepReport step;
    next.t = t;
    StartReport closed;
    assemble_positions(system, SolverType::automatic, next, closed);
    if (closed.assembled) found = find_equilibrium(system, settings.solver, next);
    step.iterations = closed.assembled ? static_cast<int>(found.iterations) : 0;
    problem = closed.assembled ? found.problem : closed.problem;
    if (!closed.assembled || !found.found) {
      step.status = StepStatus::not_converged;
      return step;
    }
    count.add(found);
    if (found.stability != last && remarks.size() < kMostRemarks)
      remarks.push_back(fmt::format("from t = {:.6g} s: {}", next.t, found.text()));
    last = found.stability;
    return step;
  };
  steps.why_not = [&](const State&, double t) { return fmt::format("t = {:.6g} s: {}", t, problem); };
  const long first_iterations = found.iterations;
  const bool begins = found.found;
  Simulation simulation(system, s, settings, hooks, steps);
  while (sequence && begins && simulation.step()) {
  }
  Results results = simulation.finish();
  RunReport& report = results.report;
  if (!begins) report.stopped_because = fmt::format("t = {:.6g} s: {}", s.t, problem);
  if (sequence && report.steps > 0) remarks.push_back(count.text());
  report.remarks.insert(report.remarks.begin(), remarks.begin(), remarks.end());
  report.finished = report.stopped_because.empty();
  ++report.steps;
  report.iterations += first_iterations;
  report.integrator = "static";
  report.solver = "newton";
  report.linear.factorizations = report.linear.solves = report.iterations;
  report.seconds["stepping"] += std::chrono::duration<double>(begun - begin).count();
  return results;
}

}  // namespace bricard
