// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/simulate.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "bricard/analysis/recorder.h"
#include "bricard/integrate/integrator.h"

namespace bricard {
namespace {

constexpr int kMaxHalvings = 12;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::string failure_text(const StepReport& step, double t, double h) {
  const char* what = step.status == StepStatus::not_finite ? "the equations gave a number that is not finite"
                                                           : "Newton's method did not converge";
  return fmt::format("t = {:.6g} s: {} even with a step of {:.3g} s (last correction {:.3g} m). "
                     "Try a smaller step, or look at the model near this time.", t, what, h, step.correction);
}

}  // namespace

Results simulate(const System& system, const State& start, const RunSettings& settings, const SimulationHooks& hooks) {
  const auto begin = Clock::now();
  Results results;
  RunReport& report = results.report;
  const std::unique_ptr<Integrator> integrator = make_integrator(system, settings);
  Recorder recorder(system, settings, start, hooks);
  report.seconds["prepare"] = seconds_since(begin);

  const double end = start.t + settings.duration;
  State before = start, s = start;
  integrator->start(s);
  double recording = 0;
  int halvings = 0;
  const auto stepping = Clock::now();
  long planned = 1;  // steps end at start + i h, free of accumulated round-off, unless some were halved
  bool on_grid = true;
  while (end - s.t > 1e-9 * settings.step) {
    double target = on_grid ? start.t + planned * settings.step : s.t + settings.step;
    if (target > end - 1e-9 * settings.step) target = end;
    const double h = (target - s.t) / std::ldexp(1.0, halvings);
    before = s;
    const StepReport step = integrator->step(h, s);
    report.iterations += step.iterations;
    if (step.status != StepStatus::accepted) {
      ++report.halved_steps;
      if (++halvings > kMaxHalvings) {
        report.stopped_because = failure_text(step, s.t, h);
        break;
      }
      continue;
    }
    if (halvings == 0) {
      s.t = target;
      ++planned;
    } else {
      on_grid = false;
      --halvings;
    }
    ++report.steps;
    report.singular_steps += step.singular;
    report.max_position_violation = std::max(report.max_position_violation, step.position_violation);
    const auto record_begin = Clock::now();
    recorder.after_step(before, s);
    if (hooks.progress && (report.steps & 63) == 0)
      hooks.progress({s.t - start.t, settings.duration, report.steps, report.iterations});
    recording += seconds_since(record_begin);
    if (hooks.cancelled && hooks.cancelled()) {
      report.stopped_because = fmt::format("interrupted at t = {:.6g} s", s.t);
      break;
    }
  }
  recorder.store_last(s);
  report.finished = report.stopped_because.empty();
  report.end_time = s.t;
  report.seconds["output"] = recording;
  report.seconds["stepping"] = seconds_since(stepping) - recording;
  report.integrator = name_of(settings.integrator);
  report.solver = integrator->solver_name();
  report.linear = integrator->counts();
  recorder.hand_over(results);
  return results;
}

}  // namespace bricard
