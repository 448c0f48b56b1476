// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "reference/mechanisms.h"
#include "reference/minimal_model.h"

// Every joint and motion against a second formulation, on a general motion: a base on a ball joint at ground carries an arm
// by the joint in question, markers in skew positions on both.
namespace bricard::testing {
namespace {

constexpr double kPi = std::numbers::pi;
const Vector3d kX = Vector3d::UnitX(), kY = Vector3d::UnitY(), kZ = Vector3d::UnitZ();
constexpr double kPitch = 0.3, kRod = 0.7;

Matrix3d turned(double x, double y, double z) { return exp_rotation({x, y, z}).toRotationMatrix(); }

/// The joint as pieces from the first to the second marker; coordinates count from 3, after those of the base.
struct JointCase {
  std::string name;
  JointType type;
  std::vector<Piece> pieces;
  int freedoms;
};

void PrintTo(const JointCase& c, std::ostream* out) { *out << c.name; }

std::vector<JointCase> joint_cases() {
  const std::vector<Piece> ball{turn(kX, 5), turn(kY, 6), turn(kZ, 7)};
  const auto with = [](std::vector<Piece> first, const std::vector<Piece>& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
  };
  const auto numbered = [](std::vector<Piece> pieces, int from) {
    for (size_t i = 0; i < pieces.size(); ++i) pieces[i].coordinate = from + static_cast<int>(i);
    return pieces;
  };
  return {
      {"Fixed", JointType::fixed, {}, 0},
      {"Revolute", JointType::revolute, {turn(kZ, 3)}, 1},
      {"Translational", JointType::translational, {shift(kZ, 3)}, 1},
      {"Cylindrical", JointType::cylindrical, {turn(kZ, 3), shift(kZ, 4)}, 2},
      {"Spherical", JointType::spherical, numbered(ball, 3), 3},
      {"Universal", JointType::universal, {turn(kZ, 3), turn(kX, 4)}, 2},
      {"Distance", JointType::distance, with({turn(kZ, 3), turn(kY, 4), constant(kRod * kX)}, ball), 5},
      {"Planar", JointType::planar, {shift(kX, 3), shift(kY, 4), turn(kZ, 5)}, 3},
      {"ConstantVelocity", JointType::constant_velocity, {turn(kZ, 3), turn(kX, 4), turn(kZ, 3, -1)}, 2},
      {"Screw", JointType::screw, {turn(kZ, 3), shift(kZ, 3, kPitch / (2 * kPi))}, 1},
      {"Inline", JointType::inline_, with({shift(kZ, 3)}, numbered(ball, 4)), 4},
      {"Inplane", JointType::inplane, with({shift(kX, 3), shift(kY, 4)}, ball), 5},
      {"Parallel", JointType::parallel, {shift(kX, 3), shift(kY, 4), shift(kZ, 5), turn(kZ, 6)}, 4},
      {"Perpendicular", JointType::perpendicular,
       {shift(kX, 3), shift(kY, 4), shift(kZ, 5), turn(kZ, 6), constant(Vector3d::Zero(), turned(kPi / 2, 0, 0)), turn(kZ, 7)}, 5},
      {"Orientation", JointType::orientation, {shift(kX, 3), shift(kY, 4), shift(kZ, 5)}, 3},
      {"PointOnCurve", JointType::point_on_curve, with({ellipse(0.5, 0.3, 3)}, numbered(ball, 4)), 4},
  };
}

const Vector3d kPivot(0.1, -0.2, 0.3), kLever(0.4, 0.1, -0.3), kOnBase(-0.3, 0.5, 0.2), kOnArm(0.2, -0.1, 0.6);
const Matrix3d kBaseAxes = turned(0.4, -0.7, 0.3), kArmAxes = turned(-0.6, 0.2, 1.1);

Matrix3d inertia(double scale) {
  Matrix3d J;
  J << 2, 0.1, -0.2, 0.1, 1.5, 0.3, -0.2, 0.3, 1.1;
  return scale * J;
}

/// The second formulation: ball joint, base, joint, arm.
MinimalModel minimal(const std::vector<Piece>& pieces, int freedoms) {
  MinimalModel m;
  m.coordinates = 3 + freedoms;
  const std::vector<Piece> base{constant(kPivot), turn(kX, 0), turn(kY, 1), turn(kZ, 2), constant(kLever)};
  std::vector<Piece> arm = base;
  arm.push_back(constant(kOnBase, kBaseAxes));
  arm.insert(arm.end(), pieces.begin(), pieces.end());
  arm.push_back(constant(-kArmAxes.transpose() * kOnArm, kArmAxes.transpose()));
  m.bodies = {{3, inertia(0.2), base}, {2, inertia(0.1), arm}};
  return m;
}

struct RandomState {
  VectorXd u, u1;
  RandomState(int n, unsigned seed) : u(n), u1(n) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (double& x : u) x = 0.6 * uniform(generator);
    for (double& x : u1) x = uniform(generator);
  }
};

Body body_at(const std::string& name, const MinimalBody& b, const BodyMotion& m) {
  Body body;
  body.name = name;
  body.mass = b.mass;
  body.inertia = b.inertia;
  body.position = m.p;
  body.orientation = Quaterniond(m.R);
  body.velocity = m.v;
  body.angular_velocity = m.w;
  return body;
}

Marker marker(const std::string& name, const Vector3d& p, const Matrix3d& R) { return {name, {}, p, Quaterniond(R)}; }

/// The same mechanism for the program.
Model described(const MinimalModel& m, const RandomState& s, JointType type) {
  Model model;
  const VectorXd zero = VectorXd::Zero(m.coordinates);
  model.bodies = {body_at("base", m.bodies[0], m.motion(0, s.u, s.u1, zero)), body_at("arm", m.bodies[1], m.motion(1, s.u, s.u1, zero))};
  model.bodies[0].markers = {marker("pivot", -kLever, Matrix3d::Identity()), marker("i", kOnBase, kBaseAxes)};
  model.bodies[1].markers = {marker("j", kOnArm, kArmAxes)};
  model.ground.markers = {marker("pivot", kPivot, Matrix3d::Identity())};
  CurveShape curve;
  curve.name = "oval";
  curve.half_axes = {0.5, 0.3};
  model.curves = {curve};
  Joint ball, joint;
  ball.name = "ball", ball.type = JointType::spherical;
  ball.between = {Reference{"ground.pivot", {}}, Reference{"base.pivot", {}}};
  joint.name = "joint", joint.type = type;
  joint.between = {Reference{"base.i", {}}, Reference{"arm.j", {}}};
  joint.pitch = kPitch;
  if (type == JointType::point_on_curve) joint.curve = Reference{"oval", {}};
  model.joints = {ball, joint};
  return model;
}

/// The reaction of the last joint as the second formulation has it, at the second marker.
Wrench expected_reaction(const MinimalModel& m, const VectorXd& u, const VectorXd& u1, const VectorXd& u2) {
  const NeededWrench f = m.needed(1, u, u1, u2);
  const Vector3d lever = m.motion(1, u, u1, u2).R * kOnArm;
  return {f.force, f.torque - lever.cross(f.force)};
}

Wrench reaction_of(const System& system, const State& s, int joint) {
  Kinematics k = system.make_kinematics();
  std::vector<Wrench> wrenches(system.joints.size());
  system.update(s, k);
  system.reactions(k, wrenches);
  return wrenches[joint];
}

void expect_alike(const State& s, const System& system, const MinimalModel& m, const VectorXd& u, const VectorXd& u1,
                  const VectorXd& u2, double tolerance, bool with_reaction = true) {
  for (int b = 0; b < 2; ++b) {
    const BodyMotion x = m.motion(b, u, u1, u2);
    const FrameNode& node = system.nodes()[b + 1];
    const Matrix3d R = quaternion_at(s.q, node.q + 3).toRotationMatrix();
    EXPECT_LT((s.q.segment<3>(node.q) - x.p).norm(), tolerance) << "position of body " << b;
    EXPECT_LT((R - x.R).norm(), tolerance) << "orientation of body " << b;
    EXPECT_LT((s.v.segment<3>(node.v) - x.v).norm(), 10 * tolerance) << "velocity of body " << b;
    EXPECT_LT((R * s.v.segment<3>(node.v + 3) - x.w).norm(), 10 * tolerance) << "angular velocity of body " << b;
    EXPECT_LT((s.a.segment<3>(node.v) - x.a).norm(), 100 * tolerance) << "acceleration of body " << b;
    EXPECT_LT((R * s.a.segment<3>(node.v + 3) - x.alpha).norm(), 100 * tolerance) << "angular acceleration of body " << b;
  }
  if (!with_reaction) return;
  const Wrench exact = expected_reaction(m, u, u1, u2), found = reaction_of(system, s, 1);
  EXPECT_LT((found.force - exact.force).norm(), 300 * tolerance) << found.force.transpose() << " for " << exact.force.transpose();
  EXPECT_LT((found.torque - exact.torque).norm(), 300 * tolerance) << found.torque.transpose() << " for " << exact.torque.transpose();
}

RunSettings settings(double duration, double h) {
  RunSettings s;
  s.duration = duration;
  s.step = s.output_step.emplace(h);
  s.tolerance = 1e-10;
  s.integrator = IntegratorType::generalized_alpha;
  return s;
}

class EveryJoint : public ::testing::TestWithParam<JointCase> {};

TEST_P(EveryJoint, AcceleratesAndReactsAsMinimalCoordinatesSay) {
  const JointCase& c = GetParam();
  const MinimalModel m = minimal(c.pieces, c.freedoms);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const RandomState s(m.coordinates, seed);
    const Model model = described(m, s, c.type);
    const System system = assemble(model);
    State start = initial_wishes(model, system);
    const StartReport report = consistent_start(system, SolverType::automatic, start);
    ASSERT_TRUE(report.assembled) << report.problem;
    EXPECT_EQ(report.degrees_of_freedom, m.coordinates);
    EXPECT_LT(report.largest_move, 1e-12);     // the joint lets the bodies stand where they are
    EXPECT_LT(report.velocity_change, 1e-11);  // and move as they do
    expect_alike(start, system, m, s.u, s.u1, m.accelerations(0, s.u, s.u1), 1e-10);
  }
}

