// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/statics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bricard/analysis/find_start.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "reference/mechanisms.h"

// Equilibria with closed forms.
namespace bricard::testing {
namespace statics_test {

Model from_text(const std::string& text) { return io::read_model_text(text, "test.yaml"); }

struct Found {
  System system;
  State s;
  StaticReport report;
  std::vector<Wrench> reactions;
};

Found equilibrium_of(const Model& model) {
  Started x = start(model);
  Found found{std::move(x.system), x.state, {}, std::vector<Wrench>(model.joints.size())};
  found.report = find_equilibrium(found.system, SolverType::automatic, found.s);
  Kinematics k = found.system.make_kinematics();
  found.system.update(found.s, k);
  found.system.reactions(k, found.reactions);
  return found;
}

TEST(Statics, APendulumHangsStraightDownFromAnyStart) {
  for (const double angle : {-3.0, -1.5707963267948966, -0.2, 0.7, 1.5, 1.5707963267948966, 2.6}) {
    SCOPED_TRACE(angle);  // from the x axis; π/2 stands upright
    Model model;
    model.gravity = {0, -9.81, 0};
    const Vector3d tip(std::cos(angle), std::sin(angle), 0);
    model.bodies = {rod("rod", {0, 0, 0}, tip, 0.01)};
    model.joints = {joint(JointType::revolute, "hinge", "ground", "rod", {0, 0, 0})};
    const Found found = equilibrium_of(model);
    ASSERT_TRUE(found.report.found) << found.report.problem;
    EXPECT_NEAR((found.s.q.head<3>() - Vector3d(0, -0.5, 0)).norm(), 0, 1e-9);
    EXPECT_EQ(found.report.stability, Stability::stable);
    EXPECT_NEAR(found.report.lowest_frequency, std::sqrt(1.5 * 9.81), 1e-6);
    EXPECT_EQ(found.report.direction, "hinge.angle");
    EXPECT_NEAR(found.reactions[0].force.y(), 9.81, 1e-8);
  }
}

/// They sink by m g/k: 2·9.81/100 and 9.81/1000.
TEST(Statics, SaysWhichBodyMovedMostAndWhetherThatIsFar) {
  const std::string text = R"(
ground: {markers: {foot: {position: [3, 0, 0]}}}
bodies:
  stiff: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}
  soft: {mass: 2, inertia: [1, 1, 1], position: [3, 0, 1]}
joints:
  a: {type: translational, between: [ground, stiff], at: [0, 0, 1], axis: [0, 0, 1]}
  b: {type: translational, between: [ground, soft], at: [3, 0, 1], axis: [0, 0, 1]}
forces:
  s1: {type: joint-spring, joint: a, stiffness: 1000}
  s2: {type: joint-spring, joint: b, stiffness: )";
  const StaticReport near = equilibrium_of(from_text(text + "100}\n")).report,
                     far = equilibrium_of(from_text(text + "5}\n")).report;
  EXPECT_EQ(near.farthest.body, "soft");
  EXPECT_NEAR(near.farthest.distance, 2 * 9.81 / 100, 1e-9);
  EXPECT_NEAR(near.farthest.angle, 0, 1e-9);
  EXPECT_FALSE(near.is_far);
  EXPECT_NE(near.text().find("; soft moved most, by 0.196 m and 0°"), std::string::npos) << near.text();
  EXPECT_NEAR(far.farthest.distance, 2 * 9.81 / 5, 1e-9);
  EXPECT_TRUE(far.is_far);
  EXPECT_NE(far.text().find("; soft moved far, by 3.92 m"), std::string::npos) << far.text();
}

/// Two masses one below the other on springs: x₁ = (m₁ + m₂) g/k₁, x₂ = m₂ g/k₂ of stretch.
TEST(Statics, MassesHangAsLowAsTheirSpringsLetThem) {
  const Found found = equilibrium_of(from_text(R"(
bodies:
  upper: {mass: 3, inertia: [1, 1, 1], position: [0, 0, -1]}
  lower: {mass: 2, inertia: [1, 1, 1], position: [0, 0, -2]}
joints:
  a: {type: translational, between: [ground, upper], at: [0, 0, -1], axis: [0, 0, 1]}
  b: {type: translational, between: [ground, lower], at: [0, 0, -2], axis: [0, 0, 1]}
forces:
  s1: {type: spring-damper, between: [ground, upper], stiffness: 400, damping: 5}
  s2: {type: spring-damper, between: [upper, lower], stiffness: 100}
)"));
  ASSERT_TRUE(found.report.found);
  EXPECT_NEAR(found.s.q[2], -1 - 5 * 9.81 / 400, 1e-10);
  EXPECT_NEAR(found.s.q[9], -2 - 5 * 9.81 / 400 - 2 * 9.81 / 100, 1e-10);
  EXPECT_EQ(found.report.relaxation_steps, 0);
}

/// A rod in a hinge with a torsion spring, under a weight: k θ = m g/2 cos θ.
TEST(Statics, ATorsionSpringHoldsARod) {
  const Found found = equilibrium_of(from_text(R"(
bodies:
  rod: {mass: 2, inertia: [0.01, 0.2, 0.2], position: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}
forces:
  spring: {type: torsion-spring, joint: hinge, stiffness: 8}
)"));
  ASSERT_TRUE(found.report.found);
  double theta = 0.8;
  for (int i = 0; i < 50; ++i) theta -= (8 * theta - 9.81 * std::cos(theta)) / (8 + 9.81 * std::sin(theta));
  EXPECT_NEAR(found.s.angles[0], theta, 1e-10);
}

/// A door on two hinges above each other: sums of forces and moments are those of statics, however
/// the hinges share them; they share them as at the start of a run.
TEST(Statics, RedundantHingesBalanceTheWeightOfADoor) {
  Model model = from_text(R"(
bodies:
  door: {mass: 10, inertia: [1, 1, 1], position: [0.5, 0, 1]}
joints:
  low: {type: revolute, between: [ground, door], at: [0, 0, 0.2], axis: [0, 0, 1]}
  high: {type: revolute, between: [ground, door], at: [0, 0, 1.8], axis: [0, 0, 1]}
forces:
  latch: {type: torsion-spring, joint: low, stiffness: 5}
)");
  const Found found = equilibrium_of(model);
  ASSERT_TRUE(found.report.found) << found.report.problem;
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();  // about the mass centre
  const Vector3d centre(0.5, 0, 1), low(0, 0, 0.2), high(0, 0, 1.8);
  for (int j = 0; j < 2; ++j) {
    force += found.reactions[j].force;
    moment += found.reactions[j].torque + ((j ? high : low) - centre).cross(found.reactions[j].force);
  }
  EXPECT_NEAR((force - Vector3d(0, 0, 98.1)).norm(), 0, 1e-8);
  EXPECT_NEAR(moment.norm(), 0, 1e-8);
  EXPECT_LT((found.s.lambda - start(model).state.lambda).norm(), 1e-6 * 98.1);
  EXPECT_GT(found.reactions[0].force.z(), 0);  // both carry
  EXPECT_GT(found.reactions[1].force.z(), 0);
}

/// Two springs of free length L₀ from (±b, 0) to a guided mass at height y:  P(y) = 2k (L₀/L − 1)
/// y, L² = b² + y². The load is greatest where L³ = b²L₀:  P = 2k b ((L₀/b)^(2/3) − 1)^(3/2).
TEST(Statics, ATwoBarTrussSnapsThroughAboveItsLimitLoad) {
  const double b = 1, y0 = 0.5, k = 1000, L0 = std::hypot(b, y0);
  const double limit = 2 * k * b * std::pow(std::pow(L0 / b, 2.0 / 3) - 1, 1.5);
  for (const double part : {0.5, 0.95, 1.05, 2.0}) {
    SCOPED_TRACE(part);
    const Found found = equilibrium_of(from_text(R"(
gravity: [0, 0, 0]
ground: {markers: {left: {position: [-1, 0, 0]}, right: {position: [1, 0, 0]}}}
bodies:
  top: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.5]}
joints:
  guide: {type: translational, between: [ground, top], at: [0, 0, 0.5], axis: [0, 0, 1]}
forces:
  l: {type: spring-damper, between: [ground.left, top], stiffness: 1000}
  r: {type: spring-damper, between: [ground.right, top], stiffness: 1000}
  load: {type: force, on: top, force: [0, 0, )" + std::to_string(-part * limit) +
                                                 "]}\n"));
    ASSERT_TRUE(found.report.found) << found.report.problem;
    const double y = found.s.q[2], L = std::hypot(b, y);
    EXPECT_NEAR(2 * k * (L0 / L - 1) * y, std::stod(std::to_string(part * limit)), 1e-7);
    EXPECT_EQ(y > 0, part < 1);
    EXPECT_EQ(found.report.stability, Stability::stable);
    if (part > 1) {
      EXPECT_LT(found.report.load_reached, 1);
      EXPECT_NE(found.report.text().find("load stepping stopped at"), std::string::npos) << found.report.text();
      continue;
    }
    EXPECT_EQ(found.report.relaxation_steps, 0);
    EXPECT_NE(found.report.text().find(part < 0.9 ? "found directly" : "found in "), std::string::npos)
        << found.report.text();
    EXPECT_GT(y, b * std::sqrt(std::pow(L0 / b, 2.0 / 3) - 1));  // before the limit point
  }
}

/// The torque that lifts an arm slowly: m g l/2 cos θ.
TEST(Statics, ASequenceLiftsAnArm) {
  const Model model = from_text(R"(
bodies:
  arm: {mass: 3, inertia: [0.01, 0.25, 0.25], position: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0]}
motions:
  lift: {joint: hinge, displacement: -0.8*t}
run: {duration: 2, step: 0.1}
)");
  const Started x = start(model);
  const Results results = solve_statics(x.system, x.state, model.run, true);
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  ASSERT_EQ(results.samples.size(), 21u);
  EXPECT_EQ(results.report.remarks.back(),
            "21 equilibria: 21 found directly, 0 in load steps (at most 1), 0 by relaxation");
  Kinematics k = x.system.make_kinematics();
  std::vector<Wrench> reactions(1);
  for (const Sample& sample : results.samples) {
    x.system.update(sample.state, k);
    x.system.reactions(k, reactions);
    EXPECT_NEAR(reactions[0].torque.y(), -3 * 9.81 * 0.5 * std::cos(0.8 * sample.state.t), 1e-8);
    EXPECT_NEAR(reactions[0].force.z(), 3 * 9.81, 1e-8);
    EXPECT_EQ(sample.state.v.norm(), 0);
  }
}

TEST(Statics, SayWhatNothingHolds) {
  const Found falling = equilibrium_of(from_text("bodies:\n  stone: {mass: 1, inertia: [1, 1, 1]}\n"));
  EXPECT_FALSE(falling.report.found);
  EXPECT_NE(falling.report.problem.find("body 'stone'"), std::string::npos) << falling.report.problem;

  const Found wheel = equilibrium_of(from_text(R"(
bodies:
  wheel: {mass: 1, inertia: [1, 1, 1]}
joints:
  axle: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: [0, 1, 0]}
)"));
  ASSERT_TRUE(wheel.report.found);
  EXPECT_EQ(wheel.report.stability, Stability::neutral);
  EXPECT_EQ(wheel.report.direction, "axle.angle");
  EXPECT_NE(wheel.report.text().find("can move without any force"), std::string::npos);
}

/// Rest: a run from equilibrium stays there.
TEST(Statics, ARunFromEquilibriumDoesNotMove) {
  Model model = chain(6);
  Found found = equilibrium_of(model);
  ASSERT_TRUE(found.report.found) << found.report.problem;
  EXPECT_EQ(found.report.stability, Stability::stable);
  model.run.duration = 1;
  model.run.step = 0.01;
  const Results results = simulate(found.system, found.s, model.run);
  ASSERT_TRUE(results.report.finished);
  EXPECT_LT((results.samples.back().state.q - found.s.q).norm(), 1e-7);
}

/// A link from `from` along the angle from the x axis in the plane xz; the mass is in its middle.
Body link(const std::string& name, const Vector3d& from, double angle, double length, double mass) {
  Body b;
  b.name = name;
  b.mass = mass;
  b.inertia = (mass * length * length / 12 * Vector3d(0.1, 1, 1)).asDiagonal();
  b.orientation = exp_rotation(Vector3d(0, -angle, 0));
  b.position = from + 0.5 * length * Vector3d(std::cos(angle), 0, std::sin(angle));
  return b;
}

/// Links of all sizes, each hinged to the end of the one before or, in a tree, to that of some earlier one; the first to
/// ground. Started at angles around the horizontal.
Model random_tree(unsigned seed, int links, bool is_chain) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part(0, 1);
  Model model;
  std::vector<Vector3d> ends{Vector3d::Zero()};
  const double spread = 1.4 * part(random);
  for (int i = 0; i < links; ++i) {
    const int parent = is_chain ? i : static_cast<int>(random() % static_cast<unsigned>(i + 1));
    const double length = 0.05 + 0.3 * part(random), angle = spread * (2 * part(random) - 1);
    const std::string name = "l" + std::to_string(i), before = parent == 0 ? "ground" : model.bodies[parent - 1].name;
    model.bodies.push_back(link(name, ends[parent], angle, length, std::pow(10, 2 * part(random) - 1)));
    model.joints.push_back(joint(JointType::revolute, "h" + std::to_string(i), before, name, ends[parent], {0, 1, 0}));
    ends.push_back(ends[parent] + length * Vector3d(std::cos(angle), 0, std::sin(angle)));
  }
  return model;
}

