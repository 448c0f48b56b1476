// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>

#include "bricard/math/rotation.h"

// Numbers that carry their derivatives after N variables, and vectors of them. A function written for any scalar T gives its
// value with T = double and its exact derivatives with T = Jet<N>:
//     φ(f) → φ(f), φ′(f) ∇f
namespace bricard {

template <int N>
struct Jet {
  double value = 0;
  std::array<double, N> d{};

  Jet() = default;
  Jet(double x) : value(x) {}  // NOLINT: constants are jets
  static Jet variable(double x, int i) {
    Jet f(x);
    f.d[i] = 1;
    return f;
  }
};

/// φ(f) from φ and φ′ at f.
template <int N>
Jet<N> chain(const Jet<N>& f, double phi, double slope) {
  Jet<N> r(phi);
  for (int i = 0; i < N; ++i) r.d[i] = slope * f.d[i];
  return r;
}

template <int N>
Jet<N> operator+(const Jet<N>& f, const Jet<N>& g) {
  Jet<N> r(f.value + g.value);
  for (int i = 0; i < N; ++i) r.d[i] = f.d[i] + g.d[i];
  return r;
}
template <int N>
Jet<N> operator-(const Jet<N>& f, const Jet<N>& g) {
  Jet<N> r(f.value - g.value);
  for (int i = 0; i < N; ++i) r.d[i] = f.d[i] - g.d[i];
  return r;
}
template <int N>
Jet<N> operator*(const Jet<N>& f, const Jet<N>& g) {
  Jet<N> r(f.value * g.value);
  for (int i = 0; i < N; ++i) r.d[i] = f.d[i] * g.value + f.value * g.d[i];
  return r;
}
template <int N>
Jet<N> operator-(const Jet<N>& f) {
  return chain(f, -f.value, -1);
}
template <int N>
Jet<N> operator*(double c, const Jet<N>& f) {
  return chain(f, c * f.value, c);
}
template <int N>
Jet<N> operator+(const Jet<N>& f, double c) {
  Jet<N> r = f;
  r.value += c;
  return r;
}

inline double value_of(double x) { return x; }
template <int N>
double value_of(const Jet<N>& f) {
  return f.value;
}

inline double chain(double, double phi, double) { return phi; }

/// 1/f
template <class T>
T inverse(const T& f) {
  const double x = 1 / value_of(f);
  return chain(f, x, -x * x);
}
/// √f; at f = 0 without slope.
template <class T>
T root(const T& f) {
  const double x = std::sqrt(value_of(f));
  return chain(f, x, x > 0 ? 0.5 / x : 0);
}
/// exp(f)
template <class T>
T exponential(const T& f) {
  const double x = std::exp(value_of(f));
  return chain(f, x, x);
}
/// fᵖ for f ≥ 0; at f = 0 without slope.
template <class T>
T power_of(const T& f, double p) {
  const double x = value_of(f);
  return chain(f, std::pow(x, p), x > 0 ? p * std::pow(x, p - 1) : 0);
}

/// Three components of any scalar.
template <class T>
struct Triple {
  T x{}, y{}, z{};
};

template <class T>
Triple<T> operator+(const Triple<T>& a, const Triple<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Triple<T> operator-(const Triple<T>& a, const Triple<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Triple<T> scaled(const T& c, const Triple<T>& a) {
  return {c * a.x, c * a.y, c * a.z};
}
template <class T>
T dot(const Triple<T>& a, const Triple<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Triple<T> cross(const Triple<T>& a, const Triple<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// R a with a constant R.
template <class T>
Triple<T> turned(const Matrix3d& R, const Triple<T>& a) {
  return {R(0, 0) * a.x + R(0, 1) * a.y + R(0, 2) * a.z, R(1, 0) * a.x + R(1, 1) * a.y + R(1, 2) * a.z,
          R(2, 0) * a.x + R(2, 1) * a.y + R(2, 2) * a.z};
}
template <class T>
Triple<T> triple(const Vector3d& a) {
  return {T(a.x()), T(a.y()), T(a.z())};
}
template <class T>
Vector3d value_of(const Triple<T>& a) {
  return {value_of(a.x), value_of(a.y), value_of(a.z)};
}

}  // namespace bricard
