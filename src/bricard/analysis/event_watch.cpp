// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/event_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

// A value this small against the largest one seen is zero: a function that stays at zero after its event must not go on
// changing its sign by round-off.
constexpr double kRoundOffOfRoots = 1e-13;

constexpr int kParts = 4;         // of a long step, at whose ends functions are looked at
constexpr int kRefinements = 20;  // of a root on the interpolated step
constexpr double kClose = 1e-9;  // and how close, as a part of the step; events that are closer happen at the same time
constexpr int kHalvings = 8;     // towards the beginning of a part in which a function leaves zero and comes back

void join(std::string& text, const std::string& more) { text += (text.empty() ? "" : ", ") + more; }

}  // namespace

EventWatch::EventWatch(const System& system) : system_(system), kinematics_(system.make_kinematics()) {
  for (const auto& batch : system.batches()) {
    std::vector<std::string> owners;
    batch->list_roots(owners);
    if (owners.empty()) continue;
    batches_.push_back(batch.get());
    for (size_t n = 0; n < owners.size(); ++n) sources_.push_back({batch.get(), static_cast<int>(n), owners[n]});
  }
  for (size_t e = 0; e < system.events.size(); ++e)
    sources_.push_back({nullptr, static_cast<int>(e), "event '" + system.events[e].name + "'"});
  value_ = ahead_ = scale_ = VectorXd::Zero(static_cast<Eigen::Index>(sources_.size()));
  side_.assign(sources_.size(), 0);
}

void EventWatch::evaluate(const State& s, VectorXd& values) {
  system_.update(s, kinematics_);
  double* next = values.data();
  for (const ElementBatch* batch : batches_) batch->add_roots(kinematics_, next);
  for (const EventInfo& event : system_.events) *next++ = event.when->values(kinematics_)[0];
}

/// Where the motion leads in a short time.
void EventWatch::evaluate_ahead(const State& s, double ahead, VectorXd& values) {
  State later = s;
  later.t += ahead;
  system_.manifold().retract(s.q, ahead * s.v + (0.5 * ahead * ahead) * s.a, later.q);
  later.v += ahead * s.a;
  evaluate(later, values);
}

double EventWatch::value(int root, const State& s) {
  evaluate(s, value_);
  return value_[root];
}

double EventWatch::side_of(int root, double value) const {
  return std::abs(value) <= kRoundOffOfRoots * scale_[root] ? 0 : value > 0 ? 1 : -1;
}

/// Whether passing zero this way is an event.
bool EventWatch::counts(int root, bool rising, const State& s) const {
  const Source& source = sources_[root];
  if (source.batch) return true;
  const EventInfo& event = system_.events[source.number];
  if (event.happened >= 0 && s.discrete[event.happened] != 0) return false;
  return rising ? event.rising : event.falling;
}

std::vector<int> EventWatch::start(State& s, double ahead) {
  std::vector<int> at_once;
  evaluate(s, value_);
  evaluate_ahead(s, ahead, ahead_);
  const VectorXd now = value_, later = ahead_;
  scale_ = now.cwiseAbs().cwiseMax(later.cwiseAbs());
  for (size_t i = 0; i < sources_.size(); ++i) {
    const int root = static_cast<int>(i);
    const double side = side_of(root, now[root]), next = side != 0 ? side : side_of(root, later[root]);
    side_[i] = static_cast<int>(next);
    if (next == 0) continue;
    if (sources_[i].batch) sources_[i].batch->pass_root(sources_[i].number, next > 0, s);
    else if (side == 0 && counts(root, next > 0, s)) side_[i] = -side_[i], at_once.push_back(root);
  }
  return at_once;
}

/// The first part of the step in which a root has its event.
std::optional<RootPlace> EventWatch::scan(int root, const State& before, const Dense& dense,
                                          const std::vector<double>& times, const Eigen::MatrixXd& values) {
  double side = side_[root];
  for (size_t k = 1; k < times.size(); ++k) {
    const double now = side_of(root, values(root, static_cast<Eigen::Index>(k)));
    if (now == 0 || now == side) continue;
    const bool known = side != 0;
    side = now;
    if (!known || !counts(root, now > 0, before)) continue;
    RootPlace place{root, now > 0, times[k], times[k - 1], times[k], 0, {}};
    // it may have left zero, where its last event was, only after the beginning of this part
    double part = times[k] - times[k - 1];
    for (int n = 0; n < kHalvings && k == 1 && side_of(root, values(root, 0)) != -now; ++n) {
      part *= 0.5;
      evaluate(dense(times[0] + part), ahead_);
      const double there = side_of(root, ahead_[root]);
      if (there == now) place.high = times[0] + part;
      if (there == -now) {
        place.low = times[0] + part;
        break;
      }
    }
    refine(place, dense);
    return place;
  }
  return {};
}

