// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "reference/simulated.h"

// What events do, when several of them meet, and where they come to no end.           theory: docs/theory/events.md
namespace bricard::testing {
namespace event_actions_test {

/// Two carts on one rail; the first runs into the second, 0.4 m ahead, at 2 m/s.
std::string carts(const std::string& more, const std::string& run = "duration: 0.5, step: 1e-3") {
  return R"y(
gravity: [0, 0, 0]
bodies:
  a: {mass: 1, inertia: [1, 1, 1], velocity: [2, 0, 0], markers: {front: {position: [0.1, 0, 0], orientation: {z: [1, 0, 0]}}}}
  b: {mass: 3, inertia: [1, 1, 1], position: [0.6, 0, 0], markers: {back: {position: [-0.1, 0, 0]}}}
joints:
  rail_a: {type: translational, between: [ground, a], at: [0, 0, 0], axis: [1, 0, 0]}
  rail_b: {type: translational, between: [ground, b], at: [0, 0, 0], axis: [1, 0, 0]}
)y" + more +
         "run: {" + run + "}\n";
}

const std::string kCouple = R"y(  coupling: {type: inplane, between: [a.front, b.back]}
inactive: [coupling]
events: {meet: {when: "x(b.back) - x(a.front)", direction: falling, activate: [coupling]}}
)y";

TEST(EventActions, CartsThatCoupleGoOnTogether) {
  const Simulated run(carts(kCouple));
  ASSERT_EQ(run.results.report.stopped_because, "");
  ASSERT_EQ(run.results.report.events.size(), 1u);
  const EventRecord& meet = run.results.report.events[0];
  EXPECT_NEAR(meet.t, 0.2, 1e-10);
  EXPECT_EQ(meet.what, "switches on joint 'coupling'");
  EXPECT_NEAR(meet.energy, -0.5 * 0.75 * 4, 1e-9);  // ½ m₁m₂/(m₁ + m₂) v²
  EXPECT_NEAR(run.end().v[0], 0.5, 1e-9);
  EXPECT_NEAR(run.end().v[6], 0.5, 1e-9);
  EXPECT_NEAR(run.end().q[0], 0.4 + 0.5 * 0.3, 1e-9);
  EXPECT_LT(run.results.report.max_energy_defect, 1e-9);
  EXPECT_EQ(run.results.report.redundant_constraints, 0);
}

TEST(EventActions, JointCannotBeSwitchedOnWhereItIsOpen) {
  const Simulated run(carts(R"y(  coupling: {type: inplane, between: [a.front, b.back]}
inactive: [coupling]
events: {too_early: {when: "x(a) - 0.1", activate: [coupling]}}
)y"));
  EXPECT_FALSE(run.results.report.finished);
  EXPECT_NE(run.results.report.stopped_because.find("joint 'coupling' cannot be switched on where it is off by 0.3 m"),
            std::string::npos)
      << run.results.report.stopped_because;
}

TEST(EventActions, JointThatOpensLetsGo) {
  const Simulated run(R"y(
gravity: [0, -9.81, 0]
bodies: {bob: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [1, 0, 0]}}
joints: {string: {type: spherical, between: [ground, bob], at: [0, 0, 0]}}
events: {cut: {when: angle_z(bob) + 90 deg, deactivate: [string]}}
run: {integrator: radau, duration: 1.2, step: 2e-3}
)y");
  ASSERT_EQ(run.results.report.stopped_because, "");
  ASSERT_EQ(run.results.report.events.size(), 1u);
  // at the bottom: v² = 2 m g/(m + I), then a free flight
  const double spin = std::sqrt(2 * 9.81 / 1.01), time = 1.2 - run.results.report.events[0].t;
  EXPECT_NEAR(run.end().v[0], -spin, 1e-7);
  EXPECT_NEAR(run.end().v[1], -9.81 * time, 1e-7);
  EXPECT_EQ(run.end().lambda.lpNorm<Eigen::Infinity>(), 0);
}

