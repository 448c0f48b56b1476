// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/run_model.h"
#include "bricard/assemble/assemble.h"
#include "bricard/model/integrator_kinds.h"
#include "reference/arm_on_base.h"
#include "reference/simulated.h"

// Motors with a rotor in joints: against minimal coordinates, a closed form, and rotors that are bodies behind a gear.
namespace bricard::testing {
namespace rotor_test {

constexpr double kRotor = 0.013, kRatio = -9, kFelt = kRatio * kRatio * kRotor, kPitch = 0.3;

struct RotorCase {
  JointType type;
  std::vector<Piece> pieces;
  int freedoms;
};

Model with_rotor(const MinimalModel& m, const RandomState& s, JointType type) {
  Model model = arm_on_base(m, s);
  Joint joint = arm_joint(type);
  if (type == JointType::screw) joint.pitch = kPitch;
  joint.rotor_inertia = kRotor, joint.gear_ratio = kRatio;
  model.joints.push_back(joint);
  return model;
}

// Lagrange: ½ I u̇² adds I ü to the equation of the joint's own coordinate. On the arm the rotor exerts −I ü along z.
TEST(Rotor, AcceleratesAndReactsAsMinimalCoordinatesSayOnAMovingBase) {
  const double thread = kPitch / (2 * std::numbers::pi);
  for (const RotorCase& c : {RotorCase{JointType::revolute, {turn(kZ, 3)}, 1},
                             {JointType::translational, {shift(kZ, 3)}, 1},
                             {JointType::cylindrical, {turn(kZ, 3), shift(kZ, 4)}, 2},
                             {JointType::screw, {turn(kZ, 3), shift(kZ, 3, thread)}, 1}}) {
    SCOPED_TRACE(name_of(c.type));
    MinimalModel m = minimal_arm(c.pieces, c.freedoms);
    m.inertias = VectorXd::Zero(m.coordinates);
    m.inertias[3] = kFelt;
    const RandomState s(m.coordinates, 3);
    const Model model = with_rotor(m, s, c.type);
    const System system = assemble(model);
    State start = initial_wishes(model, system);
    ASSERT_TRUE(consistent_start(system, SolverType::automatic, start).assembled);
    const VectorXd u2 = m.accelerations(0, s.u, s.u1);
    expect_alike(start, system, m, s.u, s.u1, u2, 1e-10);
    const Vector3d z = m.motion(0, s.u, s.u1, u2).R * arm_places().base_axes.col(2);
    Wrench joint = needed_at_marker(m, s.u, s.u1, u2);
    (c.type == JointType::translational ? joint.force : joint.torque) += kFelt * u2[3] * z;
    expect_wrench(reactions_of(system, start)[1], joint, 3e-8, "joint");
  }
}

TEST(Rotor, OnAMovingBaseMovesAsMinimalCoordinatesSay) {
  for (const RotorCase& c :
       {RotorCase{JointType::revolute, {turn(kZ, 3)}, 1}, {JointType::translational, {shift(kZ, 3)}, 1}}) {
    SCOPED_TRACE(name_of(c.type));
    MinimalModel m = minimal_arm(c.pieces, c.freedoms);
    m.inertias = VectorXd::Zero(m.coordinates);
    m.inertias[3] = kFelt;
    RandomState s(m.coordinates, 3);
    const Started started = start(with_rotor(m, s, c.type));
    const Results results = simulate(started.system, started.state, arm_settings(0.4, 1e-3));
    ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
    m.integrate(0.4, 400, s.u, s.u1);
    // (ω h)² of a second-order method, as for every joint
    expect_alike(results.samples.back().state, started.system, m, s.u, s.u1, m.accelerations(0.4, s.u, s.u1), 3e-5);
  }
}

/// A rod on a hinge, let go from the side, with a motor behind a gear.
std::string pendulum(const std::string& keys, const std::string& more) {
  return R"(
gravity: [0, -9.81, 0]
bodies:
  rod: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1])" +
         keys + "}\n" + more + "\n";
}
const std::string kMotor = ", rotor_inertia: 20 kg*cm^2, gear_ratio: 12";