/// Where nothing but hinges and weight is, every link hangs straight down: no other configuration has less energy.
TEST(Statics, ChainsAndTreesOfAnyLengthHangStraightDown) {
  unsigned seed = 0;
  for (const int links : {2, 3, 5, 10, 20, 50, 100, 300, 1000})
    for (int i = 0; i < (links > 100 ? 2 : 6); ++i, ++seed) {
      SCOPED_TRACE(seed);
      SCOPED_TRACE(links);
      const Found found = equilibrium_of(random_tree(seed, links, i % 2 == 0));
      ASSERT_TRUE(found.report.found) << found.report.problem;
      EXPECT_NE(found.report.stability, Stability::unstable);
      double worst = 0;
      for (const FrameNode& node : found.system.nodes())
        if (node.block >= 0)
          worst =
              std::max(worst, (quaternion_at(found.s.q, node.q + 3) * Vector3d(1, 0, 0) + Vector3d(0, 0, 1)).norm());
      EXPECT_LT(worst, 1e-7);
    }
}

/// Angles of n equal links of weight 1 between supports at the distance `span` (per link) on one level: the forces along
/// the chain are H and V₀ − i, those in the middle of a link point along it.   tan θᵢ = (i + ½ − n/2)/H
std::vector<double> catenary(int n, double span) {
  std::vector<double> angles(n);
  double low = 0, high = 1e3 * n;  // H grows with the span
  for (int halving = 0; halving < 200; ++halving) {
    const double H = 0.5 * (low + high);
    double reached = 0;
    for (int i = 0; i < n; ++i) angles[i] = std::atan2(i + 0.5 - 0.5 * n, H), reached += std::cos(angles[i]);
    (reached < span ? low : high) = H;
  }
  return angles;
}

