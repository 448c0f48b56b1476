// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "bricard/analysis/check_model.h"
#include "bricard/analysis/kinematics.h"
#include "bricard/analysis/simulate.h"
#include "bricard/analysis/start_problems.h"
#include "bricard/assemble/assemble.h"
#include "bricard/integrate/integrator.h"
#include "bricard/read/model_reader.h"

// Motions that no mechanism can follow: refused before the first step, or where they become impossible.
namespace bricard::testing {
namespace impossible_test {

struct Started {
  Model model;
  System system;
  State s;
  StartReport report;
  explicit Started(const std::string& text)
      : model(io::read_model_text(text, "test.yaml")), system(assemble(model)), s(initial_wishes(model, system)),
        report(consistent_start(model, system, SolverType::automatic, s)) {}
};

std::string expect_refused(const std::string& text) {
  const Started started(text);
  const CheckReport check = check_model(started.model);
  EXPECT_FALSE(check.can_run());
  EXPECT_FALSE(started.report.problem.empty());
  if (!check.problems.empty()) {
    EXPECT_EQ(check.problems[0], started.report.problem);
  }
  return started.report.problem;
}

std::string crank(const std::string& joints, const std::string& motions) {
  return fmt::format(R"(
gravity: [0, -9.81, 0]
bodies: {{crank: {{mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.5, 0, 0]}}}}
joints:
  A: {{type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}}
{}
motions: {{{}}}
)",
                     joints, motions);
}

/// Crank a, rod b, slider along x; the crank stands at `angle`.
std::string slider_crank(double a, double b, double angle, const std::string& motion) {
  const double x = a * std::cos(angle), y = a * std::sin(angle), end = x + std::sqrt(std::max(0.0, b * b - y * y));
  return fmt::format(R"(
gravity: [0, -9.81, 0]
bodies:
  crank: {{mass: 1, inertia: [0.01, 0.01, 0.01], position: [{0}, {1}, 0]}}
  rod: {{mass: 1, inertia: [0.01, 0.01, 0.01], position: [{2}, {3}, 0]}}
  slider: {{mass: 1, inertia: [0.01, 0.01, 0.01], position: [{4}, 0, 0]}}
joints:
  A: {{type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}}
  B: {{type: revolute, between: [crank, rod], at: [{5}, {6}, 0], axis: [0, 0, 1]}}
  C: {{type: revolute, between: [rod, slider], at: [{4}, 0, 0], axis: [0, 0, 1]}}
  P: {{type: translational, between: [ground, slider], at: [{4}, 0, 0], axis: [1, 0, 0]}}
motions: {{drive: {7}}}
run: {{duration: 2, step: 1e-2}}
)",
                     x / 2, y / 2, (x + end) / 2, y / 2, end, x, y, motion);
}

TEST(Impossible, ALockedCrankThatIsDrivenIsRefused) {
  const std::string lock = "  lock: {type: fixed, between: [ground, crank], at: [1, 0, 0]}";
  const std::string problem = expect_refused(crank(lock, "drive: {joint: A, displacement: 3*t}"));
  EXPECT_NE(problem.find("motion drive contradicts what the joints hold fixed already"), std::string::npos) << problem;
  EXPECT_NE(expect_refused(crank(lock, "drive: {joint: A, displacement: 3*t^2}")).find("m/s^2"), std::string::npos);
  EXPECT_EQ(Started(crank(lock, "drive: {joint: A, displacement: 0}")).report.problem, "");
}

TEST(Impossible, MotionsThatContradictEachOtherAreRefused) {
  const auto two = [](const std::string& second) {
    return crank(
        "", "one: {joint: A, displacement: 3*t}, two: {between: [ground, crank], coordinate: angle, displacement: " +
                second + "}");
  };
  EXPECT_NE(expect_refused(two("2*t")).find("motion two contradicts what motion one prescribes already"),
            std::string::npos);
  EXPECT_NE(expect_refused(two("3*t + t^2")).find("differ by"), std::string::npos);
  EXPECT_NE(expect_refused(two("3*t + 0.1")).find("motion two contradicts what motion one prescribes already"),
            std::string::npos);
  EXPECT_EQ(Started(two("3*t")).report.problem, "");
}