Results run_with(const std::string& text, Coordinates coordinates, IntegratorType integrator) {
  Model model = io::read_model_text(text, "test.yaml");
  model.run.duration = 1, model.run.step = 1e-3;
  model.run.coordinates = coordinates, model.run.integrator = integrator;
  const System system = assemble(model);
  return run(model, system, start_of(model, system, Analysis::dynamics), Analysis::dynamics);
}

// (J + m l² + n² J_r) θ̈ = −m g l cos θ from the horizontal
TEST(Rotor, OfAPendulumAddsItsInertiaTimesTheRatioSquared) {
  const double felt = 0.1 + 2 * 0.25 + 12 * 12 * 0.002;
  for (const char* plane : {"", "plane: xy"})
    for (const Coordinates coordinates : {Coordinates::bodies, Coordinates::natural}) {
      SCOPED_TRACE(fmt::format("{} {}", plane, coordinates == Coordinates::natural ? "natural" : "bodies"));
      const Results results = run_with(pendulum(kMotor, plane), coordinates, IntegratorType::hht);
      EXPECT_TRUE(results.report.finished) << results.report.stopped_because;
      EXPECT_NEAR(results.samples.front().state.a[1], 0.5 * -2 * 9.81 * 0.5 / felt, 1e-9);
      // energy of θ: the speed at any height, with what the rotor has
      const State& s = results.samples.back().state;
      EXPECT_NEAR(0.5 * felt * s.v[5] * s.v[5], -2 * 9.81 * s.q[1], 1e-4);  // (ω h)² of 10 J
      EXPECT_LT(results.report.max_energy_defect, 1e-4);
    }
}

// The same rotor as a body of its own on ground, with a gear: every method finds the same motion.
TEST(Rotor, MovesAsABodyBehindAGearDoes) {
  const std::string with_body = R"(
gravity: [0, -9.81, 0]
bodies:
  rod: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}
  rotor: {mass: 1, inertia: [0.001, 0.001, 0.002], position: [0, 0, 0.3]}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}
  shaft: {type: revolute, between: [ground, rotor], at: [0, 0, 0.3], axis: [0, 0, 1]}
couplers:
  gear: {type: gear, joints: [shaft, hinge], ratio: 12}
)";
  const State exact = run_with(with_body, Coordinates::bodies, IntegratorType::radau).samples.back().state;
  for (const IntegratorKind& kind : integrator_kinds()) {
    if (kind.hamiltonian) continue;
    SCOPED_TRACE(kind.word);
    const Results found = run_with(pendulum(kMotor, ""), Coordinates::bodies, kind.type);
    ASSERT_TRUE(found.report.finished) << found.report.stopped_because;
    // first-order methods are off by h times the acceleration of 10 m/s², half the time, and a factor of two
    const bool first_order = kind.type == IntegratorType::radau_1 || kind.family == IntegratorKind::Family::augmented;
    EXPECT_LT((found.samples.back().state.q.head<3>() - exact.q.head<3>()).norm(), first_order ? 1e-2 : 2e-5);
  }
}

TEST(Rotor, IsRefusedByMethodsThatNeedAConstantMassMatrix) {
  for (const IntegratorKind& kind : integrator_kinds())
    if (kind.hamiltonian) {
      EXPECT_THROW(run_with(pendulum(kMotor, ""), Coordinates::natural, kind.type), ModelError) << kind.word;
    }
}

std::string fault_of(const std::string& text) {
  try {
    io::read_model_text(text, "test.yaml");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Rotor, IsRefusedWhereItCannotBe) {
  EXPECT_NE(fault_of(pendulum(", gear_ratio: 3", "")).find("no effect without a rotor_inertia"), std::string::npos);
  EXPECT_NE(fault_of(pendulum(", rotor_inertia: -1", "")).find("must be >= 0"), std::string::npos);
  EXPECT_NE(fault_of(pendulum(", rotor_inertia: 1, gear_ratio: 0", "")).find("must not be 0"), std::string::npos);
  EXPECT_NE(fault_of(pendulum(", rotor_inertia: 1 kg", "")).find("kg*m^2"), std::string::npos);
  std::string ball = pendulum(", rotor_inertia: 1", "");
  ball.replace(ball.find("revolute"), 8, "spherical");
  EXPECT_NE(fault_of(ball).find("no meaning for a spherical joint"), std::string::npos);
}

}  // namespace rotor_test
}  // namespace bricard::testing
