// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/bdf.h"

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

constexpr int kStartOrder = 3;  // with a tolerance

// What Newton's method may leave of its first correction: with orders 1 and 2 as much as with other formulas of these
// orders, with higher ones less, whose errors are smaller.
double newton_part(int order) { return order > 2 ? 1e-5 : 1e-3; }
double unseen_part(int order, bool stabilized) {
  return order > 2 ? 1e-3 : stabilized ? kUnseenOfStabilized : HUGE_VAL;
}

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
  StepMethod method{mass_factor(order), false, stabilized, newton_part(order), unseen_part(order, stabilized)};
  method.long_steps = true;
  return method;
}

// What a stabilized formula promises of velocities holds for its first steps too.
RunSettings of_starter(RunSettings settings, bool stabilized) {
  if (stabilized) settings.projection = ProjectionMode::full;
  return settings;
}

}  // namespace

Bdf::Bdf(const System& system, int order, bool stabilized, const RunSettings& settings)
    : system_(system), max_order_(order), variable_(settings.rtol.has_value()), norm_(system, settings),
      check_(system, settings), tolerance_(settings.rtol.value_or(0) + settings.atol / system.reference_length),
      residual_(system.make_residual()), step_(system, settings, method_of(order, stabilized)),
      starter_(system, 3, of_starter(settings, stabilized)), order_(order) {
  step_.formula.in_chart = true;
  for (int i = 0; i < kPast; ++i) {
    y_[i].setZero(system.velocities());
    v_[i].setZero(system.velocities());
  }
  error_.setZero(system.velocities());
  other_.setZero(system.velocities());
  work_.setZero(system.velocities());
}

void Bdf::start(const State& s) {
  order_ = next_order_ = variable_ ? std::min(kStartOrder, max_order_) : max_order_;
  past_ = 1;
  first_ = order_ > 1;
  steady_ = 0;
  t_[0] = 0;
  y_[0].setZero();
  v_[0] = s.v;
  step_.start(s);
  if (starting()) starter_.start(s);
}

StepReport Bdf::attempt(double h, const State& s) {
  step_.formula.h = h;
  if (starting()) return starter_.attempt(h, s);
  // weights of the derivative at t + h of the polynomial through the new point and `order_` old ones
  double own = 0;
  std::array<double, kMaxOrder> weight{};
  for (int i = 0; i < order_; ++i) {
    own += 1 / (h - t_[i]);
    weight[i] = 1;
    for (int j = 0; j < order_; ++j)
      if (j != i) weight[i] *= (h - t_[j]) / (t_[i] - t_[j]);
    weight[i] /= t_[i] - h;
  }
  StepFormula& f = step_.formula;
  f.velocity = own;
  f.acceleration = own * own;
  extrapolate(std::min(past_, order_ + 1), y_, f.delta);
  f.v = own * f.delta;
  f.a.setZero();
  for (int i = 0; i < order_; ++i) {
    f.v += weight[i] * y_[i];
    f.a += weight[i] * v_[i];
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
      if (j != i) weight *= (h - t_[j]) / (t_[i] - t_[j]);
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
  for (int i = 0; i < k; ++i) own += 1 / (h - t_[i]);
  const double part = 1 / ((h - t_[k]) * own);
  extrapolate(k + 1, y_, error);
  error = part * (step_.formula.delta + step_.position_correction() - error).cwiseAbs();
  extrapolate(k + 1, v_, work_);
  error += (std::min(std::pow(tolerance_, -1.0 / k), kMostSteps) * h * part) * (step_.next().v - work_).cwiseAbs();
  return norm_(error, k, k + 1).ratio;
}

// The order is the one that promises the longest step; a higher one only after a stretch of steps with the present one.
LocalError Bdf::local_error() {
  if (!variable_) return {};
  next_order_ = order_;
  if (starting()) return starter_.local_error();
  const auto step_of = [](double ratio, int k) { return std::pow(std::max(ratio, 1e-20), -1.0 / (k + 1)); };
  const double own = step_of(error_of_order(order_, error_), order_);
  double best = own;
  if (order_ > 1 && step_of(error_of_order(order_ - 1, other_), order_ - 1) > 1.1 * best) {
    best = step_of(error_of_order(order_ - 1, other_), order_ - 1);
    next_order_ = order_ - 1;
  }
  if (order_ < max_order_ && past_ >= order_ + 2 && steady_ > order_) {
    const double higher = step_of(error_of_order(order_ + 1, other_), order_ + 1);
    if (higher > 1.2 * best) best = higher, next_order_ = order_ + 1;
  }
  return {&error_, order_, order_ + 1, best, step_.newton().weakest_row() < kWeakForEstimates};
}

void Bdf::accept(State& s, StepReport& report) {
  if (starting()) {
    starter_.accept(s, report);
    remember(starter_.increment(), s.v);
    if (first_) past_ = 1;
    first_ = false;
    if (!starting()) step_.start(s);
    return;
  }
  steady_ = next_order_ == order_ ? steady_ + 1 : 0;
  order_ = next_order_;
  remember(step_.increment(), step_.next().v);
  std::swap(s, step_.next());
}

double Bdf::largest_turn(const VectorXd& y) const {
  double largest = 0;
  for (size_t i = 1; i < system_.nodes().size(); ++i)
    if (system_.nodes()[i].block >= 0) largest = std::max(largest, y.segment<3>(system_.nodes()[i].v + 3).norm());
  return largest;
}

/// The new point becomes the origin of the chart.
void Bdf::remember(const VectorXd& increment, const VectorXd& v) {
  std::rotate(t_.begin(), t_.end() - 1, t_.end());
  std::rotate(y_.begin(), y_.end() - 1, y_.end());
  std::rotate(v_.begin(), v_.end() - 1, v_.end());
  past_ = std::min(past_ + 1, max_order_ + (variable_ ? 2 : 1));
  t_[0] = 0;
  y_[0].setZero();
  v_[0] = v;
  for (int i = 1; i < past_; ++i) {
    t_[i] -= step_.formula.h;
    system_.manifold().rebase(increment, y_[i]);
    if (largest_turn(y_[i]) <= kFarthestTurn) continue;
    past_ = i;  // the rest is forgotten
    if (variable_) order_ = next_order_ = std::clamp(past_ - 1, 1, order_);
  }
}

SolverCounts Bdf::counts() const {
  SolverCounts sum = step_.newton().counts();
  sum += starter_.counts();
  return sum;
}

std::size_t Bdf::bytes() const { return step_.bytes() + starter_.bytes() + 8 * (2 * kPast + 3) * error_.size(); }

}  // namespace bricard
