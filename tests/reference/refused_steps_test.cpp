// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>

#include "bricard/analysis/natural_run.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/natural.h"
#include "bricard/integrate/integrator.h"
#include "bricard/read/model_reader.h"
#include "reference/mechanisms.h"

// Steps that must not be accepted, and what they leave behind.
namespace bricard::testing {
namespace refused_steps_test {

using I = IntegratorType;

class RefusedSteps : public ::testing::TestWithParam<I> {};

/// A crank of 0.5 m and a rod of 0.3 m: the crank cannot turn by more than asin 0.6, which it reaches at 0.107 s.
constexpr const char* kShortRod = R"(
gravity: [0, -9.81, 0]
bodies:
  crank:  {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.25, 0, 0]}
  rod:    {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.65, 0, 0]}
  slider: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.8, 0, 0]}
joints:
  A: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}
  B: {type: revolute, between: [crank, rod], at: [0.5, 0, 0], axis: [0, 0, 1]}
  C: {type: revolute, between: [rod, slider], at: [0.8, 0, 0], axis: [0, 0, 1]}
  D: {type: translational, between: [ground, slider], at: [0.8, 0, 0], axis: [1, 0, 0]}
motions: {drive: {joint: A, displacement: 6*t}}
run: {duration: 1, step: 1e-3}
)";

/// Held by two hinges, and driven.
constexpr const char* kLocked = R"(
bodies:
  crank: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.25, 0, 0]}
joints:
  A: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}
  B: {type: revolute, between: [ground, crank], at: [0.5, 0, 0], axis: [0, 0, 1]}
motions: {drive: {joint: A, displacement: 0.1*t^2}}
run: {duration: 1, step: 1e-3}
)";

TEST_P(RefusedSteps, LeaveNoJointOpen) {
  for (const auto& [text, last] : {std::pair{kShortRod, 0.1073}, {kLocked, 0.02}}) {
    Model model = io::read_model_text(text, "impossible.yaml");
    model.run.integrator = GetParam();
    const Started impossible = start(model);
    const Results results = simulate(impossible.system, impossible.state, model.run);
    EXPECT_FALSE(results.report.finished);
    EXPECT_LE(results.report.end_time, last);
    Kinematics k = impossible.system.make_kinematics();
    Residual r = impossible.system.make_residual();
    impossible.system.update(results.samples.back().state, k);
    impossible.system.residual(k, r);
    EXPECT_LT(r.constraint.lpNorm<Eigen::Infinity>(), 1e-5);
  }
}

/// A step of ten turns fails or gives something; the next one, from the same state, does not notice.
TEST_P(RefusedSteps, LeaveNothingBehind) {
  const Started bars = start(n_four_bar(2, 0.01, 1.5, -1));
  RunSettings settings;
  settings.integrator = GetParam();
  const auto after = [&](bool absurd) {
    const std::unique_ptr<Integrator> integrator = make_integrator(bars.system, settings);
    State s = bars.state;
    integrator->start(s);
    for (int i = 0; i < 8; ++i) integrator->step(1e-3, s);
    if (absurd) integrator->attempt(20, s);
    EXPECT_EQ(integrator->step(1e-3, s).status, StepStatus::accepted);
    return s;
  };
  const State without = after(false), with = after(true);
  EXPECT_LT((without.q - with.q).lpNorm<Eigen::Infinity>(), 1e-10);
  EXPECT_LT((without.v - with.v).lpNorm<Eigen::Infinity>(), 1e-7);
}

/// Three rods in space with springs that see their angles and each other; the last one can be too much for any method.
constexpr const char* kArm = R"(
bodies:
  a: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], angular_velocity: [0, 2, 0]}
  b: {mass: 2, inertia: [0.1, 0.01, 0.1], position: [1, 0.5, 0]}
  c: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [1, 1, 0.5], angular_velocity: [3, 0, 0]}
joints:
  A: {type: universal, between: [ground, a], at: [0, 0, 0], axis: [0, 1, 0], second_axis: [0, 0, 1]}
  B: {type: revolute, between: [a, b], at: [1, 0, 0], axis: [0, 0, 1]}
  C: {type: spherical, between: [b, c], at: [1, 1, 0]}
forces:
  torsion: {type: torsion-spring, joint: B, stiffness: 40, damping: 0.5}
  line: {type: spring-damper, between: [ground, c], stiffness: 300, damping: 2, free_length: 1}
run: {duration: 1, step: 1e-3}
)";

struct Case {
  I type;
  bool tolerance;
};

