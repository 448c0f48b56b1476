// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bricard/assemble/assemble.h"
#include "bricard/elements/contacts.h"
#include "bricard/integrate/integrator.h"
#include "bricard/model/integrator_kinds.h"
#include "reference/simulated.h"

// Contacts and friction against closed forms, published values and other formulations.       theory: docs/theory/contact.md
namespace bricard::testing {
namespace contact_test {

constexpr double kGravity = 9.81;

/// The greatest error of the energy balance over the energy that was turned over.
double energy_defect(const Simulated& s) {
  return s.results.report.max_energy_defect / s.results.report.energy_turned_over;
}

std::vector<double> event_times(const Results& results, const std::string& what) {
  std::vector<double> times;
  for (const auto& event : results.report.events)
    if (event.what == what) times.push_back(event.t);
  return times;
}

// ---- normal forces

std::string thrown_at_wall(const std::string& law, double speed) {
  return fmt::format(R"(
gravity: [0, 0, 0]
bodies: {{ball: {{mass: 2, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.15], velocity: [0, 0, -{}]}}}}
contacts: {{wall: {{type: sphere-on-plane, between: [ball, ground], radius: 0.1, {}}}}}
signals: {{speed: vz(ball)}}
run: {{duration: {}, rtol: 1e-9, output_step: 0.01}}
)",
                     speed, law, 0.4 / speed);
}

TEST(Contact, RestitutionIsThatAskedForAtTheImpactSpeed) {
  for (const char* law : {"stiffness: 1e6", "contact_modulus: 1e9"})
    for (const double e : {0.05, 0.5, 0.9, 1.0}) {
      SCOPED_TRACE(fmt::format("{}, {}", law, e));
      const Simulated s(thrown_at_wall(fmt::format("{}, restitution: {}, impact_speed: 3", law, e), 3));
      ASSERT_EQ(s.results.report.stopped_because, "");
      EXPECT_NEAR(s.signal("speed").back(), 3 * e, 3e-6);
      EXPECT_LT(energy_defect(s), 1e-4);
    }
}

// x − ln(1 + x) = −e x − ln(1 − e x) at another speed: x is that of the law, e what is left.
TEST(Contact, RestitutionAtOtherSpeedsFollowsTheSameEquation) {
  const double c = dissipation_of(0.6) / 3, x = 1 * c;
  const Simulated s(thrown_at_wall("stiffness: 1e6, restitution: 0.6, impact_speed: 3", 1));
  const double e = s.signal("speed").back();
  EXPECT_NEAR(-e * x - std::log1p(-e * x), x - std::log1p(x), 1e-6);
  EXPECT_GT(e, 0.75);
}

TEST(Contact, UsualFormOfHuntAndCrossleyHoldsForSmallLosses) {
  for (const double loss : {1e-2, 1e-3}) EXPECT_NEAR(dissipation_of(1 - loss) / (1.5 * loss), 1, 2 * loss);
}

// Time and depth of Hertz's impact: a = (5 m v²/(4 k))^(2/5),  t = 2 a/v ∫₀¹ dx/√(1 − x^(5/2)) = 2.9432 a/v.
TEST(Contact, HertzImpactHasItsDepthAndDuration) {
  const Simulated s(thrown_at_wall("contact_modulus: 1e9", 3));
  const double k = 4.0 / 3 * 1e9 * std::sqrt(0.1), a = std::pow(5 * 2 * 9 / (4 * k), 0.4);
  const double integral = std::sqrt(std::numbers::pi) * std::tgamma(1.4) / std::tgamma(0.9);
  const std::vector<double> touches = event_times(s.results, "touches"), leaves = event_times(s.results, "leaves");
  ASSERT_EQ(touches.size(), 1);
  ASSERT_EQ(leaves.size(), 1);
  EXPECT_NEAR(touches[0], 0.05 / 3, 1e-9);
  EXPECT_NEAR(leaves[0] - touches[0], 2 * a / 3 * integral, 1e-7);
}

