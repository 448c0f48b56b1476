// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace bricard {
namespace curve_test {

const std::vector<Vector2d> kPoints{{4, 0}, {3, 3}, {-1, 3.5}, {-4, 1}, {-3, -2.5}, {1, -4}};

TEST(Spline, GoesThroughItsPoints) {
  for (const bool closed : {false, true}) {
    const Curve curve = Curve::spline(kPoints, closed);
    double s = 0;
    for (size_t i = 0; i < kPoints.size(); ++i) {
      EXPECT_LT((curve.at(s).c - kPoints[i]).norm(), 1e-13) << i;
      s += (kPoints[(i + 1) % kPoints.size()] - kPoints[i]).norm();
    }
  }
}

TEST(Spline, HasTwoContinuousDerivatives) {
  const Curve curve = Curve::spline(kPoints, true);
  const double h = 1e-4;
  for (double s = 0; s < curve.end(); s += curve.end() / 40) {  // the first lies on the seam
    const Vector2d slope = (curve.at(s + h).c - curve.at(s - h).c) / (2 * h),
                   bend = (curve.at(s + h).d1 - curve.at(s - h).d1) / (2 * h);
    EXPECT_LT((slope - curve.at(s).d1).norm(), 1e-7);
    EXPECT_LT((bend - curve.at(s).d2).norm(), 1e-3);  // jumps of the third derivative at knots, times h
  }
}

TEST(Spline, GoesOnStraightBehindItsEnds) {
  const Curve curve = Curve::spline(kPoints, false);
  for (const double s : {0.0, curve.end()}) {
    const double outside = s > 0 ? s + 2 : s - 2;
    EXPECT_LT(curve.at(s).d2.norm(), 1e-13);
    EXPECT_LT((curve.at(outside).c - curve.at(s).c - (outside - s) * curve.at(s).d1).norm(), 1e-12);
  }
}

TEST(Spline, ApproachesACircleAtFourthOrder) {
  const auto error = [](int n) {
    std::vector<Vector2d> points;
    for (int i = 0; i < n; ++i)
      points.emplace_back(std::cos(2 * std::numbers::pi * i / n), std::sin(2 * std::numbers::pi * i / n));
    const Curve curve = Curve::spline(points, true);
    double worst = 0;
    for (double s = 0; s < curve.end(); s += 0.001) worst = std::max(worst, std::abs(curve.at(s).c.norm() - 1));
    return worst;
  };
  EXPECT_NEAR(std::log2(error(16) / error(32)), 4, 0.1);
}

TEST(ClosedCurve, HasItsNormalOutsideWhicheverWayItIsGiven) {
  const std::vector<Vector2d> backwards(kPoints.rbegin(), kPoints.rend());
  for (const auto& points : {kPoints, backwards}) {
    const Curve curve = Curve::spline(points, true);
    EXPECT_GT(distance_from(curve, {9, 1}).value, 4);
    EXPECT_LT(distance_from(curve, {0.2, 0.1}).value, -3);
  }
}

TEST(DistanceFromACurve, HasTheGradientAndCurvatureItSays) {
  const Curve curves[] = {Curve::spline(kPoints, true), Curve::ellipse(2, 1),
                          Curve::spline({{0, 0}, {1, 2}, {3, 3}}, false)};
  const double h = 1e-4;
  for (const Curve& curve : curves)
    for (const Vector2d& X : {Vector2d(3, 4), Vector2d(-1.4, 0.7), Vector2d(0.5, 1.6), Vector2d(6, 5)}) {
      const CurveDistance d = distance_from(curve, X);
      const auto at = [&](double x, double y) { return distance_from(curve, X + Vector2d(x, y)).value; };
      EXPECT_NEAR((at(h, 0) - at(-h, 0)) / (2 * h), d.n.x(), 1e-7);
      EXPECT_NEAR((at(0, h) - at(0, -h)) / (2 * h), d.n.y(), 1e-7);
      const Vector2d t = h * d.t;
      EXPECT_NEAR((at(t.x(), t.y()) - 2 * d.value + at(-t.x(), -t.y())) / (h * h), d.curvature, 1e-5);
    }
}

Expression in_u(const std::string& text) {
  ExpressionScope scope;
  scope.variables = {"u"};
  return Expression::parse(text, scope);
}

/// Written clockwise and from another start, an ellipse is the same curve with the same normal, and as near to any point.
TEST(CurveByFormula, IsTheEllipseItDescribes) {
  const Curve ellipse = Curve::ellipse(3, 2);
  const Curve formula = Curve::formula(in_u("3*sin(2*u)"), in_u("2*cos(2*u)"), 0.3, 0.3 + std::numbers::pi, true);
  for (const Vector2d& X : {Vector2d(4, 1), Vector2d(-1, 3), Vector2d(0.5, -1.2), Vector2d(-2.9, -0.1)}) {
    const CurveDistance a = distance_from(ellipse, X), b = distance_from(formula, X);
    EXPECT_NEAR(a.value, b.value, 1e-13);
    EXPECT_LT((a.n - b.n).norm(), 1e-12);
    EXPECT_NEAR(a.curvature, b.curvature, 1e-11);
  }
  EXPECT_NEAR((formula.at(0).c - formula.at(formula.period()).c).norm(), 0, 1e-14);
}

TEST(CurveByFormula, GoesOnStraightBehindItsEnds) {
  const Curve parabola = Curve::formula(in_u("u"), in_u("u^2"), -1, 2, false);
  EXPECT_LT((parabola.at(-2).c - Vector2d(-3, 5)).norm(), 1e-14);
  EXPECT_LT((parabola.at(4).c - Vector2d(3, 8)).norm(), 1e-14);
  EXPECT_NEAR(distance_from(parabola, {0, -1}).value, 1, 1e-14);  // positive to the right
  EXPECT_NEAR(distance_from(parabola, {0, 0.3}).value, -0.3, 1e-14);
}

}  // namespace curve_test
}  // namespace bricard
