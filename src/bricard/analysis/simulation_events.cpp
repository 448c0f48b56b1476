// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bricard/analysis/simulation.h"

// Events of a run: where they are, what they change, and how it goes on.      theory: docs/theory/events.md
namespace bricard {
namespace {

// The time of an event, as a part of the step in which it is, and the steps that are tried for it at most. Shorter steps are
// none: the event is at the beginning.
constexpr double kEventTime = 1e-11, kSmallestStep = 1e-9;
constexpr int kMostTrials = 40;

// So many events within this part of the run, or so many at the same time, come to no end.
constexpr size_t kManyEvents = 300;
constexpr double kShortTime = 1e-7;
constexpr int kManyAtOnce = 50;

constexpr double kShortly = 1e-6;  // of a step

constexpr int kMostClosing = 10;  // corrections that close joints

// Moves the bodies as little as possible until all joints are closed:
//     M dz + Gᵀμ = 0,   G dz = −g
void close_joints(const System& system, SolverType solver, State& s) {
  Kinematics k = system.make_kinematics();
  Residual r = system.make_residual();
  NewtonForm form;
  form.a = 1;
  form.scale = system.reference_mass;
  form.positions_only = true;
  const std::vector<Matrix3d> no_chart(system.nodes().size(), Matrix3d::Identity());
  NewtonSystem newton(system, solver);
  VectorXd dz(system.velocities()), unused(system.multipliers());
  for (int i = 0; i < kMostClosing; ++i) {
    system.update(s, k);
    system.residual(k, r);
    r.motion.setZero();
    if (r.constraint.lpNorm<Eigen::Infinity>() <= Tolerances{}.round_off * system.reference_length) return;
    newton.factorize(k, no_chart, form);
    newton.correction(r, dz, unused);
    const VectorXd q = s.q;
    system.manifold().retract(q, dz, s.q);
  }
}

}  // namespace

double Simulation::shortly() const { return kShortly * settings_.step; }

/// The step from before_ again, with another length.
bool Simulation::retry(double h, StepReport& step) {
  integrator_->take_back();
  s_ = before_;
  step = integrator_->step(h, s_);
  report_.iterations += step.iterations;
  return step.status == StepStatus::accepted;
}

// The end of a step as a function of its length has the root of the method's own solution, which the interpolated step misses
// by its error: secants from there on, kept between lengths with and without the event.
bool Simulation::step_to(const RootPlace& place, StepReport& step) {
  const double begin = before_.t, whole = s_.t - begin, part = place.high - place.low;
  const double enough = kEventTime * whole + 4 * std::numeric_limits<double>::epsilon() * std::abs(begin);
  double low = std::max(place.low - begin - part, kSmallestStep * whole),
         high = std::min(place.high - begin + part, whole);
  double h = place.t - begin, slope = place.slope, last_h = h, last = 0;
  for (int i = 0; i < kMostTrials; ++i) {
    if (!retry(h, step)) return false;
    const double value = events_->value(place.root, s_);
    if (i > 0) slope = (value - last) / (h - last_h);
    if (std::abs(value) <= enough * std::abs(slope)) return true;
    (place.rising == (value >= 0) ? high : low) = h;
    if (high - low <= enough) return h == high || retry(high, step);  // it jumps
    last_h = h, last = value;
    h -= value / slope;
    if (!(h > low && h < high)) h = 0.5 * (low + high);
  }
  return true;
}

// Events that are only written down leave the motion as it is: the whole step is made once more.
/// Whether an event ends the step of h from before_ to s_ that was just accepted; s_ then is where it does.
Simulation::StepEnd Simulation::find_event(double h, StepReport& step) {
  const bool is_long = control_ || kind_of(settings_.integrator).far_apart_ends;
  const double end = s_.t;
  for (double from = before_.t;;) {
    const State whole = s_;
    const auto dense = [&](double t) { return recorder_.dense(before_, whole, t); };
    const auto place = events_->first(before_, whole, from, dense, is_long);
    if (!place) {
      events_->settle(s_);
      return StepEnd::whole;
    }
    due_ = place->others;
    due_.insert(due_.begin(), place->root);
    const bool acts = std::any_of(due_.begin(), due_.end(), [&](int root) { return events_->acts(root); });
    const bool at_its_beginning = place->t - before_.t <= kSmallestStep * h;
    if (acts && at_its_beginning) {
      integrator_->take_back();
      s_ = before_;
      return StepEnd::at_its_beginning;
    }
    if (at_its_beginning) {
      from += kSmallestStep * h;
      for (const int root : due_) events_->pass(root, before_, report_.events);
      due_.clear();
      s_.discrete = before_.discrete;
      continue;
    }
    if (!step_to(*place, step)) return StepEnd::failed;
    if (acts) return StepEnd::at_event;
    from = std::max(s_.t, from + kSmallestStep * h);
    for (const int root : due_) events_->pass(root, s_, report_.events);
    due_.clear();
    before_.discrete = s_.discrete;
    if (!retry(h, step)) return StepEnd::failed;
    s_.t = end;
  }
}

/// Events at the time of s_, and what follows from them at the same time; the run goes on from there.
void Simulation::pass_events(std::vector<int> roots) {
  const size_t first = report_.events.size();
  recorder_.make_consistent(s_);
  const double energy = recorder_.energy(s_);
  bool constraints = false;
  if (s_.t != passed_at_)
    passed_.clear();  // a function that has passed zero may lie in front of it by the error of the step
  passed_at_ = s_.t;
  for (int n = 0; !roots.empty(); ++n) {
    if (is_chattering(n)) return;
    const VectorXd discrete = s_.discrete;
    for (const int root : roots) events_->pass(root, s_, report_.events);
    passed_.insert(passed_.end(), roots.begin(), roots.end());
    constraints = switch_constraints(discrete) || constraints;
    if (!report_.stopped_because.empty()) return;
    recorder_.make_consistent(s_);
    roots = events_->changed(s_, shortly(), passed_);
  }
  const double change = recorder_.energy(s_) - energy;
  if (report_.events.size() > first) report_.events[first].energy = change;
  recorder_.after_event(s_, change);
  restart(constraints);
}

/// Whether joints or motions were switched, compared with what was on before; those that are on now are closed.
bool Simulation::switch_constraints(const VectorXd& before) {
  Residual r = system_.make_residual();
  bool any = false, on = false;
  for (const SwitchInfo& x : system_.switches) {
    if (x.rows == 0 || before[x.index] == s_.discrete[x.index]) continue;
    any = true;
    if (s_.discrete[x.index] == 0) continue;
    on = true;
    Kinematics k = system_.make_kinematics();
    system_.update(s_, k);
    system_.residual(k, r);
    const double open = r.constraint.segment(x.first_row, x.rows).lpNorm<Eigen::Infinity>();
    if (open <= Tolerances{}.open_joint * system_.reference_length) continue;
    s_.discrete[x.index] = 0;
    report_.stopped_because =
        fmt::format("t = {:.6g} s: {} cannot be switched on where it is off by {:.3g} m. Choose an event at which its "
                    "two sides meet, or a displacement that fits.",
                    s_.t, x.name, open);
  }
  if (!any) return false;
  recorder_.forget_constraints();
  if (on && report_.stopped_because.empty()) close_joints(system_, settings_.solver, s_);
  return true;
}

/// Where constraints changed, nothing that solvers know of them holds any more.
void Simulation::restart(bool constraints) {
  if (constraints) {
    linear_before_ += integrator_->counts();
    integrator_ = make_integrator(system_, settings_);
    watch_.restart();
  }
  integrator_->start(s_);
  if (control_) control_->restart();
}

bool Simulation::is_chattering(int at_once) {
  const auto& events = report_.events;
  const bool many =
      events.size() >= kManyEvents && s_.t - events[events.size() - kManyEvents].t <= kShortTime * settings_.duration;
  if (!many && at_once < kManyAtOnce) return false;
  const std::string last =
      events.empty() ? "" : fmt::format(", the last one of {} ({})", events.back().source, events.back().what);
  report_.stopped_because = fmt::format(
      "t = {:.6g} s: events follow each other without end{}. Give what is switched a range in which nothing "
      "happens, or damping.",
      s_.t, last);
  return true;
}

}  // namespace bricard