/// Impacts of a ball that is dropped from h, integrated on their own: N = k a (1 + c ȧ), gravity in flight and in contact.
std::vector<double> bounces(double h, double mass, double k, double c, int count) {
  std::vector<double> times;
  double t = 0, v = std::sqrt(2 * kGravity * h);
  const auto acceleration = [&](double a, double rate) { return kGravity - k * a * (1 + c * rate) / mass; };
  t = v / kGravity;
  while (times.size() < static_cast<size_t>(count)) {
    times.push_back(t);
    const double step = 1e-3 / std::sqrt(k / mass);
    double a = 0, rate = v, before = 0, rate_before = v;
    do {
      before = a, rate_before = rate;
      const double a1 = acceleration(a, rate), v2 = rate + 0.5 * step * a1;
      const double a2 = acceleration(a + 0.5 * step * rate, v2), v3 = rate + 0.5 * step * a2;
      const double a3 = acceleration(a + 0.5 * step * v2, v3), v4 = rate + step * a3;
      const double a4 = acceleration(a + step * v3, v4);
      a += step / 6 * (rate + 2 * v2 + 2 * v3 + v4), rate += step / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
      t += step;
    } while (a > 0);
    const double rest = before / -rate_before;  // of the last step: free at its end, to second order
    t += rest - step, v = -(rate_before + kGravity * rest);
    t += 2 * v / kGravity;
  }
  return times;
}

TEST(Contact, BallBouncesTenTimesAsIntegratedOnItsOwn) {
  const double k = 1e6, c = dissipation_of(0.8) / std::sqrt(2 * kGravity);
  const Simulated s(fmt::format(R"(
bodies: {{ball: {{mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 1.1]}}}}
contacts: {{floor: {{type: sphere-on-plane, between: [ball, ground], radius: 0.1, stiffness: {}, restitution: 0.8,
                    impact_speed: {:.17g}}}}}
run: {{duration: 5, rtol: 1e-9, output_step: 0.01}}
)",
                                k, std::sqrt(2 * kGravity)));
  const std::vector<double> touches = event_times(s.results, "touches"), expected = bounces(1, 1, k, c, 10);
  ASSERT_GE(touches.size(), 10);
  EXPECT_NEAR(touches[0], std::sqrt(2 / kGravity), 1e-9);
  for (size_t i = 0; i < 10; ++i) EXPECT_NEAR(touches[i], expected[i], 3e-6) << i;
  EXPECT_LT(energy_defect(s), 1e-4);
}

// A uniform rod of 1 m falls from the horizontal and touches a wall when it hangs: ω = √(3g/L), and acos(1 − e²) after it.
TEST(Contact, PendulumReboundsFromAWall) {
  constexpr double kRestitution = 0.6;
  const Simulated s(fmt::format(R"(
plane: zx
bodies: {{rod: {{mass: 1, inertia: [0.0833333333333333333, 0.0833333333333333333, 0.0833333333333333333],
                position: [0.5, 0, 0], markers: {{tip: {{position: [0.5, 0, 0]}}}}}}}}
ground: {{markers: {{wall: {{position: [-0.01, 0, -1], orientation: {{axis: [0, 1, 0], angle_deg: 90}}}}}}}}
joints: {{pin: {{type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}}}}
contacts: {{stop: {{type: sphere-on-plane, between: [rod.tip, ground.wall], radius: 0.01, stiffness: 1e8,
                   restitution: {}, impact_speed: {:.17g}}}}}
signals: {{turned: angle(pin), rate: angle_rate(pin)}}
run: {{duration: 1.1, rtol: 1e-8, output_step: 1e-3}}
)",
                                kRestitution, std::sqrt(3 * kGravity)));
  const std::vector<double> turned = s.signal("turned"), rates = s.signal("rate");
  EXPECT_NEAR(*std::max_element(rates.begin(), rates.end()), 5.424942396, 1e-3);
  // hanging at π/2; the wall gives way by 0.3 mm
  EXPECT_NEAR(std::numbers::pi / 2 - *std::min_element(turned.begin() + 600, turned.end()),
              std::acos(1 - kRestitution * kRestitution), 1e-3);
}

