// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "reference/simulated.h"

// Motions under forces by formulas, against closed forms and other ways to solve them.
namespace bricard::testing {
namespace expression_forces_test {

Model model_file(const std::string& name) {
  return io::read_model(std::string(BRICARD_SOURCE_DIR) + "/models/" + name);
}

constexpr const char* kBob = R"yaml(
parameters: {k: 300, c: 4, l0: 0.8}
bodies:
  bob:
    {mass: 1.5, inertia: [0.02, 0.03, 0.04], position: [0.9, 0.2, 0], velocity: [0, 1, 0.5], angular_velocity: [3, 1, 2],
     markers: {eye: {position: [0.1, 0.02, 0.03]}}}
ground: {markers: {hook: {position: [0, 0, 0.3]}}}
run: {duration: 2, step: 2e-3, solver: sparse-lu, tolerance: 1e-10}
)yaml";

/// The same spring written in three ways gives the same motion with the same work.
TEST(ExpressionForces, ASpringOfMeasuresIsTheBuiltInSpring) {
  const std::string bob = kBob;
  const Simulated built_in(bob + "forces: {s: {type: spring-damper, between: [ground.hook, bob.eye], stiffness: k, "
                                 "damping: c, free_length: l0}}\n");
  const Simulated law(
      bob + "forces: {s: {type: spring-damper, between: [ground.hook, bob.eye], law: k*(length - l0) + c*rate}}\n");
  const Simulated measures(bob + R"yaml(
expressions:
  pull: (k*(DM(bob.eye, ground.hook) - l0) + c*VR(bob.eye, ground.hook))/distance(ground.hook, bob.eye)
forces:
  s:
    type: force
    on: bob.eye
    force: ["-pull*x(bob.eye, ground.hook)", "-pull*y(bob.eye, ground.hook)", "pull*z(ground.hook, bob.eye)"]
)yaml");
  for (const Simulated* other : {&law, &measures}) {
    const double iterations = static_cast<double>(built_in.results.report.iterations);  // the last bits may cost a few
    EXPECT_NEAR(static_cast<double>(other->results.report.iterations), iterations, 0.05 * iterations);
    EXPECT_LT((other->end().q - built_in.end().q).norm(), 1e-9);
    EXPECT_LT((other->end().v - built_in.end().v).norm(), 1e-7);
    EXPECT_NEAR(other->results.report.end_energy - other->results.report.work, other->results.report.start_energy,
                4e-3);  // HHT damps a little
  }
  const std::vector<double> expected = built_in.signal("s.force"), found = law.signal("s.force");
  for (size_t i = 0; i < expected.size(); i += 50) EXPECT_NEAR(found[i], expected[i], 1e-6);
}

/// Newton's method stays quadratic: as few iterations as for the spring, and no step is cut.
TEST(ExpressionForces, TakeTheSparseLuSolverByThemselves) {
  Model model = io::read_model_text(
      std::string(kBob) + "forces: {s: {type: force, on: bob, force: [\"-k*x(bob)\", 0, 0]}}\n", "test.yaml");
  model.run.solver = SolverType::automatic;
  EXPECT_EQ(Simulated(model).results.report.solver, "sparse-lu");
  model.forces.clear();
  EXPECT_EQ(Simulated(model).results.report.solver, "sparse-ldlt");
}

//     m z̈ + c ż + k z = m_u e ω² sin ωt, from rest: z = Z sin(ωt − φ) + e^(−δt)(A cos ω_d t + B sin ω_d t)
TEST(ExpressionForces, RotatingUnbalanceFollowsTheClosedForm) {
  Model model =
      io::read_model(std::string(BRICARD_SOURCE_DIR) + "/models/rotating_unbalance.yaml", {{"rate", 0}, {"first", 38}});
  model.run.step = 2.5e-4;
  model.run.duration = 4;
  model.run.integrator = IntegratorType::newmark;  // no numerical damping
  const Simulated run(model);
  const double m = 20, k = 32000, c = 80, F = 0.2 * 0.05 * 38 * 38, w = 38;
  const double Z = F / std::hypot(k - m * w * w, c * w), phi = std::atan2(c * w, k - m * w * w);
  const double delta = c / (2 * m), wd = std::sqrt(k / m - delta * delta);
  const double A = Z * std::sin(phi), B = (delta * A - Z * w * std::cos(phi)) / wd;
  const std::vector<double> z = run.signal("mount.translation"), force = run.signal("transmitted");
  for (size_t i = 0; i < z.size(); i += 10) {
    const double t = run.results.samples[i].state.t;
    const double exact =
        Z * std::sin(w * t - phi) + std::exp(-delta * t) * (A * std::cos(wd * t) + B * std::sin(wd * t));
    EXPECT_NEAR(z[i], exact, 2e-4 * Z) << t;  // second order: (ω h)²/12 per radian over 152 rad would be 1e-3
  }
  EXPECT_NEAR(force.back(), run.signal("spring.force").back(), 1e-6);
  EXPECT_GT(Z, 3 * 0.2 * 0.05 / m);  // well inside the resonance
}

/// Runge–Kutta of order four in long double with steps of 0.1 ms: error far below 1e-12.
std::array<long double, 6> fly(long double c, long double m, long double duration) {
  using Flight = std::array<long double, 6>;
  const auto rate = [&](const Flight& y) {
    const long double v = std::sqrt(y[3] * y[3] + y[4] * y[4] + y[5] * y[5]);
    return Flight{y[3], y[4], y[5], -c / m * v * y[3], -c / m * v * y[4], -c / m * v * y[5] - 9.81L};
  };
  const auto plus = [](const Flight& y, long double h, const Flight& f) {
    Flight z = y;
    for (size_t i = 0; i < 6; ++i) z[i] += h * f[i];
    return z;
  };
  Flight y{0, 0, 0, 35, 5, 30};
  const int steps = 50000;
  const long double h = duration / steps;
  for (int i = 0; i < steps; ++i) {
    const Flight a = rate(y), b = rate(plus(y, h / 2, a)), d = rate(plus(y, h / 2, b)), e = rate(plus(y, h, d));
    for (size_t j = 0; j < 6; ++j) y[j] += h / 6 * (a[j] + 2 * b[j] + 2 * d[j] + e[j]);
  }
  return y;
}

TEST(ExpressionForces, ProjectileWithDragFollowsAnotherIntegrator) {
  Model model = model_file("projectile.yaml");
  const double c = 1.2 * 0.35 * std::numbers::pi * 0.0366 * 0.0366 / 2;
  const auto exact = fly(c, 0.145L, 5);
  double before = 0;
  for (const double step : {2e-3, 1e-3}) {  // second order: the error falls by four
    model.run.step = step;
    model.run.integrator = IntegratorType::newmark;
    const Simulated run(model);
    double error = 0;
    for (int i = 0; i < 3; ++i) error = std::max(error, std::abs(run.end().q[i] - static_cast<double>(exact[i])));
    EXPECT_LT(error, 5e-6);
    if (before > 0) {
      EXPECT_NEAR(before / error, 4, 0.2);
    }
    before = error;
    EXPECT_NEAR(run.signal("speed").back(), run.end().v.head<3>().norm(), 1e-12);
    EXPECT_LT(run.results.report.max_energy_defect, 2e-4);
  }
}

constexpr const char* kArm = R"yaml(
gravity: [0, 0, 0]
parameters: {kp: 50, kd: 3, target: 0.5}
bodies: {arm: {mass: 2, inertia: [0.01, 0.2, 0.2], position: [0.5, 0, 0]}}
joints: {pin: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}}
run: {duration: 1, step: 2e-4, integrator: newmark}
)yaml";

