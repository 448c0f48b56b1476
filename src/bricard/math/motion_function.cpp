// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/motion_function.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace bricard {
namespace {

// Gauss' formula of five points on (−1, 1): exact for polynomials of degree nine.
constexpr std::array<double, 5> kPoint{-0.906179845938663992797626878299, -0.538469310105683091036314420700, 0,
                                       0.538469310105683091036314420700, 0.906179845938663992797626878299};
constexpr std::array<double, 5> kWeight{0.236926885056189087514264040720, 0.478628670499366468041291514836,
                                        0.568888888888888888888888888889, 0.478628670499366468041291514836,
                                        0.236926885056189087514264040720};
constexpr int kSamples = 64;
constexpr double kTolerance = 1e-14;         // of an interval's integral, relative to the largest value of the formula
constexpr double kSmallestInterval = 1e-13;  // of the duration, where the formula jumps
constexpr double kNoise = 1e-9;  // a difference this small, relative to the values, that halving does not lessen
constexpr size_t kMaxKnots = 2'000'000;  // a formula that asks for more gets what it has

}  // namespace

MotionFunction::MotionFunction(Kind kind, Expression formula, double start, double start_rate, double duration)
    : kind_(kind), formula_(std::move(formula)), start_(start), start_rate_(start_rate) {
  if (kind_ == Kind::displacement) return;
  knots_.push_back({0, 0, 0});
  double largest = 0;
  for (int i = 0; i <= kSamples; ++i) {
    const double value = std::abs(formula_(duration * i / kSamples));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  const double interval = duration / kSamples;  // none is longer: a short pulse must not fall between the points
  for (int i = 0; i < kSamples; ++i)
    add_knots(i * interval, (i + 1) * interval, largest, kSmallestInterval * duration, INFINITY);
}

//     ∫u dτ  and  ∫(to − τ) u dτ
MotionFunction::Integrals MotionFunction::integrate(double from, double to) const {
  const double half = 0.5 * (to - from), middle = 0.5 * (from + to);
  Integrals sum{0, 0, 0};
  for (size_t n = 0; n < kPoint.size(); ++n) {
    const double u = half * kWeight[n] * formula_(middle + half * kPoint[n]);
    sum.first += u;
    sum.second += u * half * (1 - kPoint[n]);
    sum.size += std::abs(u);
  }
  return sum;
}

// Halves the interval until one application of Gauss' formula says the same as two, up to the round-off of the formula,
// which shows in that halving no longer lessens the difference.
void MotionFunction::add_knots(double from, double to, double largest, double smallest, double before) {
  const double width = to - from, middle = 0.5 * (from + to);
  const Integrals whole = integrate(from, to), left = integrate(from, middle), right = integrate(middle, to);
  const double difference = std::abs(whole.first - left.first - right.first);
  const bool agrees = !(difference > kTolerance * largest * width);
  const bool is_noise = difference <= kNoise * (whole.size + largest * width) && difference > before / 4;
  if (!agrees && !is_noise && width > smallest && knots_.size() < kMaxKnots) {
    add_knots(from, middle, largest, smallest, difference);
    add_knots(middle, to, largest, smallest, difference);
    return;
  }
  const Knot& last = knots_.back();
  knots_.push_back({to, last.first + whole.first, last.second + last.first * width + whole.second});
}

TimeJet MotionFunction::operator()(double t) const {
  const TimeJet u = formula_.jet(t);
  if (kind_ == Kind::displacement) return u;
  // the last knot not after t; behind the duration in equal steps
  auto knot = std::upper_bound(knots_.begin(), knots_.end(), t, [](double x, const Knot& k) { return x < k.t; });
  Knot from = knot == knots_.begin() ? *knot : *(knot - 1);
  const double span = knots_.back().t / kSamples;
  while (span > 0 && t > from.t + span * (1 + 1e-9)) {
    const Integrals more = integrate(from.t, from.t + span);
    from = {from.t + span, from.first + more.first, from.second + from.first * span + more.second};
  }
  const Integrals rest = integrate(from.t, t);
  const double first = from.first + rest.first;
  if (kind_ == Kind::velocity) return {start_ + first, u.value, u.rate};
  return {start_ + start_rate_ * t + from.second + from.first * (t - from.t) + rest.second, start_rate_ + first,
          u.value};
}

}  // namespace bricard
