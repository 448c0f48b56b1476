// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/spline.h"

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

// Slopes of the natural cubic spline: the second derivative is continuous at inner points and zero at the ends,
//     s₍ᵢ₋₁₎/h₍ᵢ₋₁₎ + 2 sᵢ (1/h₍ᵢ₋₁₎ + 1/hᵢ) + s₍ᵢ₊₁₎/hᵢ = 3 (m₍ᵢ₋₁₎/h₍ᵢ₋₁₎ + mᵢ/hᵢ),   2 s₀ + s₁ = 3 m₀
// a tridiagonal system, solved without pivoting since it is diagonally dominant.
std::vector<double> natural_slopes(const std::vector<double>& h, const std::vector<double>& m) {
  const size_t n = h.size();
  std::vector<double> diagonal(n + 1), right(n + 1);
  const auto inverse = [&](size_t i) { return 1 / h[i]; };
  for (size_t i = 0; i <= n; ++i) {
    diagonal[i] = 2 * ((i > 0 ? inverse(i - 1) : 0) + (i < n ? inverse(i) : 0));
    right[i] = 3 * ((i > 0 ? m[i - 1] * inverse(i - 1) : 0) + (i < n ? m[i] * inverse(i) : 0));
  }
  for (size_t i = 1; i <= n; ++i) {
    const double factor = inverse(i - 1) / diagonal[i - 1];
    diagonal[i] -= factor * inverse(i - 1);
    right[i] -= factor * right[i - 1];
  }
  std::vector<double> slopes(n + 1);
  for (size_t i = n + 1; i-- > 0;) slopes[i] = (right[i] - (i < n ? inverse(i) * slopes[i + 1] : 0)) / diagonal[i];
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
  const std::vector<double> s = type == SplineType::cubic ? natural_slopes(h, m) : akima_slopes(m);
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
