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

// Every joint of a planar model against a second formulation: a base on a pin at ground carries an arm by the joint in
// question. Body axes are skew to the plane, mass centres lie beside each other's planes and inertias are full, so that
// the plane has forces and torques to carry.
namespace bricard::testing {
namespace planar_test {

constexpr double kPi = std::numbers::pi;
const Vector3d kX = Vector3d::UnitX(), kY = Vector3d::UnitY(), kZ = Vector3d::UnitZ(), kNull = Vector3d::Zero();

Matrix3d turned(double x, double y, double z) { return exp_rotation({x, y, z}).toRotationMatrix(); }

/// Axes of a marker as seen from those of the plane (z: normal) but for a turn in it.
const Matrix3d kAcross = Matrix3d::Identity(), kSkew = turned(0.3, 0.5, -0.2);
const Matrix3d kIn = frame_from_axes(kX, kZ).toRotationMatrix();  // z in the plane, x along the normal

/// The joint as pieces from the first to the second marker, in marker axes; coordinate 0 is that of the base.
struct PlanarCase {
  std::string name;
  JointType type;
  Matrix3d axes;
  std::vector<Piece> pieces;
  int freedoms;
};
void PrintTo(const PlanarCase& c, std::ostream* out) { *out << c.name; }

std::vector<PlanarCase> planar_cases() {
  const Vector3d normal = kSkew.transpose() * kZ, x = kSkew.transpose() * kX, y = kSkew.transpose() * kY;
  const std::vector<Piece> rod{turn(kZ, 1), constant(0.7 * kX), turn(kZ, 2)};
  return {
      {"Fixed", JointType::fixed, kSkew, {}, 0},
      {"Revolute", JointType::revolute, kAcross, {turn(kZ, 1)}, 1},
      {"Spherical", JointType::spherical, kSkew, {turn(normal, 1)}, 1},
      {"UniversalFirst", JointType::universal, kAcross, {turn(kZ, 1)}, 1},
      {"UniversalSecond", JointType::universal, kIn, {turn(kX, 1)}, 1},
      {"Translational", JointType::translational, kIn, {shift(kZ, 1)}, 1},
      {"CylindricalInPlane", JointType::cylindrical, kIn, {shift(kZ, 1)}, 1},
      {"CylindricalAcross", JointType::cylindrical, kAcross, {turn(kZ, 1)}, 1},
      {"Inline", JointType::inline_, kIn, {shift(kZ, 1), turn(kX, 2)}, 2},
      {"Inplane", JointType::inplane, kIn, {shift(kY, 1), turn(kX, 2)}, 2},
      {"Parallel", JointType::parallel, kIn, {shift(kY, 1), shift(kZ, 2)}, 2},
      {"Perpendicular",
       JointType::perpendicular,
       kIn,
       {shift(kY, 1), shift(kZ, 2), constant(kNull, turned(kPi / 2, 0, 0))},
       2},
      {"Orientation", JointType::orientation, kSkew, {shift(x, 1), shift(y, 2)}, 2},
      {"Distance", JointType::distance, kSkew, {turn(normal, 1), constant(0.7 * x), turn(normal, 2)}, 2},
      {"PointOnCurve",
       JointType::point_on_curve,
       kAcross,
       {shift(kX, 1, "0.5*cos(t)"), shift(kY, 1, "0.3*sin(t)"), turn(kZ, 2)},
       2},
      {"CurveOnCurve", JointType::curve_on_curve, kAcross, rod, 2},
  };
}

/// The plane's axes in those of ground: x, y in the plane, z its normal.
Matrix3d axes_of(Plane plane) {
  Matrix3d R = Matrix3d::Identity();
  if (plane == Plane::yz) R << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  if (plane == Plane::zx) R << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  return R;
}

// Places in axes of the plane; body axes from there.
const Vector3d kPivot(0.1, -0.2, 0.3), kLever(0.4, 0.1, -0.2), kOnBase(-0.3, 0.5, 0.15), kOnArm(0.2, -0.1, 0.25);
const Matrix3d kBaseAxes = turned(0.4, -0.7, 0.3), kArmAxes = turned(-0.6, 0.2, 1.1);
const Matrix3d kTurnI = turned(0, 0, 0.7), kTurnJ = turned(0, 0, -0.4);

Matrix3d inertia(double scale) {
  Matrix3d J;
  J << 2, 0.1, -0.2, 0.1, 1.5, 0.3, -0.2, 0.3, 1.1;
  return scale * J;
}

/// A place and axes seen from those of the plane, as they are in body axes.
Marker marker(const std::string& name, const Matrix3d& body_axes, const Vector3d& p, const Matrix3d& R) {
  return {name, {}, body_axes.transpose() * p, Quaterniond(Matrix3d(body_axes.transpose() * R))};
}

MinimalModel minimal(const PlanarCase& c, Plane plane) {
  MinimalModel m;
  m.coordinates = 1 + c.freedoms;
  m.gravity = axes_of(plane) * Vector3d(1.5, -9, 0);
  const std::vector<Piece> base{constant(axes_of(plane) * kPivot, axes_of(plane)), turn(kZ, 0),
                                constant(kLever, kBaseAxes)};
  const Marker i = marker("i", kBaseAxes, kOnBase, kTurnI * c.axes), j = marker("j", kArmAxes, kOnArm, kTurnJ * c.axes);
  std::vector<Piece> arm = base;
  arm.push_back(constant(i.position, i.orientation.toRotationMatrix()));
  arm.insert(arm.end(), c.pieces.begin(), c.pieces.end());
  arm.push_back(constant(-(j.orientation.conjugate() * j.position), j.orientation.conjugate().toRotationMatrix()));
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

Model described(const PlanarCase& c, Plane plane, const MinimalModel& m, const RandomState& s) {
  Model model;
  model.plane = plane;
  model.gravity = m.gravity;
  const VectorXd zero = VectorXd::Zero(m.coordinates);
  model.bodies = {body_at("base", m.bodies[0], m.motion(0, s.u, s.u1, zero)),
                  body_at("arm", m.bodies[1], m.motion(1, s.u, s.u1, zero))};
  model.bodies[0].markers = {marker("pivot", kBaseAxes, -kLever, kAcross),
                             marker("i", kBaseAxes, kOnBase, kTurnI * c.axes)};
  model.bodies[1].markers = {marker("j", kArmAxes, kOnArm, kTurnJ * c.axes)};
  model.ground.markers = {{"pivot", {}, axes_of(plane) * kPivot, Quaterniond(axes_of(plane))}};
  CurveShape oval, large, small;
  oval.name = "oval", oval.half_axes = {0.5, 0.3};
  large.name = "large", large.radius = 0.4;
  small.name = "small", small.radius = 0.3;
  model.curves = {oval, large, small};
  Joint pin, joint;
  pin.name = "pin", pin.type = JointType::revolute;
  pin.between = {Reference{"ground.pivot", {}}, Reference{"base.pivot", {}}};
  joint.name = "joint", joint.type = c.type;
  joint.between = {Reference{"base.i", {}}, Reference{"arm.j", {}}};
  if (c.type == JointType::point_on_curve) joint.curve = Reference{"oval", {}};
  if (c.type == JointType::curve_on_curve)
    joint.curve = Reference{"large", {}}, joint.second_curve = Reference{"small", {}};
  model.joints = {pin, joint};
  return model;
}

/// What the arm needs from the joint in the plane: force, and torque about the normal at the second marker. The rest is the
/// plane's to carry, and the joint must not.
void expect_reaction(const System& system, const State& s, const MinimalModel& m, const Vector3d& normal,
                     const VectorXd& u, const VectorXd& u1, const VectorXd& u2, double tolerance) {
  Kinematics k = system.make_kinematics();
  std::vector<Wrench> found(system.joints.size());
  system.update(s, k);
  system.reactions(k, found);
  const NeededWrench needed = m.needed(1, u, u1, u2);
  const Vector3d lever = m.motion(1, u, u1, u2).R * (kArmAxes.transpose() * kOnArm);
  const Vector3d force = needed.force - normal.dot(needed.force) * normal;
  const double torque = normal.dot(needed.torque - lever.cross(force));
  EXPECT_LT((found[1].force - force).norm(), tolerance) << found[1].force.transpose() << " for " << force.transpose();
  EXPECT_LT((found[1].torque - torque * normal).norm(), tolerance) << found[1].torque.transpose() << " for " << torque;
}

void expect_alike(const System& system, const State& s, const MinimalModel& m, const VectorXd& u, const VectorXd& u1,
                  const VectorXd& u2, double tolerance) {
  for (int b = 0; b < 2; ++b) {
    const BodyMotion x = m.motion(b, u, u1, u2);
    const FrameNode& node = system.nodes()[b + 1];
    const Matrix3d R = quaternion_at(s.q, node.q + 3).toRotationMatrix();
    EXPECT_LT((s.q.segment<3>(node.q) - x.p).norm(), tolerance) << "position of body " << b;
    EXPECT_LT((R - x.R).norm(), tolerance) << "orientation of body " << b;
    EXPECT_LT((s.v.segment<3>(node.v) - x.v).norm(), 10 * tolerance) << "velocity of body " << b;
    EXPECT_LT((R * s.v.segment<3>(node.v + 3) - x.w).norm(), 10 * tolerance) << "angular velocity of body " << b;
    EXPECT_LT((s.a.segment<3>(node.v) - x.a).norm(), 100 * tolerance) << "acceleration of body " << b;
    EXPECT_LT((R * s.a.segment<3>(node.v + 3) - x.alpha).norm(), 100 * tolerance)
        << "angular acceleration of body " << b;
  }
}

class PlanarJoint : public ::testing::TestWithParam<PlanarCase> {};

TEST_P(PlanarJoint, AcceleratesAndReactsAsMinimalCoordinatesSay) {
  const PlanarCase& c = GetParam();
  for (const Plane plane : {Plane::xy, Plane::yz, Plane::zx}) {
    SCOPED_TRACE(name_of(plane));
    const MinimalModel m = minimal(c, plane);
    const RandomState s(m.coordinates, 5);
    const Model model = described(c, plane, m, s);
    const System system = assemble(model);
    State start = initial_wishes(model, system);
    const StartReport report = consistent_start(system, SolverType::automatic, start);
    ASSERT_TRUE(report.assembled) << report.problem;
    EXPECT_EQ(report.degrees_of_freedom, m.coordinates);
    EXPECT_EQ(report.redundant_constraints, 0);
    EXPECT_EQ(system.multipliers() - system.plane_rows(), 6 - m.coordinates);  // two bodies in a plane
    EXPECT_LT(report.largest_move, 1e-12);
    EXPECT_LT(report.velocity_change, 1e-11);
    const VectorXd u2 = m.accelerations(0, s.u, s.u1);
    expect_alike(system, start, m, s.u, s.u1, u2, 1e-10);
    expect_reaction(system, start, m, axes_of(plane).col(2), s.u, s.u1, u2, 1e-8);
  }
}

/// Second-order method, 1e-3 s: about (ω h)² of the motion is left as error.
TEST_P(PlanarJoint, MovesAsMinimalCoordinatesSay) {
  const PlanarCase& c = GetParam();
  const MinimalModel m = minimal(c, Plane::zx);
  RandomState s(m.coordinates, 3);
  const Started started = start(described(c, Plane::zx, m, s));
  RunSettings settings;
  settings.duration = 0.4;
  settings.step = 1e-3;
  settings.tolerance = 1e-10;
  settings.integrator = IntegratorType::generalized_alpha;
  const Results results = simulate(started.system, started.state, settings);
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  m.integrate(0.4, 400, s.u, s.u1);
  const VectorXd u2 = m.accelerations(0.4, s.u, s.u1);
  expect_alike(started.system, results.samples.back().state, m, s.u, s.u1, u2, 3e-5);
  expect_reaction(started.system, results.samples.back().state, m, kY, s.u, s.u1, u2, 1e-2);
}

INSTANTIATE_TEST_SUITE_P(Joints, PlanarJoint, ::testing::ValuesIn(planar_cases()),
                         [](const auto& i) { return i.param.name; });

}  // namespace planar_test
}  // namespace bricard::testing
