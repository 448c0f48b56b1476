// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/rotation.h"

#include <cmath>
#include <numbers>

namespace bricard {
namespace {

// Below this |θ|² the power series of the coefficients reach round-off with the terms kept here;
// the closed forms lose digits by cancellation there.
constexpr double kSeriesLimit = 0.25;

// (1 − cos x)/x² with x² given
double versine_ratio(double x2) {
  if (x2 > kSeriesLimit) return (1 - std::cos(std::sqrt(x2))) / x2;
  double term = 0.5, sum = term;
  for (int k = 1; k <= 8; ++k) sum += term *= -x2 / ((2 * k + 1) * (2 * k + 2));
  return sum;
}

// (x − sin x)/x³ with x² given
double sine_defect_ratio(double x2) {
  if (x2 > kSeriesLimit) {
    const double x = std::sqrt(x2);
    return (x - std::sin(x)) / (x2 * x);
  }
  double term = 1.0 / 6, sum = term;
  for (int k = 1; k <= 8; ++k) sum += term *= -x2 / ((2 * k + 2) * (2 * k + 3));
  return sum;
}

// Σ |B₂ₖ| x²ᵏ⁻²/(2k)! for the ratio below
constexpr double kCotangentSeries[] = {1.0 / 12,          1.0 / 720,
                                       1.0 / 30240,       1.0 / 1209600,
                                       1.0 / 47900160,    691.0 / 1307674368000,
                                       1.0 / 74724249600, 3617.0 / 10670622842880000};

// (1 − x/2 cot(x/2))/x² with x² given
double cotangent_ratio(double x2) {
  if (x2 > kSeriesLimit) {
    const double half = 0.5 * std::sqrt(x2);
    return (1 - half * std::cos(half) / std::sin(half)) / x2;
  }
  double sum = 0;
  for (int k = 7; k >= 0; --k) sum = sum * x2 + kCotangentSeries[k];
  return sum;
}

// The derivative of this ratio after x²:   (x²/4 + y² − y − 2 (1 − y))/(2 x⁴),   y = x/2 cot(x/2)
double cotangent_ratio_slope(double x2) {
  if (x2 > kSeriesLimit) {
    const double half = 0.5 * std::sqrt(x2), y = half * std::cos(half) / std::sin(half);
    return (0.25 * x2 + y * y - y - 2 * (1 - y)) / (2 * x2 * x2);
  }
  double sum = 0;
  for (int k = 7; k >= 1; --k) sum = sum * x2 + k * kCotangentSeries[k];
  return sum;
}

}  // namespace

Quaterniond exp_rotation(const Vector3d& theta) {
  const double x2 = theta.squaredNorm();
  double w, factor;  // factor = sin(x/2)/x
  if (x2 > kSeriesLimit) {
    const double x = std::sqrt(x2);
    w = std::cos(0.5 * x);
    factor = std::sin(0.5 * x) / x;
  } else {
    const double y = 0.25 * x2;  // (x/2)²
    w = 1 - y / 2 * (1 - y / 12 * (1 - y / 30 * (1 - y / 56 * (1 - y / 90 * (1 - y / 132)))));
    factor = 0.5 * (1 - y / 6 * (1 - y / 20 * (1 - y / 42 * (1 - y / 72 * (1 - y / 110 * (1 - y / 156))))));
  }
  return {w, factor * theta.x(), factor * theta.y(), factor * theta.z()};
}

Vector3d log_rotation(const Quaterniond& q) {
  const double sign = q.w() < 0 ? -1 : 1;
  const double w = sign * q.w();
  const double s = q.vec().norm();
  if (s < 1e-8) return (2 * sign / w) * q.vec();  // atan(s/w)/s = 1/w up to s²/3
  return (2 * sign * std::atan2(s, w) / s) * q.vec();
}

Matrix3d tangent_operator(const Vector3d& theta) {
  const double x2 = theta.squaredNorm();
  const Matrix3d S = skew(theta);
  return Matrix3d::Identity() - versine_ratio(x2) * S + sine_defect_ratio(x2) * S * S;
}

Matrix3d tangent_operator_inverse(const Vector3d& theta) {
  const Matrix3d S = skew(theta);
  return Matrix3d::Identity() + 0.5 * S + cotangent_ratio(theta.squaredNorm()) * S * S;
}

Matrix3d tangent_inverse_derivative(const Vector3d& theta, const Vector3d& m) {
  const double x2 = theta.squaredNorm();
  const Matrix3d of_ratio = theta.dot(m) * Matrix3d::Identity() + theta * m.transpose() - 2 * m * theta.transpose();
  return -0.5 * skew(m) + cotangent_ratio(x2) * of_ratio +
         2 * cotangent_ratio_slope(x2) * theta.cross(theta.cross(m)) * theta.transpose();
}

Quaterniond frame_from_axes(const Vector3d& z, const Vector3d& x_hint) {
  Matrix3d R;
  R.col(2) = z.normalized();
  R.col(0) = (x_hint - R.col(2).dot(x_hint) * R.col(2)).normalized();
  R.col(1) = R.col(2).cross(R.col(0));
  return Quaterniond(R).normalized();
}

Quaterniond frame_from_axis(const Vector3d& z) {
  const bool near_x = std::abs(z.x()) > 0.9 * z.norm();
  return frame_from_axes(z, near_x ? Vector3d::UnitY() : Vector3d::UnitX());
}

double nearest_turn(double angle, double reference) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle - turn * std::round((angle - reference) / turn);
}

}  // namespace bricard
