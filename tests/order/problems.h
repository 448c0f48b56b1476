// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "order/observed_orders.h"

// Mechanisms whose motion is found without Bricard: by the smallest set of coordinates, with
// Runge–Kutta's method of fourth order in long double at steps so small that its error is far below
// those measured.
namespace bricard::testing {

/// A rod of 1 m and 1 kg on a revolute, released at the height of its bearing; one second of its
/// angle equation.
Problem pendulum();

/// Brüls, Cardona, Arnold 2012: a spinning body held at one point; Euler's equations with
/// quaternion and body rates. Four times `interval` apart.
Problem heavy_top(double interval = 0.05);

/// Haug's spatial slider-crank: revolute, spherical, universal and translational joint; one
/// equation for the crank angle, whose coefficients come from the positions of all bodies as closed
/// functions of it.
Problem spatial_slider_crank();

}  // namespace bricard::testing