//     J θ̈ + kd θ̇ + kp (θ − target) = 0,  J = 0.2 + 2·0.5²
TEST(ExpressionForces, PdControllerMovesTheArmAsAnOscillator) {
  const Simulated as_force(std::string(kArm) + "forces: {pd: {type: force, on: arm, torque: [0, 0, \"-kp*(angle(pin) - "
                                               "target) - kd*angle_rate(pin)\"]}}\nsignals: {a: angle(pin)}\n");
  const Simulated as_law(std::string(kArm) + "forces: {pd: {type: torsion-spring, joint: pin, law: kp*(angle - target) "
                                             "+ kd*rate}}\nsignals: {a: angle(pin)}\n");
  const double J = 0.7, delta = 3 / (2 * J), wd = std::sqrt(50 / J - delta * delta);
  for (const Simulated* run : {&as_force, &as_law}) {
    const std::vector<double> angle = run->signal("a");
    for (size_t i = 0; i < angle.size(); i += 100) {
      const double t = run->results.samples[i].state.t;
      const double exact = 0.5 - 0.5 * std::exp(-delta * t) * (std::cos(wd * t) + delta / wd * std::sin(wd * t));
      EXPECT_NEAR(angle[i], exact, 1e-6);
    }
  }
}

/// −μ a in a force is mass: 3 kg move like 5 kg. The start has the right acceleration at once.
TEST(ExpressionForces, AccelerationFeedbackIsVirtualMass) {
  const Simulated run(R"yaml(
gravity: [0, 0, 0]
bodies: {cart: {mass: 3, inertia: [1, 1, 1]}}
forces: {f: {type: force, on: cart, force: ["10 - 2*accx(cart)", "if(accy(cart), 0, 1, 4) - 3*accy(cart)^3 + 1", 0]}}
run: {duration: 1, step: 0.01, integrator: newmark}
)yaml");
  EXPECT_NEAR(run.started.state.a[0], 2, 1e-12);
  const double a = run.started.state.a[1];  // 3 a = 5 − 3 a³
  EXPECT_NEAR(3 * a, 4 - 3 * a * a * a + 1, 1e-9);
  EXPECT_NEAR(run.end().q[0], 1, 1e-9);
  EXPECT_NEAR(run.end().q[1], a / 2, 1e-8);
}

