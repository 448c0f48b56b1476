// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "order/observed_orders.h"

// Mechanisms whose motion is found without Bricard: by the smallest set of coordinates, with an extrapolation method of
// order 16 in long double whose error is far below those measured. 16 times at equal distances.
namespace bricard::testing {

/// A rod of 1 m and 1 kg on a revolute, released at the height of its bearing; two seconds of its
/// angle equation.
Problem pendulum();

/// Brüls, Cardona, Arnold 2012: a spinning body held at one point; Euler's equations with
/// quaternion and body rates.
Problem heavy_top(double duration = 0.2);

/// Haug's spatial slider-crank: revolute, spherical, universal and translational joint; one
/// equation for the crank angle, whose coefficients come from the positions of all bodies as closed
/// functions of it. A flywheel on the crank evens the motion: without, the formulas of order 4 and 5 show their order
/// only at steps at which round-off is as large as their error.
Problem spatial_slider_crank(int times = 16, double duration = 0.5);

/// The slider-crank with a spring and a damper of models/slider_crank_004.yaml, by the equation of its crank angle.
Problem slider_crank(double duration, double damping);

/// Andrews' squeezing mechanism, models/andrews.yaml, by the equation of the angle of its crank.
Problem seven_bodies(double duration);

/// models/flyball_governor.yaml with these springs and dampers: by the angle of the arms and the height of the
/// slider, the speed of the shaft from the angular momentum. Velocities only of the shaft, no reactions.
Problem flyball_governor(double stiffness, double damping, double duration = 2);

}  // namespace bricard::testing
