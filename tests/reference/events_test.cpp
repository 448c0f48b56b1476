// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bricard/analysis/simulate.h"
#include "bricard/integrate/integrator.h"
#include "bricard/model/integrator_kinds.h"
#include "bricard/read/model_reader.h"
#include "reference/mechanisms.h"

// Events against closed forms, with every method, fixed steps and tolerances.          theory: docs/theory/events.md
namespace bricard::testing {
namespace events_test {

constexpr double kGravity = 9.81;

/// A ball on a guide, 0.2 m above a spring that only pushes.
constexpr const char* kBounce = R"(
plane: zx
bodies: {ball: {mass: 2, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.7]}}
joints: {guide: {type: translational, between: [ground, ball], at: [0, 0, 0.7], axis: [0, 0, 1]}}
forces: {ground_spring: {type: spring-damper, between: [ground, ball], stiffness: 800, free_length: 0.5, acts: push}}
run: {duration: 1.2, step: 1e-3}
)";

/// Touches and leaves the spring in turn.
std::vector<double> bounce_times() {
  const double v = std::sqrt(2 * kGravity * 0.2), w = std::sqrt(800 / 2.0);
  const double contact = 2 * (std::numbers::pi - std::atan(v * w / kGravity)) / w, flight = 2 * v / kGravity;
  const double first = v / kGravity;
  return {first, first + contact, first + contact + flight, first + 2 * contact + flight};
}

/// A rod that is released at 1 rad and touches a stop 0.2 rad past the bottom.
constexpr const char* kStop = R"(
plane: xy
gravity: [0, -9.81, 0]
parameters: {release: 1}
bodies:
  rod: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5*sin(release), -0.5*cos(release), 0],
        orientation: {axis: [0, 0, 1], angle: release}}
joints: {pin: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}}
forces: {bumper: {type: joint-stop, joint: pin, lower: -1.2, stiffness: 2000}}
run: {duration: 2.2, step: 1e-3}
)";

/// The first touch of the stop, and the time from leaving it to the next touch. The pin's angle is that from the release.
std::pair<double, double> stop_times() {
  const double inertia = 0.1 + 2 * 0.25, w = std::sqrt(2 * kGravity * 0.5 / inertia), k = std::sin(0.5);
  const double quarter = std::comp_ellint_1(k), beyond = std::ellint_1(k, std::asin(std::sin(0.1) / k));
  return {(quarter + beyond) / w, 2 * (quarter + beyond) / w};
}

/// A wheel that a motion speeds up until it has turned by 1.5 rad; what it drives is then gone.
constexpr const char* kRelease = R"(
plane: xy
gravity: [0, 0, 0]
bodies: {wheel: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.3, 0, 0]}}
joints: {pin: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}}
motions: {drive: {joint: pin, displacement: 1.5*t^2}}
events:
  release: {when: angle(pin) - 1.5, direction: rising, deactivate: [drive]}
  mark:    {when: angle(pin) - 3}
  over:    {when: angle(pin) - 4, direction: rising, stop: true}
run: {duration: 3, step: 1e-3}
)";

struct Method {
  IntegratorType type;
  bool tolerance;
};

std::vector<Method> methods() {
  std::vector<Method> all;
  for (const IntegratorKind& kind : integrator_kinds()) {
    all.push_back({kind.type, false});
    if (kind.uses("rtol")) all.push_back({kind.type, true});
  }
  return all;
}

/// What a method may be off by: that of its order in a step of 1 ms and motions of 1 to 20 rad/s, or of its tolerance.
double allowed(const Method& m) {
  using I = IntegratorType;
  const auto is = [&](std::initializer_list<I> types) { return std::count(types.begin(), types.end(), m.type) > 0; };
  if (m.tolerance && m.type == I::radau_1) return 2e-3;
  if (m.tolerance) return is({I::radau, I::bdf, I::dopri}) ? 1e-10 : 2e-5;
  if (is({I::radau_1, I::penalty_euler, I::al_euler, I::ah_euler})) return 5e-3;
  if (is({I::radau, I::dopri, I::rk4})) return 1e-10;
  return 2e-5;
}

