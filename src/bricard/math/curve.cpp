// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bricard {
namespace {

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

constexpr int kIterations = 50;
constexpr double kQuadratic = 1e-10;  // the step after one of this size would be lost in round-off
constexpr int kEllipseSamples = 96, kSplineSamples = 120, kFormulaSamples = 240;

double signed_area(const std::vector<Vector2d>& points) {
  double sum = 0;
  for (size_t i = 0; i < points.size(); ++i) sum += cross(points[i], points[(i + 1) % points.size()]);
  return 0.5 * sum;
}

}  // namespace

//     h₋ M₋ + 2 (h₋ + h₊) M + h₊ M₊ = 6 ((c₊ − c)/h₊ − (c − c₋)/h₋),   M = c″;  at free ends M = 0
Curve Curve::spline(std::vector<Vector2d> points, bool closed) {
  if (closed && signed_area(points) < 0) std::reverse(points.begin(), points.end());
  if (closed) points.push_back(points.front());
  Curve curve;
  curve.closed_ = closed;
  curve.knots_ = {0};
  for (size_t i = 1; i < points.size(); ++i)
    curve.knots_.push_back(curve.knots_.back() + (points[i] - points[i - 1]).norm());
  curve.end_ = curve.knots_.back();
  const int n = static_cast<int>(points.size()) - 1;  // intervals
  const auto h = [&](int i) { return curve.knots_[(i + n) % n + 1] - curve.knots_[(i + n) % n]; };
  const auto slope = [&](int i) -> Vector2d { return (points[(i + n) % n + 1] - points[(i + n) % n]) / h(i); };
  Eigen::MatrixXd A = Eigen::MatrixXd::Identity(n + 1, n + 1), b = Eigen::MatrixXd::Zero(n + 1, 2);
  for (int i = closed ? 0 : 1; i < n; ++i) {
    A.row(i).setZero();
    A(i, closed ? (i + n - 1) % n : i - 1) += h(i - 1);
    A(i, i) += 2 * (h(i - 1) + h(i));
    A(i, closed ? (i + 1) % n : i + 1) += h(i);
    b.row(i) = 6 * (slope(i) - slope(i - 1)).transpose();
  }
  Eigen::MatrixXd M = A.partialPivLu().solve(b);
  if (closed) M.row(n) = M.row(0);
  for (int i = 0; i <= n; ++i) curve.curvatures_.push_back(M.row(i).transpose());
  curve.points_ = std::move(points);
  curve.add_samples(std::max(2, kSplineSamples / n));
  return curve;
}

Curve Curve::ellipse(double a, double b) {
  Curve curve;
  curve.kind_ = Kind::ellipse;
  curve.closed_ = true;
  curve.a_ = a, curve.b_ = b;
  curve.end_ = 2 * std::numbers::pi;
  curve.knots_ = {0, curve.end_};
  curve.add_samples(kEllipseSamples);
  return curve;
}

Curve Curve::formula(const Expression& x, const Expression& y, double first, double last, bool closed) {
  Curve curve;
  curve.kind_ = Kind::formula;
  curve.closed_ = closed;
  curve.x_ = x, curve.y_ = y;
  curve.first_ = first;
  curve.end_ = last - first;
  curve.knots_ = {0, curve.end_};
  curve.add_samples(kFormulaSamples);
  if (!closed || signed_area(curve.sample_points_) >= 0) return curve;
  curve.first_ = last, curve.direction_ = -1;
  curve.samples_.clear(), curve.sample_points_.clear();
  curve.add_samples(kFormulaSamples);
  return curve;
}

void Curve::add_samples(int per_interval) {
  for (size_t i = 0; i + 1 < knots_.size(); ++i)
    for (int j = 0; j < per_interval; ++j)
      samples_.push_back(knots_[i] + (knots_[i + 1] - knots_[i]) * j / per_interval);
  if (!closed_) samples_.push_back(end_);
  for (const double s : samples_) sample_points_.push_back(at(s).c);
}

std::vector<Vector2d> Curve::outline() const {
  std::vector<Vector2d> points = sample_points_;
  if (closed_) points.push_back(points.front());
  return points;
}

Curve::Point Curve::at(double s) const {
  if (kind_ == Kind::ellipse) {
    const double c = std::cos(s), d = std::sin(s);
    return {{a_ * c, b_ * d}, {-a_ * d, b_ * c}, {-a_ * c, -b_ * d}};
  }
  if (closed_) s -= end_ * std::floor(s / end_);
  const double inside = std::clamp(s, 0.0, end_);
  Point p = kind_ == Kind::formula ? formula_at(inside) : spline_at(inside);
  if (s != inside) p.c += (s - inside) * p.d1, p.d2.setZero();
  return p;
}

Curve::Point Curve::formula_at(double s) const {
  const TimeJet still, u{first_ + direction_ * s, direction_, 0};
  const TimeJet x = x_.jet(still, &u), y = y_.jet(still, &u);
  return {{x.value, y.value}, {x.rate, y.rate}, {x.acceleration, y.acceleration}};
}

Curve::Point Curve::spline_at(double inside) const {
  const auto above = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, inside);
  const size_t i = static_cast<size_t>(above - knots_.begin()) - 1;
  const double h = knots_[i + 1] - knots_[i], u = (inside - knots_[i]) / h, v = 1 - u;
  const Vector2d &c0 = points_[i], &c1 = points_[i + 1], &M0 = curvatures_[i], &M1 = curvatures_[i + 1];
  Point p;
  p.c = v * c0 + u * c1 + h * h / 6 * ((v * v * v - v) * M0 + (u * u * u - u) * M1);
  p.d1 = (c1 - c0) / h + h / 6 * ((1 - 3 * v * v) * M0 + (3 * u * u - 1) * M1);
  p.d2 = v * M0 + u * M1;
  return p;
}

double Curve::nearest(const Vector2d& X) const {
  size_t best = 0;
  double least = (sample_points_[0] - X).squaredNorm();
  for (size_t i = 1; i < sample_points_.size(); ++i) {
    const double square = (sample_points_[i] - X).squaredNorm();
    if (square < least) least = square, best = i;
  }
  return nearest(X, samples_[best]);
}

// Newton's method on (X − c)·c′ = 0; where the distance has no minimum nearby, by the first derivative alone.
double Curve::nearest(const Vector2d& X, double s) const {
  const double largest = end_ / static_cast<double>(samples_.size());
  for (int k = 0; k < kIterations; ++k) {
    const Point p = at(s);
    const Vector2d d = X - p.c;
    const double first = d.dot(p.d1), square = p.d1.squaredNorm(), second = square - d.dot(p.d2);
    const bool newton = second > 0.1 * square;
    double step = first / (newton ? second : square);
    if (s >= 0 && s <= end_) step = std::clamp(step, -largest, largest);
    s += step;
    if (std::abs(step) <= (newton ? kQuadratic : 4e-16) * end_) break;
  }
  return closed_ ? s - end_ * std::floor(s / end_) : s;
}

//     κ = (c′ × c″)/|c′|³,    ∇∇φ = κ/(1 + κ φ) t tᵀ
CurveDistance distance_from(const Curve& curve, const Vector2d& X) {
  CurveDistance d;
  d.s = curve.nearest(X);
  const Curve::Point p = curve.at(d.s);
  const double speed = p.d1.norm();
  d.t = p.d1 / speed;
  d.n = {d.t.y(), -d.t.x()};
  d.value = d.n.dot(X - p.c);
  const double kappa = cross(p.d1, p.d2) / (speed * speed * speed);
  d.curvature = kappa / (1 + kappa * d.value);
  return d;
}

}  // namespace bricard
