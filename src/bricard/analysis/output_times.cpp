// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/output_times.h"

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

constexpr double kMostSamples = 9e18;  // that can be counted

double whole_intervals(const RunSettings& settings) {
  return std::min(kMostSamples, std::floor(settings.duration / OutputTimes::interval(settings) * (1 + 1e-12)));
}

}  // namespace

double OutputTimes::interval(const RunSettings& settings) {
  const double steps = settings.duration / settings.step;
  return settings.output_step.value_or(settings.rtol ? settings.duration / kUsualSamples
                                                     : std::ceil(steps / kUsualSamples - 1e-9) * settings.step);
}

double OutputTimes::count(const RunSettings& settings) { return 1 + std::max(1.0, whole_intervals(settings)); }

OutputTimes::OutputTimes(const RunSettings& settings, double start, std::vector<double> at)
    : start_(start), end_(start + settings.duration), interval_(interval(settings)),
      of_grid_(static_cast<long>(whole_intervals(settings))), at_(std::move(at)) {
  const bool ends_on_grid =
      of_grid_ > 0 && start + static_cast<double>(of_grid_) * interval_ >= end_ - 1e-9 * interval_;
  count_ = of_grid_ + !ends_on_grid;
  std::erase_if(at_, [&](double t) { return !(t > start && t <= end_ * (1 + 1e-12)); });
  std::sort(at_.begin(), at_.end());
}

OutputTimes::Time OutputTimes::next() const {
  const bool is_regular = asked_ >= at_.size() || (regular_ <= count_ && regular_time() <= at_[asked_]);
  return is_regular ? Time{regular_time(), false} : Time{at_[asked_], true};
}

void OutputTimes::pass() {
  if (next().requested) ++asked_;
  else ++regular_;
}

}  // namespace bricard
