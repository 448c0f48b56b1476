// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/recorder.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace bricard {
namespace {

constexpr int kUsualSamples = 1000;

}  // namespace

Recorder::Recorder(const System& system, const RunSettings& settings, const State& start,
                   const SimulationHooks& hooks)
    : system_(system),
      kinematics_(system.make_kinematics()),
      residual_(system.make_residual()),
      rate_(VectorXd::Zero(system.multipliers())),
      bias_(rate_),
      has_power_(system.has_power()),
      rotations_(system.rotations.size()) {
  if (settings.rtol) {
    newton_ = std::make_unique<NewtonSystem>(system, settings.solver);
    projection_ = std::make_unique<Projection>(system, *newton_, ProjectionSettings{});
  }
  const double end = start.t + settings.duration;
  const double steps = settings.duration / settings.step;
  const double interval =
      settings.output_step.value_or(settings.rtol ? settings.duration / kUsualSamples
                                                  : std::ceil(steps / kUsualSamples - 1e-9) * settings.step);
  const long count = static_cast<long>(std::floor(settings.duration / interval * (1 + 1e-12)));
  for (long i = 1; i <= count; ++i) times_.push_back({start.t + i * interval, false});
  if (times_.empty() || times_.back().t < end - 1e-9 * interval) times_.push_back({end, false});
  for (const double t : hooks.at)
    if (t > start.t && t <= end * (1 + 1e-12)) times_.push_back({t, true});
  std::stable_sort(times_.begin(), times_.end(),
                   [](const Time& a, const Time& b) { return a.t < b.t; });
  samples_.reserve(times_.size() + 1);
  power_ = power_at(start);
  watch_rotations(start);
  store(start, false);
  for (const double t : hooks.at)
    if (t == start.t) store(start, true);
}

void Recorder::after_step(const State& before, const State& after) {
  const double h = after.t - before.t;
  const double work_before = work_;
  if (has_power_) {  // trapezoidal rule, of the order of most integrators; Simpson's for the long steps of a tolerance
    const double power = power_at(after);
    const double middle = projection_ ? power_at(between(before, after, before.t + 0.5 * h)) : 0.5 * (power_ + power);
    work_ += h / 6 * (power_ + 4 * middle + power);
    power_ = power;
  }
  watch_rotations(after);
  for (; next_ < times_.size() && times_[next_].t <= after.t + 1e-9 * h; ++next_) {
    const Time& wanted = times_[next_];
    const bool at_step = std::abs(wanted.t - after.t) <= 1e-9 * h;
    const double work_after = work_;
    if (at_step) {
      store(after, wanted.requested);
    } else {
      work_ = work_before + (work_after - work_before) * (wanted.t - before.t) / h;
      store(between(before, after, wanted.t), wanted.requested);
      work_ = work_after;
    }
  }
}

State Recorder::between(const State& before, const State& after, double t) {
  if (!projection_) return interpolate(system_, before, after, t);
  if (bump_at_ != before.t) {
    bump_at_ = before.t;
    State middle = interpolate(system_, before, after, 0.5 * (before.t + after.t));
    make_consistent(middle);
    bump_ = interpolation_bump(system_, before, after, middle);
  }
  State s = interpolate(system_, before, after, t, bump_);
  make_consistent(s);
  return s;
}

void Recorder::make_consistent(State& s) {
  system_.update(s, kinematics_);
  projection_->factorize_anew(kinematics_);
  projection_->velocities(s, kinematics_);
  projection_->accelerations(s, kinematics_, residual_);
}

// Past half a turn the rotation vector φ becomes −(2π/|φ| − 1) φ, and the force jumps with it.
void Recorder::watch_rotations(const State& s) {
  if (rotations_.empty()) return;
  system_.update(s, kinematics_);
  for (size_t n = 0; n < rotations_.size(); ++n) {
    const WatchedRotation& watched = system_.rotations[n];
    const Vector3d before = rotations_[n].phi, after = system_.rotation_vector(kinematics_, watched.i, watched.j);
    rotations_[n].phi = after;
    constexpr double kQuarter = std::numbers::pi / 2;
    const bool jumped = before.dot(after) < 0 && before.norm() > kQuarter && after.norm() > kQuarter;
    if (!jumped || rotations_[n].reported) continue;
    rotations_[n].reported = true;
    remarks_.push_back(fmt::format("t = {:.6g} s: {} turned past half a turn, where its rotation vector and so its force "
                                   "jump; use a joint with a torsion-spring for large turns", s.t, watched.user));
  }
}

void Recorder::store_last(const State& s) {
  if (samples_.empty() || samples_.back().state.t < s.t) store(s, false);
}

double Recorder::power_at(const State& s) {
  if (!has_power_) return 0;
  system_.update(s, kinematics_);
  return system_.power(kinematics_);
}

void Recorder::store(const State& s, bool requested) {
  samples_.push_back(sample(s));
  samples_.back().requested = requested;
}

Sample Recorder::sample(const State& s) {
  Sample sample;
  sample.state = s;
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
  return sample;
}

void Recorder::hand_over(Results& results) {
  results.samples = std::move(samples_);
  add_certificate(results);
}

void Recorder::copy(const State& now, Results& results) {
  results.samples = samples_;
  if (samples_.back().state.t < now.t) results.samples.push_back(sample(now));
  add_certificate(results);
}

void Recorder::add_certificate(Results& results) const {
  const Sample& first = results.samples.front();
  const Sample& last = results.samples.back();
  const double start = first.kinetic + first.potential;
  RunReport& report = results.report;
  report.remarks.insert(report.remarks.end(), remarks_.begin(), remarks_.end());
  report.start_energy = start;
  report.end_energy = last.kinetic + last.potential;
  report.work = last.work;
  for (const Sample& s : results.samples) {
    report.max_energy_defect =
        std::max(report.max_energy_defect, std::abs(s.kinetic + s.potential - start - s.work));
    report.max_position_violation = std::max(report.max_position_violation, s.position_violation);
    report.max_velocity_violation = std::max(report.max_velocity_violation, s.velocity_violation);
  }
}

}  // namespace bricard