/// Second-order method: a quarter of the error with half the step, so 1e-3 s leaves about (ω h)² of the motion.
TEST_P(EveryJoint, MovesAsMinimalCoordinatesSay) {
  const JointCase& c = GetParam();
  const MinimalModel m = minimal(c.pieces, c.freedoms);
  RandomState s(m.coordinates, 3);
  const Model model = described(m, s, c.type);
  const Started started = start(model);
  const Results results = simulate(started.system, started.state, settings(0.4, 1e-3));
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  m.integrate(0.4, 400, s.u, s.u1);
  expect_alike(results.samples.back().state, started.system, m, s.u, s.u1, m.accelerations(0.4, s.u, s.u1), 3e-5);
}

INSTANTIATE_TEST_SUITE_P(Joints, EveryJoint, ::testing::ValuesIn(joint_cases()), [](const auto& i) { return i.param.name; });

/// One driven coordinate of a joint; the other freedoms of the mechanism stay free.
struct MotionCase {
  std::string name;
  JointType type;
  std::vector<Piece> pieces;
  int freedoms, driven;
  JointCoordinate coordinate;
  bool between_markers;
  std::string given;  ///< displacement, velocity or acceleration
};

void PrintTo(const MotionCase& c, std::ostream* out) { *out << c.name; }