class Events : public ::testing::TestWithParam<Method> {
 protected:
  /// Runs a model with the method; false if it cannot take it.
  bool run(const std::string& text) {
    Model model = io::read_model_text(text, "events.yaml");
    model.run.integrator = GetParam().type;
    if (kind_of(GetParam().type).hamiltonian) model.run.coordinates = Coordinates::natural;
    if (GetParam().tolerance) {
      const double error = allowed(GetParam());
      model.run.rtol = error <= 1e-10 ? 1e-12 : error < 1e-3 ? 1e-6 : 1e-4;
      model.run.atol = 0.1 * *model.run.rtol;
    }
    const Started started = start(model);
    if (!why_not(started.system, model.run).empty()) return false;
    results = simulate(model, started.system, started.state, model.run);
    EXPECT_EQ(results.report.stopped_because, "");
    return true;
  }
  double time(size_t event) const {
    return event < results.report.events.size() ? results.report.events[event].t : NAN;
  }
  std::string what(size_t event) const {
    return event < results.report.events.size() ? results.report.events[event].what : "nothing";
  }
  Results results;
};

TEST_P(Events, BallBouncesOnAOneSidedSpring) {
  ASSERT_TRUE(run(kBounce));
  const std::vector<double> expected = bounce_times();
  ASSERT_GE(results.report.events.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(time(i), expected[i], allowed(GetParam()) * (1 + 2.0 * i)) << i;
    EXPECT_EQ(what(i), i % 2 == 0 ? "touches" : "leaves");
  }
}

TEST_P(Events, RunEndsWhereASignalCrosses) {
  ASSERT_TRUE(run(std::string(kBounce) + "events: {low: {when: z(ball) - 0.6, direction: falling, stop: true}}\n"));
  EXPECT_TRUE(results.report.finished);
  EXPECT_NEAR(results.report.end_time, std::sqrt(2 * 0.1 / kGravity), allowed(GetParam()));
  EXPECT_EQ(results.samples.back().state.t, results.report.end_time);
  EXPECT_EQ(what(0), "ends the run");
}

TEST_P(Events, PendulumTouchesItsStop) {
  ASSERT_TRUE(run(kStop));
  const auto [touch, way] = stop_times();
  EXPECT_NEAR(time(0), touch, allowed(GetParam()));
  EXPECT_NEAR(time(2) - time(1), way, 10 * allowed(GetParam()));  // with the error of the speed after 20 ms at the stop
  EXPECT_EQ(what(0), "touches its lower limit");
  EXPECT_EQ(what(1), "leaves its lower limit");
}

TEST_P(Events, MotionIsSwitchedOffAtAnAngle) {
  ASSERT_TRUE(run(kRelease));
  const double off = 1, rate = 3;
  ASSERT_EQ(results.report.events.size(), 3u);
  EXPECT_NEAR(time(0), off, allowed(GetParam()));
  EXPECT_EQ(what(0), "switches off motion 'drive'");
  EXPECT_NEAR(time(1), off + 1.5 / rate, allowed(GetParam()));
  EXPECT_EQ(what(1), "rises through zero");
  EXPECT_NEAR(results.report.end_time, off + 2.5 / rate, allowed(GetParam()));
  EXPECT_TRUE(results.report.finished);
  EXPECT_EQ(results.samples.back().state.t, results.report.end_time);
  EXPECT_EQ(results.samples.back().state.lambda.tail(1)[0], 0);  // the motion's
}

INSTANTIATE_TEST_SUITE_P(Methods, Events, ::testing::ValuesIn(methods()), [](const auto& i) {
  std::string name = name_of(i.param.type);
  std::erase(name, '-');
  return name + (i.param.tolerance ? "_tolerance" : "_fixed");
});

}  // namespace events_test
}  // namespace bricard::testing
