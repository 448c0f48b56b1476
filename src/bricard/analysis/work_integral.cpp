// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/work_integral.h"

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

constexpr std::array<double, 6> kGamma{1, 1.0 / 2, 1.0 / 12, 1.0 / 24, 19.0 / 720, 3.0 / 160};  // |γ_k|

// A difference may be small by chance; not smaller than this part of the one before.
constexpr double kByChance = 0.1;

/// ∫ (t − τ₀)…(t − τ_{k−1}) dt from τ₁ to τ₀, by Gauss's rule of three points: exact up to k = 5.
double integral_of_product(const double* tau, int k) {
  constexpr double kPlace = 0.7745966692414834;  // √(3/5)
  const double middle = 0.5 * (tau[0] + tau[1]), half = 0.5 * (tau[0] - tau[1]);
  double sum = 0;
  for (const auto& [x, weight] : {std::pair{-kPlace, 5.0 / 9}, {0.0, 8.0 / 9}, {kPlace, 5.0 / 9}}) {
    double product = 1;
    for (int j = 0; j < k; ++j) product *= middle + half * x - tau[j];
    sum += weight * product;
  }
  return half * sum;
}

}  // namespace

PowerHistory::PowerHistory(double t, double power) {
  time_[0] = t;
  power_[0] = power;
}

Work PowerHistory::work_until(double t, double power) const {
  std::array<double, kMost + 1> tau, divided;  // divided[k] becomes P[τ₀, …, τ_k]
  tau[0] = t;
  divided[0] = power;
  std::copy_n(time_.begin(), known_, tau.begin() + 1);
  std::copy_n(power_.begin(), known_, divided.begin() + 1);
  for (int k = 1; k <= known_; ++k)
    for (int j = known_; j >= k; --j) divided[j] = (divided[j] - divided[j - 1]) / (tau[j] - tau[j - k]);
  Work work;
  double largest = 0, unsure = 0, before = 0;  // of h |∇ᵏP|: of all, from k = 1 on, the last but one
  for (int k = 0; k <= known_; ++k) {
    const double term = divided[k] * integral_of_product(tau.data(), k), size = std::abs(term) / kGamma[k];
    if (k > 1 && size > largest) {
      work.uncertainty = unsure;
      break;
    }
    work.value += term;
    work.uncertainty = std::max(size, kByChance * before);
    largest = std::max(largest, size);
    if (k > 0) unsure = std::max(unsure, before = size);
  }
  return work;
}

void PowerHistory::add(double t, double power) {
  known_ = std::min(known_ + 1, kMost);
  for (int j = known_ - 1; j > 0; --j) {
    time_[j] = time_[j - 1];
    power_[j] = power_[j - 1];
  }
  time_[0] = t;
  power_[0] = power;
}

Work integrate_power(const std::function<double(double)>& power, double begin, double end, double power_begin,
                     double power_end, double wanted, int depth) {
  constexpr double kPlace = 0.32732683535398857;  // √21/14
  const double h = end - begin, middle = 0.5 * (begin + end);
  const double at_middle = power(middle), sides = power(middle - kPlace * h) + power(middle + kPlace * h);
  const double ends = power_begin + power_end;
  const double lobatto = h / 180 * (9 * ends + 64 * at_middle + 49 * sides), simpson = h / 6 * (ends + 4 * at_middle);
  const double error = std::abs(lobatto - simpson);
  if (error <= wanted || depth == 0 || !std::isfinite(error)) return {lobatto, error};
  const Work first = integrate_power(power, begin, middle, power_begin, at_middle, 0.5 * wanted, depth - 1);
  const Work second = integrate_power(power, middle, end, at_middle, power_end, 0.5 * wanted, depth - 1);
  return {first.value + second.value, first.uncertainty + second.uncertainty};
}

}  // namespace bricard
