// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/spline.h"

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

/// One line of a tridiagonal system:  before s₍ᵢ₋₁₎ + own sᵢ + after s₍ᵢ₊₁₎ = right
struct Line {
  double before, own, after, right;
};

// The line of an end, seen from it: h, m are the lengths and secants of the first two pieces.
//     natural       2 s₀ + s₁ = 3 m₀
//     not a knot    h₁ s₀ + (h₀ + h₁) s₁ = ((3 h₀ + 2 h₁) h₁ m₀ + h₀² m₁)/(h₀ + h₁);   two pieces: a parabola, s₀ + s₁ = 2 m₀
//     slopes        s₀ is given
Line end_line(SplineEnds ends, double slope, double h0, double h1, double m0, double m1, bool two_pieces) {
  if (ends == SplineEnds::slopes) return {0, 1, 0, slope};
  if (ends == SplineEnds::natural) return {0, 2, 1, 3 * m0};
  if (two_pieces) return {0, 1, 1, 2 * m0};
  return {0, h1, h0 + h1, ((3 * h0 + 2 * h1) * h1 * m0 + h0 * h0 * m1) / (h0 + h1)};
}

// Slopes of the cubic spline: the second derivative is continuous at inner points,
//     s₍ᵢ₋₁₎/h₍ᵢ₋₁₎ + 2 sᵢ (1/h₍ᵢ₋₁₎ + 1/hᵢ) + s₍ᵢ₊₁₎/hᵢ = 3 (m₍ᵢ₋₁₎/h₍ᵢ₋₁₎ + mᵢ/hᵢ)
// Solved without pivoting: inner lines are diagonally dominant, and what those of the ends leave stays positive.
std::vector<double> cubic_slopes(const Table& table, const std::vector<double>& h, const std::vector<double>& m) {
  const size_t n = h.size();
  std::vector<Line> lines(n + 1);
  lines[0] = end_line(table.ends, table.slopes[0], h[0], h[1], m[0], m[1], n == 2);
  lines[n] = end_line(table.ends, table.slopes[1], h[n - 1], h[n - 2], m[n - 1], m[n - 2], n == 2);
  std::swap(lines[n].before, lines[n].after);
  for (size_t i = 1; i < n; ++i) {
    const double left = 1 / h[i - 1], right = 1 / h[i];
    lines[i] = {left, 2 * (left + right), right, 3 * (m[i - 1] * left + m[i] * right)};
  }
  for (size_t i = 1; i <= n; ++i) {
    const double factor = lines[i].before / lines[i - 1].own;
    lines[i].own -= factor * lines[i - 1].after;
    lines[i].right -= factor * lines[i - 1].right;
  }
  std::vector<double> slopes(n + 1);
  for (size_t i = n + 1; i-- > 0;)
    slopes[i] = (lines[i].right - (i < n ? lines[i].after * slopes[i + 1] : 0)) / lines[i].own;
  return slopes;
}

// The slope at a point is the mean of the secants beside it, each weighted by the difference of the other two:
//     sᵢ = (|m₍ᵢ₊₁₎ − mᵢ| m₍ᵢ₋₁₎ + |m₍ᵢ₋₁₎ − m₍ᵢ₋₂₎| mᵢ) / (sum of the weights),
// with two more secants beyond each end, on a straight line with the last two.              [Akima1970]
std::vector<double> akima_slopes(const std::vector<double>& secants) {
  const size_t n = secants.size();
  std::vector<double> m(n + 4);
  std::copy(secants.begin(), secants.end(), m.begin() + 2);
  m[1] = 2 * m[2] - m[3], m[0] = 2 * m[1] - m[2];
  m[n + 2] = 2 * m[n + 1] - m[n], m[n + 3] = 2 * m[n + 2] - m[n + 1];
  std::vector<double> slopes(n + 1);
  for (size_t i = 0; i <= n; ++i) {
    const double left = std::abs(m[i + 3] - m[i + 2]), right = std::abs(m[i + 1] - m[i]);
    slopes[i] = left + right > 0 ? (left * m[i + 1] + right * m[i + 2]) / (left + right) : (m[i + 1] + m[i + 2]) / 2;
  }
  return slopes;
}

}  // namespace

int first_not_increasing(const std::vector<double>& x) {
  for (size_t i = 1; i < x.size(); ++i)
    if (!(x[i] > x[i - 1])) return static_cast<int>(i);
  return -1;
}

Spline::Spline(const Table& table, SplineType type) {
  const std::vector<double>&x = table.x, &y = table.y;
  const size_t n = x.size() - 1;
  std::vector<double> h(n), m(n);
  for (size_t i = 0; i < n; ++i) h[i] = x[i + 1] - x[i], m[i] = (y[i + 1] - y[i]) / h[i];
  const std::vector<double> s = type == SplineType::cubic ? cubic_slopes(table, h, m) : akima_slopes(m);
  pieces_.push_back({x[0], y[0], s[0], 0, 0, 0});
  double area = 0;
  for (size_t i = 0; i < n; ++i) {
    const double c = (3 * m[i] - 2 * s[i] - s[i + 1]) / h[i], d = (s[i] + s[i + 1] - 2 * m[i]) / (h[i] * h[i]);
    pieces_.push_back({x[i], y[i], s[i], c, d, area});
    area += h[i] * (y[i] + h[i] * (s[i] / 2 + h[i] * (c / 3 + h[i] * d / 4)));
  }
  pieces_.push_back({x[n], y[n], s[n], 0, 0, area});
}

const Spline::Piece& Spline::piece_at(double x) const {
  const auto after = std::upper_bound(pieces_.begin() + 1, pieces_.end(), x,
                                      [](double value, const Piece& piece) { return value < piece.x; });
  return *(after - 1);
}

std::array<double, 4> Spline::operator()(double x) const {
  const Piece& p = piece_at(x);
  const double s = x - p.x;
  return {p.a + s * (p.b + s * (p.c + s * p.d)), p.b + s * (2 * p.c + 3 * s * p.d), 2 * p.c + 6 * s * p.d, 6 * p.d};
}

double Spline::integral(double x) const {
  const Piece& p = piece_at(x);
  const double s = x - p.x;
  return p.area + s * (p.a + s * (p.b / 2 + s * (p.c / 3 + s * p.d / 4)));
}

}  // namespace bricard
