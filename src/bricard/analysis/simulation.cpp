// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "bricard/analysis/start_problems.h"
#include "bricard/elements/measured_formulas.h"

namespace bricard {
namespace {

constexpr int kMaxHalvings = 12;

// A rest of the grid's step after an event that is no step of its own.
constexpr double kSliver = 1e-6;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

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

/// Which formula has no finite value h later, if one has none that can be named; "" else.
std::string lost_value_text(const System& system, const State& s, double h) {
  State ahead = s;
  ahead.t += h;
  system.manifold().retract(s.q, h * s.v, ahead.q);
  Kinematics k = system.make_kinematics();
  system.update(ahead, k);
  for (const NamedValue& w : system.variables)
    if (!std::isfinite(w.value->values(k)[0]))
      return fmt::format(", variable '{}' has no solution that its guess leads to", w.name);
  for (const auto& [name, law] : system.laws) {
    if (law->variables > 0) continue;  // of a spring, whose length only the spring knows
    const MeasuredFormulas::Values values = law->values(k);
    for (size_t i = 0; i < law->formulas.size(); ++i)
      if (!std::isfinite(values[static_cast<Eigen::Index>(i)]))
        return fmt::format(", {} has no finite value at t = {:.6g} s: '{}'",
                           name.starts_with("states.") ? name : "force '" + name + "'", ahead.t,
                           law->formulas[i].text());
  }
  return "";
}

std::string failure_text(const System& system, const RunSettings& settings, const StepReport& step, const State& s,
                         double h) {
  if (const std::string reason = why_motion_stops(system, s, settings.step); !reason.empty()) return reason;
  const char* what = step.status == StepStatus::not_finite ? "the equations gave a number that is not finite"
                     : step.status == StepStatus::diverged ? "the constraints were lost"
                                                           : "Newton's method did not converge";
  const char* advice =
      is_augmented(settings.integrator)
          ? "Try another method (ali3 is the most robust of this kind), penalty, omega and xi as the program "
            "chooses them if they are not given, or a smaller step."
          : "Try a smaller step, or look at the model near this time.";
  std::string lost;
  for (const double ahead : {h, settings.step})
    if (step.status == StepStatus::not_finite && lost.empty()) lost = lost_value_text(system, s, ahead);
  return fmt::format("t = {:.6g} s: {} even with a step of {:.3g} s (last correction {:.3g} m{}{}). {}", s.t, what, h,
                     step.correction, violation_text(system, s), lost, advice);
}

std::string underflow_text(const System& system, const StepControl& control, const State& s, double h) {
  if (const std::string reason = why_motion_stops(system, s, h); !reason.empty()) return reason;
  return fmt::format("t = {:.6g} s: the tolerance asks for steps below hmin = {:.3g} s; the {} rules. "
                     "Try a larger rtol, or look for a jump in the model at this time.",
                     s.t, control.hmin(), control.last_ruling());
}

/// Of a system that no one has asked before whether the method can take it.
std::unique_ptr<Integrator> make_allowed_integrator(const System& system, const RunSettings& settings) {
  if (const std::string problem = why_not(system, settings); !problem.empty()) throw std::invalid_argument(problem);
  return make_integrator(system, settings);
}

std::string no_event_text(const State& s, double h) {
  return fmt::format("t = {:.6g} s: no step to an event within {:.3g} s could be made. Try a smaller step.", s.t, h);
}

}  // namespace

Simulation::Simulation(const System& system, const State& start, const RunSettings& settings,
                       const SimulationHooks& hooks)
    : Simulation(nullptr, system, start, settings, hooks, {}) {}

Simulation::Simulation(const System& system, const State& start, const RunSettings& settings,
                       const SimulationHooks& hooks, const FollowedSteps& steps)
    : Simulation(nullptr, system, start, settings, hooks, steps) {}

Simulation::Simulation(const Model& model, const System& bodies, const State& start, const RunSettings& settings,
                       const SimulationHooks& hooks)
    : Simulation(settings.coordinates == Coordinates::natural
                     ? std::make_unique<NaturalRun>(model, bodies, start, resolved(settings))
                     : nullptr,
                 bodies, start, settings, hooks, {}) {}

Simulation::Simulation(std::unique_ptr<NaturalRun> natural, const System& system, const State& start,
                       const RunSettings& settings, const SimulationHooks& hooks, const FollowedSteps& steps)
    : natural_(std::move(natural)), system_(natural_ ? natural_->system() : system), settings_(resolved(settings)),
      hooks_(hooks), followed_(steps), begin_(Clock::now()),
      integrator_(is_followed() ? std::make_unique<FollowedMethod>(steps.advance)
                                : make_allowed_integrator(system_, settings_)),
      recorder_(system_, settings_, natural_ ? natural_->start() : start, hooks,
                !is_followed()       ? Samples::consistent
                : steps.stands_still ? Samples::standing
                                     : Samples::as_they_are),
      watch_(system_), control_(settings.rtol ? std::make_unique<StepControl>(system_, settings_) : nullptr),
      ahead_(settings.rtol ? std::make_unique<LookAhead>(system_, settings_) : nullptr),
      prospect_(settings.rtol ? std::make_unique<RunProspect>(system_, settings_, natural_ ? natural_->start() : start)
                              : nullptr),
      before_(natural_ ? natural_->start() : start), s_(before_), start_(start.t), end_(start.t + settings.duration) {
  auto events = std::make_unique<EventWatch>(system_);
  if (!is_followed() && !events->is_empty()) events_ = std::move(events);
  report_.seconds["prepare"] = seconds_since(begin_);
  stepping_ = Clock::now();
  std::vector<int> at_once;
  if (events_) at_once = events_->start(s_, shortly());
  at_once.empty() ? integrator_->start(s_) : pass_events(at_once);
  if (const std::string bytes = std::exchange(hooks_.memory, {}); !bytes.empty()) {
    Archive memory(bytes);
    archive(memory);
    memory.expect_end();
  }
  checkpoint_ = Clock::now();
}

/// Between two steps; objects are those that the constructor makes.
void Simulation::archive(Archive& x) {
  x(before_, s_, halvings_, planned_, on_grid_, passed_, passed_at_, linear_before_);
  x(report_.steps, report_.iterations, report_.halved_steps, report_.singular_steps, report_.events);
  x(*integrator_, recorder_, watch_);
  if (natural_) x(*natural_);
  if (control_) x(*control_, order_, *ahead_, *prospect_);
  if (events_) x(*events_);
  double stepping = stepping_before_ + seconds_since(stepping_);
  x(recording_, watching_, writing_, stepping);
  if (x.reads()) stepping_before_ = stepping;
}

bool Simulation::is_over() const {
  const double rest = control_ ? 1e-12 * settings_.duration : 1e-9 * settings_.step;
  return !report_.stopped_because.empty() || !(end_ - s_.t > rest) || (events_ && !events_->ended_by().empty());
}

bool Simulation::step() {
  if (is_over()) return false;
  if (!(control_ ? controlled_step() : fixed_step())) return false;
  if (!due_.empty()) pass_events(std::exchange(due_, {}));
  if (!is_over()) look_around();
  return true;
}

/// Between two steps: is the run to be stopped, is its memory to be kept?
void Simulation::look_around() {
  const bool stops = hooks_.cancelled && hooks_.cancelled();
  if (hooks_.checkpoint && (stops || seconds_since(checkpoint_) >= hooks_.checkpoint_interval)) {
    if (hooks_.sink) hand_on_samples();
    Archive memory;
    archive(memory);
    hooks_.checkpoint(memory.take_bytes());
    checkpoint_ = Clock::now();
  }
  if (stops) report_.stopped_because = fmt::format("interrupted at t = {:.6g} s", s_.t);
}

/// Books the accepted step that led from `before_` to `s_`.
void Simulation::book(const StepReport& step) {
  ++report_.steps;
  report_.singular_steps += step.singular;
  const auto begin = Clock::now();
  if (!is_followed()) watch_.after_step(before_, s_, step.weakest_row);
  const auto watched = Clock::now();
  watching_ += std::chrono::duration<double>(watched - begin).count();
  const bool near_singular = step.singular || watch_.is_near();
  RunMeasures& measures = recorder_.measures();
  measures.position.see(step.position_violation, s_.t);
  measures.velocity.see(step.velocity_violation, s_.t);
  if (!near_singular) measures.velocity_apart.see(step.velocity_violation, s_.t);
  recorder_.after_step(before_, s_, near_singular);
  if (hooks_.progress && (is_followed() || (report_.steps & 63) == 0))
    hooks_.progress({s_.t - start_, settings_.duration, report_.steps, report_.iterations});
  recording_ += seconds_since(watched);
  if (hooks_.sink) hand_on_samples();
}

/// Whether a step is to end before the target, as it is a part of one near a singular position or ends at a sample.
bool Simulation::shorten(double& target) const {
  const double part = settings_.step / settings_.singular_refinement;
  double end = target;
  if (watch_.is_near() && target - s_.t > 1.001 * part) end = s_.t + part;
  if (is_followed() && recorder_.next_time() < target - 1e-9 * settings_.step) end = recorder_.next_time();
  return std::exchange(target, end) != end;
}

/// The step in which an event was looked for in vain is none; a shorter one may have it.
void Simulation::forget_event() {
  s_ = before_;
  due_.clear();
  ++report_.halved_steps;
}

/// Steps end at start + i h, free of accumulated round-off, unless some were halved because Newton's method failed. Near
/// singular positions they may be cut into parts.
bool Simulation::fixed_step() {
  for (;;) {
    const bool ends_elsewhere = events_ || is_followed();
    if (ends_elsewhere && on_grid_ && start_ + planned_ * settings_.step - s_.t < kSliver * settings_.step) ++planned_;
    double target = on_grid_ ? start_ + planned_ * settings_.step : s_.t + settings_.step;
    if (target > end_ - 1e-9 * settings_.step) target = end_;
    const bool is_part = shorten(target);
    const double h = (target - s_.t) / std::ldexp(1.0, halvings_);
    before_ = s_;
    StepReport step = integrator_->step(h, s_);
    report_.iterations += step.iterations;
    if (step.status != StepStatus::accepted) {
      ++report_.halved_steps;
      if (++halvings_ <= (is_followed() ? followed_.most_halvings : kMaxHalvings)) continue;
      report_.stopped_because =
          is_followed() ? followed_.why_not(s_, s_.t + h) : failure_text(system_, settings_, step, s_, h);
      return false;
    }
    if (halvings_ == 0) s_.t = target;
    const StepEnd reached = events_ ? find_event(h, step) : StepEnd::whole;
    if (reached == StepEnd::failed) {
      forget_event();
      if (++halvings_ <= kMaxHalvings) continue;
      report_.stopped_because = no_event_text(s_, h);
      return false;
    }
    if (reached == StepEnd::at_its_beginning) return true;
    if (halvings_ == 0) {
      planned_ += reached == StepEnd::whole && !is_part;
    } else {
      on_grid_ = false;
      --halvings_;
    }
    book(step);
    return true;
  }
}

bool Simulation::controlled_step() {
  for (;;) {
    const double h = ahead_->visible(s_, control_->propose(s_.t, end_), order_);
    control_->shorten(h);
    before_ = s_;
    StepReport step = integrator_->attempt(h, s_);
    report_.iterations += step.iterations;
    bool exact = true;
    if (step.status == StepStatus::accepted) {
      const LocalError error = integrator_->local_error();
      exact = control_->accept(error);
      order_ = error.order;
    }
    if (step.status == StepStatus::accepted && exact) integrator_->accept(s_, step);
    const bool solved = step.status == StepStatus::accepted;
    if (!solved) {
      ++report_.halved_steps;
      control_->failed();
    }
    if (!solved || !exact) {
      if (!control_->underflow()) continue;
      report_.stopped_because = solved ? underflow_text(system_, *control_, s_, settings_.step)
                                       : failure_text(system_, settings_, step, s_, h);
      return false;
    }
    if (end_ - s_.t < 1e-12 * settings_.duration) s_.t = end_;
    const StepEnd reached = events_ ? find_event(h, step) : StepEnd::whole;
    if (reached == StepEnd::failed) {
      forget_event();
      control_->failed();
      if (!control_->underflow()) continue;
      report_.stopped_because = no_event_text(s_, h);
      return false;
    }
    if (reached != StepEnd::at_its_beginning) book(step);
    report_.stopped_because = prospect_->trouble(report_.steps, h, s_, end_);
    return true;
  }
}

void Simulation::complete_report(RunReport& report) const {
  report.finished = report.stopped_because.empty() && is_over();
  report.end_time = s_.t;
  report.seconds["output"] = recording_;
  if (!is_followed()) report.seconds["watch"] = watching_;
  if (hooks_.sink) report.seconds["write"] = writing_;
  report.seconds["stepping"] = stepping_before_ + seconds_since(stepping_) - recording_ - watching_ - writing_;
  report.integrator = name_of(settings_.integrator);
  report.solver = integrator_->solver_name();
  report.linear = linear_before_;
  report.linear += integrator_->counts();
  if (!control_) return;
  report.rejected_steps = control_->rejected();
  report.smallest_step = report.steps ? control_->smallest() : 0;
  report.largest_step = control_->largest();
  report.ruling_error = control_->ruling();
}

void Simulation::hand_on_samples() {
  const auto begin = Clock::now();
  recorder_.hand_on([&](const Sample& sample) {
    if (!natural_) return hooks_.sink(sample);
    Sample translated = sample;
    natural_->translate(translated);
    hooks_.sink(translated);
  });
  writing_ += seconds_since(begin);
}

void Simulation::translate(std::vector<Sample>& samples) {
  for (size_t i = 0; natural_ && i < samples.size(); ++i) natural_->translate(samples[i]);
}

Sample Simulation::sample() {
  Sample sample = recorder_.sample(s_);
  if (natural_) natural_->translate(sample);
  return sample;
}

/// Doubts and remarks. A motion that left its branch is one the mechanism could make, and not the one that was asked for.
void Simulation::add_findings(RunReport& report) const {
  if (is_followed()) return;
  report.doubts = find_doubts(system_, settings_, recorder_.measures(), report);
  const auto& positions = watch_.positions();
  const auto left =
      std::find_if(positions.begin(), positions.end(), [](const auto& p) { return !p.branch_kept && !p.at_start; });
  if (left != positions.end())
    report.doubts.push_back({left->text() + "; try a smaller step, or another integrator", false});
  for (const std::string& remark : watch_.remarks()) report.remarks.push_back(remark);
}

Results Simulation::results() {
  Results results;
  results.report = report_;
  complete_report(results.report);
  results.report.running = !is_over();
  if (!is_over()) results.report.stopped_because = fmt::format("looked at while it runs, at t = {:.6g} s", s_.t);
  recorder_.copy(s_, results);
  translate(results.samples);
  add_findings(results.report);
  return results;
}

Results Simulation::finish() {
  recorder_.store_last(s_);
  if (hooks_.sink) hand_on_samples();
  Results results;
  results.report = report_;
  complete_report(results.report);
  recorder_.hand_over(results);
  translate(results.samples);
  watch_.finish();
  add_findings(results.report);
  return results;
}

}  // namespace bricard
