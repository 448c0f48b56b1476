// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "order/observed_orders.h"

// Models of models/ with their exact motion at some times, found without Bricard: poses of all bodies and, but for
// Andrews' mechanism, the angular velocity of the first one about its z axis.
namespace bricard::testing {

/// models/slider_crank_004.yaml until t = 2 s: one equation for the crank angle, in long double.
Problem paper_slider_crank();

/// models/andrews.yaml until t = 0.03 s: published angles, known to 15 digits.
Problem andrews();

/// models/flyball_governor.yaml until t = 2 s with other springs and dampers: angle of the arms, height of the slider and
/// angle of the shaft, whose speed follows from the angular momentum; in long double.
Problem flyball_governor(double stiffness, double damping);

}  // namespace bricard::testing
