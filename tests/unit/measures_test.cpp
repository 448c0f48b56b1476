// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/measures.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/assemble/formula_binding.h"
#include "bricard/elements/measured_formulas.h"
#include "bricard/read/model_reader.h"
#include "bricard/results/channels.h"
#include "reference/mechanisms.h"

// Derivatives of measures are tested with the forces that use them (tests/tangent). Here: their values.
namespace bricard::testing {
namespace measures_test {

constexpr const char* kTwoBodies = R"yaml(
gravity: [0, 0, 0]
bodies:
  a: {mass: 1, inertia: [1, 1.2, 1.5], markers: {m: {position: [0.3, -0.5, 0.8], orientation: {euler: [0.3, 0.2, 0.9], sequence: zxz}}}}
  b: {mass: 2, inertia: [1, 1.2, 1.5], markers: {m: {position: [-0.6, 0.2, 0.4], orientation: {euler: [1.3, 0.7, 0.1], sequence: zxz}}}}
ground: {markers: {m: {position: [1, 2, 3], orientation: {euler: [0.5, 0.4, -0.9], sequence: zxz}}}}
)yaml";

struct Measured {
  Model model;
  System system;
  Kinematics k;
  State s;

  explicit Measured(const std::string& signals)
      : model(io::read_model_text(kTwoBodies + std::string("signals:\n") + signals, "test.yaml")),
        system(assemble(model)), k(system.make_kinematics()), s(system.make_state()) {
    std::mt19937 generator(4);
    std::uniform_real_distribution<double> uniform(-1, 1);
    VectorXd delta(system.velocities());
    for (VectorXd* x : {&delta, &s.v, &s.a})
      for (double& value : *x) value = uniform(generator);
    system.manifold().retract(s.q, delta, s.q);
  }
  /// At time x when the accelerations stay what they are.
  double at(size_t signal, double x) {
    State moved = s;
    const VectorXd delta = x * s.v + 0.5 * x * x * s.a;
    system.manifold().retract(s.q, delta, moved.q);
    moved.v = s.v + x * s.a;
    system.update(moved, k);
    return system.signals[signal]->values(k)[0];
  }
};

TEST(Measures, AreTimeDerivativesOfEachOther) {
  const std::pair<const char*, const char*> pairs[] = {
      {"distance(a.m, b.m)", "distance_rate(a.m, b.m)"},
      {"x(a.m, b.m, ground.m)", "vx(a.m, b.m, ground.m)"},
      {"dy(a.m)", "velocity_y(a.m)"},
      {"vz(b.m, a)", "accz(b.m, a)"},
      {"speed(a.m)^2/2", "vx(a.m)*accx(a.m) + vy(a.m)*accy(a.m) + vz(a.m)*accz(a.m)"},
      {"wx(a.m, b, ground.m)", "wdtx(a.m, b, ground.m)"}};
  for (const auto& [what, rate] : pairs) {
    SCOPED_TRACE(what);
    Measured m("  what: \"" + std::string(what) + "\"\n  rate: \"" + rate + "\"\n");
    const double h = 1e-4;
    EXPECT_NEAR((m.at(0, h) - m.at(0, -h)) / (2 * h), m.at(1, 0), 1e-7);
  }
}

TEST(Measures, AreMadeOfTheVectorsTheyName) {
  Measured m(R"yaml(
  zero: distance(a.m, b.m)^2 - x(a.m, b.m, a.m)^2 - y(a.m, b.m, a.m)^2 - z(a.m, b.m, a.m)^2
  one: vm(a.m, b.m)^2 - vx(a.m, b.m, b.m)^2 - vy(a.m, b.m, b.m)^2 - vz(a.m, b.m, b.m)^2
  two: wm(a, b)^2 - wx(a, b, a.m)^2 - wy(a, b, a.m)^2 - wz(a, b, a.m)^2
  three: accm(a.m, b.m)^2 - accx(a.m, b.m, b.m)^2 - accy(a.m, b.m, b.m)^2 - accz(a.m, b.m, b.m)^2
  four: wdtm(a, b)^2 - wdtx(a, b, a.m)^2 - wdty(a, b, a.m)^2 - wdtz(a, b, a.m)^2
  five: vr(a.m, b.m)*dm(a.m, b.m) - x(a.m, b.m)*vx(a.m, b.m) - y(a.m, b.m)*vy(a.m, b.m) - z(a.m, b.m)*vz(a.m, b.m)
  six: x(b.m, a.m) + x(a.m, b.m)
)yaml");
  for (size_t i = 0; i < m.system.signals.size(); ++i) EXPECT_NEAR(m.at(i, 0), 0, 1e-13) << m.model.signals[i].name;
}

TEST(Measures, OfAnglesFollowTheAxesOfTheMarkers) {
  for (const auto& [axis, signal] :
       {std::pair{"[1, 0, 0]", "angle_x"}, {"[0, 1, 0]", "angle_y"}, {"[0, 0, 1]", "angle_z"}}) {
    const Model model =
        io::read_model_text(std::string("bodies:\n  a: {mass: 1, inertia: [1, 1, 1], orientation: {axis: ") + axis +
                                ", angle: 0.4}}\nsignals:\n  s: " + signal + "(a)\n",
                            "test.yaml");
    const System system = assemble(model);
    Kinematics k = system.make_kinematics();
    const State s = initial_wishes(model, system);
    system.update(s, k);
    EXPECT_NEAR(system.signals[0]->values(k)[0], 0.4, 1e-14) << signal;
  }
}

/// Every joint of a mechanism with all kinds of them, at random multipliers.
TEST(Measures, OfReactionsAreThoseThatResultsShow) {
  Model model = every_element();
  const auto signal = [&](const std::string& text) {
    ExpressionScope scope;
    scope.measures_allowed = true;
    scope.measures = measure_signatures();
    model.signals.push_back({text, {}, Expression::parse(text, scope), ""});
  };
  for (const Joint& joint : model.joints)
    for (const char* what :
         {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z", "force_magnitude", "torque_magnitude"})
      signal(std::string(what) + "(" + joint.name + ")");
  Started started = start(model);
  for (int i = 0; i < started.state.lambda.size(); ++i) started.state.lambda[i] = std::sin(1.0 + i);
  Kinematics k = started.system.make_kinematics();
  started.system.update(started.state, k);
  std::vector<Wrench> wrenches(started.system.joints.size());
  started.system.reactions(k, wrenches);
  size_t s = 0;
  const auto next = [&] { return started.system.signals[s++]->values(k)[0]; };
  for (const Wrench& w : wrenches) {
    SCOPED_TRACE(started.system.joints[s / 8].name);
    for (const Vector3d& x : {w.force, w.torque})
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(next(), x[i], 1e-12);
    EXPECT_NEAR(next(), w.force.norm(), 1e-12);
    EXPECT_NEAR(next(), w.torque.norm(), 1e-12);
  }
}

/// An element that acts in a joint and does not say with what derivative.
class Secretive final : public ElementBatch {
 public:
  const char* kind() const override { return "secretive"; }
  void add_couplings(std::vector<Coupling>&) const override {}
  void add_residual(const Kinematics&, Residual&) const override {}
  void add_tangent(const Kinematics&, Tangent&) const override {}
  void add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const override {
    wrenches[0].force.x() += k.state->lambda[0];
  }
};

TEST(Measures, OfReactionsAreRefusedWhereTheyWouldBeIncomplete) {
  System system;
  system.add_frame("body");
  system.add_multipliers(1);
  JointInfo info;
  info.name = "odd";
  info.type = "secret";
  info.markers[1].node = 1;
  system.joints.push_back(info);
  system.add(std::make_unique<Secretive>());
  ExpressionScope scope;
  scope.measures_allowed = true;
  scope.measures = measure_signatures();
  FormulaBinder binder(
      system, [](const Reference&) { return MarkerPose{}; }, [](const Reference&) { return 0; });
  try {
    binder.bind({Expression::parse("force_x(odd)", scope)}, {}, {}, "signals.s");
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.faults().at(0).message,
              "signals.s: the reaction of 'odd', a secret joint, cannot be used in formulas");
  }
}

TEST(Measures, CountAnglesOverManyTurns) {
  Model model = io::read_model_text(R"yaml(
gravity: [0, 0, 0]
bodies: {wheel: {mass: 1, inertia: [1, 1, 1]}}
joints: {pin: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}}
motions: {drive: {joint: pin, displacement: 8*t}}
signals:
  joint: angle(pin)
  rate: angle_rate(pin)
  marker: az(wheel, ground)
  back: angle_z(ground, wheel)
run: {duration: 3, step: 0.01}
)yaml",
                                    "test.yaml");
  const Started started = start(model);
  const Results results = simulate(started.system, started.state, model.run);
  Channels channels(model, started.system, 0);
  const std::vector<double> row = channels.evaluate(results.samples.back());
  const double expected[] = {24, 8, 24, -24};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(row[row.size() - 4 + i], expected[i], 1e-7) << i;
}