/// The zero of the interpolated step between `low` and `high`, by the Illinois rule.
void EventWatch::refine(RootPlace& place, const Dense& dense) {
  const auto at = [&](double t) {
    evaluate(dense(t), ahead_);
    return ahead_[place.root];
  };
  double a = place.low, b = place.high, fa = at(a), fb = at(b);
  const double enough = kClose * (b - a);
  place.t = b;
  place.slope = (fb - fa) / (b - a);
  const double wanted = place.rising ? -1 : 1;  // sign before
  if (!(fa * wanted > 0)) {                     // it stays at zero or passes it at once
    place.t = a;
    return;
  }
  double last = 0;
  for (int n = 0; n < kRefinements && b - a > enough; ++n) {
    double t = b - fb * (b - a) / (fb - fa);
    if (!(t > a && t < b)) t = 0.5 * (a + b);
    const double f = at(t);
    place.t = t;
    place.slope = f != fb && t != b ? (fb - f) / (b - t) : place.slope;
    if (f * wanted > 0) {
      if (last > 0) fb *= 0.5;
      a = t, fa = f, last = 1;
    } else {
      if (last < 0) fa *= 0.5;
      if (f == 0) break;
      b = t, fb = f, last = -1;
    }
  }
}

std::optional<RootPlace> EventWatch::first(const State& before, const State& after, double from, const Dense& dense,
                                           bool is_long) {
  evaluate(after, value_);
  scale_ = scale_.cwiseMax(value_.cwiseAbs());
  bool any = is_long;
  for (size_t i = 0; i < sources_.size() && !any; ++i) {
    const double now = side_of(static_cast<int>(i), value_[static_cast<Eigen::Index>(i)]);
    any = side_[i] != 0 && now == -side_[i];
  }
  if (!any) return {};
  const double h = after.t - before.t, rest = after.t - from;
  if (!(rest > kClose * h)) return {};
  std::vector<double> times;
  Eigen::MatrixXd values(value_.size(), kParts + 1);
  values.col(kParts) = value_;
  for (int k = 0; k <= kParts; ++k) {
    times.push_back(k == kParts ? after.t : from + k * rest / kParts);
    if (k == kParts) break;
    times.back() == before.t ? evaluate(before, ahead_) : evaluate(dense(times.back()), ahead_);
    values.col(k) = ahead_;
  }
  std::optional<RootPlace> earliest;
  std::vector<RootPlace> all;
  for (size_t i = 0; i < sources_.size(); ++i)
    if (auto place = scan(static_cast<int>(i), before, dense, times, values)) {
      all.push_back(*place);
      if (!earliest || place->t < earliest->t) earliest = place;
    }
  for (const RootPlace& place : all)
    if (place.root != earliest->root && place.t - earliest->t <= kClose * h) earliest->others.push_back(place.root);
  return earliest;
}

void EventWatch::settle(const State& s) {
  for (size_t i = 0; i < sources_.size(); ++i) {
    const double now = side_of(static_cast<int>(i), value_[static_cast<Eigen::Index>(i)]);
    if (now == 0 || now == side_[i]) continue;
    if (side_[i] == 0 || !counts(static_cast<int>(i), now > 0, s)) side_[i] = static_cast<int>(now);
  }
}

bool EventWatch::acts(int root) const {
  const Source& source = sources_[root];
  return source.batch || system_.events[source.number].acts();
}

std::string EventWatch::act(const EventInfo& event, State& s) {
  std::string what;
  const auto turn = [&](int index, bool on) {
    const SwitchInfo& x = system_.switches[index];
    if ((s.discrete[x.index] != 0) == on) return;
    s.discrete[x.index] = on ? 1 : 0;
    s.lambda.segment(x.first_row, x.rows).setZero();
    join(what, fmt::format("switches {} {}", on ? "on" : "off", x.name));
  };
  std::vector<double> values;  // all formulas see the state as it was
  system_.update(s, kinematics_);
  for (const EventInfo::Setting& setting : event.settings) values.push_back(setting.value->values(kinematics_)[0]);
  for (size_t i = 0; i < values.size(); ++i) {
    const InputInfo& input = system_.inputs[event.settings[i].input];
    s.inputs[event.settings[i].input] = values[i] - input.value(s.t);
    join(what, fmt::format("sets {} to {:.6g}{}{}", input.name, values[i], input.unit.empty() ? "" : " ", input.unit));
  }
  for (const int index : event.off) turn(index, false);
  for (const int index : event.on) turn(index, true);
  if (event.happened >= 0) s.discrete[event.happened] = 1;
  if (event.stops) {
    join(what, "ends the run");
    ended_by_ = event.name;
  }
  return what;
}

bool EventWatch::pass(int root, State& s, std::vector<EventRecord>& records) {
  const Source& source = sources_[root];
  const bool rising = side_[root] < 0;
  side_[root] = rising ? 1 : -1;
  const std::string what =
      source.batch ? source.batch->pass_root(source.number, rising, s) : act(system_.events[source.number], s);
  if (source.batch && what.empty()) return false;
  records.push_back({s.t, source.owner, what.empty() ? (rising ? "rises through zero" : "falls through zero") : what});
  return true;
}

std::vector<int> EventWatch::changed(const State& s, double ahead, const std::vector<int>& passed) {
  std::vector<int> roots;
  evaluate(s, value_);
  evaluate_ahead(s, ahead, ahead_);
  for (size_t i = 0; i < sources_.size(); ++i) {
    const int root = static_cast<int>(i);
    if (std::count(passed.begin(), passed.end(), root)) continue;
    const double side = side_of(root, value_[root]), next = side != 0 ? side : side_of(root, ahead_[root]);
    if (next == 0 || next == side_[i]) continue;
    const bool is_event = sources_[i].batch || (side_[i] != 0 && counts(root, next > 0, s));
    side_[i] = static_cast<int>(is_event ? -next : next);
    if (is_event) roots.push_back(root);
  }
  return roots;
}

}  // namespace bricard
