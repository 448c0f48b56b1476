// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

#include "bricard/math/time_jet.h"

// The functions of formulas that are more than one operation, for plain numbers and for jets alike. Arguments are given
// side by side, in the order in which they are written. Definitions as in Adams/Solver.
namespace bricard {

inline double value_of(double x) { return x; }
inline double value_of(const TimeJet& x) { return x.value; }

/// From h0 at x0 to h1 at x1, constant outside; between them h0 + (h1 − h0) φ(s), s = (x − x0)/(x1 − x0).
template <class S, class Shape>
S ramp(const S* a, const Shape& shape) {
  const S &x = a[0], &x0 = a[1], &h0 = a[2], &x1 = a[3], &h1 = a[4];
  if (value_of(x) <= value_of(x0)) return h0;
  if (value_of(x) >= value_of(x1)) return h1;
  return h0 + (h1 - h0) * shape((x - x0) / (x1 - x0));
}

template <class S>
S step(const S* a) {  // s² (3 − 2 s)
  return ramp(a, [](const S& s) { return s * s * (S{3} - S{2} * s); });
}

template <class S>
S step5(const S* a) {  // s³ (10 − 15 s + 6 s²)
  return ramp(a, [](const S& s) { return s * s * s * (S{10} + s * (S{6} * s - S{15})); });
}

template <class S>
S havsin(const S* a) {  // (1 − cos π s)/2
  using std::cos;
  return ramp(a, [](const S& s) { return S{0.5} - S{0.5} * cos(S{std::numbers::pi} * s); });
}

/// Σ aⱼ (x − x0)ʲ
template <class S>
S poly(const S* a, int count) {
  const S u = a[0] - a[1];
  S sum = a[count - 1];
  for (int j = count - 2; j >= 2; --j) sum = sum * u + a[j];
  return sum;
}

/// Σ aⱼ Tⱼ(x − x0),   T₀ = 1,  T₁ = u,  Tⱼ = 2 u T₍ⱼ₋₁₎ − T₍ⱼ₋₂₎
template <class S>
S cheby(const S* a, int count) {
  const S u = a[0] - a[1];
  S before{1}, now = u, sum = a[2];
  for (int j = 3; j < count; ++j) {
    sum = sum + a[j] * now;
    const S next = S{2} * u * now - before;
    before = now;
    now = next;
  }
  return sum;
}

/// a0 + Σ aⱼ cos(j ω (x − x0)), or sin
template <class S>
S fourier(const S* a, int count, bool cosine) {
  using std::cos, std::sin;
  const S angle = a[2] * (a[0] - a[1]);
  S sum = a[3];
  for (int j = 1; j + 3 < count; ++j) {
    const S multiple = S{static_cast<double>(j)} * angle;
    sum = sum + a[j + 3] * (cosine ? cos(multiple) : sin(multiple));
  }
  return sum;
}

/// a sin(ω (x − x0) − φ) + b, with arguments x, x0, a, ω, φ, b
template <class S>
S shf(const S* a) {
  using std::sin;
  return a[2] * sin(a[3] * (a[0] - a[1]) - a[4]) + a[5];
}

/// One-sided contact, pushing towards larger x below x1: arguments x, ẋ, x1, k, e, c, d.
///     max(0, k (x1 − x)ᵉ − ẋ step(x, x1 − d, c, x1, 0))  for x < x1,  else 0
template <class S>
S impact(const S* a) {
  using std::pow;
  const S &x = a[0], &x1 = a[2];
  if (value_of(x) >= value_of(x1)) return S{0};
  const S damping[] = {x, x1 - a[6], a[5], x1, S{0}};
  const S force = a[3] * pow(x1 - x, a[4]) - a[1] * step(damping);
  return value_of(force) > 0 ? force : S{0};
}

/// Contact at both ends of a gap: arguments x, ẋ, x1, x2, k, e, c, d. Pushes up below x1, down above x2.
template <class S>
S bistop(const S* a) {
  const S low[] = {a[0], a[1], a[2], a[4], a[5], a[6], a[7]};
  const S high[] = {-a[0], -a[1], -a[3], a[4], a[5], a[6], a[7]};  // the same, seen from the other side
  return impact(low) - impact(high);
}

/// x for y ≥ 0 else −x, of the amount of x.
template <class S>
S transfer_sign(const S& x, const S& y) {
  using std::abs;
  return value_of(y) < 0 ? -abs(x) : abs(x);
}

/// a, b or c as x is < 0, = 0 or > 0.
template <class S>
S arithmetic_if(const S* a) {
  const double x = value_of(a[0]);
  return x < 0 ? a[1] : x > 0 ? a[3] : std::isnan(x) ? a[0] : a[2];
}

}  // namespace bricard
