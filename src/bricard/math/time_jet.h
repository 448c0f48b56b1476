// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

#include "bricard/math/expression.h"

// Arithmetic of functions of time carried with their first two derivatives:
//     h = φ(f):   ḣ = φ′ ḟ,   ḧ = φ″ ḟ² + φ′ f̈
namespace bricard {

inline double sign(double x) { return (x > 0) - (x < 0); }

/// φ(f) from φ, φ′ and φ″ at f.
inline TimeJet chain(const TimeJet& f, double phi, double phi1, double phi2) {
  // A constant stays one even where φ′ is infinite, as √ at 0.
  if (f.rate == 0 && f.acceleration == 0) return {phi, 0, 0};
  const double curvature = f.rate == 0 ? 0 : phi2 * f.rate * f.rate;
  return {phi, phi1 * f.rate, curvature + phi1 * f.acceleration};
}

inline TimeJet operator-(const TimeJet& f) { return {-f.value, -f.rate, -f.acceleration}; }

inline TimeJet operator+(const TimeJet& f, const TimeJet& g) {
  return {f.value + g.value, f.rate + g.rate, f.acceleration + g.acceleration};
}

inline TimeJet operator-(const TimeJet& f, const TimeJet& g) { return f + -g; }

inline TimeJet operator*(const TimeJet& f, const TimeJet& g) {
  return {f.value * g.value, f.rate * g.value + f.value * g.rate,
          f.acceleration * g.value + 2 * f.rate * g.rate + f.value * g.acceleration};
}

inline TimeJet operator/(const TimeJet& f, const TimeJet& g) {
  // From f = h g differentiated once and twice.
  const double h = f.value / g.value;
  const double rate = (f.rate - h * g.rate) / g.value;
  return {h, rate, (f.acceleration - 2 * rate * g.rate - h * g.acceleration) / g.value};
}

inline TimeJet sin(const TimeJet& f) {
  const double s = std::sin(f.value);
  return chain(f, s, std::cos(f.value), -s);
}

inline TimeJet cos(const TimeJet& f) {
  const double c = std::cos(f.value);
  return chain(f, c, -std::sin(f.value), -c);
}

inline TimeJet tan(const TimeJet& f) {
  const double y = std::tan(f.value), y1 = 1 + y * y;
  return chain(f, y, y1, 2 * y * y1);
}

inline TimeJet asin(const TimeJet& f) {
  const double y1 = 1 / std::sqrt((1 - f.value) * (1 + f.value));
  return chain(f, std::asin(f.value), y1, f.value * y1 * y1 * y1);
}

inline TimeJet acos(const TimeJet& f) {
  const double y1 = 1 / std::sqrt((1 - f.value) * (1 + f.value));
  return chain(f, std::acos(f.value), -y1, -f.value * y1 * y1 * y1);
}

inline TimeJet atan(const TimeJet& f) {
  const double y1 = 1 / (1 + f.value * f.value);
  return chain(f, std::atan(f.value), y1, -2 * f.value * y1 * y1);
}

inline TimeJet sinh(const TimeJet& f) {
  const double s = std::sinh(f.value);
  return chain(f, s, std::cosh(f.value), s);
}

inline TimeJet cosh(const TimeJet& f) {
  const double c = std::cosh(f.value);
  return chain(f, c, std::sinh(f.value), c);
}

inline TimeJet tanh(const TimeJet& f) {
  const double y = std::tanh(f.value), y1 = (1 - y) * (1 + y);
  return chain(f, y, y1, -2 * y * y1);
}

inline TimeJet exp(const TimeJet& f) {
  const double y = std::exp(f.value);
  return chain(f, y, y, y);
}

inline TimeJet log(const TimeJet& f) {
  const double y1 = 1 / f.value;
  return chain(f, std::log(f.value), y1, -y1 * y1);
}

inline TimeJet log10(const TimeJet& f) {
  const double y1 = std::numbers::log10e / f.value;
  return chain(f, std::log10(f.value), y1, -y1 / f.value);
}

inline TimeJet sqrt(const TimeJet& f) {
  const double y = std::sqrt(f.value);
  return chain(f, y, 0.5 / y, -0.25 / (y * f.value));
}

inline TimeJet abs(const TimeJet& f) { return chain(f, std::abs(f.value), sign(f.value), 0); }

/// f to the power g; a base below zero needs an exponent without rate of change.
inline TimeJet pow(const TimeJet& f, const TimeJet& g) {
  const double x = f.value, c = g.value;
  if (g.rate != 0 || g.acceleration != 0) {
    TimeJet y = exp(g * log(f));
    y.value = std::pow(x, c);
    return y;
  }
  // Coefficients that vanish do so exactly, also where 0 to a negative power would be infinite.
  const double first = c == 0 ? 0 : c * std::pow(x, c - 1);
  const double second = c == 0 || c == 1 ? 0 : c * (c - 1) * std::pow(x, c - 2);
  return chain(f, std::pow(x, c), first, second);
}

/// The angle of (x, y):   θ̇ = (x ẏ − y ẋ)/(x² + y²)
inline TimeJet atan2(const TimeJet& y, const TimeJet& x) {
  const double r2 = x.value * x.value + y.value * y.value;
  const double angle = std::atan2(y.value, x.value);
  if (x.rate == 0 && y.rate == 0 && x.acceleration == 0 && y.acceleration == 0) return {angle, 0, 0};
  const double rate = (x.value * y.rate - y.value * x.rate) / r2;
  const double turning = x.value * y.acceleration - y.value * x.acceleration;
  return {angle, rate, (turning - 2 * rate * (x.value * x.rate + y.value * y.rate)) / r2};
}

/// f − g trunc(f/g), with the sign of f.
inline TimeJet mod(const TimeJet& f, const TimeJet& g) { return f - g * TimeJet{std::trunc(f.value / g.value), 0, 0}; }
inline double mod(double x, double y) { return x - y * std::trunc(x / y); }

inline TimeJet cbrt(const TimeJet& f) {
  const double y = std::cbrt(f.value), y1 = 1 / (3 * y * y);
  return chain(f, y, y1, -2 * y1 / (3 * f.value));
}

/// r = √(x² + y²):   r ṙ = x ẋ + y ẏ
inline TimeJet hypot(const TimeJet& x, const TimeJet& y) {
  const double r = std::hypot(x.value, y.value);
  if (r == 0) return {0, std::hypot(x.rate, y.rate), 0};
  const double rate = (x.value * x.rate + y.value * y.rate) / r;
  const double square = x.rate * x.rate + y.rate * y.rate + x.value * x.acceleration + y.value * y.acceleration;
  return {r, rate, (square - rate * rate) / r};
}

}  // namespace bricard