TEST(EventActions, InputsKeepWhatWasSet) {
  const Simulated run(carts(R"y(inputs: {push: {value: 0, unit: N}, hold: {value: 0, unit: m/s}}
forces: {f: {type: force, on: b, force: [push, 0, 0]}}
events: {go: {when: "x(a) - 0.2", once: true, set: {push: 6, hold: vx(a)}}}
)y"));
  ASSERT_EQ(run.results.report.events.size(), 1u);
  EXPECT_EQ(run.results.report.events[0].what, "sets push to 6 N, sets hold to 2 m/s");
  EXPECT_NEAR(run.end().v[6], 2 * 0.4, 1e-9);  // 6 N on 3 kg from 0.1 s on
  EXPECT_NEAR(run.end().inputs[1], 2, 1e-9);
}

TEST(EventActions, StepsGoOnOnTheGrid) {
  const Simulated run(carts(R"y(forces: {f: {type: force, on: b, force: [1, 0, 0]}}
events: {off: {when: "t - 0.1234", deactivate: [f]}}
)y",
                            "duration: 0.5, step: 1e-2, output_step: 1e-2"));
  EXPECT_EQ(run.results.report.steps, 51);  // one is cut in two
  EXPECT_NEAR(run.end().v[6], 0.1234 / 3, 1e-12);
  EXPECT_EQ(run.end().t, 0.5);
}

TEST(EventActions, OnlyWrittenDownChangesNoBit) {
  const std::string text = carts("forces: {f: {type: spring-damper, between: [a, b], stiffness: 50}}\n");
  const std::string events = "events: {m: {when: \"x(a) - 0.1\"}, n: {when: vx(b) - 0.5, once: true}}\n";
  const Simulated without(text), with(text.substr(0, text.find("run:")) + events + text.substr(text.find("run:")));
  EXPECT_GE(with.results.report.events.size(), 2u);
  EXPECT_TRUE(without.end().q == with.end().q && without.end().v == with.end().v);
  EXPECT_EQ(without.results.report.steps, with.results.report.steps);
}

TEST(EventActions, SeveralInAStepAndAtTheSameTime) {
  const Simulated run(carts(R"y(inputs: {u: 0, w: 0}
events:
  first:  {when: t - 0.101, set: {u: 1}}
  second: {when: t - 0.102, set: {w: 1}}
  third:  {when: x(a) - 0.204}
  fourth: {when: "0.105 - t", set: {u: 2}}
)y",
                            "duration: 0.5, step: 1e-2"));
  ASSERT_EQ(run.results.report.events.size(), 4u);
  for (const auto& [i, t] : {std::pair{0, 0.101}, {1, 0.102}, {2, 0.102}, {3, 0.105}})
    EXPECT_NEAR(run.results.report.events[i].t, t, 1e-12) << i;
  EXPECT_EQ(run.end().inputs[0], 2);
}

TEST(EventActions, AtTheVeryStart) {
  const Simulated run(carts(R"y(forces: {f: {type: force, on: b, force: [3, 0, 0]}}
events: {now: {when: t, direction: rising, deactivate: [f]}, never: {when: -t, direction: rising, stop: true}}
)y"));
  ASSERT_EQ(run.results.report.events.size(), 1u);
  EXPECT_EQ(run.results.report.events[0].t, 0);
  EXPECT_EQ(run.end().v[6], 0);
  EXPECT_EQ(run.end().t, 0.5);
}

TEST(EventActions, WithoutEndAreStopped) {
  for (const char* run : {"duration: 0.5, step: 1e-3", "duration: 0.5, step: 1e-3, rtol: 1e-6"}) {
    const Simulated chatter(carts(R"y(inputs: {u: 1}
forces: {f: {type: force, on: b, force: ["50*u", 0, 0]}}
events:
  back:  {when: "x(b) - 0.65", direction: rising, set: {u: -1}}
  forth: {when: "x(b) - 0.65 + 1e-13", direction: falling, set: {u: 1}}
  slow:  {when: "vx(b)", direction: falling, set: {u: 1}}
  quick: {when: "vx(b) - 1e-9", direction: rising, set: {u: -1}}
)y",
                                  run));
    EXPECT_FALSE(chatter.results.report.finished);
    EXPECT_NE(chatter.results.report.stopped_because.find("without end"), std::string::npos)
        << chatter.results.report.stopped_because;
  }
}

/// With damping a stop lets go before its limit is reached again; the force never pulls.
TEST(EventActions, DampedStopLetsGoEarly) {
  const Simulated run(
      carts(R"y(forces: {wall: {type: joint-stop, joint: rail_a, upper: 0.2, stiffness: 1e4, damping: 100}}
)y",
            "integrator: radau, duration: 0.5, step: 1e-3"));
  ASSERT_EQ(run.results.report.events.size(), 3u);
  EXPECT_EQ(run.results.report.events[0].what, "touches its upper limit");
  EXPECT_EQ(run.results.report.events[1].what, "lets go at its upper limit");
  EXPECT_EQ(run.results.report.events[2].what, "leaves its upper limit");
  EXPECT_LT(run.end().v[0], -0.1);
  EXPECT_GT(run.end().v[0], -2);
}

}  // namespace event_actions_test
}  // namespace bricard::testing