std::vector<Case> all_methods() {
  std::vector<Case> cases;
  for (const IntegratorKind& kind : integrator_kinds()) {
    cases.push_back({kind.type, false});
    if (kind.uses("rtol")) cases.push_back({kind.type, true});
  }
  return cases;
}

class Memory : public ::testing::TestWithParam<Case> {
 protected:
  struct Prepared {
    std::unique_ptr<System> bodies;
    std::unique_ptr<NaturalSystem> natural;
    State state;
    const System& system() const { return natural ? natural->system : *bodies; }
  };
  static Prepared prepare(const Model& model, const RunSettings& settings) {
    Started started = start(model);
    Prepared p{std::make_unique<System>(std::move(started.system)), nullptr, started.state};
    if (settings.coordinates != Coordinates::natural) return p;
    p.natural = std::make_unique<NaturalSystem>(assemble_natural(model, *p.bodies, started.state));
    p.state = natural_start(*p.natural, *p.bodies, started.state, settings.solver);
    return p;
  }
  static RunSettings settings() {
    RunSettings s;
    s.integrator = GetParam().type;
    if (GetParam().tolerance) s.rtol = 1e-6;
    if (kind_of(s.integrator).hamiltonian) s.coordinates = Coordinates::natural;
    return s;
  }
  static void expect_same_bits(const State& a, const State& b) {
    EXPECT_EQ(a.t, b.t);
    EXPECT_TRUE(a.q == b.q && a.v == b.v && a.a == b.a && a.lambda == b.lambda && a.angles == b.angles)
        << (a.q - b.q).lpNorm<Eigen::Infinity>() << " " << (a.v - b.v).lpNorm<Eigen::Infinity>();
  }
  /// Steps of different lengths; `between` is done before each of the later ones.
  static State after_steps(const Prepared& p, const std::function<void(Integrator&, const State&)>& between) {
    const std::unique_ptr<Integrator> integrator = make_integrator(p.system(), settings());
    State s = p.state;
    integrator->start(s);
    for (int i = 0; i < 14; ++i) {
      if (i > 3) between(*integrator, s);
      if (GetParam().tolerance) integrator->attempt(1e-3, s), integrator->local_error();
      if (integrator->step(1e-3 * (1 + 0.2 * (i % 3)), s).status != StepStatus::accepted) break;
    }
    EXPECT_GT(s.t, 0);  // some methods come to their end later on
    return s;
  }
};

/// An attempt, its refusal and another attempt give the bits of the second attempt alone.
TEST_P(Memory, HasNothingOfRefusedSteps) {
  for (const Model& model : {n_four_bar(2, 0.01, 1.5, -1), io::read_model_text(kArm, "arm.yaml")}) {
    const Prepared p = prepare(model, settings());
    if (!why_not(p.system(), settings()).empty()) continue;
    const State without = after_steps(p, [](Integrator&, const State&) {});
    const State with = after_steps(p, [](Integrator& integrator, const State& s) {
      integrator.attempt(20, s);
      if (integrator.attempt(3e-3, s).status == StepStatus::accepted) integrator.local_error();
    });
    expect_same_bits(without, with);
  }
}

/// The same of a step that was accepted and taken back.
TEST_P(Memory, HasNothingOfStepsTakenBack) {
  for (const Model& model : {n_four_bar(2, 0.01, 1.5, -1), io::read_model_text(kArm, "arm.yaml")}) {
    const Prepared p = prepare(model, settings());
    if (!why_not(p.system(), settings()).empty()) continue;
    const State without = after_steps(p, [](Integrator&, const State&) {});
    const State with = after_steps(p, [](Integrator& integrator, const State& s) {
      State ahead = s;
      if (integrator.step(2e-3, ahead).status == StepStatus::accepted) integrator.take_back();
    });
    expect_same_bits(without, with);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Memory, ::testing::ValuesIn(all_methods()), [](const auto& i) {
  std::string name = name_of(i.param.type);
  std::erase(name, '-');
  return name + (i.param.tolerance ? "_tolerance" : "_fixed");
});

INSTANTIATE_TEST_SUITE_P(Methods, RefusedSteps,
                         ::testing::Values(I::radau, I::radau_1, I::bdf, I::nstiff, I::nstiff_si2, I::hht_add,
                                           I::energy_decaying, I::midpoint, I::rk4, I::dopri),
                         [](const auto& i) {
                           std::string name = name_of(i.param);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace refused_steps_test
}  // namespace bricard::testing
