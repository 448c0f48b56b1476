// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/newton_control.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bricard {
namespace {

constexpr double kTiny = std::numeric_limits<double>::min();
constexpr int kLeastOfStages = 3, kSettlingOfStages = 4;  // corrections; the first ones pass on what the stages know

}  // namespace

NewtonControl::NewtonControl(const System& system, const NewtonRule& rule, const Tolerances& tolerances)
    : system_(system), rule_(rule), t_(tolerances), length_of_(system) {}

void NewtonControl::begin(double h, const State& s, double weakest_row) {
  h_ = h;
  start_ = &s;
  size_ = std::max(system_.reference_length, s.q.lpNorm<Eigen::Infinity>());
  const double links = static_cast<double>(system_.nodes().size()) / Limits::long_chain;
  round_off_ = (rule_.staged ? 2 : 1) * t_.round_off * size_ * std::max(1.0, links);
  noise_ = t_.noise * size_ / std::sqrt(std::max(weakest_row, t_.weakest_noise));
  k_ = stagnant_ = 0;
  first_ = before_ = 0;
  rate_ = earlier_ = 1;
}

bool NewtonControl::wants_matrix() const {
  if (k_ == 0) return true;
  return rule_.staged ? k_ >= kSettlingOfStages && rate_ > t_.slow_stages && stagnant_ == 0 : rate_ > t_.slow_rate;
}

bool NewtonControl::is_last(const Correction& c, StepReport& report) {
  report.iterations = k_ + 1;
  report.correction = c.length;
  if (is_lost(c.length, report)) return true;
  measure_rate(c);
  bool done = k_ + 1 >= rule_.iterations;
  if (!rule_.counted) {
    if (is_noise(c) || is_converged(c)) return true;
    if (is_singular(c)) {
      report.singular = rule_.is_newton;
      return true;
    }
    if (done) report.status = StepStatus::not_converged;
  }
  before_ = c.length;
  ++k_;
  return done;
}

/// It might still come to rest somewhere, measured by its own size.
bool NewtonControl::is_lost(double length, StepReport& report) const {
  if (length <= t_.runaway * system_.reference_length) return false;
  if (length <= t_.runaway * h_ * length_of_(start_->v)) return false;
  report.status = std::isfinite(length) ? StepStatus::not_converged : StepStatus::not_finite;
  return true;
}

void NewtonControl::measure_rate(const Correction& c) {
  if (k_ == 0) {
    first_ = c.length;
    if (rule_.remembers) rate_ = expected_rate(c.length, c.redundant);
    return;
  }
  earlier_ = rate_;
  rate_ = c.length / std::max(before_, kTiny);
}

// Corrections shrink quadratically, the second being C times the square of the first, and by a rate besides where the
// matrix leaves something out: its skew part, or the coupling of positions and velocities. A remembered rate is believed
// less with every step that did not measure it: one that is taken for true for too long costs the order of the formula.
// Mechanisms with redundant joints are projected after each step and forget more slowly.
double NewtonControl::expected_rate(double first, bool redundant) {
  const double forgetting = redundant ? t_.forgetting_rates_slowly : t_.forgetting_rates;
  memory_.rate = std::pow(std::max(memory_.rate, 1e-16), forgetting);
  return std::min(1.0, rule_.curved ? std::max(memory_.rate, memory_.curvature * first) : memory_.rate);
}

void NewtonControl::remember(double rate) {
  if (k_ > 0) memory_.rate = rate;
  if (k_ == 1) memory_.curvature = rate / std::max(before_, kTiny);
}

/// The second correction at the level of noise, unless the formula sees more and another one would reach it, or those of
/// them that have stopped shrinking. Near round-off a correction tells nothing about the rate.
bool NewtonControl::is_noise(const Correction& c) {
  if (!rule_.ends_at_noise) {
    const bool at_round_off = rule_.to_the_end && c.length <= round_off_ && rate_ > t_.stagnant_at_round_off;
    stagnant_ += k_ > 1 && (at_round_off || (c.length <= noise_ && rate_ > t_.stagnant_rate));
    remember(rate_);
    return stagnant_ >= Limits::stagnations;
  }
  const bool steady = c.length * rate_ <= rule_.unseen * round_off_ || rate_ > t_.slow_rate;
  const bool closed = c.open <= t_.contradicting_position * system_.reference_length;
  const bool noise = k_ > 0 && c.length <= t_.noise * size_ && c.weakest_row > t_.weak_row && steady && closed;
  remember(noise && c.length <= t_.rate_told_from * round_off_ ? std::min(rate_, t_.usual_rate) : rate_);
  return noise;
}

// With weak rows convergence is judged by the correction itself and by g: a remembered rate says nothing about the step
// that meets a singular position. Mechanisms with redundant joints are the ones that have such positions, so they are
// watched from afar; a long chain of slender links may have weak rows for no such reason.
bool NewtonControl::is_converged(const Correction& c) {
  const double length = system_.reference_length, of_motion = rule_.of_motion * c.motion;
  if (c.weakest_row < (c.redundant ? t_.weak_among_redundant : t_.weak_row))
    return c.length <= std::max(round_off_, of_motion) && c.violation <= t_.strict_violation * length;
  if (rule_.staged && k_ + 1 < kLeastOfStages) return false;
  const double rate = rule_.staged ? std::max(rate_, earlier_) : rate_;
  const double left = rule_.trusts_rates && rate < 1 ? c.length * rate / (1 - rate) : c.length;
  const double least = rule_.to_the_end ? 0 : std::min(rule_.unseen, 1.0) * round_off_;
  const double wanted = std::max({least, rule_.always, std::min(of_motion, rule_.of_first * first_)});
  const bool at_round_off = !rule_.to_the_end && c.length <= round_off_;
  return (at_round_off || left <= wanted) && c.open <= t_.contradicting_position * length;
}

/// After some corrections a configuration that is close is taken as it is, after twice as many one ten times as far.
bool NewtonControl::is_singular(const Correction& c) const {
  if (k_ < rule_.singular_iteration || rate_ <= t_.slow_rate || !c.may_be_singular) return false;
  const double patience = (k_ < 2 * rule_.singular_iteration ? 1 : 10) * system_.reference_length;
  return c.violation <= patience * t_.singular_violation && c.length <= patience * t_.singular_correction;
}

void NewtonControl::refuse_lost(double violation, StepReport& report) const {
  if (!(violation <= t_.lost_joint * system_.reference_length)) report.status = StepStatus::diverged;
}

}  // namespace bricard
