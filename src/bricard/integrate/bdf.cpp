// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/bdf.h"

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

constexpr int kStartOrder = 3;  // with a tolerance

constexpr double kMostSteps = 100;  // for which a velocity error is counted

// A chart of rotations reaches to π. Points of the past that are turned farther from the present one are forgotten, and
// steps of Radau IIA take over until there are enough again.
constexpr double kFarthestTurn = 2.5;

// What stands before M/h² with equal steps: (Σ 1/i)².
double mass_factor(int order) {
  double sum = 0;
  for (int i = 1; i <= order; ++i) sum += 1.0 / i;
  return sum * sum;
}

StepMethod method_of(int order, bool stabilized) {
  StepMethod method{mass_factor(order), false, stabilized};
  method.high_order = order > 2;
  method.long_steps = true;
  return method;
}

// What a stabilized formula promises of velocities holds for its first steps too.
RunSettings of_starter(RunSettings settings, bool stabilized) {
  if (stabilized) settings.projection = ProjectionMode::full;
  return settings;
}

}  // namespace

Bdf::Bdf(const System& system, int order, bool stabilized, const RunSettings& settings, const Tolerances& t)
    : system_(system), max_order_(order), variable_(settings.rtol.has_value()), norm_(system, settings),
      check_(system, settings, t), tolerance_(settings.rtol.value_or(0) + settings.atol / system.reference_length),
      residual_(system.make_residual()), step_(system, settings, method_of(order, stabilized), t),
      starter_(system, 3, of_starter(settings, stabilized), t) {
  step_.formula.in_chart = true;
  for (int i = 0; i < kPast; ++i) {
    memory_.y[i].setZero(system.velocities());
    memory_.v[i].setZero(system.velocities());
  }
  memory_.order = memory_.next_order = order;
  saved_ = memory_;
  error_.setZero(system.velocities());
  other_.setZero(system.velocities());
  work_.setZero(system.velocities());
}

void Bdf::begin(const State& s) {
  memory_.order = memory_.next_order = variable_ ? std::min(kStartOrder, max_order_) : max_order_;
  memory_.past = 1;
  memory_.first = memory_.order > 1;
  memory_.steady = 0;
  memory_.t[0] = 0;
  memory_.y[0].setZero();
  memory_.v[0] = s.v;
  step_.start(s);
  if (starting()) starter_.start(s);
}

StepReport Bdf::try_step(double h, const State& s) {
  step_.formula.h = h;
  if (starting()) return starter_.attempt(h, s);
  // weights of the derivative at t + h of the polynomial through the new point and `memory_.order` old ones
  double own = 0;
  std::array<double, kMaxOrder> weight{};
  for (int i = 0; i < memory_.order; ++i) {
    own += 1 / (h - memory_.t[i]);
    weight[i] = 1;
    for (int j = 0; j < memory_.order; ++j)
      if (j != i) weight[i] *= (h - memory_.t[j]) / (memory_.t[i] - memory_.t[j]);
    weight[i] /= memory_.t[i] - h;
  }
  StepFormula& f = step_.formula;
  f.velocity = own;
  f.acceleration = own * own;
  extrapolate(std::min(memory_.past, memory_.order + 1), memory_.y, f.delta);
  f.v = own * f.delta;
  f.a.setZero();
  for (int i = 0; i < memory_.order; ++i) {
    f.v += weight[i] * memory_.y[i];
    f.a += weight[i] * memory_.v[i];
  }
  StepReport report = step_.solve(s);
  if (report.status != StepStatus::accepted) return report;
  step_.finish(s, report);
  check_.look(h, step_.next(), step_.kinematics(), residual_, report);
  return report;
}

/// Positions (or velocities) at the end of the attempted step from the polynomial through the last points.
void Bdf::extrapolate(int points, const Past& past, VectorXd& y) const {
  const double h = step_.formula.h;
  y.setZero();
  for (int i = 0; i < points; ++i) {
    double weight = 1;
    for (int j = 0; j < points; ++j)
      if (j != i) weight *= (h - memory_.t[j]) / (memory_.t[i] - memory_.t[j]);
    y += weight * past[i];
  }
}

