// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bricard/analysis/consistent_start.h"
#include "bricard/assemble/assemble.h"
#include "bricard/assemble/joint_table.h"
#include "reference/mechanisms.h"

// Bodies that are drawn turned out of their joints, by any angle and in every joint that holds axes together.
namespace bricard::testing {
namespace misassembled_test {

constexpr double kDegree = std::numbers::pi / 180;

/// A body turned about x, whose marker should be aligned with that of ground, in z or in all axes.
Model turned_by(JointType type, const Matrix3d& R) {
  Model model;
  model.ground.markers = {{"pin", {}, Vector3d::Zero(), Quaterniond::Identity()}};
  Body body = rod("body", {0, 0, 0}, {1, 0, 0}, 0.01);
  body.position = {1, 0, 0};
  body.orientation = Quaterniond(R);
  body.markers = {{"pin", {}, Vector3d(-1, 0, 0), Quaterniond::Identity()}};
  model.bodies = {body};
  Joint joint{"J", {}, type, {Reference{"ground.pin", {}}, Reference{"body.pin", {}}}, {}, {}, {}, {}};
  if (type == JointType::screw) joint.pitch = 0.1;
  model.joints = {joint};
  return model;
}

StartReport start_of_turned(JointType type, const Matrix3d& R, double& angle) {
  const Model model = turned_by(type, R);
  const System system = assemble(model);
  State s = initial_wishes(model, system);
  const StartReport report = consistent_start(model, system, SolverType::automatic, s);
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  const Matrix3d at = k.frames[system.joints[0].markers[1].node].R * system.joints[0].markers[1].R;
  angle = std::acos(std::clamp(at(2, 2), -1.0, 1.0));
  return report;
}

/// Exact at right angles, where sines do not change with the angle.
Matrix3d turn_about_x(int degrees) {
  const double c = degrees == 90 ? 0 : std::cos(degrees * kDegree), s = std::sin(degrees * kDegree);
  Matrix3d R = Matrix3d::Identity();
  R.block<2, 2>(1, 1) << c, -s, s, c;
  return R;
}

TEST(Misassembled, JointsAreClosedFromEveryAngleAndSayHowFarTheyWereOpen) {
  for (const JointKind& kind : kJointKinds) {
    if (primitives_of(kind.type).axes.size() < 2) continue;
    for (const int degrees : {1, 45, 80, 89, 90, 91, 100, 135, 179}) {
      SCOPED_TRACE(std::string(kind.word) + " " + std::to_string(degrees));
      double angle = 0;
      const StartReport report = start_of_turned(kind.type, turn_about_x(degrees), angle);
      ASSERT_TRUE(report.assembled) << report.problem;
      EXPECT_LT(std::sin(angle), 1e-6);
      ASSERT_EQ(report.guess.size(), 1u);
      EXPECT_NEAR(report.guess[0].angle, std::min(degrees, 180 - degrees) * kDegree, 1e-6);
      EXPECT_EQ(report.turned_round.empty(), angle < 1);
    }
  }
}

TEST(Misassembled, JointsClosedTheOtherWayRoundAreNamed) {
  for (const JointKind& kind : kJointKinds) {
    if (primitives_of(kind.type).axes.size() < 2) continue;
    SCOPED_TRACE(kind.word);
    double angle = 0;
    EXPECT_TRUE(start_of_turned(kind.type, turn_about_x(0), angle).turned_round.empty());
    const StartReport report = start_of_turned(kind.type, turn_about_x(180), angle);
    ASSERT_EQ(report.turned_round.size(), 1u);
    EXPECT_NE(report.turned_round[0].find("joint 'J' is closed the other way round"), std::string::npos);
    EXPECT_NE(report.turned_round[0].find("180°"), std::string::npos) << report.turned_round[0];
  }
}

}  // namespace misassembled_test
}  // namespace bricard::testing
