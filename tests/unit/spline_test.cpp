// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/spline.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bricard {
namespace spline_test {

Table sampled(double (*f)(double), double from, double to, int points) {
  Table table;
  for (int i = 0; i < points; ++i) {
    table.x.push_back(from + (to - from) * i / (points - 1));
    table.y.push_back(f(table.x.back()));
  }
  return table;
}

const Table kUneven{{0, 0.5, 1.7, 2, 3.1, 5}, {1, -1, 2, 2.5, 0, 4}};

TEST(Spline, PassesThroughItsPoints) {
  for (const SplineType type : {SplineType::cubic, SplineType::akima}) {
    const Spline s(kUneven, type);
    for (size_t i = 0; i < kUneven.x.size(); ++i) EXPECT_NEAR(s(kUneven.x[i])[0], kUneven.y[i], 1e-14);
  }
}

TEST(Spline, HasContinuousSlopeAndTheCubicOneContinuousCurvature) {
  for (const SplineType type : {SplineType::cubic, SplineType::akima}) {
    const Spline s(kUneven, type);
    for (const double x : kUneven.x) {
      const double e = 1e-9;
      EXPECT_NEAR(s(x - e)[1], s(x + e)[1], 1e-6);
      if (type == SplineType::cubic) {
        EXPECT_NEAR(s(x - e)[2], s(x + e)[2], 1e-6);
      }
    }
  }
}

TEST(Spline, HasTheDerivativesOfItsValues) {
  for (const SplineType type : {SplineType::cubic, SplineType::akima}) {
    const Spline s(kUneven, type);
    for (const double x : {-1.0, 0.2, 1.1, 1.9, 2.6, 4.0, 6.0}) {
      const double h = 1e-3;  // differences of a cubic: only round-off remains
      const auto y = s(x);
      EXPECT_NEAR((8 * (s(x + h)[0] - s(x - h)[0]) - (s(x + 2 * h)[0] - s(x - 2 * h)[0])) / (12 * h), y[1], 1e-10);
      EXPECT_NEAR((s(x + h)[1] - s(x - h)[1]) / (2 * h), y[2], 1e-9);
      EXPECT_NEAR((s(x + h)[2] - s(x - h)[2]) / (2 * h), y[3], 1e-9);
      EXPECT_NEAR((s.integral(x + h) - s.integral(x - h)) / (2 * h), y[0], 1e-4);
    }
  }
}

/// Largest error of the spline of a function over the whole table.
double largest_error(double (*f)(double), const Table& table) {
  const Spline s(table, SplineType::cubic);
  double worst = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double x = table.x[0] + (table.x.back() - table.x[0]) * i / 1000;
    worst = std::max(worst, std::abs(s(x)[0] - f(x)));
  }
  return worst;
}

// exp has curvature at its ends: a natural spline is of second order there, the others of fourth.
TEST(Spline, HasTheOrderThatItsEndsAllow) {
  const auto error = [](int points, SplineEnds ends) {
    Table table = sampled(std::exp, 0, 2, points);
    table.ends = ends;
    table.slopes = {1, std::exp(2)};
    return largest_error(std::exp, table);
  };
  for (const auto& [ends, order] : {std::pair{SplineEnds::natural, 2.0}, std::pair{SplineEnds::not_a_knot, 4.0},
                                    std::pair{SplineEnds::slopes, 4.0}})
    EXPECT_NEAR(std::log2(error(41, ends) / error(81, ends)), order, 0.15) << order;
}

TEST(Spline, WithFreeOrGivenEndsIsTheCubicItWasTakenFrom) {
  const auto cubic = [](double x) { return 1 - 2 * x + 3 * x * x - 0.5 * x * x * x; };
  for (const SplineEnds ends : {SplineEnds::not_a_knot, SplineEnds::slopes}) {
    Table table{kUneven.x, {}};
    for (const double x : table.x) table.y.push_back(cubic(x));
    table.ends = ends;
    table.slopes = {-2, -2 + 6 * 5 - 1.5 * 25};
    EXPECT_LT(largest_error(cubic, table), 1e-12);
  }
  Table parabola{{0, 1, 3}, {0, 1, 9}};  // three points, not a knot
  parabola.ends = SplineEnds::not_a_knot;
  EXPECT_LT(largest_error([](double x) { return x * x; }, parabola), 1e-13);
}

// The natural spline through three points, worked out by hand: y = 0, 1, 0 at 0, 1, 2 has y″(1) = −3.
TEST(Spline, IsTheNaturalSplineOfThreePoints) {
  const Spline s({{0, 1, 2}, {0, 1, 0}}, SplineType::cubic);
  EXPECT_NEAR(s(1)[2], -3, 1e-14);
  EXPECT_NEAR(s(0)[2], 0, 1e-14);
  EXPECT_NEAR(s(0.5)[0], 1.5 * 0.5 - 0.5 * 0.125, 1e-15);
  EXPECT_NEAR(s.integral(2), 2 * (0.75 - 0.125), 1e-14);
}

TEST(Spline, ConvergesWithTheFourthPowerOfTheSpacing) {
  const auto error = [](SplineType type, int points) {
    const Spline s(sampled([](double x) { return std::sin(x); }, -6.283185307179586, 6.283185307179586, points), type);
    double largest = 0;
    for (double x = -2; x <= 2; x += 0.003) largest = std::max(largest, std::abs(s(x)[0] - std::sin(x)));
    return largest;
  };
  EXPECT_NEAR(std::log2(error(SplineType::cubic, 101) / error(SplineType::cubic, 201)), 4, 0.1);
  // Akima's slopes are of second order in general
  EXPECT_GT(std::log2(error(SplineType::akima, 101) / error(SplineType::akima, 201)), 1.9);
}

TEST(Spline, OfAkimaMakesNoWavesBesideAJump) {
  const Table jump{{0, 1, 2, 3, 4, 5, 6, 7}, {0, 0, 0, 0, 1, 1, 1, 1}};
  const Spline akima(jump, SplineType::akima), cubic(jump, SplineType::cubic);
  EXPECT_NEAR(akima(1.5)[0], 0, 1e-15);
  EXPECT_GT(std::abs(cubic(1.5)[0]), 1e-3);
  EXPECT_NEAR(akima(3.5)[0], 0.5, 1e-15);
}

TEST(Spline, ContinuesAsAStraightLine) {
  for (const SplineType type : {SplineType::cubic, SplineType::akima}) {
    const Spline s(kUneven, type);
    EXPECT_NEAR(s(7)[0], 4 + 2 * s(5)[1], 1e-12);
    EXPECT_NEAR(s(-1)[0], 1 - s(0)[1], 1e-12);
    EXPECT_EQ(s(7)[2], 0);
  }
}

TEST(Spline, SeesWhereATableDoesNotIncrease) {
  EXPECT_EQ(first_not_increasing({0, 1, 2}), -1);
  EXPECT_EQ(first_not_increasing({0, 1, 1, 2}), 2);
  EXPECT_EQ(first_not_increasing({0, 3, 1}), 2);
}

}  // namespace spline_test
}  // namespace bricard
