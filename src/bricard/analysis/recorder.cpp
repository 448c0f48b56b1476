// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bricard/model/integrator_kinds.h"

namespace bricard {
namespace {

constexpr int kLooks = 200;  // at energies at least, however few samples are stored

// Residuals of index 1, and ġ over the largest velocity, up to which a state is consistent as it is: those that a projection
// leaves are far below, those of a step without one far above.
constexpr double kConsistentSample = 1e-8;

// What the work may be off by before steps are looked into, as a part of what would make the run doubtful, and how often
// they are halved for it at most.
constexpr double kPartOfLimit = 1e-2;
constexpr int kHalvings = 4;

// How much accelerations between the ends of a step may differ from the mean of those at its ends, as a part of the larger one.
constexpr double kMostChange = 0.5;

}  // namespace

Recorder::Recorder(const System& system, const RunSettings& settings, const State& start, const SimulationHooks& hooks,
                   Samples samples)
    : system_(system), settings_(settings), mode_(samples), kinematics_(system.make_kinematics()),
      residual_(system.make_residual()), rate_(VectorXd::Zero(system.multipliers())), bias_(rate_),
      lengths_(system.lengths()), check_(system), has_power_(system.has_power()), power_(start.t, 0),
      power_before_(power_), look_at_(start.t), times_(settings, start.t, hooks.at),
      rotations_(system.rotations.size()) {
  const Power power = power_at(start);
  power_ = power_before_ = PowerHistory(start.t, power.sum);
  gross_power_ = power.gross;
  watch_rotations(start);
  Sample first = made_of(start);
  measures_.start_energy = first.kinetic + first.potential;
  see(first);
  samples_.push_back(first);
  first.requested = true;
  for (const double t : hooks.at)
    if (t == start.t) samples_.push_back(first);
}

void Recorder::after_step(const State& before, const State& after, bool near_singular) {
  const double h = after.t - before.t;
  add_work(before, after);
  watch_rotations(after);
  ++steps_not_seen_;
  const auto due = [&] { return !times_.is_over() && times_.next().t <= after.t + 1e-9 * h; };
  if (!due() && after.t < look_at_) return;
  near_singular_ = near_singular;
  look_at_ = after.t + settings_.duration / kLooks;
  const Sample end = made_of(after);
  see(end);
  if (mode_ == Samples::consistent) see_turn(after.t - before.t, after);
  const Sample good = settings_.rtol ? end : improved(end);
  if (mode_ == Samples::consistent && !settings_.rtol) see_error(before, after, good.state);
  WorkWithin within{power_before_, work_before_, 0};
  for (; due(); times_.pass()) {
    const OutputTimes::Time wanted = times_.next();
    const bool at_step = std::abs(wanted.t - after.t) <= 1e-9 * h;
    samples_.push_back(!at_step ? between(before, end, wanted.t, within) : settings_.rtol ? improved(end) : good);
    samples_.back().requested = wanted.requested;
  }
}

/// A state at the end of a step, as the step left it.
Sample Recorder::made_of(const State& s) {
  Sample sample;
  sample.state = s;
  system_.update(sample.state, kinematics_);
  system_.residual(kinematics_, residual_);
  system_.constraint_rates(kinematics_, rate_, bias_);
  if (rate_.size()) {
    sample.position_violation = residual_.constraint.lpNorm<Eigen::Infinity>();
    if (mode_ != Samples::standing) sample.velocity_violation = rate_.lpNorm<Eigen::Infinity>();
  }
  add_energies(sample);
  return sample;
}

/// kinematics_ must belong to it.
void Recorder::add_energies(Sample& sample) {
  sample.kinetic = system_.kinetic_energy(kinematics_);
  sample.potential = system_.potential_energy(kinematics_);
  sample.work = work_;
}

/// Measured at the ends of steps.
void Recorder::see(const Sample& end) {
  const double t = end.state.t;
  measures_.speed = std::max(measures_.speed, largest(end.state.v));
  measures_.see_energy(t, end.kinetic, end.potential, end.work, measures_.work_uncertainty());
  measures_.position.see(end.position_violation, t);
  measures_.velocity.see(end.velocity_violation, t);
  ++measures_.looks;
  if (near_singular_) return;
  ++measures_.looks_apart;
  measures_.velocity_apart.see(end.velocity_violation, t);
}

/// kinematics_ belongs to s.
void Recorder::see_turn(double h, const State& s) {
  system_.complete(s, kinematics_);
  double turn = 0;
  for (const Frame& frame : kinematics_.frames) turn = std::max(turn, frame.w.squaredNorm());
  measures_.turn.see(h * std::sqrt(turn), s.t);
}

// Velocities that violate the constraints, as index-3 formulas have them, do not reach the positions: they are taken out of the
// defect e as out of velocities, which were made consistent before it was added.
/// Adds what the last step is off by; it stands for those since the last look. `good` is its end, improved.
void Recorder::see_error(const State& before, const State& after, const State& good) {
  if (!system_.followers().empty()) return;  // coordinates that are not of bodies have no common length
  const double h = after.t - before.t;
  VectorXd defect = increment_defect(system_, before, after);
  if (good.v != after.v && defect.allFinite()) {
    made_ = good;
    made_.v += defect / h;
    system_.update(made_, kinematics_);
    projection_->velocities(made_, kinematics_);
    defect = h * (made_.v - good.v);
  }
  measures_.position_error += steps_not_seen_ * largest(defect);
  steps_not_seen_ = 0;
}

// What a projection left is not touched. Next to a singular position it may have been soft, because the step did not know its
// positions better: these are final now, and what they are off by is measured. Where there is no good solution, the better
// one is taken.
Sample Recorder::improved(const Sample& end) {
  if (mode_ != Samples::consistent) return end;
  const bool looks_good = end.velocity_violation <= kConsistentSample * measures_.speed;
  EquationResiduals residuals;
  if (looks_good) residuals = check_(end.state);
  const bool good = looks_good && residuals.largest() <= kConsistentSample;
  if (good && !near_singular_) {
    see_residuals(residuals, end.state.t);
    return end;
  }
  Sample sample = end;
  const double size = std::max(system_.reference_length, end.state.q.lpNorm<Eigen::Infinity>());
  make_consistent(sample.state, near_singular_ ? Tolerances{}.round_off * size : 0);
  const bool soft = projection_->is_soft();
  const EquationResiduals made = check_(sample.state);
  if (!looks_good && !(made.largest() <= kConsistentSample)) residuals = check_(end.state);
  const bool better = made.largest() <= kConsistentSample || made.largest() < residuals.largest();
  const bool taken = better && !(good && soft);
  see_residuals(taken ? made : residuals, end.state.t);
  if (soft) measures_.soft.see((taken ? made : residuals).largest(), end.state.t);
  if (!taken) return end;
  system_.update(sample.state, kinematics_);
  add_energies(sample);
  return sample;
}

void Recorder::see_residuals(const EquationResiduals& residuals, double t) {
  measures_.motion.see(residuals.motion, t);
  measures_.acceleration.see(residuals.acceleration, t);
  if (near_singular_) return;
  measures_.motion_apart.see(residuals.motion, t);
  measures_.acceleration_apart.see(residuals.acceleration, t);
}

Sample Recorder::between(const State& before, const Sample& end, double t, WorkWithin& within) {
  Sample sample = end;
  sample.state = dense(before, end.state, t);
  if (mode_ == Samples::consistent && is_resolved(before, end.state, sample.state))
    see_residuals(check_(sample.state), t);
  const double power = power_at(sample.state).sum;
  if (has_power_ && t > within.power.t()) {
    const Work work = within.power.work_until(t, power);
    within.power.add(t, power);
    within.work += work.value;
    within.variance += work.uncertainty * work.uncertainty;
  }
  system_.update(sample.state, kinematics_);
  add_energies(sample);
  sample.work = within.work;
  measures_.see_energy(t, sample.kinetic, sample.potential, sample.work, std::sqrt(variance_before_ + within.variance));
  return sample;
}

// In a stiff system forces at interpolated positions mean nothing: they are off by the stiffness times the error of the
// interpolation. Accelerations then differ from those at both ends by more than these themselves, and are interpolated as well.
/// Makes s between the ends of a step consistent, as far as it goes; false if only velocities could be.
bool Recorder::is_resolved(const State& before, const State& after, State& s) {
  made_ = s;
  make_consistent(made_);
  const double change = largest(made_.a - s.a), usual = std::max(largest(before.a), largest(after.a));
  const bool resolved =
      change <= kMostChange * usual || !(change > kConsistentSample * measures_.speed / (after.t - before.t));
  s.v = made_.v;
  if (!resolved) return false;
  std::swap(s, made_);
  return true;
}

/// As a length.
double Recorder::largest(const VectorXd& motion) const {
  return motion.size() ? motion.cwiseProduct(lengths_).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0;
}

/// Of long steps the acceleration in the middle is taken along.
State Recorder::dense(const State& before, const State& after, double t) {
  if (!settings_.rtol && !kind_of(settings_.integrator).far_apart_ends) return interpolate(system_, before, after, t);
  if (bump_at_ != before.t || bump_end_ != after.t) {
    bump_at_ = before.t, bump_end_ = after.t;
    State middle = interpolate(system_, before, after, 0.5 * (before.t + after.t));
    bump_ = is_resolved(before, after, middle) ? interpolation_bump(system_, before, after, middle) : VectorXd();
  }
  return interpolate(system_, before, after, t, bump_);
}

// Positions are off by dz, which would close the joints, and by what round-off leaves of them along the motion that they hold
// least. At a distance σ ℓ from a singular position that turns accelerations by |dz|/(σ² ℓ).            docs/theory/projection.md
/// With `round_off`, that of the positions, the projection is soft where this is much.
void Recorder::make_consistent(State& s, double round_off) {
  if (!projection_) make_projection();
  system_.update(s, kinematics_);
  const bool anew = round_off > 0 || !rows_known_;
  anew ? projection_->factorize_anew(kinematics_) : projection_->factorize(kinematics_);
  rows_known_ = true;
  const double sigma = round_off > 0 ? newton_->independence() : 1;
  if (sigma < 1) {
    VectorXd x = VectorXd::Zero(system_.unknowns());
    system_.residual(kinematics_, residual_);
    x.tail(system_.multipliers()) = -newton_->form().scale * residual_.constraint;
    newton_->solve(x);
    const double off = largest(x.head(system_.velocities())) + round_off / sigma;
    if (!(off <= Tolerances{}.turned_by_gap * sigma * sigma * system_.reference_length))
      projection_->factorize_anew(kinematics_, HUGE_VAL);
  }
  given_velocities_ = s.v;
  projection_->velocities(s, kinematics_);
  projection_->accelerations(s, kinematics_, residual_);
  if (anew || (s.a.allFinite() && projection_->motion_residual() <= kConsistentSample)) return;
  rows_known_ = false;  // other rows are redundant than were where it was looked at last
  s.v = given_velocities_;
  make_consistent(s, round_off);
}

void Recorder::make_projection() {
  newton_ = std::make_unique<NewtonSystem>(system_, settings_.solver);
  projection_ = std::make_unique<Projection>(system_, *newton_, 1, false);
}

void Recorder::archive(Archive& x) {
  bool projects = projection_ != nullptr;
  x(projects);
  if (projects && x.reads()) make_projection();
  if (projects) x(*newton_);
  x(rows_known_, bump_, bump_at_, bump_end_, power_, gross_power_, work_, power_before_, work_before_,
    variance_before_);
  x(measures_, near_singular_, steps_not_seen_, look_at_, times_, samples_, handed_on_, rotations_, remarks_);
}

double Recorder::energy(const State& s) {
  system_.update(s, kinematics_);
  return system_.kinetic_energy(kinematics_) + system_.potential_energy(kinematics_);
}

void Recorder::after_event(const State& s, double energy) {
  work_ += energy;
  bump_at_ = NAN;
  const Power power = power_at(s);
  power_ = power_before_ = PowerHistory(s.t, power.sum);
  gross_power_ = power.gross;
  watch_rotations(s);
}

void Recorder::add_work(const State& before, const State& after) {
  power_before_ = power_;
  work_before_ = work_;
  variance_before_ = measures_.work_variance;
  if (!has_power_) return;
  const double h = after.t - before.t;
  const Power power = power_at(after);
  measures_.throughput += 0.5 * h * (gross_power_ + power.gross);
  gross_power_ = power.gross;
  Work work = power_.work_until(after.t, power.sum);
  const double allowed = kPartOfLimit * energy_limit(settings_) * measures_.energy_scale() * h / settings_.duration;
  const bool ends_tell = power_.is_complete() && !kind_of(settings_.integrator).far_apart_ends;
  if (mode_ == Samples::consistent && !ends_tell && !(work.uncertainty <= allowed)) {
    const Work within = work_within(before, after, power.sum, allowed);
    if (within.uncertainty < work.uncertainty && std::abs(within.value - work.value) <= work.uncertainty) work = within;
  }
  power_.add(after.t, power.sum);
  work_ += work.value;
  measures_.work_variance += work.uncertainty * work.uncertainty;
}

/// From states between the ends of a step, if they mean something.
Work Recorder::work_within(const State& before, const State& after, double power_after, double wanted) {
  const auto power = [&](double t) {
    State s = dense(before, after, t);
    return is_resolved(before, after, s) ? power_at(s).sum : NAN;
  };
  return integrate_power(power, before.t, after.t, power_.power(), power_after, wanted, kHalvings);
}

Recorder::Power Recorder::power_at(const State& s) {
  Power power;
  if (!has_power_) return power;
  system_.update(s, kinematics_);
  for (const auto& batch : system_.batches()) {
    if (!batch->has_power()) continue;
    const double part = batch->power(kinematics_);
    power.sum += part;
    power.gross += std::abs(part);
  }
  return power;
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
    remarks_.push_back(
        fmt::format("t = {:.6g} s: {} turned past half a turn, where its rotation vector and so its force "
                    "jump; use a joint with a torsion-spring for large turns",
                    s.t, watched.user));
  }
}