// A bead inside of nothing but on a circle: the curve, and a sphere of the same radius, are two formulations.
TEST(Contact, CurveAndSphereOfOneRadiusAreTheSame) {
  const auto model = [](const std::string& contact) {
    return R"(
plane: xy
gravity: [0, -9.81, 0]
curves: {circle: {radius: 0.5}}
bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0.1, 0.7, 0], markers: {c: {}}}}
contacts: {c: {between: [ball, ground], stiffness: 1e5, dissipation: 0.3, friction_coefficient: 0.2, slip_speed: 0.01, )" +
           contact + R"(}}
signals: {x: x(ball), y: y(ball), spin: wz(ball)}
run: {duration: 0.6, rtol: 1e-8, output_step: 0.01}
)";
  };
  const Simulated curve(model("type: sphere-on-curve, curve: circle, radius: 0.1"));
  const Simulated sphere(model("type: sphere-on-sphere, second_radius: 0.5, radius: 0.1"));
  for (const char* name : {"x", "y", "spin"}) EXPECT_NEAR(curve.signal(name).back(), sphere.signal(name).back(), 1e-6);
  EXPECT_LT(energy_defect(curve), 1e-4);
  EXPECT_GT(std::abs(curve.signal("spin").back()), 0.1);
}

// All nodes of a beam press on the floor; together they carry its weight.
TEST(Contact, FloorCarriesTheWeightOfABeam) {
  const Simulated s(R"(
beams:
  rod: {from: [0, 0, 0.0099], to: [1, 0, 0.0099], section: {type: circle, radius: 0.01}, density: 7850,
        youngs_modulus: 2e11, poissons_ratio: 0.3, elements: 2, damping: 1e-3}
contacts: {floor: {type: beam-on-plane, between: [rod, ground], radius: 0.01, stiffness: 1e5, dissipation: 20,
                   friction_coefficient: 0.3, slip_speed: 1e-3}}
run: {duration: 0.1, rtol: 1e-5, output_step: 0.1}
)");
  const double weight = 7850 * std::numbers::pi * 1e-4 * kGravity;
  EXPECT_NEAR(s.signal("floor.normal_force").back(), weight, 1e-3 * weight);  // it still swings
}

TEST(Contact, RefusesShapesThatOverlapAtTheStart) {
  try {
    assemble(io::read_model_text("bodies: {ball: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, -0.05]}}\n"
                                 "contacts:\n  floor: {type: sphere-on-plane, between: [ball, ground], radius: 0.1, "
                                 "stiffness: 1e6}\nrun: {duration: 1, step: 1e-3}\n",
                                 "ball.yaml"));
    FAIL() << "no fault";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("ball.yaml:3:3: contacts.floor: overlaps by 0.15 m at the start"),
              std::string::npos)
        << error.what();
  }
}

// Every method ends its steps at the same touches.
TEST(Contact, TouchesDoNotDependOnTheMethod) {
  const double k = 1e4, c = 0.2;
  const std::vector<double> expected = bounces(0.2, 1, k, c, 2);
  int methods = 0;
  for (const IntegratorKind& kind : integrator_kinds()) {
    Model model = io::read_model_text(R"(
bodies: {ball: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.3]}}
contacts: {floor: {type: sphere-on-plane, between: [ball, ground], radius: 0.1, stiffness: 1e4, dissipation: 0.2}}
run: {duration: 0.7, step: 2e-4}
)",
                                      "ball.yaml");
    model.run.integrator = kind.type;
    if (kind.hamiltonian) model.run.coordinates = Coordinates::natural;
    const Started started = start(model);
    if (!why_not(started.system, model.run).empty()) continue;
    SCOPED_TRACE(kind.word);
    const Results results = simulate(model, started.system, started.state, model.run);
    const std::vector<double> touches = event_times(results, "touches");
    ASSERT_GE(touches.size(), 2);
    EXPECT_NEAR(touches[0], expected[0], 3e-3);
    EXPECT_NEAR(touches[1], expected[1], 1e-2);
    ++methods;
  }
  EXPECT_GE(methods, 8);
}

