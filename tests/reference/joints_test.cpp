// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "reference/arm_on_base.h"

// Every joint and motion against a second formulation, on a general motion of an arm on a base.
namespace bricard::testing {
namespace joints_test {

constexpr double kPi = std::numbers::pi;
constexpr double kPitch = 0.3, kRod = 0.7;

/// The joint as pieces from the first to the second marker; coordinates count from 3, after those of the base. A
/// curve-on-curve joint comes with a planar one.
struct JointCase {
  std::string name;
  JointType type;
  std::vector<Piece> pieces;
  int freedoms;
  std::vector<std::string> curves{};
  double roller = 0;
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
  const auto along = [](const std::string& x, const std::string& y, int k) {
    return std::vector{shift(kX, k, x), shift(kY, k, y)};
  };
  const std::vector<Piece> on_oval = along("0.5*cos(t)", "0.3*sin(t)", 3);
  // outside of the oval by 0.1: its normal is (0.3 cos u, 0.5 sin u)/√(0.09 cos²u + 0.25 sin²u)
  const std::string scale = "/sqrt(0.09*cos(t)^2 + 0.25*sin(t)^2)";
  const std::vector<Piece> off_oval =
      along("0.5*cos(t) + 0.1*0.3*cos(t)" + scale, "0.3*sin(t) + 0.1*0.5*sin(t)" + scale, 3);
  // one oval on another: the tangents at both parameters are opposite
  const std::vector<Piece> oval_on_egg =
      with(with(on_oval, {turn(kZ, 3, "atan2(0.3*cos(t), -0.5*sin(t)) + pi"),
                          turn(kZ, 4, "-atan2(0.1*cos(t), -0.2*sin(t)*(1 + 0.2*cos(t)))")}),
           along("-0.2*cos(t)*(1 + 0.1*cos(t))", "-0.1*sin(t)", 4));
  return {
      {"Fixed", JointType::fixed, {}, 0},
      {"Revolute", JointType::revolute, {turn(kZ, 3)}, 1},
      {"Translational", JointType::translational, {shift(kZ, 3)}, 1},
      {"Cylindrical", JointType::cylindrical, {turn(kZ, 3), shift(kZ, 4)}, 2},
      {"Spherical", JointType::spherical, numbered(ball, 3), 3},
      {"Universal", JointType::universal, {turn(kZ, 3), turn(kX, 4)}, 2},
      {"Distance", JointType::distance, with({turn(kZ, 3), turn(kY, 4), constant(kRod * kX)}, ball), 5},
      {"RevoluteSpherical", JointType::revolute_spherical, with({turn(kZ, 3), constant(kRod * kX)}, numbered(ball, 4)),
       4},
      {"Planar", JointType::planar, {shift(kX, 3), shift(kY, 4), turn(kZ, 5)}, 3},
      {"ConstantVelocity", JointType::constant_velocity, {turn(kZ, 3), turn(kX, 4), turn(kZ, 3, -1)}, 2},
      {"Screw", JointType::screw, {turn(kZ, 3), shift(kZ, 3, kPitch / (2 * kPi))}, 1},
      {"Inline", JointType::inline_, with({shift(kZ, 3)}, numbered(ball, 4)), 4},
      {"Inplane", JointType::inplane, with({shift(kX, 3), shift(kY, 4)}, ball), 5},
      {"Parallel", JointType::parallel, {shift(kX, 3), shift(kY, 4), shift(kZ, 5), turn(kZ, 6)}, 4},
      {"Perpendicular",
       JointType::perpendicular,
       {shift(kX, 3), shift(kY, 4), shift(kZ, 5), turn(kZ, 6), constant(Vector3d::Zero(), turned(kPi / 2, 0, 0)),
        turn(kZ, 7)},
       5},
      {"Orientation", JointType::orientation, {shift(kX, 3), shift(kY, 4), shift(kZ, 5)}, 3},
      {"PointOnCurve", JointType::point_on_curve, with(on_oval, numbered(ball, 4)), 4, {"oval"}},
      {"PointOnCurveByFormula", JointType::point_on_curve, with(on_oval, numbered(ball, 4)), 4, {"oval_by_formula"}},
      {"RollerOnCurve", JointType::point_on_curve, with(off_oval, numbered(ball, 4)), 4, {"oval"}, 0.1},
      {"CircleOnCircle",
       JointType::curve_on_curve,
       {turn(kZ, 3), constant(0.6 * kX), turn(kZ, 4)},
       2,
       {"round", "disc"}},
      {"CircleOnOval", JointType::curve_on_curve, with(off_oval, {turn(kZ, 4)}), 2, {"oval", "disc"}},
      {"EggOnOval", JointType::curve_on_curve, oval_on_egg, 2, {"oval", "egg"}},
  };
}

TEST(Joints, AllKindsHaveACaseHere) {
  for (const JointKind& kind : kJointKinds) {
    if (kind.type == JointType::knife_edge || kind.type == JointType::rolling) continue;  // nonholonomic_test.cpp
    const auto cases = joint_cases();
    const auto is_it = [&](const JointCase& c) { return c.type == kind.type; };
    EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), is_it)) << kind.word;
  }
}