/// Sliding friction by the joint's own reaction: a = g (sin α − μ cos α).
TEST(ExpressionForces, FrictionOfAReactionSlowsABlockOnASlope) {
  const Simulated run(R"yaml(
parameters: {mu: 0.2, slope: 0.6}
bodies: {block: {mass: 4, inertia: [1, 1, 1]}}
joints: {track: {type: translational, between: [ground, block], at: [0, 0, 0], axis: ["cos(slope)", 0, -sin(slope)]}}
forces: {friction: {type: force, on: block, force: ["-mu*force_magnitude(track)*cos(slope)", 0, mu*force_magnitude(track)*sin(slope)]}}
signals: {s: translation(track), v: translation_rate(track), n: force_magnitude(track)}
run: {duration: 1, step: 0.01}
)yaml");
  const double a = 9.81 * (std::sin(0.6) - 0.2 * std::cos(0.6));
  EXPECT_NEAR(run.signal("n").front(), 4 * 9.81 * std::cos(0.6), 1e-9);
  EXPECT_NEAR(run.signal("v").back(), a, 1e-8);
  EXPECT_NEAR(run.signal("s").back(), a / 2, 1e-8);
  EXPECT_EQ(run.results.report.halved_steps, 0);
  EXPECT_LE(run.results.report.iterations, 3 * run.results.report.steps);
}

