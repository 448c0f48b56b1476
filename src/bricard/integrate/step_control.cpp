// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/step_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

constexpr double kSafety = 0.9, kMostShrink = 0.15, kMostGrowth = 2;
constexpr double kAfterFailure = 0.4;

}  // namespace

StepControl::StepControl(const System& system, const RunSettings& settings)
    : system_(system), norm_(system, settings), hmin_(settings.hmin.value_or(kSmallestOfDuration * settings.duration)),
      hmax_(settings.hmax.value_or(kLargestOfDuration * settings.duration)),
      h_(std::clamp(settings.step, std::min(hmin_, hmax_), hmax_)) {}

double StepControl::propose(double t, double end) {
  const double left = end - t;
  if (h_ >= left * (1 - 1e-9))
    tried_ = left;
  else if (2 * h_ > left)
    tried_ = 0.5 * left;
  else
    tried_ = h_;
  return tried_;
}

bool StepControl::accept(const LocalError& error) {
  last_ = norm_(*error.positions, error.order, error.power);
  const double ratio = std::max(last_.ratio, 1e-10), power = error.power;
  if (!(ratio <= 1)) {
    ++rejected_;
    after_rejection_ = true;
    h_ = tried_ * std::clamp(kSafety * std::pow(ratio, -1 / power), kMostShrink, 0.9);
    return false;
  }
  double factor = error.factor > 0 ? kSafety * error.factor
                                   : kSafety * std::pow(ratio, -0.7 / power) * std::pow(before_, 0.4 / power);
  factor = std::clamp(factor, kMostShrink, after_rejection_ ? 1.0 : kMostGrowth);
  h_ = std::min(tried_ * factor, hmax_);
  before_ = std::max(ratio, 1e-4);
  after_rejection_ = false;
  ++rulers_[{last_.node, last_.rotation}];
  smallest_ = std::min(smallest_, tried_);
  largest_ = std::max(largest_, tried_);
  return true;
}

void StepControl::failed() {
  h_ = kAfterFailure * tried_;
  after_rejection_ = true;
}

std::string StepControl::name(int node, bool rotation) const {
  if (node < -1) return fmt::format("state '{}'", system_.states[-2 - node].name);
  if (node <= 0) return "coordinates of no body";
  return fmt::format("{} of body '{}'", rotation ? "rotation" : "position", system_.nodes()[node].name);
}

std::string StepControl::ruling() const {
  long all = 0, most = 0;
  std::pair<int, bool> ruler{0, false};
  for (const auto& [who, times] : rulers_) {
    all += times;
    if (times > most) most = times, ruler = who;
  }
  if (all == 0) return "";
  return fmt::format("{} ({:.0f} % of the steps)", name(ruler.first, ruler.second), 100.0 * most / all);
}

std::string StepControl::last_ruling() const { return name(last_.node, last_.rotation); }

}  // namespace bricard