void Recorder::store_last(const State& s) {
  if (samples_.back().state.t >= s.t) return;
  samples_.push_back(made_of(s));
  see(samples_.back());
}

void Recorder::hand_on(const std::function<void(const Sample&)>& sink) {
  for (size_t i = handed_on_; i < samples_.size(); ++i)
    if (!samples_[i].requested) sink(samples_[i]);
  const auto goes = [](const Sample& sample) { return !sample.requested; };
  samples_.erase(std::remove_if(samples_.begin(), samples_.end() - 1, goes), samples_.end() - 1);
  handed_on_ = samples_.size();
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
  const Sample& last = results.samples.back();
  RunReport& report = results.report;
  report.remarks.insert(report.remarks.end(), remarks_.begin(), remarks_.end());
  if (const SoftSamples& soft = measures_.soft; soft.count > 0)
    report.remarks.push_back(fmt::format(
        "t = {:.4g} s{}: {} sample{} so near to a singular position that accelerations and reactions are soft: they "
        "satisfy the equations to {:.1g}",
        soft.from, soft.count > 1 ? fmt::format(" to {:.4g} s", soft.to) : "", soft.count,
        soft.count == 1 ? " is" : "s are", soft.residual));
  report.start_energy = measures_.start_energy;
  report.end_energy = last.kinetic + last.potential;
  report.work = last.work;
  report.work_uncertainty = measures_.work_uncertainty();
  report.energy_turned_over = measures_.turned_over();
  report.max_energy_defect = measures_.defect.value;
  report.max_position_violation = std::max(report.max_position_violation, measures_.position.value);
  report.max_velocity_violation = std::max(report.max_velocity_violation, measures_.velocity.value);
  report.motion_residual = measures_.motion.value;
  report.acceleration_residual = measures_.acceleration.value;
  report.largest_turn = measures_.turn.value;
  report.position_error = measures_.position_error;
}

}  // namespace bricard
