// SPDX-License-Identifier: Apache-2.0
#include "papers/slider_crank.h"

#include <cmath>

namespace bricard::slider_crank {
namespace {

// Rod angle φ below the slide: L2 sin φ = −L1 sin θ. Primes are derivatives after θ.
//     φ' = −(L1/L2) cos θ/cos φ,   φ'' = (L1/L2) sin θ/cos φ + φ'² tan φ
// mass centre of the rod:  c = L1 (cos θ, sin θ) + (L2/2) (cos φ, sin φ)
double acceleration(const Data& d, const Motion& m) {
  const double s = std::sin(m.angle), c = std::cos(m.angle), ratio = d.L1 / d.L2;
  const double sf = -ratio * s, cf = std::sqrt(1 - sf * sf);
  const double f1 = -ratio * c / cf, f2 = ratio * s / cf + f1 * f1 * sf / cf;
  const double x1 = -d.L1 * s - d.L2 / 2 * sf * f1, y1 = d.L1 * c + d.L2 / 2 * cf * f1;
  const double x2 = -d.L1 * c - d.L2 / 2 * (cf * f1 * f1 + sf * f2),
               y2 = -d.L1 * s + d.L2 / 2 * (-sf * f1 * f1 + cf * f2);
  const double rod = d.m2 * d.L2 * d.L2 / 12;
  const double inertia = d.m1 * d.L1 * d.L1 / 3 + d.m2 * (x1 * x1 + y1 * y1) + rod * f1 * f1;
  const double half_derivative = d.m2 * (x1 * x2 + y1 * y2) + rod * f1 * f2;
  const double slider = d.L1 * c + d.L2 * cf, slider1 = -d.L1 * s - d.L2 * sf * f1;
  const double weight = d.gravity * (d.m1 * d.L1 / 2 * c + d.m2 * y1);
  const double spring = d.stiffness * (slider - d.free_length) * slider1;
  return -(half_derivative * m.speed * m.speed + weight + spring + d.damping * slider1 * slider1 * m.speed) / inertia;
}

Motion shifted(const Motion& m, double h, double v, double a) { return {m.angle + h * v, m.speed + h * a}; }

}  // namespace

Motion integrate(const Data& d, Motion m, double duration, int steps) {
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) {
    const double a1 = acceleration(d, m);
    const Motion m2 = shifted(m, h / 2, m.speed, a1);
    const double a2 = acceleration(d, m2);
    const Motion m3 = shifted(m, h / 2, m2.speed, a2);
    const double a3 = acceleration(d, m3);
    const Motion m4 = shifted(m, h, m3.speed, a3);
    const double a4 = acceleration(d, m4);
    m = {m.angle + h / 6 * (m.speed + 2 * m2.speed + 2 * m3.speed + m4.speed),
         m.speed + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)};
  }
  return m;
}

}  // namespace bricard::slider_crank