// Section 5 of [BottassoBauchauCardona2007], completed, against another program: first touch at 0.494056 s, 1.02e-4 s long,
// 48.23 ± 0.02 kN and 3.1325 ± 0.001 N s.
TEST(Contact, CamStrikesTheBeamAsInAnotherProgram) {
  Model model = io::read_model(std::string(BRICARD_SOURCE_DIR) + "/models/cam_beam_impact.yaml");
  model.run.duration = 0.4942, model.run.rtol = 1e-8, model.run.integrator = IntegratorType::radau;
  const Started started = start(model);
  SimulationHooks hooks;
  constexpr double kBegin = 0.49405, kStep = 2e-7;
  for (int i = 0; i <= 600; ++i) hooks.at.push_back(kBegin + i * kStep);
  const Results results = simulate(started.system, started.state, model.run, hooks);
  ASSERT_EQ(results.report.stopped_because, "");
  const std::vector<double> touches = event_times(results, "touches"), leaves = event_times(results, "leaves");
  ASSERT_FALSE(touches.empty());
  ASSERT_FALSE(leaves.empty());
  EXPECT_NEAR(touches[0], 0.494056, 1.5e-6);
  EXPECT_NEAR(leaves[0] - touches[0], 1.02e-4, 0.5e-6);
  Channels channels(model, started.system, 0);
  size_t force = 0, place = 0;
  for (const Channel& c : channels.list()) {
    if (c.name == "impact.normal_force") force = place;
    place += c.width();
  }
  double peak = 0, impulse = 0;
  for (const Sample& sample : results.samples) {
    if (!sample.requested) continue;
    const double N = channels.evaluate(sample)[force];
    peak = std::max(peak, N), impulse += N * kStep;
  }
  EXPECT_NEAR(peak, 48.23e3, 0.06e3);   // of the mesh: 10 N
  EXPECT_NEAR(impulse, 3.1325, 0.006);  // 2e-3 N s
}

// ---- friction

/// A mass of 1 kg with 1 N on its surface, pulled by a spring whose end moves with 0.1 m/s.
TEST(Friction, StickSlipOfLuGreIsThatOfTheReference) {
  const Simulated s(R"(
gravity: [0, 0, 0]
bodies: {block: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.099]}}
joints: {rail: {type: translational, between: [ground, block], at: [0, 0, 0.099], axis: [1, 0, 0]}}
forces: {pull: {type: force, on: block, force: ['2*(0.1*t - x(block))', 0, 0]
}
}
contacts:
  floor: {type: sphere-on-plane, between: [block, ground], radius: 0.1, stiffness: 1000, friction_coefficient: 1,
          static_coefficient: 1.5, stribeck_speed: 0.001, bristle_stiffness: 1e5, bristle_damping: 316.22776601683796,
          viscous_friction: 0.4}
signals: {x: x(block), v: vx(block)}
run: {duration: 25, rtol: 1e-9, output_step: 2.5}
)");
  ASSERT_EQ(s.results.report.stopped_because, "");
  const std::vector<double> x = s.signal("x");
  const double expected[] = {1.6459187e-5,   1.032161467e-3, .627583128981,  .636297525969, .918279705553,
                             1.272559130036, 1.272596412324, 1.877384601243, 1.908839199225};
  ASSERT_EQ(x.size(), 11);
  for (size_t i = 0; i < 9; ++i) EXPECT_NEAR(x[i + 2], expected[i], 1e-6) << i;
  EXPECT_NEAR(s.signal("v").back(), 9.4241545907e-6, 1e-8);
  EXPECT_LT(energy_defect(s), 1e-4);
}

std::string sliding_block(const std::string& friction) {
  return R"(
bodies: {block: {mass: 3, inertia: [0.02, 0.05, 0.06], position: [0, 0, 0.0499963213], velocity: [5, 0, 0]}}
contacts:
  floor: {type: box-on-plane, between: [block, ground], size: [0.4, 0.3, 0.1], stiffness: 2e6, dissipation: 1,
          friction_coefficient: 0.5, )" +
         friction + R"(}
signals: {x: x(block), v: vx(block)}
run: {duration: 1.2, rtol: 1e-6, output_step: 0.01}
)";
}