/// Hung up as a triangle, below or above its supports.
TEST(Statics, ChainsBetweenTwoSupportsHangAsCatenaries) {
  for (const int n : {4, 6, 20, 100, 300, 1000})
    for (const double side : {-1.0, 1.0}) {
      SCOPED_TRACE(n * side);
      const double length = 0.1, slope = 0.9;
      Model model;
      Vector3d end = Vector3d::Zero();
      for (int i = 0; i < n; ++i) {
        const double angle = side * (i < n / 2 ? slope : -slope);
        const std::string name = "l" + std::to_string(i), before = i == 0 ? "ground" : "l" + std::to_string(i - 1);
        model.bodies.push_back(link(name, end, angle, length, 0.05));
        model.joints.push_back(joint(JointType::revolute, "h" + std::to_string(i), before, name, end, {0, 1, 0}));
        end += length * Vector3d(std::cos(angle), 0, std::sin(angle));
      }
      model.joints.push_back(joint(JointType::revolute, "support", "ground", model.bodies.back().name, end, {0, 1, 0}));
      const Found found = equilibrium_of(model);
      ASSERT_TRUE(found.report.found) << found.report.problem;
      const std::vector<double> expected = catenary(n, n * std::cos(slope));
      double worst = 0;
      for (int i = 0; i < n; ++i) {
        const Vector3d along = quaternion_at(found.s.q, found.system.nodes()[i + 1].q + 3) * Vector3d(1, 0, 0);
        worst = std::max(worst, (along - Vector3d(std::cos(expected[i]), 0, std::sin(expected[i]))).norm());
      }
      EXPECT_LT(worst, 1e-6);
    }
}