TEST(Impossible, ASliderPulledOutOfAStretchedMechanismIsRefused) {
  const std::string problem = expect_refused(slider_crank(0.3, 1, 0, "{joint: P, velocity: 0.1}"));
  EXPECT_NE(problem.find("motion drive contradicts what the joints hold fixed already"), std::string::npos) << problem;
}

TEST(Impossible, MotionsThatJumpAreRefusedAndSmoothOnesAreNot) {
  for (const char* jump :
       {"if(t - 0.3, 0, 0, 0.2)", "sin(t) + 0.1*if(t - 0.7, 0, 1, 1)", "10*t + if(t - 0.512, 0, 0.05, 0.05)"})
    EXPECT_NE(expect_refused(crank("", fmt::format("drive: {{joint: A, displacement: '{}'}}", jump)))
                  .find("motion drive jumps from"),
              std::string::npos)
        << jump;
  for (const char* smooth :
       {"step(t, 0.3, 0, 0.3001, 0.2)", "200*sin(50*t)", "abs(t - 0.5)", "0.2*tanh(1e5*(t - 0.3))"})
    EXPECT_EQ(Started(crank("", fmt::format("drive: {{joint: A, displacement: '{}'}}", smooth))).report.problem, "")
        << smooth;
}

TEST(Impossible, WhatIsLockedIsRefusedInTheWordsOfCheck) {
  const Started started(crank("  lock: {type: fixed, between: [ground, crank], at: [1, 0, 0]}", ""));
  const CheckReport check = check_model(started.model);
  ASSERT_EQ(check.problems.size(), 1u);
  EXPECT_EQ(check.problems[0], why_locked(started.system, started.report.degrees_of_freedom, started.report.weakest));
}

/// The angle at which the crank cannot go on: a sin φ = b.
TEST(Impossible, TheEndOfReachIsNamedWithMotionAndJoint) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 20; ++i) {
    const double a = 0.5 + uniform(random), b = a * (0.3 + 0.6 * uniform(random)), limit = std::asin(b / a),
                 before = limit - 1e-3;
    const Started started(slider_crank(a, b, before, "{joint: A, displacement: t}"));
    ASSERT_EQ(started.report.problem, "");
    EXPECT_EQ(why_motion_stops(started.system, started.s, 1e-4), "");  // 4e-4 rad ahead there is room
    const std::string reason = why_motion_stops(started.system, started.s, 1e-2);
    EXPECT_NE(reason.find("motion 'drive' cannot go on"), std::string::npos) << reason;
    EXPECT_NE(reason.find("is open by"), std::string::npos) << reason;
    EXPECT_NE(reason.find("joint '"), std::string::npos) << reason;
  }
}

/// Methods that do not look at the constraints after a step: they go on with open joints, or stop late.
bool loses_joints(IntegratorType type) {
  return type == IntegratorType::rk4 || type == IntegratorType::dopri || type == IntegratorType::penalty_euler ||
         type == IntegratorType::al_euler;
}

TEST(Impossible, KinematicsAndRunsStopAtTheEndOfReach) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 5; ++i) {
    const double a = 0.5 + uniform(random), b = a * (0.3 + 0.6 * uniform(random)), limit = std::asin(b / a);
    Started started(slider_crank(a, b, 0, "{joint: A, displacement: t}"));
    ASSERT_EQ(started.report.problem, "");
    for (int number = 0; number <= static_cast<int>(IntegratorType::ali3); ++number) {
      const auto type = static_cast<IntegratorType>(number);
      RunSettings settings = started.model.run;
      settings.integrator = type;
      if (loses_joints(type) || !why_not(started.system, settings).empty()) continue;
      const Results results = simulate(started.system, started.s, settings);
      EXPECT_FALSE(results.report.finished) << name_of(type);
      EXPECT_LT(results.report.end_time, limit + 2 * settings.step) << name_of(type);
      EXPECT_NE(results.report.stopped_because.find("motion 'drive' cannot go on"), std::string::npos)
          << results.report.stopped_because;
    }
    const Results kinematics = solve_kinematics(started.system, started.s, started.model.run);
    EXPECT_FALSE(kinematics.report.finished);
    EXPECT_NEAR(kinematics.report.end_time, limit, 1e-3);
  }
}

}  // namespace impossible_test
}  // namespace bricard::testing
