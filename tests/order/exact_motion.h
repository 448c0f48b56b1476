// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "order/observed_orders.h"

// Means to find motions without Bricard, in long double.
namespace bricard::testing {

using Real = long double;

/// y after a time t in equal steps of the midpoint rule, extrapolated to order 16 by the method of Gragg, Bulirsch and
/// Stoer.
template <class Values, class Rate>
Values extrapolated(const Rate& rate, Values y, Real t, int steps) {
  constexpr int kRows = 8;
  for (int s = 0; s < steps; ++s) {
    std::array<Values, kRows> rows;
    for (int i = 0; i < kRows; ++i) {
      const int n = 2 * (i + 1);
      const Real h = t / steps / n;
      Values before = y, now = y + h * rate(y);
      for (int k = 1; k < n; ++k) {
        const Values next = before + 2 * h * rate(now);
        before = now;
        now = next;
      }
      rows[i] = (before + now + h * rate(now)) / 2;
      for (int j = i - 1; j >= 0; --j) {
        const Real ratio = static_cast<Real>(n) / (2 * (j + 1));
        const Values change = (rows[j + 1] - rows[j]) / (ratio * ratio - 1);
        rows[j] = rows[j + 1] + change;
      }
    }
    y = rows[0];
  }
  return y;
}

/// A function of one coordinate with its first two derivatives.
struct Jet {
  Real x = 0, d = 0, dd = 0;
};
inline Jet operator+(const Jet& a, const Jet& b) { return {a.x + b.x, a.d + b.d, a.dd + b.dd}; }
inline Jet operator-(const Jet& a, const Jet& b) { return {a.x - b.x, a.d - b.d, a.dd - b.dd}; }
inline Jet operator*(const Jet& a, const Jet& b) {
  return {a.x * b.x, a.d * b.x + a.x * b.d, a.dd * b.x + 2 * a.d * b.d + a.x * b.dd};
}
inline Jet operator*(Real a, const Jet& b) { return {a * b.x, a * b.d, a * b.dd}; }
inline Jet operator/(const Jet& a, const Jet& b) {
  const Real x = a.x / b.x, d = (a.d - x * b.d) / b.x;
  return {x, d, (a.dd - 2 * d * b.d - x * b.dd) / b.x};
}
Jet sqrt(const Jet& a);
Jet cos(const Jet& a);
Jet sin(const Jet& a);

/// A point or a vector of the plane.
struct PlanarVector {
  Jet x, y;
};
inline PlanarVector operator+(const PlanarVector& a, const PlanarVector& b) { return {a.x + b.x, a.y + b.y}; }
inline PlanarVector operator-(const PlanarVector& a, const PlanarVector& b) { return {a.x - b.x, a.y - b.y}; }
inline PlanarVector operator*(Real a, const PlanarVector& b) { return {a * b.x, a * b.y}; }
inline PlanarVector point(Real x, Real y) { return {{x}, {y}}; }
/// (x, y) in axes whose first one is `along`.
PlanarVector in_axes(const PlanarVector& along, Real x, Real y);
/// Where a circle about p meets one about q; left of the way from p to q or right (side = −1) of it.
PlanarVector meeting_point(const PlanarVector& p, Real radius_p, const PlanarVector& q, Real radius_q, int side);

/// A mechanism of the x–y plane whose bodies all follow from one coordinate φ.
struct PlanarMechanism {
  struct Load {
    Real x = 0, y = 0, torque = 0;
  };
  struct Body {
    Real mass, inertia;
    PlanarVector centre, along;  ///< mass centre; unit vector along the body's x axis
    std::function<Load(Real speed)> load = [](Real) { return Load{}; };  ///< at the mass centre, for φ̇
  };
  struct Hinge {
    int first, second;  ///< bodies, −1: ground
    PlanarVector at;
    bool guide = false;  ///< along x: a force along y and a torque
  };
  struct Position {
    std::vector<Body> bodies;
    std::vector<Hinge> hinges;
  };
  std::function<Position(const Jet& phi)> at;

  /// φ̈
  Real acceleration(Real phi, Real speed) const;
  /// On the second bodies of all hinges, from the equations of Newton and Euler of each body.
  std::vector<Wrench> reactions(Real phi, Real speed) const;
};

/// The state of a body of the assembled system.
void set_body(const System& system, int node, const Eigen::Matrix<Real, 3, 1>& p, const Eigen::Matrix<Real, 3, 3>& R,
              const Eigen::Matrix<Real, 3, 1>& v, const Eigen::Matrix<Real, 3, 1>& w, State& s);

/// The exact motion of `mechanism`, which `model` is to have, at equal distances in time; φ and φ̇ at the start in `y`.
Problem planar_problem(Started model, const PlanarMechanism& mechanism, Eigen::Matrix<Real, 2, 1> y, Real duration,
                       int times, int steps_between);

}  // namespace bricard::testing