/// Local error of order k: y^(k+1)/(k+1)! ∏ (t − t_i) over own weight, from the distance between the new point and the
/// polynomial through k + 1 old ones. Against what is allowed.
//     |error of positions| + N h |error of velocities|,   N = tolerance^(−1/k), at most 100
// A velocity error acts as long as the motion goes on as it is, for about N steps. Low orders take so many that the
// round-off of velocities, ε/h, would rule.
double Bdf::error_of_order(int k, VectorXd& error) {
  const double h = step_.formula.h;
  double own = 0;
  for (int i = 0; i < k; ++i) own += 1 / (h - memory_.t[i]);
  const double part = 1 / ((h - memory_.t[k]) * own);
  extrapolate(k + 1, memory_.y, error);
  error = part * (step_.formula.delta + step_.position_correction() - error).cwiseAbs();
  extrapolate(k + 1, memory_.v, work_);
  error += (std::min(std::pow(tolerance_, -1.0 / k), kMostSteps) * h * part) * (step_.next().v - work_).cwiseAbs();
  return norm_(error, k, k + 1).ratio;
}

// The order is the one that promises the longest step; a higher one only after a stretch of steps with the present one.
LocalError Bdf::local_error() {
  if (!variable_) return {};
  memory_.next_order = memory_.order;
  if (starting()) return starter_.local_error();
  const auto step_of = [](double ratio, int k) { return std::pow(std::max(ratio, 1e-20), -1.0 / (k + 1)); };
  const double own = step_of(error_of_order(memory_.order, error_), memory_.order);
  double best = own;
  if (memory_.order > 1 && step_of(error_of_order(memory_.order - 1, other_), memory_.order - 1) > 1.1 * best) {
    best = step_of(error_of_order(memory_.order - 1, other_), memory_.order - 1);
    memory_.next_order = memory_.order - 1;
  }
  if (memory_.order < max_order_ && memory_.past >= memory_.order + 2 && memory_.steady > memory_.order) {
    const double higher = step_of(error_of_order(memory_.order + 1, other_), memory_.order + 1);
    if (higher > 1.2 * best) best = higher, memory_.next_order = memory_.order + 1;
  }
  return {&error_, memory_.order, memory_.order + 1, best, step_.newton().is_near_singular()};
}

void Bdf::take_step(State& s, StepReport& report) {
  if (starting()) {
    starter_.accept(s, report);
    remember(starter_.increment(), s.v);
    if (memory_.first) memory_.past = 1;
    memory_.first = false;
    if (!starting()) step_.start(s);
    return;
  }
  memory_.steady = memory_.next_order == memory_.order ? memory_.steady + 1 : 0;
  memory_.order = memory_.next_order;
  remember(step_.increment(), step_.next().v);
  std::swap(s, step_.next());
}

void Bdf::save() {
  saved_ = memory_;
  step_.save();
  if (starting()) starter_.save();
}

void Bdf::restore() {
  memory_ = saved_;
  step_.restore();
  if (starting()) starter_.restore();
}

double Bdf::largest_turn(const VectorXd& y) const {
  double largest = 0;
  for (size_t i = 1; i < system_.nodes().size(); ++i)
    if (system_.nodes()[i].block >= 0) largest = std::max(largest, y.segment<3>(system_.nodes()[i].v + 3).norm());
  return largest;
}

/// The new point becomes the origin of the chart.
void Bdf::remember(const VectorXd& increment, const VectorXd& v) {
  std::rotate(memory_.t.begin(), memory_.t.end() - 1, memory_.t.end());
  std::rotate(memory_.y.begin(), memory_.y.end() - 1, memory_.y.end());
  std::rotate(memory_.v.begin(), memory_.v.end() - 1, memory_.v.end());
  memory_.past = std::min(memory_.past + 1, max_order_ + (variable_ ? 2 : 1));
  memory_.t[0] = 0;
  memory_.y[0].setZero();
  memory_.v[0] = v;
  for (int i = 1; i < memory_.past; ++i) {
    memory_.t[i] -= step_.formula.h;
    system_.manifold().rebase(increment, memory_.y[i]);
    if (largest_turn(memory_.y[i]) <= kFarthestTurn) continue;
    memory_.past = i;  // the rest is forgotten
    if (variable_) memory_.order = memory_.next_order = std::clamp(memory_.past - 1, 1, memory_.order);
  }
}

SolverCounts Bdf::counts() const {
  SolverCounts sum = step_.newton().counts();
  sum += starter_.counts();
  return sum;
}

std::size_t Bdf::bytes() const { return step_.bytes() + starter_.bytes() + 8 * (4 * kPast + 3) * error_.size(); }

}  // namespace bricard