StartState static_start(const std::string& text) {
  const Model model = from_text(text);
  return find_start(model, assemble(model), StartType::equilibrium);
}

/// A load sinks by m g/k on a carriage that runs freely at 15 m/s: it still does.
TEST(Statics, AStartFromEquilibriumKeepsTheSpeedOfTheFile) {
  const StartState start = static_start(R"(
bodies:
  carriage: {mass: 3, inertia: [1, 1, 1], velocity: [15, 0, 0]}
  load: {mass: 2, inertia: [1, 1, 1], position: [0, 0, 1], velocity: [15, 0, 0]}
joints:
  rail: {type: translational, between: [ground, carriage], at: [0, 0, 0], axis: [1, 0, 0]}
  guide: {type: translational, between: [carriage, load], at: [0, 0, 1], axis: [0, 0, 1]}
forces:
  spring: {type: joint-spring, joint: guide, stiffness: 100}
)");
  EXPECT_NEAR(start.state.q[9], 1 - 2 * 9.81 / 100, 1e-9);
  for (const int first : {0, 6}) EXPECT_NEAR((start.state.v.segment<3>(first) - Vector3d(15, 0, 0)).norm(), 0, 1e-12);
  EXPECT_NE(start.remark.find("starts with the velocities of the file"), std::string::npos) << start.remark;
  EXPECT_EQ(start.remark.find("had to change"), std::string::npos) << start.remark;
  EXPECT_EQ(start.remark.find("not steady"), std::string::npos) << start.remark;
}

/// A pendulum, at the angle from below; in the equilibrium a velocity upwards cannot be had, one that swings is not steady.
TEST(Statics, AStartFromEquilibriumSaysWhatBecomesOfVelocities) {
  const auto pendulum = [](const std::string& body) {
    return "bodies:\n  bob: {mass: 1, inertia: [0.1, 0.1, 0.1], " + body +
           "}\njoints:\n  pin: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}\n";
  };
  const StartState swinging =
      static_start(pendulum("position: [0, 0, -1], velocity: [2, 0, 0], angular_velocity: [0, -2, 0]"));
  EXPECT_NEAR(swinging.state.v[0], 2, 1e-12);
  EXPECT_NE(swinging.remark.find("not steady: 'bob' accelerates with 4 m/s²"), std::string::npos) << swinging.remark;
  try {
    static_start(pendulum("position: [1, 0, 0], velocity: [0, 0, 2], angular_velocity: [0, -2, 0]"));
    FAIL() << "not refused";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("velocities of the file cannot be had in the equilibrium"),
              std::string::npos);
    EXPECT_NE(std::string(error.what()).find("'bob'"), std::string::npos) << error.what();
  }
}

}  // namespace statics_test
}  // namespace bricard::testing
