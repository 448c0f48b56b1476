// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "bricard/analysis/consistent_start.h"
#include "bricard/write/files.h"
#include "reference/linear.h"
#include "reference/mechanisms.h"

// Modes: labels, and the iterative way against all modes at once.
namespace bricard::testing {
namespace eigenmodes_test {

constexpr double kPi = std::numbers::pi;

TEST(Eigenmodes, OfTheRotorAreLabelledByEnergies) {
  Linear p(rotor(0.5, "ground"));
  EigenmodeResult result = find_eigenmodes(*p.equations, p.system, {});
  label_modes(p.read.model, p.system, p.point.state, *p.equations, result.modes);
  const Eigenmode& last = result.modes.back();  // yaw of the stator
  EXPECT_NEAR(last.frequency(), 100 / (2 * kPi), 1e-6);
  EXPECT_NEAR(last.damping(), 0.05, 1e-8);
  EXPECT_EQ(last.kinetic[0].name, "stator");
  EXPECT_GT(last.kinetic[0].share, 0.99);
  EXPECT_EQ(last.strain[0].name, "mount");
  EXPECT_NE(last.label.find("stator turns about z"), std::string::npos) << last.label;
}

void expect_iterative_modes_to_agree(const Model& model, const PointType type, bool undamped, int count) {
  const System system = assemble(model);
  const OperatingPoint point = find_operating_point(model, system, type, {"ground", {}});
  ASSERT_EQ(point.problem, "");
  const LinearizeOptions options;
  LinearEquations equations(system, point.state, options);
  EigenmodeOptions some, every;
  some.count = count, some.shift = 0.5;
  some.undamped = every.undamped = undamped;
  const EigenmodeResult iterative = find_eigenmodes(equations, system, some),
                        all = find_eigenmodes(equations, system, every);
  EXPECT_TRUE(iterative.iterative);
  EXPECT_FALSE(all.iterative);
  EXPECT_EQ(iterative.problem + all.problem, "");
  ASSERT_EQ(static_cast<int>(iterative.modes.size()), count);
  for (int i = 0; i < count; ++i) {
    const Eigenmode &a = iterative.modes[i], &b = all.modes[i];
    EXPECT_LT(std::abs(a.s - b.s), 1e-7 * std::abs(b.s)) << i;
    const Complex M_ab = a.shape.dot(equations.mass() * b.shape);
    const double M_aa = a.shape.dot(equations.mass() * a.shape).real(),
                 M_bb = b.shape.dot(equations.mass() * b.shape).real();
    EXPECT_NEAR(std::norm(M_ab) / (M_aa * M_bb), 1, 1e-6) << i;
  }
}

TEST(Eigenmodes, IterativeOnesAgreeWithAllModes) {
  expect_iterative_modes_to_agree(chain(40), PointType::equilibrium, false, 6);
}

TEST(Eigenmodes, IterativeUndampedOnesAgreeWithAllModes) {
  expect_iterative_modes_to_agree(chain(40), PointType::equilibrium, true, 6);
  const Model vehicle =
      io::read_linear_model(io::read_file(std::string(BRICARD_SOURCE_DIR) + "/models/all_terrain_vehicle.yaml"),
                            "vehicle.yaml")
          .model;
  expect_iterative_modes_to_agree(vehicle, PointType::equilibrium, true, 5);
}

// Two masses between springs, with dampers that undamped modes do not see: ω² = k/m, 3k/m.
TEST(Eigenmodes, UndampedOnesAreThoseOfStiffnessAndMass) {
  const Linear p(R"(
gravity: [0, 0, 0]
bodies:
  a: {mass: 2, inertia: [1, 1, 1]}
  b: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  ra: {type: translational, between: [ground, a], at: [0, 0, 0], axis: [1, 0, 0]}
  rb: {type: translational, between: [ground, b], at: [1, 0, 0], axis: [1, 0, 0]}
forces:
  first: {type: joint-spring, joint: ra, stiffness: 50, damping: 9}
  last: {type: joint-spring, joint: rb, stiffness: 50}
  middle: {type: spring-damper, between: [a, b], stiffness: 50, free_length: 1, damping: 4}
)");
  EigenmodeOptions options;
  options.undamped = true;
  const EigenmodeResult result = find_eigenmodes(*p.equations, p.system, options);
  ASSERT_EQ(result.modes.size(), 2u);
  EXPECT_LT(std::abs(result.modes[0].s - Complex(0, 5)), 1e-12);
  EXPECT_LT(std::abs(result.modes[1].s - Complex(0, std::sqrt(75.0))), 1e-12);
}

TEST(Eigenmodes, UndampedOnesAreRefusedWithStatesOfFirstOrder) {
  const Linear p(R"(
bodies: {cart: {mass: 2, inertia: [1, 1, 1]}}
joints: {rail: {type: translational, between: [ground, cart], at: [0, 0, 0], axis: [1, 0, 0]}}
controllers: {hold: {type: pid, input: -translation(rail), proportional: 5, integral: 2}}
forces: {drive: {type: motor, joint: rail, force: hold}}
)");
  EigenmodeOptions options;
  options.undamped = true;
  const EigenmodeResult result = find_eigenmodes(*p.equations, p.system, options);
  EXPECT_TRUE(result.modes.empty());
  EXPECT_NE(result.problem.find("differential states"), std::string::npos) << result.problem;
}

// A chain of N links that hangs straight down swings nearly as a rope: ω = ½ j₀ √(g/L), j₀ the first root of J₀.
TEST(Eigenmodes, SlowestSwingOfALongChain) {
  const std::string hanging = R"(
parameters: {N: 1500, L: 0.1}
repeat:
  - for: {i: N}
    bodies:
      "link{i}": {mass: 0.05, inertia: [4e-5, 4e-5, 2e-6], position: [0, 0, -(i - 0.5)*L]}
  - for: {i: [2, N]}
    joints:
      "hinge{i}": {type: revolute, between: ["link{i-1}", "link{i}"], at: [0, 0, -(i - 1)*L], axis: [0, 1, 0]}
joints:
  hinge1: {type: revolute, between: [ground, link1], at: [0, 0, 0], axis: [0, 1, 0]}
)";
  const io::LinearModel read = io::read_linear_model(hanging, "chain.yaml");
  const System system = assemble(read.model);
  State s = initial_wishes(read.model, system);
  consistent_start(system, SolverType::automatic, s);
  const LinearizeOptions options;
  LinearEquations equations(system, s, options);
  EigenmodeOptions some;
  some.count = 2;
  const EigenmodeResult result = find_eigenmodes(equations, system, some);
  ASSERT_TRUE(result.iterative);
  ASSERT_EQ(result.modes.size(), 2u);
  EXPECT_NEAR(result.modes[0].s.imag(), 0.5 * 2.404825557695773 * std::sqrt(9.81 / 150), 1e-5);
  EXPECT_NEAR(result.modes[0].s.real(), 0, 1e-9);
}

}  // namespace eigenmodes_test
}  // namespace bricard::testing