std::vector<CurveShape> curves() {
  const auto formula = [](const std::string& text) {
    ExpressionScope scope;
    scope.variables = {"u"};
    return CurveFormula{Expression::parse(text, scope)};
  };
  std::vector<CurveShape> list(5);
  list[0].name = "oval", list[0].half_axes = {0.5, 0.3};
  list[1].name = "oval_by_formula", list[1].x = formula("0.5*sin(u)"), list[1].y = formula("0.3*cos(u)");  // clockwise
  list[2].name = "round", list[2].radius = 0.5;
  list[3].name = "disc", list[3].radius = 0.1;
  list[4].name = "egg", list[4].x = formula("0.2*cos(u)*(1 + 0.1*cos(u))"), list[4].y = formula("0.1*sin(u)");
  for (CurveShape& c : list)
    if (c.x) c.closed = true, c.range = {0, 2 * kPi};
  return list;
}

Model described(const MinimalModel& m, const RandomState& s, const JointCase& c) {
  Model model = arm_on_base(m, s);
  model.curves = curves();
  Joint joint = arm_joint(c.type);
  if (c.type == JointType::screw) joint.pitch = kPitch;
  if (!c.curves.empty()) joint.curve = Reference{c.curves[0], {}};
  if (c.curves.size() > 1) joint.second_curve = Reference{c.curves[1], {}};
  if (c.roller > 0) joint.radius = c.roller;
  model.joints.push_back(joint);
  if (c.type != JointType::curve_on_curve) return model;
  joint = arm_joint(JointType::planar);
  joint.name = "plane";
  model.joints.push_back(joint);
  return model;
}

/// Splits what the plane of the base's marker gives from what acts in this plane.
Wrench in_plane(const Wrench& w, const Vector3d& z) { return {w.force - z * z.dot(w.force), z * z.dot(w.torque)}; }

/// The joint between base and arm gives all that the arm needs; a contact of curves what is needed in their plane, the
/// planar joint the rest.
void expect_reactions(const State& s, const System& system, const MinimalModel& m, const VectorXd& u,
                      const VectorXd& u1, const VectorXd& u2, double tolerance) {
  const Wrench all = needed_at_marker(m, u, u1, u2);
  const std::vector<Wrench> found = reactions_of(system, s);
  if (found.size() == 2) return expect_wrench(found[1], all, tolerance, "joint");
  const Vector3d z = m.motion(0, u, u1, u2).R * arm_places().base_axes.col(2);
  const Wrench contact = in_plane(all, z);
  expect_wrench(found[1], contact, tolerance, "contact");
  expect_wrench(found[2], {all.force - contact.force, all.torque - contact.torque}, tolerance, "plane");
  EXPECT_GT(contact.force.norm(), 0.1);
}

