// SPDX-License-Identifier: Apache-2.0
#include "reference/arm_on_base.h"

#include <gtest/gtest.h>

#include <random>

namespace bricard::testing {
namespace {

Matrix3d inertia(double scale) {
  Matrix3d J;
  J << 2, 0.1, -0.2, 0.1, 1.5, 0.3, -0.2, 0.3, 1.1;
  return scale * J;
}

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

}  // namespace

Matrix3d turned(double x, double y, double z) { return exp_rotation({x, y, z}).toRotationMatrix(); }

const ArmPlaces& arm_places() {
  static const ArmPlaces places{{0.1, -0.2, 0.3}, {0.4, 0.1, -0.3},       {-0.3, 0.5, 0.2},
                                {0.2, -0.1, 0.6}, turned(0.4, -0.7, 0.3), turned(-0.6, 0.2, 1.1)};
  return places;
}

MinimalModel minimal_arm(const std::vector<Piece>& pieces, int freedoms) {
  MinimalModel m;
  m.coordinates = 3 + freedoms;
  const std::vector<Piece> base{constant(arm_places().pivot), turn(kX, 0), turn(kY, 1), turn(kZ, 2),
                                constant(arm_places().lever)};
  std::vector<Piece> arm = base;
  arm.push_back(constant(arm_places().on_base, arm_places().base_axes));
  arm.insert(arm.end(), pieces.begin(), pieces.end());
  arm.push_back(constant(-arm_places().arm_axes.transpose() * arm_places().on_arm, arm_places().arm_axes.transpose()));
  m.bodies = {{3, inertia(0.2), base}, {2, inertia(0.1), arm}};
  return m;
}

RandomState::RandomState(int n, unsigned seed) : u(n), u1(n) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (double& x : u) x = 0.6 * uniform(generator);
  for (double& x : u1) x = uniform(generator);
}

Model arm_on_base(const MinimalModel& m, const RandomState& s) {
  Model model;
  const VectorXd zero = VectorXd::Zero(m.coordinates);
  model.bodies = {body_at("base", m.bodies[0], m.motion(0, s.u, s.u1, zero)),
                  body_at("arm", m.bodies[1], m.motion(1, s.u, s.u1, zero))};
  model.bodies[0].markers = {marker("pivot", -arm_places().lever, Matrix3d::Identity()),
                             marker("i", arm_places().on_base, arm_places().base_axes)};
  model.bodies[1].markers = {marker("j", arm_places().on_arm, arm_places().arm_axes)};
  model.ground.markers = {marker("pivot", arm_places().pivot, Matrix3d::Identity())};
  Joint ball;
  ball.name = "ball", ball.type = JointType::spherical;
  ball.between = {Reference{"ground.pivot", {}}, Reference{"base.pivot", {}}};
  model.joints = {ball};
  return model;
}

Joint arm_joint(JointType type) {
  Joint joint;
  joint.name = "joint", joint.type = type;
  joint.between = {Reference{"base.i", {}}, Reference{"arm.j", {}}};
  return joint;
}

Wrench needed_at_marker(const MinimalModel& m, const VectorXd& u, const VectorXd& u1, const VectorXd& u2) {
  const NeededWrench f = m.needed(1, u, u1, u2);
  const Vector3d lever = m.motion(1, u, u1, u2).R * arm_places().on_arm;
  return {f.force, f.torque - lever.cross(f.force)};
}

std::vector<Wrench> reactions_of(const System& system, const State& s) {
  Kinematics k = system.make_kinematics();
  std::vector<Wrench> wrenches(system.joints.size());
  system.update(s, k);
  system.reactions(k, wrenches);
  return wrenches;
}

void expect_wrench(const Wrench& found, const Wrench& exact, double tolerance, const std::string& what) {
  EXPECT_LT((found.force - exact.force).norm(), tolerance)
      << what << ": " << found.force.transpose() << " for " << exact.force.transpose();
  EXPECT_LT((found.torque - exact.torque).norm(), tolerance)
      << what << ": " << found.torque.transpose() << " for " << exact.torque.transpose();
}

void expect_alike(const State& s, const System& system, const MinimalModel& m, const VectorXd& u, const VectorXd& u1,
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

RunSettings arm_settings(double duration, double h) {
  RunSettings s;
  s.duration = duration;
  s.step = s.output_step.emplace(h);
  s.tolerance = 1e-10;
  s.integrator = IntegratorType::generalized_alpha;
  return s;
}

}  // namespace bricard::testing