std::vector<MotionCase> motion_cases() {
  using C = JointCoordinate;
  const std::vector<Piece> screw{turn(kZ, 3), shift(kZ, 3, kPitch / (2 * kPi))};
  const std::vector<Piece> planar{shift(kX, 3), shift(kY, 4), turn(kZ, 5)}, both{turn(kZ, 3), shift(kZ, 4)};
  return {{"RevoluteDisplacement", JointType::revolute, {turn(kZ, 3)}, 1, 3, C::automatic, false, "displacement"},
          {"RevoluteVelocity", JointType::revolute, {turn(kZ, 3)}, 1, 3, C::automatic, false, "velocity"},
          {"RevoluteAcceleration", JointType::revolute, {turn(kZ, 3)}, 1, 3, C::automatic, false, "acceleration"},
          {"TranslationalAcceleration", JointType::translational, {shift(kZ, 3)}, 1, 3, C::automatic, false, "acceleration"},
          {"CylindricalAngle", JointType::cylindrical, both, 2, 3, C::angle, false, "velocity"},
          {"CylindricalTranslation", JointType::cylindrical, both, 2, 4, C::translation, false, "velocity"},
          {"ScrewAngle", JointType::screw, screw, 1, 3, C::angle, false, "displacement"},
          {"PlanarY", JointType::planar, planar, 3, 4, C::y, false, "displacement"},
          {"PlanarAngle", JointType::planar, planar, 3, 5, C::angle, false, "acceleration"},
          {"InlineTranslation", JointType::inline_, {shift(kZ, 3), turn(kX, 4), turn(kY, 5), turn(kZ, 6)}, 4, 3, C::translation, false, "velocity"},
          {"MarkersX", JointType::planar, planar, 3, 3, C::x, true, "velocity"},
          {"MarkersZ", JointType::cylindrical, both, 2, 4, C::z, true, "acceleration"},
          {"MarkersAngle", JointType::parallel, {shift(kX, 3), shift(kY, 4), shift(kZ, 5), turn(kZ, 6)}, 4, 6, C::angle, true, "displacement"}};
}

