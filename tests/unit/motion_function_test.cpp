// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/motion_function.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bricard {
namespace motion_function_test {

using Kind = MotionFunction::Kind;
Expression formula(const std::string& text) { return Expression::parse(text, {}, true); }

/// x = sin(7t)/7 − t³/3 + 2 through its velocity and its acceleration.
TEST(MotionFunction, IntegratesVelocityAndAccelerationToRoundOff) {
  const Expression exact = formula("sin(7*t)/7 - t^3/3 + 2");
  const MotionFunction from_velocity(Kind::velocity, formula("cos(7*t) - t^2"), 2, 0, 10);
  const MotionFunction from_acceleration(Kind::acceleration, formula("-7*sin(7*t) - 2*t"), 2, 1, 10);
  for (double t = 0; t <= 12; t += 0.37) {  // also behind the duration
    const TimeJet x = exact.jet(t);
    for (const TimeJet& y : {from_velocity(t), from_acceleration(t)}) {
      EXPECT_NEAR(y.value, x.value, 1e-11) << t;  // of 600
      EXPECT_NEAR(y.rate, x.rate, 1e-11) << t;
      EXPECT_NEAR(y.acceleration, x.acceleration, 1e-11) << t;
    }
  }
}

/// A trapezoidal speed profile has corners and jumps of its rate; what counts is the way.
TEST(MotionFunction, FindsTheCornersOfASpeedProfile) {
  const MotionFunction x(Kind::velocity, formula("min(3*t, 1, max(0, 3*(2.3 - t)))"), 0.5, 0, 4);
  const double ramp = 1.0 / 3, flat = 2.3 - 2 * ramp;
  EXPECT_NEAR(x(0.2).value, 0.5 + 1.5 * 0.04, 1e-12);
  EXPECT_NEAR(x(ramp + 0.5).value, 0.5 + ramp / 2 + 0.5, 1e-11);
  EXPECT_NEAR(x(4).value, 0.5 + ramp + flat, 1e-11);
}

/// Zero at all samples, and with an argument whose round-off is larger than the tolerance: no endless halving.
TEST(MotionFunction, CopesWithFastOscillations) {
  const MotionFunction zero_at_samples(Kind::velocity, formula("sin(64*pi*t)"), 0, 0, 1);
  EXPECT_NEAR(zero_at_samples(1.0 / 64).value, 2 / (64 * 3.14159265358979323846), 1e-14);
  const MotionFunction fast(Kind::velocity, formula("1e3*cos(1e5*(t+100))"), 0, 0, 0.1);
  EXPECT_NEAR(fast(0.1).value, 0.01 * (std::sin(1e5 * 100.1) - std::sin(1e5 * 100)),
              1e-8);  // arguments are known to 1e-9
}

TEST(MotionFunction, SeesAShortPulse) {
  const MotionFunction x(Kind::velocity, formula("step(t, 1, 0, 1.1, 5) - step(t, 1.1, 0, 1.2, 5)"), 0, 0, 10);
  EXPECT_NEAR(x(10).value, 0.5, 1e-11);
}

}  // namespace motion_function_test
}  // namespace bricard
