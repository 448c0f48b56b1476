// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/simulate.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "bricard/integrate/integrator.h"

namespace bricard {
namespace {

constexpr int kMaxHalvings = 12;
constexpr int kUsualSamples = 1000;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Stores states at the output times and keeps the books of energy.
class Recorder {
 public:
  Recorder(const System& system, const RunSettings& settings, const State& start, const SimulationHooks& hooks)
      : system_(system), kinematics_(system.make_kinematics()), residual_(system.make_residual()),
        rate_(VectorXd::Zero(system.multipliers())), bias_(rate_), has_power_(system.has_power()) {
    const double end = start.t + settings.duration;
    const double steps = settings.duration / settings.step;
    const double interval = settings.output_step.value_or(std::ceil(steps / kUsualSamples - 1e-9) * settings.step);
    const long count = static_cast<long>(std::floor(settings.duration / interval * (1 + 1e-12)));
    for (long i = 1; i <= count; ++i) times_.push_back({start.t + i * interval, false});
    if (times_.empty() || times_.back().t < end - 1e-9 * interval) times_.push_back({end, false});
    for (const double t : hooks.at)
      if (t > start.t && t <= end * (1 + 1e-12)) times_.push_back({t, true});
    std::stable_sort(times_.begin(), times_.end(), [](const Time& a, const Time& b) { return a.t < b.t; });
    samples_.reserve(times_.size() + 1);
    power_ = power_at(start);
    store(start, false);
    for (const double t : hooks.at)
      if (t == start.t) store(start, true);
  }

  void after_step(const State& before, const State& after) {
    const double h = after.t - before.t;
    const double work_before = work_;
    if (has_power_) {  // trapezoidal rule, of the order of the integrators
      const double power = power_at(after);
      work_ += 0.5 * h * (power_ + power);
      power_ = power;
    }
    for (; next_ < times_.size() && times_[next_].t <= after.t + 1e-9 * h; ++next_) {
      const Time& wanted = times_[next_];
      const bool at_step = std::abs(wanted.t - after.t) <= 1e-9 * h;
      const double work_after = work_;
      if (at_step) {
        store(after, wanted.requested);
      } else {
        work_ = work_before + (work_after - work_before) * (wanted.t - before.t) / h;
        store(interpolate(system_, before, after, wanted.t), wanted.requested);
        work_ = work_after;
      }
    }
  }

  /// The last state of a run that stopped early.
  void store_last(const State& s) {
    if (samples_.empty() || samples_.back().state.t < s.t) store(s, false);
  }

  std::vector<Sample>& samples() { return samples_; }
  double work() const { return work_; }

 private:
  struct Time {
    double t;
    bool requested;
  };

  double power_at(const State& s) {
    if (!has_power_) return 0;
    system_.update(s, kinematics_);
    return system_.power(kinematics_);
  }

  void store(const State& s, bool requested) {
    Sample sample;
    sample.state = s;
    sample.requested = requested;
    sample.work = work_;
    system_.update(sample.state, kinematics_);
    system_.residual(kinematics_, residual_);
    system_.constraint_rates(kinematics_, rate_, bias_);
    sample.kinetic = system_.kinetic_energy(kinematics_);
    sample.potential = system_.potential_energy(kinematics_);
    if (rate_.size()) {
      sample.position_violation = residual_.constraint.lpNorm<Eigen::Infinity>();
      sample.velocity_violation = rate_.lpNorm<Eigen::Infinity>();
    }
    samples_.push_back(std::move(sample));
  }

  const System& system_;
  Kinematics kinematics_;
  Residual residual_;
  VectorXd rate_, bias_;
  bool has_power_;
  double power_ = 0, work_ = 0;
  std::vector<Time> times_;
  size_t next_ = 0;
  std::vector<Sample> samples_;
};

std::string failure_text(const StepReport& step, double t, double h) {
  const char* what = step.status == StepStatus::not_finite ? "the equations gave a number that is not finite"
                                                           : "Newton's method did not converge";
  return fmt::format("t = {:.6g} s: {} even with a step of {:.3g} s (last correction {:.3g} m). "
                     "Try a smaller step, or look at the model near this time.", t, what, h, step.correction);
}

void fill_energy(Results& results) {
  const Sample& first = results.samples.front();
  const Sample& last = results.samples.back();
  const double start = first.kinetic + first.potential;
  RunReport& report = results.report;
  report.start_energy = start;
  report.end_energy = last.kinetic + last.potential;
  report.work = last.work;
  for (const Sample& s : results.samples) {
    report.max_energy_defect = std::max(report.max_energy_defect, std::abs(s.kinetic + s.potential - start - s.work));
    report.max_position_violation = std::max(report.max_position_violation, s.position_violation);
    report.max_velocity_violation = std::max(report.max_velocity_violation, s.velocity_violation);
  }
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
  results.samples = std::move(recorder.samples());
  fill_energy(results);
  return results;
}

}  // namespace bricard