/// The angles of a universal joint are counted over many turns, and their measures are what results show.
TEST(Measures, CountTheTurnsOfAUniversalJoint) {
  Model model = io::read_model_text(R"yaml(
gravity: [0, 0, 0]
bodies: {shaft: {mass: 1, inertia: [0.01, 0.02, 0.02], angular_velocity: [9, 0, 0], mass_center: [0.3, 0, 0]}}
joints: {cross: {type: universal, between: [ground, shaft], at: [0, 0, 0], axis: [0, 0, 1], second_axis: [1, 0, 0]}}
signals: {a: first_angle(cross), b: second_angle(cross), c: first_angle_rate(cross), d: second_angle_rate(cross)}
run: {duration: 2, step: 1e-2}
)yaml",
                                    "test.yaml");
  const Started started = start(model);
  const Results results = simulate(started.system, started.state, model.run);
  const State& end = results.samples.back().state;
  EXPECT_NEAR(signal_of(model, started.system, end, "b"), 18, 1e-9);
  EXPECT_NEAR(signal_of(model, started.system, end, "cross.second_angle"), 18, 1e-9);
  EXPECT_NEAR(signal_of(model, started.system, end, "a"), 0, 1e-9);
  EXPECT_NEAR(signal_of(model, started.system, end, "c"), 0, 1e-9);
  EXPECT_NEAR(signal_of(model, started.system, end, "d"), 9, 1e-9);
}

}  // namespace measures_test
}  // namespace bricard::testing