class EveryMotion : public ::testing::TestWithParam<MotionCase> {};

TEST_P(EveryMotion, MovesAndReactsAsMinimalCoordinatesSay) {
  const MotionCase& c = GetParam();
  MinimalModel m = minimal(c.pieces, c.freedoms);
  m.prescribed.resize(m.coordinates);
  const Expression x = Expression::parse("0.2*sin(5*t)+0.3*t^2+0.1", {}, true);
  m.prescribed[c.driven] = [&](double t) { return x.jet(t); };
  RandomState s(m.coordinates, 11);
  m.set_prescribed(0, s.u, s.u1);
  Model model = described(m, s, c.type);
  model.run.duration = 0.4;
  Motion motion;
  motion.name = "drive";
  motion.coordinate = c.coordinate;
  if (c.between_markers) motion.between = std::array{Reference{"base.i", {}}, Reference{"arm.j", {}}};
  else motion.joint = Reference{"joint", {}};
  if (c.given == "displacement") motion.displacement = x;
  if (c.given == "velocity") motion.velocity = Expression::parse("cos(5*t)+0.6*t", {}, true);
  if (c.given == "acceleration") motion.acceleration = Expression::parse("-5*sin(5*t)+0.6", {}, true);
  model.motions = {motion};
  const Started started = start(model);
  const bool joint = !c.between_markers;  // the force of a motion between markers is no part of a joint's reaction
  expect_alike(started.state, started.system, m, s.u, s.u1, m.accelerations(0, s.u, s.u1), 1e-10, joint);
  const Results results = simulate(started.system, started.state, settings(0.4, 1e-3));
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  m.integrate(0.4, 400, s.u, s.u1);
  expect_alike(results.samples.back().state, started.system, m, s.u, s.u1, m.accelerations(0.4, s.u, s.u1), 3e-5, joint);
}

INSTANTIATE_TEST_SUITE_P(Motions, EveryMotion, ::testing::ValuesIn(motion_cases()), [](const auto& i) { return i.param.name; });

}  // namespace
}  // namespace bricard::testing