/// A force that depends on the reaction of a far joint: Newton's method knows it, and no pivot fails.
TEST(ExpressionForces, SeeReactionsAcrossAChain) {
  const std::string links = R"yaml(
parameters: {n: 5}
repeat:
  - for: {i: n}
    bodies: {"link{i}": {mass: 1, inertia: [0.01, 0.1, 0.1], position: [i - 0.5, 0, 0]}}
  - for: {i: [2, n]}
    joints: {"pin{i}": {type: revolute, between: ["link{i-1}", "link{i}"], at: [i - 1, 0, 0], axis: [0, 1, 0]}}
joints: {pin1: {type: revolute, between: [ground, link1], at: [0, 0, 0], axis: [0, 1, 0]}}
signals: {lift: force_z(pin1), far: torque_x(pin4)}
run: {duration: 1, step: 2e-3, projection: none}
)yaml";
  const Simulated alone(links),
      fed(links + "forces: {f: {type: force, on: link5, force: [0, 0, \"0.4*force_z(pin1) + 0.1*force_x(pin3)\"]}}\n");
  EXPECT_EQ(fed.results.report.linear.fallbacks, 0);
  EXPECT_EQ(fed.results.report.halved_steps, 0);
  EXPECT_LE(fed.results.report.iterations, alone.results.report.iterations * 3 / 2);
  EXPECT_LT(fed.results.report.max_energy_defect, 0.02);
  EXPECT_GT((fed.end().q - alone.end().q).norm(), 0.1);
}

/// A force with its reaction is internal: momentum and angular momentum stay.
TEST(ExpressionForces, WithReactionKeepTheMomentum) {
  const Simulated run(R"yaml(
gravity: [0, 0, 0]
bodies:
  a: {mass: 1, inertia: [0.1, 0.2, 0.25], angular_velocity: [1, 2, 3], markers: {m: {position: [0.2, 0.1, 0]}}}
  b: {mass: 3, inertia: [0.3, 0.2, 0.25], position: [1, 0, 0.5], velocity: [0, 1, 0]}
forces:
  f: {type: force, on: a.m, reaction: b, frame: b, force: ["3*sin(4*t)", "vx(a.m, b)", 1], torque: [0.2, "0.1*wz(a, b)", "-distance(a.m, b)"]}
run: {duration: 2, step: 1e-3, integrator: newmark}
)yaml");
  const auto momentum = [&](const State& s) {
    Kinematics k = run.started.system.make_kinematics();
    run.started.system.update(s, k);
    const Frame &a = k.frames[1], &b = k.frames[2];
    Eigen::Matrix<double, 6, 1> p;
    p << a.v + 3 * b.v, a.p.cross(a.v) + 3 * b.p.cross(b.v) + a.R * Vector3d(0.1, 0.2, 0.25).cwiseProduct(a.w) +
                            b.R * Vector3d(0.3, 0.2, 0.25).cwiseProduct(b.w);
    return p;
  };
  const auto before = momentum(run.started.state), after = momentum(run.end());
  EXPECT_LT((after - before).head<3>().norm(), 1e-10);
  EXPECT_LT((after - before).tail<3>().norm(), 1e-4);  // of second order in the step
  EXPECT_LT(run.results.report.max_energy_defect, 2e-4);
}

/// A table as the law of a spring: the force at each sample is that of the curve.
TEST(ExpressionForces, ATableIsALawOverLength) {
  const Simulated run(std::string(kBob) + R"yaml(
tables: {rubber: {points: [[0.5, -60], [0.7, -10], [0.8, 0], [0.9, 25], [1.2, 150]]}}
forces: {s: {type: spring-damper, between: [ground.hook, bob.eye], law: rubber}}
signals: {again: "akima(distance(ground.hook, bob.eye), rubber)", slope: "akima(distance(ground.hook, bob.eye), rubber, 1)"}
)yaml");
  const std::vector<double> force = run.signal("s.force"), again = run.signal("again");
  for (size_t i = 0; i < force.size(); ++i) EXPECT_NEAR(force[i], again[i], 1e-9);
  EXPECT_LT(run.results.report.max_energy_defect, 2e-2);
}

}  // namespace expression_forces_test
}  // namespace bricard::testing
