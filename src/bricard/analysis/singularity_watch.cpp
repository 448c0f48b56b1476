// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/singularity_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bricard/results/results.h"

namespace bricard {
namespace {

constexpr size_t kLongest = 2000;  // states; where it stays near for longer, the rows are weak by nature
constexpr double kLost = 0.05;  // a row whose distance from the others is this far below its usual one depends on them
constexpr double kSmooth =
    0.05;  // a relative change of velocities that no force explains and that still is the same branch
// Rows of length 1 turn with their two bodies: what one is apart from all others is taken to change by at most four times the
// largest turn of a body, or
// its way in reference lengths. As long as that cannot make a row weak, there is nothing to look at.
constexpr double kSpread = 4;
constexpr int kMostParabolas = 14;     // at most, for the time of a singular position
constexpr double kTimeSettled = 1e-3;  // of the two steps around it
constexpr size_t kShown = 5;

struct Strength {
  double t, w;
};

// Near a singular position the weakest row is a parabola over time: the lowest point of the one through the three nearest
// points is the next one.
/// When `strength(t)` is least between `left` and `right`; `low` lies between them.
template <class Function>
double weakest_time(Strength left, Strength low, Strength right, const Function& strength) {
  const double near = kTimeSettled * (right.t - left.t);
  for (int i = 0; i < kMostParabolas; ++i) {
    const double before = low.t - left.t, after = right.t - low.t;
    const double rise = (left.w - low.w) / before, rise_after = (right.w - low.w) / after;
    const double way = 0.5 * (rise * after - rise_after * before) / (rise + rise_after);
    const bool leads = way > -before && way < after;  // else there is no such parabola
    const double t = low.t + (leads ? way : after > before ? 0.5 * after : -0.5 * before);
    if (std::abs(t - low.t) < near) break;
    const Strength next{t, strength(t)};
    if (next.w < low.w) (t < low.t ? right : left) = std::exchange(low, next);
    else (t < low.t ? left : right) = next;
  }
  return low.t;
}

}  // namespace

std::string SingularPosition::text() const {
  std::string what = fmt::format("t = {:.4g} s: {}singular position", time, at_start ? "start in a " : "");
  if (extra_freedoms > 0)
    what += fmt::format(" with {} extra degree{} of freedom", extra_freedoms, extra_freedoms == 1 ? "" : "s");
  return what + fmt::format("; {}; impulse {:.2g} N s",
                            branch_kept ? "passed, branch kept" : "velocities changed: another branch?", impulse);
}

SingularityWatch::SingularityWatch(const System& system)
    : system_(system), kinematics_(system.make_kinematics()), residual_(system.make_residual()),
      lengths_(system.lengths()) {
  for (const StateInfo& x : system.states) lengths_[x.v] = 0;
  given_up_ = system.multipliers() == 0;
}

const ConstraintGeometry& SingularityWatch::geometry_at(const State& s) {
  system_.update(s, kinematics_);
  if (!geometry_) geometry_ = std::make_unique<ConstraintGeometry>(system_, kinematics_);
  geometry_->measure(kinematics_);
  return *geometry_;
}

void SingularityWatch::after_step(const State& before, const State& after, std::optional<double> known) {
  if (given_up_) return;
  if (!known) {
    quiet_ -= motion_of(before, after);
    if (quiet_ > 0 && window_.empty()) return;
  }
  const double w = known ? *known : geometry_at(after).weakest_row();
  quiet_ = (std::sqrt(w) - std::sqrt(Tolerances{}.near_singular)) / kSpread;
  if (w >= Tolerances{}.near_singular && window_.empty()) return;
  if (window_.empty()) window_.push_back(before), strength_.push_back(1);
  window_.push_back(after);
  strength_.push_back(w);
  if (window_.size() > kLongest) {
    given_up_ = true;
    window_.clear();
  } else if (w >= Tolerances{}.near_singular) {
    judge();
  }
}

/// The largest turn of a body in a step, or its way in reference lengths.
double SingularityWatch::motion_of(const State& before, const State& after) const {
  const double speed = (before.v.cwiseAbs().cwiseMax(after.v.cwiseAbs())).cwiseProduct(lengths_).maxCoeff();
  return (after.t - before.t) * speed / system_.reference_length;
}

void SingularityWatch::finish() {
  if (window_.size() > 2 && !given_up_) judge();
}

/// What no force explains of the change of momentum in a step: M (v₁ − v₀ − h/2 (a₀ + a₁)).
double SingularityWatch::momentum_jump(const State& before, const State& after, double& relative) {
  State s = after;
  const auto momentum = [&](const VectorXd& x) {
    s.a = x;
    system_.update(s, kinematics_);
    system_.residual(kinematics_, residual_);
    VectorXd p = residual_.motion.head(x.size());
    s.a.setZero();
    system_.residual(kinematics_, residual_);
    return VectorXd(p - residual_.motion.head(x.size()));
  };
  const VectorXd jump = after.v - before.v - 0.5 * (after.t - before.t) * (before.a + after.a);
  VectorXd p = momentum(jump);
  const double size = std::sqrt(std::max(0.0, jump.dot(p))),
               all = std::sqrt(std::max(1e-300, after.v.dot(momentum(after.v))));
  relative = std::max(relative, size / all);
  for (const Manifold::Block& b : system_.manifold().blocks())
    if (b.kind == Manifold::Kind::rotation) p.segment<3>(b.v) /= system_.reference_length;
  return p.lpNorm<Eigen::Infinity>();
}

/// The window is complete: where in it the position is singular, and what happened there.
void SingularityWatch::judge() {
  SingularPosition found;
  const size_t weakest = std::min_element(strength_.begin(), strength_.end()) - strength_.begin();
  found.at_start = weakest <= 1 && positions_.empty() && window_.front().t == 0;
  double relative = 0;
  for (size_t i = 1; i < window_.size(); ++i)
    found.impulse = std::max(found.impulse, momentum_jump(window_[i - 1], window_[i], relative));
  found.branch_kept = relative <= kSmooth;
  found.time = window_[weakest].t;
  if (!found.at_start) {
    const auto at = [&](double t) -> const ConstraintGeometry& {
      size_t i = weakest;
      while (i + 1 < window_.size() && window_[i].t < t) ++i;
      return geometry_at(interpolate(system_, window_[i - 1], window_[i], t));
    };
    const auto strength = [&](double t) { return at(t).weakest_row(); };
    Strength left{window_[weakest - 1].t, strength_[weakest - 1]}, low{window_[weakest].t, strength_[weakest]};
    if (weakest == 1) left.w = strength(left.t);  // the watch came later
    Strength right = low;
    if (weakest + 1 < window_.size()) right = {window_[weakest + 1].t, strength_[weakest + 1]};
    else low.t = 0.5 * (left.t + right.t), low.w = strength(low.t);
    found.time = weakest_time(left, low, right, strength);
    found.extra_freedoms = at(found.time).vanished_rows(kLost * kLost);
  }
  window_.clear();
  strength_.clear();
  if (found.extra_freedoms > 0 || found.at_start) positions_.push_back(found);
}

std::vector<std::string> SingularityWatch::remarks() const {
  std::vector<std::string> lines;
  bool all_kept = true;
  for (const SingularPosition& p : positions_) {
    if (lines.size() < kShown) lines.push_back(p.text());
    all_kept = all_kept && p.branch_kept;
  }
  if (positions_.size() > kShown)
    lines.push_back(fmt::format("{} more singular positions up to t = {:.4g} s; {}", positions_.size() - kShown,
                                positions_.back().time,
                                all_kept ? "all passed, branch kept" : "velocities changed at some of them"));
  return lines;
}

}  // namespace bricard
