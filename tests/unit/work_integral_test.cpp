// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/work_integral.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bricard {
namespace work_integral_test {

/// ∫ of a power over steps that grow and shrink, from 0 to 2; uncertainties of steps do not know of each other.
template <class Power>
Work integrate(const Power& power, int steps, double unevenness = 0.3) {
  double t = 0;
  PowerHistory history(t, power(t));
  Work sum;
  for (int i = 1; i <= steps; ++i) {
    const double x = static_cast<double>(i) / steps;
    t = 2 * (x + (i < steps ? unevenness / (2 * M_PI * 3) * std::sin(2 * M_PI * 3 * x) : 0));
    const Work step = history.work_until(t, power(t));
    history.add(t, power(t));
    sum.value += step.value;
    sum.uncertainty = std::hypot(sum.uncertainty, step.uncertainty);
  }
  return sum;
}

double smooth(double t) { return std::exp(-t) * std::cos(3 * t) + 2; }
double integral_of_smooth(double t) {  // of exp((−1 + 3i) t)
  return std::exp(-t) * (3 * std::sin(3 * t) - std::cos(3 * t)) / 10 + 0.1 + 2 * t;
}

TEST(WorkIntegral, IsOfSixthOrderWherePowerIsSmooth) {
  const double exact = integral_of_smooth(2);
  const Work coarse = integrate(smooth, 160), fine = integrate(smooth, 320);
  // the first four steps have no past, and their errors fall like h³, h⁴ and h⁵: they rule the sum
  EXPECT_NEAR(std::log2((coarse.value - exact) / (fine.value - exact)), 3, 0.3);
  EXPECT_LT(std::abs(coarse.value - exact), coarse.uncertainty);
  EXPECT_LT(std::abs(fine.value - exact), fine.uncertainty);
}

TEST(WorkIntegral, LeavesLittleAfterItsFirstSteps) {
  // a power that sets in smoothly: nothing is lost while there is no past
  const auto late = [](double t) { return std::pow(std::sin(0.5 * M_PI * t), 8); };
  const double exact = 2 * 35.0 / 128;
  const double coarse = std::abs(integrate(late, 80).value - exact),
               fine = std::abs(integrate(late, 160).value - exact);
  EXPECT_GT(std::log2(coarse / fine), 5);
  EXPECT_LT(std::log2(coarse / fine), 9);
}

TEST(WorkIntegral, KnowsWhatJumpsHide) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(0.2, 1.8), size(-5, 5);
  for (int i = 0; i < 100; ++i) {
    const double at = place(random), jump = size(random);
    const auto power = [&](double t) { return smooth(t) + (t < at ? 0 : jump); };
    const Work work = integrate(power, 50);
    const double error = std::abs(work.value - integral_of_smooth(2) - jump * (2 - at)), step = 0.04 * 1.3;
    EXPECT_LE(error, work.uncertainty) << at << " " << jump;
    EXPECT_LE(work.uncertainty, 12 * step * std::abs(jump) + 0.1) << at << " " << jump;  // of a few steps, not of all
  }
}

TEST(WorkIntegral, OfAStepIsExactForPolynomialsAndLooksCloserWherePowerHasAKink) {
  const auto seventh = [](double t) { return 8 * std::pow(t, 7) - 3 * t * t; };
  const Work exact = integrate_power(seventh, 1, 3, seventh(1), seventh(3), HUGE_VAL, 0);
  EXPECT_NEAR(exact.value, 6561 - 1 - 26, 1e-11 * 6561);
  const auto kink = [](double t) { return std::max(0.0, t - 0.3); };
  const Work once = integrate_power(kink, 0, 1, 0, 0.7, 0, 0), often = integrate_power(kink, 0, 1, 0, 0.7, 1e-6, 8);
  EXPECT_GT(std::abs(once.value - 0.245), 1e-3);
  EXPECT_LT(std::abs(often.value - 0.245), 1e-5);  // an interval of 1/256 with half its length times its rise, at most
  EXPECT_LT(often.uncertainty, 1e-5);
}

}  // namespace work_integral_test
}  // namespace bricard
