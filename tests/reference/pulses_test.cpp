// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "reference/simulated.h"

// Short pulses that act on something at rest, where a tolerance would have steps grow beyond them. A mass m on a spring and a damper is
// hit by a force, or its base by a motion; the witness is the classical Runge-Kutta method with steps far below the pulse.
//     ẍ + 2ζω (ẋ − u̇) + ω² (x − u) = f/m,    f or u = A max(0, 1 − ((t − t₀)/w)²)³
namespace bricard::testing {
namespace pulses_test {

struct Pulse {
  bool is_force;
  double omega, zeta, size, at, width;  ///< from at − width to at + width

  double value(double t) const {
    const double x = (t - at) / width, y = std::max(0.0, 1 - x * x);
    return size * y * y * y;
  }
  double rate(double t) const {
    const double x = (t - at) / width, y = std::max(0.0, 1 - x * x);
    return -6 * size * y * y * x / width;
  }
  std::string formula() const {
    return fmt::format("{:.17g}*max(0, 1 - ((t - {:.17g})/{:.17g})^2)^3", size, at, width);
  }
};

constexpr double kDuration = 2, kMass = 3;

/// A pulse that moves the mass by some decimetres, from a thousandth to a twentieth of the run long.
Pulse draw(unsigned seed) {
  std::mt19937 generator(seed);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  };
  Pulse p;
  p.is_force = seed % 2 == 0;
  p.omega = 2 * std::numbers::pi * between(1, 5) / kDuration;
  p.zeta = between(0, 0.1);
  p.width = 0.5 * kDuration * std::exp(between(std::log(2e-3), std::log(5e-2)));
  p.at = between(0.2, 0.7) * kDuration;
  // an impulse of f, or of the spring as u passes, that gives an amplitude of 0.3 m; ∫ (1 − x²)³ dx = 32/35
  const double speed = 0.3 * p.omega, length = 32.0 / 35 * p.width;
  p.size = p.is_force ? kMass * speed / length : std::min(0.3, speed / (p.omega * p.omega * length));
  return p;
}

double witness(const Pulse& p) {
  const auto acceleration = [&](double t, double x, double v) {
    const double u = p.is_force ? 0 : p.value(t), u_rate = p.is_force ? 0 : p.rate(t);
    return (p.is_force ? p.value(t) / kMass : 0) - 2 * p.zeta * p.omega * (v - u_rate) - p.omega * p.omega * (x - u);
  };
  double x = 0, v = 0;
  constexpr int kSteps = 100000;
  const double h = kDuration / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const double t = i * h;
    const double a1 = acceleration(t, x, v), v2 = v + 0.5 * h * a1;
    const double a2 = acceleration(t + 0.5 * h, x + 0.5 * h * v, v2), v3 = v + 0.5 * h * a2;
    const double a3 = acceleration(t + 0.5 * h, x + 0.5 * h * v2, v3), v4 = v + h * a3;
    const double a4 = acceleration(t + h, x + h * v3, v4);
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return x;
}

std::string model_text(const Pulse& p, const std::string& integrator, double rtol) {
  const std::string drive =
      p.is_force ? "motions: {drive: {joint: base, displacement: 0}}\n"
                 : fmt::format("motions: {{drive: {{joint: base, displacement: \"{}\"}}}}\n", p.formula());
  const std::string push =
      p.is_force ? fmt::format("  push: {{type: force, on: mass, force: [0, 0, \"{}\"]}}\n", p.formula()) : "";
  return fmt::format(R"(
gravity: [0, 0, 0]
bodies:
  seat: {{mass: 1, inertia: [0.1, 0.1, 0.1]}}
  mass: {{mass: {:.17g}, inertia: [0.1, 0.1, 0.1]}}
joints:
  base: {{type: translational, between: [ground, seat], axis: [0, 0, 1], at: [0, 0, 0]}}
  slide: {{type: translational, between: [seat, mass], axis: [0, 0, 1], at: [0, 0, 0]}}
{}forces:
  spring: {{type: joint-spring, joint: slide, stiffness: {:.17g}, damping: {:.17g}}}
{}signals: {{x: z(mass)}}
run: {{duration: {:g}, step: {:g}, integrator: {}, rtol: {:g}}}
)",
                     kMass, drive, kMass * p.omega * p.omega, 2 * p.zeta * p.omega * kMass, push, kDuration,
                     kDuration / 200, integrator, rtol);
}

class Pulses : public ::testing::TestWithParam<const char*> {};

TEST_P(Pulses, AreNotSteppedOver) {
  const double rtol = std::string(GetParam()) == "radau-1" ? 1e-3 : 1e-5;
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Pulse pulse = draw(seed);
    const Simulated run(model_text(pulse, GetParam(), rtol));
    ASSERT_TRUE(run.results.report.finished) << run.results.report.stopped_because;
    const double error = run.signal("x").back() - witness(pulse);
    EXPECT_LT(std::abs(error), 200 * rtol * run.started.system.reference_length)
        << "seed " << seed << (pulse.is_force ? ", force" : ", motion") << ", width " << 2 * pulse.width;
  }
}

INSTANTIATE_TEST_SUITE_P(Tolerance, Pulses,
                         ::testing::Values("hht", "newmark", "generalized-alpha", "nstiff", "bdf", "radau", "radau-1",
                                           "nstiff-si2", "hht-add", "hht-si2", "dopri"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace pulses_test
}  // namespace bricard::testing
