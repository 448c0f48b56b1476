// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <random>

#include "reference/simulated.h"

// Accelerations and reactions in the results belong to the positions and velocities beside them, whatever the step and wherever
// between two steps a sample lies.
namespace bricard::testing {
namespace reported_reactions_test {

/// Force of the hinge at a sample, and what Newton's law says for a bob on a circle, from the angle and its rate alone:
///     θ̈ = −m g r sin θ/(J + m r²),   F = m (r θ̈ t − r θ̇² n − g)
struct Reaction {
  Vector3d reported, expected;
};

Reaction reaction_at(const Simulated& run, const Sample& sample) {
  const System& system = run.started.system;
  Kinematics k = system.make_kinematics();
  system.update(sample.state, k);
  std::vector<Wrench> wrenches(1);
  system.reactions(k, wrenches);
  const Body& bob = run.model.bodies[0];
  const Frame& f = k.frames[1];
  const Vector3d axis = Vector3d::UnitY(), n = f.p, w = f.R * f.w;
  const double rate = w.dot(axis), about_hinge = bob.inertia(1, 1) + bob.mass * n.squaredNorm();
  const Vector3d gravity = run.model.gravity;
  const double bend = n.cross(bob.mass * gravity).dot(axis) / about_hinge;
  return {wrenches[0].force, bob.mass * (bend * axis.cross(n) - rate * rate * n - gravity)};
}

constexpr const char* kBob = R"(
gravity: [0, 0, {0}]
bodies: {{bob: {{mass: 1.5, inertia: [0.01, 0.02, 0.02], position: [0.4, 0, 0], velocity: [0, 0, {1}], angular_velocity: [0, {2}, 0]}}}}
joints: {{hinge: {{type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}}}}
run: {{duration: {3}, {4}}}
)";

Simulated bob(double gravity, double rate, double duration, const std::string& run) {
  return Simulated(fmt::format(fmt::runtime(kBob), gravity, -0.4 * rate, rate, duration, run));
}

TEST(ReportedReactions, OfAConstantForceHaveNoNoiseHoweverSmallTheStep) {
  for (const double h : {1e-3, 1e-4, 1e-5, 1e-6})
    for (const char* integrator : {"hht", "generalized-alpha", "nstiff"}) {
      SCOPED_TRACE(fmt::format("{}, {} s", integrator, h));
      const Simulated run =
          bob(0, 3.4, 2000 * h, fmt::format("step: {}, output_step: {}, integrator: {}", h, 20 * h, integrator));
      ASSERT_EQ(run.results.samples.size(), 101u);
      for (const Sample& sample :
           run.results.samples)  // 1.5 kg · 0.4 m · (3.4 rad/s)² = 6.936 N; residuals up to 1e-8 are left, and
        // the step's own part is (ω h)²
        EXPECT_NEAR(reaction_at(run, sample).reported.norm(), 6.936, 6.936 * (1e-8 + 3.4 * h * 3.4 * h));
    }
}

TEST(ReportedReactions, BetweenStepsFollowNewtonsLaw) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> any(0, 1);
  for (int i = 0; i < 40; ++i) {
    const char* integrator = std::array{"hht",      "newmark", "generalized-alpha", "nstiff",         "bdf", "radau",
                                        "midpoint", "rk4",     "hht-si2",           "energy-decaying"}[i % 10];
    const double h = 0.002 + 0.01 * any(engine), between = h * (0.3 + 2 * any(engine));
    const std::string projection = i % 4 == 0 ? ", projection: none" : "";
    const bool free = integrator == std::string("rk4") || integrator == std::string("energy-decaying");
    const Simulated run =
        bob(-9.81, -3 + 6 * any(engine), 0.5,
            fmt::format("step: {}, output_step: {}, integrator: {}{}", h, between, integrator, free ? "" : projection));
    SCOPED_TRACE(fmt::format("{} {}, {} s, every {} s", i, integrator, h, between));
    ASSERT_TRUE(run.results.report.finished) << run.results.report.stopped_because;
    for (const Sample& sample : run.results.samples) {
      const Reaction force = reaction_at(run, sample);
      EXPECT_LT((force.reported - force.expected).norm(), 2e-5 * force.expected.norm())
          << sample.state.t;  // (ω h)⁴, of the positions
    }
  }
}

}  // namespace reported_reactions_test
}  // namespace bricard::testing