class EveryJoint : public ::testing::TestWithParam<JointCase> {};

TEST_P(EveryJoint, AcceleratesAndReactsAsMinimalCoordinatesSay) {
  const JointCase& c = GetParam();
  const MinimalModel m = minimal_arm(c.pieces, c.freedoms);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const RandomState s(m.coordinates, seed);
    const Model model = described(m, s, c);
    const System system = assemble(model);
    State start = initial_wishes(model, system);
    const StartReport report = consistent_start(system, SolverType::automatic, start);
    ASSERT_TRUE(report.assembled) << report.problem;
    EXPECT_EQ(report.degrees_of_freedom, m.coordinates);
    EXPECT_LT(report.largest_move, 1e-12);     // the joint lets the bodies stand where they are
    EXPECT_LT(report.velocity_change, 1e-11);  // and move as they do
    const VectorXd u2 = m.accelerations(0, s.u, s.u1);
    expect_alike(start, system, m, s.u, s.u1, u2, 1e-10);
    expect_reactions(start, system, m, s.u, s.u1, u2, 3e-8);
  }
}

/// Second-order method: a quarter of the error with half the step, so 1e-3 s leaves about (ω h)² of the motion.
TEST_P(EveryJoint, MovesAsMinimalCoordinatesSay) {
  const JointCase& c = GetParam();
  const MinimalModel m = minimal_arm(c.pieces, c.freedoms);
  RandomState s(m.coordinates, 3);
  const Model model = described(m, s, c);
  const Started started = start(model);
  const Results results = simulate(started.system, started.state, arm_settings(0.4, 1e-3));
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  m.integrate(0.4, 400, s.u, s.u1);
  const VectorXd u2 = m.accelerations(0.4, s.u, s.u1);
  expect_alike(results.samples.back().state, started.system, m, s.u, s.u1, u2, 3e-5);
  expect_reactions(results.samples.back().state, started.system, m, s.u, s.u1, u2, 1e-2);
}

INSTANTIATE_TEST_SUITE_P(Joints, EveryJoint, ::testing::ValuesIn(joint_cases()),
                         [](const auto& i) { return i.param.name; });

/// One driven coordinate of a joint; the other freedoms of the mechanism stay free.
struct MotionCase {
  std::string name;
  JointType type;
  std::vector<Piece> pieces;
  int freedoms, driven;
  JointCoordinate coordinate;
  bool between_markers;  ///< the axis of the coordinate is one of the first marker
  std::string given;     ///< displacement, velocity or acceleration
};

void PrintTo(const MotionCase& c, std::ostream* out) { *out << c.name; }

std::vector<MotionCase> motion_cases() {
  using C = JointCoordinate;
  const std::vector<Piece> screw{turn(kZ, 3), shift(kZ, 3, kPitch / (2 * kPi))};
  const std::vector<Piece> planar{shift(kX, 3), shift(kY, 4), turn(kZ, 5)}, both{turn(kZ, 3), shift(kZ, 4)};
  return {{"RevoluteDisplacement", JointType::revolute, {turn(kZ, 3)}, 1, 3, C::automatic, false, "displacement"},
          {"RevoluteVelocity", JointType::revolute, {turn(kZ, 3)}, 1, 3, C::automatic, false, "velocity"},
          {"RevoluteAcceleration", JointType::revolute, {turn(kZ, 3)}, 1, 3, C::automatic, false, "acceleration"},
          {"TranslationalAcceleration",
           JointType::translational,
           {shift(kZ, 3)},
           1,
           3,
           C::automatic,
           false,
           "acceleration"},
          {"CylindricalAngle", JointType::cylindrical, both, 2, 3, C::angle, false, "velocity"},
          {"CylindricalTranslation", JointType::cylindrical, both, 2, 4, C::translation, false, "velocity"},
          {"ScrewAngle", JointType::screw, screw, 1, 3, C::angle, false, "displacement"},
          {"PlanarY", JointType::planar, planar, 3, 4, C::y, false, "displacement"},
          {"PlanarAngle", JointType::planar, planar, 3, 5, C::angle, false, "acceleration"},
          {"InlineTranslation",
           JointType::inline_,
           {shift(kZ, 3), turn(kX, 4), turn(kY, 5), turn(kZ, 6)},
           4,
           3,
           C::translation,
           false,
           "velocity"},
          {"MarkersX", JointType::planar, planar, 3, 3, C::x, true, "velocity"},
          {"MarkersY",
           JointType::orientation,
           {shift(kX, 3), shift(kY, 4), shift(kZ, 5)},
           3,
           4,
           C::y,
           true,
           "displacement"},
          {"MarkersZ", JointType::cylindrical, both, 2, 4, C::z, true, "acceleration"},
          {"MarkersAngle",
           JointType::parallel,
           {shift(kX, 3), shift(kY, 4), shift(kZ, 5), turn(kZ, 6)},
           4,
           6,
           C::angle,
           true,
           "displacement"}};
}

