// SPDX-License-Identifier: Apache-2.0
#pragma once

// The slider-crank of [NegrutJayKhude2009] (models/slider_crank_004.yaml) in one coordinate, the angle of the crank: a
// second formulation that shares no equation with the program.
//     I(θ) θ'' + ½ I'(θ) θ'² + V'(θ) + c x_B'(θ)² θ' = 0
namespace bricard::slider_crank {

struct Data {
  double m1 = 3, L1 = 0.3, m2 = 0.9, L2 = 0.6, stiffness = 100, damping = 5, free_length = 0.3, gravity = 9.81;
};

struct Motion {
  double angle, speed;
};

/// After `duration`, by the classical Runge–Kutta method.
Motion integrate(const Data& data, Motion start, double duration, int steps);

}  // namespace bricard::slider_crank
