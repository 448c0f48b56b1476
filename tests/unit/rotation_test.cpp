// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

// Identities of Exp, Log and T over a table of angles and axes, near 0, ordinary and near π.
namespace bricard {
namespace rotation_test {

using std::numbers::pi;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

const Vector3d kAxes[] = {
    {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0.6, -0.8, 0}, {0.36, 0.48, -0.8}, {-2 / 3.0, 1 / 3.0, 2 / 3.0}};
const double kAngles[] = {0, 1e-200, 1e-12, 1e-8, 1e-4, 0.1, 0.4999, 0.5001, 1, 2, 3, pi - 1e-4, pi - 1e-9, pi};

template <class Check>
void for_all_rotation_vectors(const Check& check) {
  for (const Vector3d& axis : kAxes)
    for (const double angle : kAngles) {
      SCOPED_TRACE(::testing::Message() << "angle " << angle << ", axis " << axis.transpose());
      check(angle, axis.normalized());
    }
}

TEST(Exp, TurnsByTheAngleAboutTheAxis) {
  for_all_rotation_vectors([](double angle, const Vector3d& axis) {
    const long double half = angle / 2.0L;
    const Quaterniond q = exp_rotation(angle * axis);
    EXPECT_NEAR(q.w(), static_cast<double>(std::cos(half)), kEpsilon);
    // a few roundings of each component, relative to the largest even where the angle is tiny
    EXPECT_LE((q.vec() - static_cast<double>(std::sin(half)) * axis).norm(),
              4 * kEpsilon * static_cast<double>(std::sin(half)));
  });
}

TEST(Exp, GivesUnitQuaternionsAndOrthonormalMatrices) {
  for_all_rotation_vectors([](double angle, const Vector3d& axis) {
    const Quaterniond q = exp_rotation(angle * axis);
    const Matrix3d R = q.toRotationMatrix();
    EXPECT_NEAR(q.squaredNorm(), 1, 4 * kEpsilon);  // four squares, each rounded
    EXPECT_LE((R * R.transpose() - Matrix3d::Identity()).cwiseAbs().maxCoeff(), 16 * kEpsilon);
    EXPECT_NEAR(R.determinant(), 1, 16 * kEpsilon);
  });
}

TEST(Log, UndoesExp) {
  for_all_rotation_vectors([](double angle, const Vector3d& axis) {
    const Vector3d theta = angle * axis, back = log_rotation(exp_rotation(theta));
    // at π the two ends of the axis are the same turn
    const double miss = angle == pi ? std::min((back - theta).norm(), (back + theta).norm()) : (back - theta).norm();
    EXPECT_LE(miss, 8 * kEpsilon * angle);
  });
}

TEST(Log, IsTheSameForBothSignsOfAQuaternion) {
  for_all_rotation_vectors([](double angle, const Vector3d& axis) {
    if (angle == pi) return;  // w is round-off there: either end of the axis will do
    const Quaterniond q = exp_rotation(angle * axis);
    EXPECT_EQ(log_rotation(q), log_rotation(Quaterniond(-q.coeffs())));
  });
}

TEST(Log, IsAtMostHalfATurn) {
  for (const double angle : {3.5, 5.0, 2 * pi - 1e-9, 2 * pi, 7.0, 9.0, 100.0}) {
    SCOPED_TRACE(angle);
    const Vector3d axis(0.36, 0.48, -0.8), theta = log_rotation(exp_rotation(angle * axis));
    EXPECT_LE(theta.norm(), pi);
    // the angle itself is known to a rounding only
    EXPECT_LE((exp_rotation(theta).toRotationMatrix() - exp_rotation(angle * axis).toRotationMatrix()).norm(),
              4 * kEpsilon * angle);
  }
}

TEST(Exp, ComposesTurnsAboutOneAxis) {
  const Vector3d axis(-2 / 3.0, 1 / 3.0, 2 / 3.0);
  for (const double a : kAngles)
    for (const double b : kAngles) {
      const Matrix3d twice = (exp_rotation(a * axis) * exp_rotation(b * axis)).toRotationMatrix();
      EXPECT_LE((twice - exp_rotation((a + b) * axis).toRotationMatrix()).norm(), 32 * kEpsilon) << a << " and " << b;
    }
}

/// Tangent by central differences of tenth order; d = 0.05 leaves d¹⁰ = 1e-13 and round-off of
/// 1e-16/d.
Matrix3d differenced_tangent(const Vector3d& theta) {
  constexpr double d = 0.05, weights[] = {5 / 6.0, -5 / 21.0, 5 / 84.0, -5 / 504.0, 1 / 1260.0};
  const Quaterniond back = exp_rotation(theta).conjugate();
  Matrix3d T = Matrix3d::Zero();
  for (int j = 0; j < 3; ++j)
    for (int k = 1; k <= 5; ++k) {
      const Vector3d step = k * d * Vector3d::Unit(j);
      T.col(j) += weights[k - 1] / d *
                  (log_rotation(back * exp_rotation(theta + step)) - log_rotation(back * exp_rotation(theta - step)));
    }
  return T;
}

TEST(TangentOperator, IsTheDerivativeOfExp) {
  for_all_rotation_vectors([](double angle, const Vector3d& axis) {
    const Vector3d theta = angle * axis;
    EXPECT_LE((tangent_operator(theta) - differenced_tangent(theta)).cwiseAbs().maxCoeff(), 1e-12);
  });
}

TEST(TangentOperator, KeepsTheAxis) {
  for_all_rotation_vectors([](double angle, const Vector3d& axis) {
    EXPECT_LE((tangent_operator(angle * axis) * axis - axis).norm(), 8 * kEpsilon);
  });
}

TEST(TangentOperator, TimesItsInverseIsOne) {
  for_all_rotation_vectors([](double angle, const Vector3d& axis) {
    const Vector3d theta = angle * axis;
    const Matrix3d product = tangent_operator(theta) * tangent_operator_inverse(theta);
    EXPECT_LE((product - Matrix3d::Identity()).cwiseAbs().maxCoeff(), 16 * kEpsilon);
  });
}

/// T(θ)ᵀ = T(−θ) and T(θ)ᵀ = Exp(θ) T(θ): moving the point of view from one end of the turn to the
/// other.
TEST(TangentOperator, TransposedBelongsToTheInverseTurn) {
  for_all_rotation_vectors([](double angle, const Vector3d& axis) {
    const Vector3d theta = angle * axis;
    const Matrix3d T = tangent_operator(theta);
    EXPECT_LE((T.transpose() - tangent_operator(-theta)).cwiseAbs().maxCoeff(), 4 * kEpsilon);
    EXPECT_LE((T.transpose() - exp_rotation(theta).toRotationMatrix() * T).cwiseAbs().maxCoeff(), 16 * kEpsilon);
  });
}

TEST(FrameFromAxes, HasTheAxesAskedFor) {
  for (const Vector3d& z : kAxes)
    for (const Vector3d& hint : {Vector3d(0.3, 0.5, 0.7), Vector3d(-1, 0.2, 0.1)}) {
      const Matrix3d R = frame_from_axes(3 * z, hint).toRotationMatrix();
      EXPECT_LE((R.col(2) - z.normalized()).norm(), 16 * kEpsilon);
      EXPECT_GT(R.col(0).dot(hint), 0);
      EXPECT_LE(std::abs(R.col(1).dot(hint)), 16 * kEpsilon);  // x is the part of the hint across z
      EXPECT_LE((frame_from_axis(z).toRotationMatrix().col(2) - z.normalized()).norm(), 16 * kEpsilon);
    }
}

TEST(NearestTurn, IsWithinHalfATurnAndTheSameAngle) {
  for (const double angle : {-pi, -3.0, 0.0, 1e-9, 2.0, 3.14})
    for (const double reference : {-1000.0, -20.0, -3.2, 0.0, 0.1, 3.3, 6.3, 1234.5}) {
      const double near = nearest_turn(angle, reference), turns = (near - angle) / (2 * pi);
      EXPECT_LE(std::abs(near - reference), pi * (1 + 4 * kEpsilon));
      EXPECT_NEAR(turns, std::round(turns), 1e-13) << angle << " near " << reference;  // a rounding of 1234.5
    }
}

}  // namespace rotation_test
}  // namespace bricard