// v²/(2 μ g)
TEST(Friction, SlidingBlockStopsWhereItShould) {
  for (const char* friction : {"slip_speed: 1e-4", "bristle_stiffness: 1e5, bristle_damping: 3"}) {
    SCOPED_TRACE(friction);
    const Simulated s(sliding_block(friction));
    ASSERT_EQ(s.results.report.stopped_because, "");
    EXPECT_NEAR(s.signal("x").back(), 2.548419979612640, 1e-3);
    EXPECT_NEAR(s.signal("v").back(), 0, 1e-3);  // bristles still swing
    EXPECT_LT(energy_defect(s), 1e-3);           // the first microsecond, in which bristles bend, is a spike of power
    const std::vector<double> v = s.signal("v");
    EXPECT_NEAR(v[50], 5 - 0.5 * kGravity * 0.5, 1e-3);
    EXPECT_NEAR(s.signal("floor.normal_force")[50], 3 * kGravity, 0.05);
    EXPECT_NEAR(s.signal("floor.friction")[50], 1.5 * kGravity, 0.03);
  }
}

// A ball that starts without spin rolls with 5/7 of its speed.
TEST(Friction, BallComesToRoll) {
  const Simulated s(R"(
bodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008], position: [0, 0, 0.0999803800], velocity: [3, 0, 0]}}
contacts: {floor: {type: sphere-on-plane, between: [ball, ground], radius: 0.1, stiffness: 1e6, dissipation: 1,
                   friction_coefficient: 0.3, bristle_stiffness: 1e4, bristle_damping: 1}}
signals: {v: vx(ball), w: wy(ball)}
run: {duration: 0.8, rtol: 1e-7, output_step: 0.01}
)");
  EXPECT_NEAR(s.signal("v").back(), 3 * 5.0 / 7, 2e-3);  // r less the depth is 0.02 % shorter
  EXPECT_NEAR(s.signal("w").back(), 3 * 5.0 / 7 / 0.1, 2e-2);
  EXPECT_NEAR(s.signal("v")[10], 3 - 0.3 * kGravity * 0.1, 1e-3);
  EXPECT_LT(energy_defect(s), 1e-4);
}

// A block on a slope below the angle of friction: bristles bend by F/(σ₀ N) = tan α/σ₀, and that is all.
TEST(Friction, BlockOnASlopeSticks) {
  constexpr double kAngle = 0.2;
  const Simulated s(fmt::format(R"(
gravity: [{:.17g}, 0, {:.17g}]
bodies: {{block: {{mass: 3, inertia: [0.02, 0.05, 0.06], position: [0, 0, 0.05]}}}}
contacts:
  floor: {{type: box-on-plane, between: [block, ground], size: [0.4, 0.3, 0.1], stiffness: 2e6, dissipation: 5,
          friction_coefficient: 0.25, static_coefficient: 0.4, bristle_stiffness: 1e4, bristle_damping: 300}}
signals: {{x: x(block), v: vx(block)}}
run: {{duration: 100, rtol: 1e-6, output_step: 1}}
)",
                                kGravity * std::sin(kAngle), -kGravity * std::cos(kAngle)));
  ASSERT_EQ(s.results.report.stopped_because, "");
  const std::vector<double> x = s.signal("x");
  EXPECT_LT(x.back(), 3 * std::tan(kAngle) / 1e4);  // the start, in which it sinks in, bends them further
  EXPECT_LT(std::abs(x.back() - x[10]), 0.05 * std::tan(kAngle) / 1e4);  // 1e-6 m, as the tolerance
  EXPECT_LT(std::abs(s.signal("v").back()), 1e-7);
}

// v_e f/√(μ² − f²) with f = tan α
TEST(Friction, SmoothCoulombCreepsAsItsFormulaSays) {
  const Simulated s(R"(
gravity: [0.981, 0, -9.81]
bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.0999]}}
joints: {rail: {type: planar, between: [ground, ball], at: [0, 0, 0.0999], axis: [0, 1, 0]},
         upright: {type: parallel, between: [ground, ball], axis: [0, 0, 1]}}
contacts: {floor: {type: sphere-on-plane, between: [ball, ground], radius: 0.1, stiffness: 98100, dissipation: 5,
                   friction_coefficient: 0.2, slip_speed: 1e-3}}
signals: {v: vx(ball)}
run: {duration: 1, rtol: 1e-8, output_step: 0.1}
)");
  EXPECT_NEAR(s.signal("v").back(), 1e-3 * 0.1 / std::sqrt(0.04 - 0.01), 1e-8);
}

}  // namespace contact_test
}  // namespace bricard::testing
