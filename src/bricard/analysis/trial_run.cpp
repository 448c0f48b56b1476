// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/trial_run.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bricard/analysis/simulate.h"
#include "bricard/analysis/verdict.h"
#include "bricard/integrate/integrator.h"
#include "bricard/integrate/step_control.h"

namespace bricard {
namespace {

constexpr double kTrialTolerance = 1e-2;  // what a suggested step aims at
// At most: the beginning of a long run stands for it, and a shorter one of a large system, as a check should not take longer
// than it takes to read the model. kWork: steps times velocities, of large systems some tenths of a second.
constexpr size_t kMostSteps = 300, kFewestSteps = 5;
constexpr double kWork = 3e5;
constexpr double kFirst = 0.01;  // step, of the duration
constexpr size_t kShorter = 10;  // one step in so many may be shorter: jumps, and the first steps

constexpr int kTries = 4;
constexpr double kMostConfirmed = 1000;   // steps that a run is followed with the step that is to be suggested
constexpr double kConfirmingWork = 6e5;   // as kWork: steps that are not refused cost less
constexpr double kFewestConfirmed = 300;  // fewer would tell too little: large systems go without
constexpr double kMargin = 0.5;           // of what a verdict allows

size_t most_steps(const System& system, double work, double most) {
  const double affordable = work / std::max(1, system.velocities());
  return static_cast<size_t>(std::clamp(affordable, static_cast<double>(kFewestSteps), most));
}

/// How much of what a good run may be off by this one would be off by at its end: errors of all steps add up, as what
/// the energy loses does.
double part_of_limits(const System& system, const RunSettings& settings, const RunReport& report, double duration) {
  const double energy = report.energy_turned_over > 0 ? report.max_energy_defect / report.energy_turned_over : 0;
  const double part = std::max(energy / energy_limit(settings), report.position_error / position_limit(system));
  return part * duration / settings.duration;
}

}  // namespace

double measure_step(const System& system, const State& start, double duration) {
  RunSettings settings;
  settings.integrator = IntegratorType::hht;  // the default of a run with the step that is suggested
  settings.duration = duration;
  settings.step = kFirst * duration;
  settings.rtol = kTrialTolerance;
  if (!why_not(system, settings).empty()) return 0;
  const std::unique_ptr<Integrator> integrator = make_integrator(system, settings);
  StepControl control(system, settings);
  const size_t most = most_steps(system, kWork, kMostSteps);
  State s = start;
  integrator->start(s);
  std::vector<double> steps;
  const double end = start.t + duration;
  for (size_t i = 0; i < 2 * most && steps.size() < most && end - s.t > 1e-9 * duration; ++i) {
    const double h = control.propose(s.t, end);
    StepReport report = integrator->attempt(h, s);
    if (report.status != StepStatus::accepted) {
      control.failed();
    } else if (control.accept(integrator->local_error())) {
      integrator->accept(s, report);
      if (report.status != StepStatus::accepted) break;
      steps.push_back(h);
    }
    if (control.underflow()) break;
  }
  const bool followed = steps.size() == most || !(end - s.t > 1e-9 * duration);
  if (!followed || steps.empty()) return 0;
  std::sort(steps.begin(), steps.end());
  return steps[steps.size() / kShorter];
}

// Errors fall with h²: so does the part of the limits, on which the next guess is based.
ConfirmedStep confirm_step(const System& system, const State& start, double duration, double guess) {
  ConfirmedStep found{std::min(guess, duration), 0, ""};
  RunSettings settings;
  settings.integrator = IntegratorType::hht;
  if (!why_not(system, settings).empty()) return found;
  const double most = static_cast<double>(most_steps(system, kConfirmingWork, kMostConfirmed));
  if (most < kFewestConfirmed) return found;
  for (int i = 1;; ++i) {
    settings.step = found.step;
    settings.duration = settings.output_step.emplace(std::min(duration, most * found.step));
    const RunReport report = simulate(system, start, settings).report;
    const double part = part_of_limits(system, settings, report, duration);
    found.followed = report.end_time - start.t;
    found.doubt = !report.finished ? report.stopped_because : report.doubts.empty() ? "" : report.doubts[0].text;
    if (found.doubt.empty() && part > 1) found.doubt = "what its steps are off by adds up over the run; use rtol";
    if (i == kTries || (part <= kMargin && found.doubt.empty())) return found;
    found.step *= std::clamp(std::sqrt(0.5 * kMargin / part), 0.1, 0.5);
  }
}

}  // namespace bricard
