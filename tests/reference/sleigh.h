// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "reference/simulated.h"

// Chaplygin's sleigh: a body on a smooth plane with a blade at the distance a behind its mass centre.  [NeimarkFufaev1972]
//     u̇ = a ω²,   (J + m a²) ω̇ = −m a u ω:      u = U tanh x,   ω = U/κ sech x,   θ = κ/a gd(x),   x = a U (t − t₀)/κ²
// with κ² = J/m + a², U² = u² + κ² ω², gd the Gudermannian.
namespace bricard::testing {

inline constexpr double kSleighArm = 0.4, kSleighMass = 3, kSleighInertia = 0.5, kSleighSpeed = -1, kSleighTurn = 0.6;

/// Without its blade; the mass centre has the speed of the blade and turns about it.
inline constexpr const char* kSleigh = R"yaml(
gravity: [0, 0, 0]
bodies:
  sled:
    {mass: 3, inertia: [0.4, 0.4, 0.5], velocity: [-1, 0.24, 0], angular_velocity: [0, 0, 0.6],
     markers: {blade: {position: [-0.4, 0, 0], orientation: {z: [0, 1, 0]}}}}
)yaml";

struct SleighMotion {
  double speed, turn_rate, angle, force;  ///< the last on the sleigh, across the blade
};

inline SleighMotion sleigh_motion(double t) {
  const double a = kSleighArm, kappa2 = kSleighInertia / kSleighMass + a * a, kappa = std::sqrt(kappa2);
  const double U = std::sqrt(kSleighSpeed * kSleighSpeed + kappa2 * kSleighTurn * kSleighTurn);
  const auto gd = [](double x) { return 2 * std::atan(std::tanh(0.5 * x)); };
  const double start = std::atanh(kSleighSpeed / U), x = start + a * U / kappa2 * t;
  const double u = U * std::tanh(x), w = U / kappa / std::cosh(x);
  return {u, w, kappa / a * (gd(x) - gd(start)), kSleighMass * (u * w - a * a * u * w / kappa2)};
}

/// The same from a state whose first body is the sleigh; the angle within a turn.
inline SleighMotion motion_of(const System& system, const State& s) {
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  const Frame& f = k.frames[1];
  const Vector3d blade = f.v + f.R * f.w.cross(Vector3d(-kSleighArm, 0, 0));
  return {blade.dot(f.R.col(0)), f.w.z(), std::atan2(f.R(1, 0), f.R(0, 0)), 0};
}

}  // namespace bricard::testing
