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
  if (h_ >= left * (1 - 1e-9)) tried_ = left;
  else if (2 * h_ > left) tried_ = 0.5 * left;
  else tried_ = h_;
  return tried_;
}

// Next to a singular position the constraints do not tell where a part of the coordinates is. What the estimate has of
// that does not fall with the step as an error of a formula does, by its second power at least. If it falls no faster
// than the step itself, the step is taken as it is, and no shorter one is asked for until the position is passed.
bool StepControl::is_noise(const LocalError& error, double ratio) const {
  if (!error.near_singular || !std::isfinite(ratio)) return false;
  return tried_ <= floor_ || (refused_ > 0 && ratio > refused_ * tried_ / refused_step_);
}

bool StepControl::accept(const LocalError& error) {
  last_ = norm_(*error.positions, error.order, error.power);
  double ratio = std::max(last_.ratio, 1e-10);
  const double power = error.power;
  if (!error.near_singular) floor_ = 0;
  if (ratio > 1 && is_noise(error, ratio)) {
    floor_ = tried_;
    ratio = 1;
  }
  if (!(ratio <= 1)) {
    ++rejected_;
    refused_ = ratio;
    refused_step_ = tried_;
    after_rejection_ = true;
    h_ = tried_ * std::clamp(kSafety * std::pow(ratio, -1 / power), kMostShrink, 0.9);
    return false;
  }
  double factor = error.factor > 0 ? kSafety * error.factor
                                   : kSafety * std::pow(ratio, -0.7 / power) * std::pow(before_, 0.4 / power);
  factor = std::clamp(factor, floor_ > 0 ? 1.0 : kMostShrink, after_rejection_ && floor_ == 0 ? 1.0 : kMostGrowth);
  h_ = std::min(std::max(tried_ * factor, hmin_), hmax_);  // if hmin is too long, that is for its own error to say
  before_ = std::max(ratio, 1e-4);
  after_rejection_ = false;
  refused_ = 0;
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
