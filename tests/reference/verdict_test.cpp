// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <random>

#include "bricard/analysis/natural_run.h"
#include "bricard/analysis/simulate.h"
#include "reference/simulated.h"

// What the program says about its runs: those it calls good are.
namespace bricard::testing {
namespace verdict_test {

std::string reasons(const RunReport& report) {
  std::string text = name_of(report.verdict());
  for (const Doubt& doubt : report.doubts) text += "\n  " + doubt.text;
  return text;
}

constexpr const char* kRod = R"(
bodies:
  rod: {mass: 2, inertia: [0.01, 0.2, 0.2], position: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}
)";

TEST(Verdict, OfAnOrdinaryRunIsGood) {
  const Simulated run(std::string(kRod) + "run: {duration: 2, step: 1e-3}");
  EXPECT_EQ(run.results.report.verdict(), Verdict::good) << reasons(run.results.report);
  EXPECT_LT(run.results.report.acceleration_residual, 1e-9);
  EXPECT_LT(run.results.report.motion_residual, 1e-9);
}

/// The rod swings freely. A method of first order loses energy in every step, little enough to pass for good, and the rod is
/// farther and farther behind what a method of fifth order says with a tolerance a thousand times as strict.
TEST(Verdict, IsNotGoodWhereAFreeMotionDrifts) {
  const auto swing = [](const char* settings) {
    return Simulated(std::string(kRod) + "run: {duration: 20, step: 1e-3, " + settings + "}");
  };
  const Simulated exact = swing("integrator: radau, rtol: 1e-9"), good = swing("integrator: radau, rtol: 1e-6"),
                  late = swing("integrator: radau-1, rtol: 1e-3");
  const auto off = [&](const Simulated& run) {
    return (run.results.samples.back().state.q - exact.results.samples.back().state.q).head<3>().norm();
  };
  EXPECT_LT(off(good), 1e-4);
  EXPECT_EQ(good.results.report.verdict(), Verdict::good) << reasons(good.results.report);
  EXPECT_GT(off(late), 0.1);
  EXPECT_EQ(late.results.report.verdict(), Verdict::doubtful) << reasons(late.results.report);
}

/// Whipple's bicycle without a rider's hand: at 1 m/s it falls over, and a wheel that lies on the ground cannot roll.
constexpr const char* kBicycle = R"(
bodies:
  rear:
    {mass: 2, inertia: [0.0603, 0.12, 0.0603], position: [0, 0, 0.3], velocity: [1, 0, 0], angular_velocity: [0.05, 3.33333, 0],
     markers: {axle: {position: [0, 0, 0], orientation: {z: [0, 1, 0]}}}}
  frame: {mass: 85, inertia: [9.2, 11, 2.8, 0, -2.4, 0], position: [0.3, 0, 0.9], velocity: [1, 0, 0], angular_velocity: [0.05, 0, 0]}
  fork: {mass: 4, inertia: [0.05892, 0.06, 0.00708, 0, 0.00756, 0], position: [0.9, 0, 0.7], velocity: [1, 0, 0], angular_velocity: [0.05, 0, 0]}
  front:
    {mass: 3, inertia: [0.1405, 0.28, 0.1405], position: [1.02, 0, 0.35], velocity: [1, 0, 0], angular_velocity: [0.05, 2.857143, 0],
     markers: {axle: {position: [0, 0, 0], orientation: {z: [0, 1, 0]}}}}
joints:
  rear_axle: {type: revolute, between: [frame, rear], at: [0, 0, 0.3], axis: [0, 1, 0]}
  head: {type: revolute, between: [frame, fork], at: [0.81, 0, 0.95], axis: [-0.3090, 0, 0.9511]}
  front_axle: {type: revolute, between: [fork, front], at: [1.02, 0, 0.35], axis: [0, 1, 0]}
  rear_rolls: {type: rolling, between: [ground, rear.axle], radius: 0.3}
  front_rolls: {type: rolling, between: [ground, front.axle], radius: 0.35}
run: {duration: 6, step: 5e-3}
)";

TEST(Verdict, IsNotGoodWhereStepsDoNotResolveTheMotion) {
  const std::string rotor =
      "gravity: [0, 0, 0]\nbodies: {rotor: {mass: 1, inertia: [0.01, 0.01, 0.02], angular_velocity: [0, 0, 3770]}}\n";
  const std::string stop =
      kRod + std::string("forces: {stop: {type: joint-stop, joint: hinge, lower: -0.5, upper: 0.5, stiffness: 1e7}}\n");
  for (const std::string& text :
       {rotor + "run: {duration: 0.2, step: 1e-3}", stop + "run: {duration: 3, step: 1e-3}", std::string(kBicycle)}) {
    SCOPED_TRACE(text);
    const Simulated run(text);
    EXPECT_NE(run.results.report.verdict(), Verdict::good);
    EXPECT_FALSE(run.results.report.finished && run.results.report.doubts.empty());
  }
}