/// What the motion gives to its coordinate by inverse dynamics. Between markers it is no part of the joint's reaction, which
/// is what the arm needs without it.
void expect_drive(const Model& model, const MotionCase& c, const State& s, const System& system, const MinimalModel& m,
                  double t, const VectorXd& u, const VectorXd& u1, double tolerance) {
  const VectorXd u2 = m.accelerations(t, u, u1);
  const bool turns = c.coordinate == JointCoordinate::angle || c.type == JointType::revolute;
  const double drive = m.needed_along(c.driven, t, u, u1, u2);
  EXPECT_GT(std::abs(drive), 0.01);
  EXPECT_NEAR(signal_of(model, system, s, turns ? "drive.torque" : "drive.force"), drive, tolerance);
  Wrench joint = needed_at_marker(m, u, u1, u2);
  if (c.between_markers) {
    const int axis = c.coordinate == JointCoordinate::x ? 0 : c.coordinate == JointCoordinate::y ? 1 : 2;
    const Vector3d e = m.motion(0, u, u1, u2).R * arm_places().base_axes.col(axis);
    (turns ? joint.torque : joint.force) -= drive * e;
  }
  expect_wrench(reactions_of(system, s)[1], joint, tolerance, "joint");
}

class EveryMotion : public ::testing::TestWithParam<MotionCase> {};

TEST_P(EveryMotion, MovesAndReactsAsMinimalCoordinatesSay) {
  const MotionCase& c = GetParam();
  MinimalModel m = minimal_arm(c.pieces, c.freedoms);
  m.prescribed.resize(m.coordinates);
  const Expression x = Expression::parse("0.2*sin(5*t)+0.3*t^2+0.1", {}, true);
  m.prescribed[c.driven] = [&](double t) { return x.jet(t); };
  RandomState s(m.coordinates, 11);
  m.set_prescribed(0, s.u, s.u1);
  Model model = described(m, s, {c.name, c.type, c.pieces, c.freedoms});
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
  expect_alike(started.state, started.system, m, s.u, s.u1, m.accelerations(0, s.u, s.u1), 1e-10);
  expect_drive(model, c, started.state, started.system, m, 0, s.u, s.u1, 3e-8);
  const Results results = simulate(started.system, started.state, arm_settings(0.4, 1e-3));
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  m.integrate(0.4, 400, s.u, s.u1);
  expect_alike(results.samples.back().state, started.system, m, s.u, s.u1, m.accelerations(0.4, s.u, s.u1), 3e-5);
  expect_drive(model, c, results.samples.back().state, started.system, m, 0.4, s.u, s.u1, 1e-2);
}

INSTANTIATE_TEST_SUITE_P(Motions, EveryMotion, ::testing::ValuesIn(motion_cases()),
                         [](const auto& i) { return i.param.name; });

}  // namespace joints_test
}  // namespace bricard::testing
