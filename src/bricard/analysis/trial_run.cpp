// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/trial_run.h"

#include <algorithm>
#include <vector>

#include "bricard/integrate/integrator.h"
#include "bricard/integrate/step_control.h"

namespace bricard {
namespace {

constexpr double kTrialTolerance = 1e-2;  // what a suggested step aims at
// At most: the beginning of a long run stands for it, and a shorter one of a large system, as a check should not take longer
// than it takes to read the model. kWork: steps times velocities, of large systems some tenths of a second.
constexpr size_t kMostSteps = 300, kFewestSteps = 10;
constexpr double kWork = 6e5;
constexpr double kFirst = 0.01;  // step, of the duration
constexpr size_t kShorter = 10;  // one step in so many may be shorter: jumps, and the first steps

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
  const size_t most =
      std::clamp(static_cast<size_t>(kWork / std::max(1, system.velocities())), kFewestSteps, kMostSteps);
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

}  // namespace bricard
