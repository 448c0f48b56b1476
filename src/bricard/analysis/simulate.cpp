// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/simulate.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "bricard/analysis/recorder.h"
#include "bricard/analysis/singularity_watch.h"
#include "bricard/integrate/integrator.h"
#include "bricard/integrate/step_control.h"

namespace bricard {
namespace {

constexpr int kMaxHalvings = 12;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// "joint 'B' is off by 0.003 m", of the constraint that is violated most.
std::string violation_text(const System& system, const State& s) {
  Kinematics k = system.make_kinematics();
  Residual r = system.make_residual();
  system.update(s, k);
  system.residual(k, r);
  Eigen::Index row = 0;
  const double largest = r.constraint.size() ? r.constraint.cwiseAbs().maxCoeff(&row) : 0;
  return largest > 0 ? fmt::format(", {} is off by {:.3g} m", system.row_name(static_cast<int>(row)), largest) : "";
}

std::string failure_text(const System& system, const RunSettings& settings, const StepReport& step, const State& s, double h) {
  const char* what = step.status == StepStatus::not_finite ? "the equations gave a number that is not finite"
                     : step.status == StepStatus::diverged ? "the constraints were lost"
                                                           : "Newton's method did not converge";
  const char* advice = is_augmented(settings.integrator)
                           ? "Try another method (ali3 is the most robust of this kind), penalty, omega and xi as the program "
                             "chooses them if they are not given, or a smaller step."
                           : "Try a smaller step, or look at the model near this time.";
  return fmt::format("t = {:.6g} s: {} even with a step of {:.3g} s (last correction {:.3g} m{}). {}", s.t, what, h,
                     step.correction, violation_text(system, s), advice);
}

std::string underflow_text(const StepControl& control, double t) {
  return fmt::format("t = {:.6g} s: the tolerance asks for steps below hmin = {:.3g} s; the {} rules. "
                     "Try a larger rtol, or look for a jump in the model at this time.", t, control.hmin(), control.last_ruling());
}

/// What the loops over steps share.
struct Run {
  const System& system;
  const RunSettings& settings;
  const SimulationHooks& hooks;
  Integrator& integrator;
  Recorder& recorder;
  RunReport& report;
  SingularityWatch watch;
  State before, s;
  double start, end;
  double recording = 0;

  /// Books the accepted step that led from `before` to `s`; false: the user wants to stop.
  bool book(const StepReport& step) {
    ++report.steps;
    report.singular_steps += step.singular;
    report.max_position_violation = std::max(report.max_position_violation, step.position_violation);
    const auto begin = Clock::now();
    watch.after_step(before, s, step.weakest_row);
    recorder.after_step(before, s);
    if (hooks.progress && (report.steps & 63) == 0)
      hooks.progress({s.t - start, settings.duration, report.steps, report.iterations});
    recording += seconds_since(begin);
    if (!hooks.cancelled || !hooks.cancelled()) return true;
    report.stopped_because = fmt::format("interrupted at t = {:.6g} s", s.t);
    return false;
  }

  void with_fixed_steps();
  void with_tolerance();
};

/// Steps end at start + i h, free of accumulated round-off, unless some were halved because Newton's method failed.
void Run::with_fixed_steps() {
  int halvings = 0;
  long planned = 1;
  bool on_grid = true;
  while (end - s.t > 1e-9 * settings.step) {
    double target = on_grid ? start + planned * settings.step : s.t + settings.step;
    if (target > end - 1e-9 * settings.step) target = end;
    const double h = (target - s.t) / std::ldexp(1.0, halvings);
    before = s;
    const StepReport step = integrator.step(h, s);
    report.iterations += step.iterations;
    if (step.status != StepStatus::accepted) {
      ++report.halved_steps;
      if (++halvings > kMaxHalvings) {
        report.stopped_because = failure_text(system, settings, step, s, h);
        return;
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
    if (!book(step)) return;
  }
}

void Run::with_tolerance() {
  StepControl control(system, settings);
  while (end - s.t > 1e-12 * settings.duration) {
    const double h = control.propose(s.t, end);
    before = s;
    StepReport step = integrator.attempt(h, s);
    report.iterations += step.iterations;
    if (step.status != StepStatus::accepted) {
      ++report.halved_steps;
      control.failed();
      if (!control.underflow()) continue;
      report.stopped_because = failure_text(system, settings, step, s, h);
      break;
    }
    if (!control.accept(integrator.local_error())) {
      if (!control.underflow()) continue;
      report.stopped_because = underflow_text(control, s.t);
      break;
    }
    integrator.accept(s, step);
    if (end - s.t < 1e-12 * settings.duration) s.t = end;
    if (!book(step)) break;
  }
  report.rejected_steps = control.rejected();
  report.smallest_step = report.steps ? control.smallest() : 0;
  report.largest_step = control.largest();
  report.ruling_error = control.ruling();
}

}  // namespace

Results simulate(const System& system, const State& start, const RunSettings& settings, const SimulationHooks& hooks) {
  const auto begin = Clock::now();
  Results results;
  RunReport& report = results.report;
  const std::unique_ptr<Integrator> integrator = make_integrator(system, settings);
  Recorder recorder(system, settings, start, hooks);
  report.seconds["prepare"] = seconds_since(begin);

  const auto stepping = Clock::now();
  Run run{system, settings, hooks, *integrator, recorder, report, SingularityWatch(system, settings.solver), start, start, start.t, start.t + settings.duration};
  integrator->start(start);
  settings.rtol ? run.with_tolerance() : run.with_fixed_steps();
  const State& s = run.s;
  const double recording = run.recording;
  recorder.store_last(s);
  report.finished = report.stopped_because.empty();
  report.end_time = s.t;
  report.seconds["output"] = recording;
  report.seconds["stepping"] = seconds_since(stepping) - recording;
  report.integrator = name_of(settings.integrator);
  report.solver = integrator->solver_name();
  report.linear = integrator->counts();
  recorder.hand_over(results);
  run.watch.finish();
  for (const std::string& remark : run.watch.remarks()) report.remarks.push_back(remark);
  return results;
}

}  // namespace bricard
