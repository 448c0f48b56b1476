// SPDX-License-Identifier: Apache-2.0
#include "bricard/report/plot_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bricard::io {
namespace {

constexpr double kRoundOff = 1e-9;

std::string superscript(int number) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) text += digits[c - '0'];
  return text;
}

/// m·10ᵏ with a single digit m.
std::string label_of(int m, int exponent) {
  if (std::abs(exponent) <= 2) return fmt::format("{:g}", m * std::pow(10, exponent));
  return m == 1 ? power_of_ten(exponent) : fmt::format("{}·{}", m, power_of_ten(exponent));
}

}  // namespace

std::string place_text(double x) {
  const double rounded = std::round(100 * x) / 100;
  return fmt::format("{:g}", rounded == 0 ? 0 : rounded);
}

std::string power_of_ten(int exponent) {
  return exponent == 0 ? "1" : exponent == 1 ? "10" : "10" + superscript(exponent);
}

PlotScale::PlotScale(const std::vector<double>& values, bool logarithmic, double padding) : log_(logarithmic) {
  double low = INFINITY, high = -INFINITY;
  for (const double value : values)
    if (can_show(value)) low = std::min(low, map(value)), high = std::max(high, map(value));
  if (low > high) return;  // nothing to show
  double range = high - low;
  if (range <= kRoundOff * std::max(std::abs(low), std::abs(high))) {  // a single value stands in the middle
    range = log_ ? 1 : low == 0 ? 2 : std::abs(low);
    low -= range / 2, high += range / 2;
  }
  low_ = low - padding * range, high_ = high + padding * range;
}

bool PlotScale::can_show(double value) const { return std::isfinite(value) && (!log_ || value > 0); }

double PlotScale::map(double value) const { return log_ ? std::log10(value) : value; }

double PlotScale::part(double value) const { return (map(value) - low_) / (high_ - low_); }

double PlotScale::value_at(double part) const {
  const double mapped = low_ + part * (high_ - low_);
  return log_ ? std::pow(10, mapped) : mapped;
}

std::vector<Tick> PlotScale::ticks(int most) const {
  if (!log_) return round_numbers(most);
  const std::vector<Tick> ticks = decades(most);
  const auto labelled = std::count_if(ticks.begin(), ticks.end(), [](const Tick& t) { return !t.label.empty(); });
  return labelled >= 2 ? ticks : round_numbers(most);
}

std::vector<Tick> PlotScale::decades(int most) const {
  const int first = static_cast<int>(std::floor(low_)), last = static_cast<int>(std::floor(high_ + kRoundOff));
  const int whole = last - static_cast<int>(std::ceil(low_ - kRoundOff)) + 1;
  const int every = std::max(1, (whole + most - 1) / most);
  std::vector<Tick> ticks;
  for (int k = first; k <= last; ++k)
    for (int m = 1; m <= 9; ++m) {
      const double mapped = k + std::log10(m);
      if (mapped < low_ - kRoundOff || mapped > high_ + kRoundOff || (every > 1 && m > 1)) continue;
      const bool some = high_ - low_ < 1 ? m <= 4 || m == 6 || m == 8 : whole < 2 && (m == 2 || m == 5);
      const bool labelled = m == 1 ? k % every == 0 : some;
      ticks.push_back({std::pow(10, mapped), labelled ? label_of(m, k) : ""});
    }
  return ticks;
}

//     distance between marks: the smallest of 1, 2, 5 · 10ᵏ that gives no more than `most`
std::vector<Tick> PlotScale::round_numbers(int most) const {
  const double first = low(), last = high(), least = (last - first) / most;
  const double decade = std::pow(10, std::floor(std::log10(least)));
  const double m = least / decade, distance = decade * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10);
  const double largest = std::max(std::abs(first), std::abs(last));
  std::vector<Tick> ticks;
  for (double k = std::ceil(first / distance - kRoundOff); k * distance <= last + kRoundOff * distance; ++k) {
    const double value = k == 0 ? 0 : k * distance;
    const int digits = std::max(0, static_cast<int>(-std::floor(std::log10(distance) + kRoundOff)));
    const bool plain = largest < 1e5 && digits <= 4;
    ticks.push_back({value, plain ? fmt::format("{:.{}f}", value, digits) : fmt::format("{:.6g}", value)});
  }
  return ticks;
}

}  // namespace bricard::io