/// A pendulum or a rotor: one angle from the lowest position, m ℓ² θ̈ = −m g r sin θ − c θ̇, ℓ about the hinge.
struct Swing {
  double mass, arm, inertia, damping, angle, rate, duration;

  /// By the classical Runge-Kutta method, of fourth order, in steps that leave no more than round-off would.
  std::array<double, 2> end() const {
    const double about_hinge = inertia + mass * arm * arm;
    const auto slope = [&](const std::array<double, 2>& x) {
      return std::array<double, 2>{x[1], -(mass * 9.81 * arm * std::sin(x[0]) + damping * x[1]) / about_hinge};
    };
    const auto plus = [](const std::array<double, 2>& x, double h, const std::array<double, 2>& k) {
      return std::array<double, 2>{x[0] + h * k[0], x[1] + h * k[1]};
    };
    std::array<double, 2> x{angle, rate};
    const int steps = 2000 * static_cast<int>(std::ceil(duration * (std::abs(rate) + std::sqrt(9.81 / arm))));
    const double h = duration / steps;
    for (int i = 0; i < steps; ++i) {
      const auto k1 = slope(x), k2 = slope(plus(x, h / 2, k1)), k3 = slope(plus(x, h / 2, k2)),
                 k4 = slope(plus(x, h, k3));
      for (int j = 0; j < 2; ++j) x[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
    }
    return x;
  }

  /// Its plane turned about the vertical.
  Model model(double heading, const std::string& run) const {
    const Vector3d axis(std::cos(heading), std::sin(heading), 0), side = axis.cross(Vector3d::UnitZ());
    const Vector3d down = -std::cos(angle) * Vector3d::UnitZ() + std::sin(angle) * side, at = arm * down,
                   v = -rate * axis.cross(at);
    return io::read_model_text(
        fmt::format(
            "bodies: {{bob: {{mass: {0}, inertia: [{1}, {1}, {1}], position: [{2}, {3}, {4}], velocity: [{5}, {6}, "
            "{7}], "
            "angular_velocity: [{8}, {9}, 0]}}}}\n"
            "joints: {{hinge: {{type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [{10}, {11}, 0]}}}}\n"
            "forces: {{oil: {{type: joint-spring, joint: hinge, stiffness: 0, damping: {12}}}}}\nrun: {{duration: "
            "{13}, {14}}}\n",
            mass, inertia, at.x(), at.y(), at.z(), v.x(), v.y(), v.z(), -rate * axis.x(), -rate * axis.y(), axis.x(),
            axis.y(), damping, duration, run),
        "swing.yaml");
  }
};

struct Random {
  std::mt19937 engine;
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  double spread(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
};

// A good run may be off by ten times what its certificate estimates, and that estimate by the limit of doubt.
TEST(Verdict, OfPendulumsAndRotorsWithAnyStepIsGoodOnlyIfTheAngleIs) {
  Random random{std::mt19937(17)};
  int good = 0, absurd = 0;
  for (int i = 0; i < 120; ++i) {
    const double arm = random.spread(0.1, 3);
    const Swing swing{random.spread(0.1, 50),
                      arm,
                      random.spread(0.01, 1) * arm * arm,
                      0,
                      random.between(-2.5, 2.5),
                      i % 3 ? random.between(-3, 3) : random.spread(3, 300),
                      random.between(0.5, 4)};
    const double step = swing.duration / std::round(random.spread(4, 20000));
    const double about_hinge = swing.inertia + swing.mass * arm * arm, top = 2 * swing.mass * 9.81 * arm;
    const double energy = 0.5 * about_hinge * swing.rate * swing.rate + 0.5 * top * (1 - std::cos(swing.angle));
    const char* integrator =
        std::array{"hht", "newmark", "generalized-alpha", "nstiff", "midpoint", "rk4", "radau", "hht-si2"}[i % 8];
    const Model model = swing.model(random.between(0, 6), fmt::format("step: {}, integrator: {}", step, integrator));
    SCOPED_TRACE(fmt::format("{}: {}, step {} s of {} s, arm {} m, rate {} rad/s", i, integrator, step, swing.duration,
                             arm, swing.rate));
    const Simulated run(model);
    const RunReport& report = run.results.report;
    const double turned = step * std::abs(swing.rate);
    if (turned > 1.5) {
      EXPECT_NE(report.verdict(), Verdict::good) << ++absurd;
    }
    if (report.verdict() != Verdict::good) continue;
    ++good;
    if (std::abs(energy / top - 1) < 0.15) continue;  // whether it goes over the top is decided by the smallest error
    const double moved = run.signal("hinge.angle").back(), wanted = swing.end()[0] - swing.angle;
    EXPECT_LT(std::abs(std::abs(moved) - std::abs(wanted)),
              10 * report.position_error / run.started.system.reference_length + 1e-6);
    EXPECT_LT(std::abs(std::abs(moved) - std::abs(wanted)), 0.3 + 1e-3 * std::abs(wanted));
  }
  EXPECT_GT(good, 40);
  EXPECT_LT(good, 110);
}

}  // namespace verdict_test
}  // namespace bricard::testing
