// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "bricard/analysis/simulate.h"
#include "bricard/integrate/integrator.h"
#include "bricard/io/model_reader.h"
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

INSTANTIATE_TEST_SUITE_P(Methods, RefusedSteps,
                         ::testing::Values(I::radau, I::radau_1, I::bdf, I::nstiff, I::nstiff_si2, I::hht_add,
                                           I::energy_decaying, I::midpoint, I::rk4, I::dopri),
                         [](const auto& i) {
                           std::string name = name_of(i.param);
                           std::erase(name, '-');
                           return name;
                         });

/// Three stages and the end; the first stage is the end of the last step. Redundant rows ask for one more look at the
/// end, and for a matrix of the start, by which all stages are put on the constraints.
TEST(ExplicitRungeKutta, FactorizesOncePerStage) {
  for (const auto& [model, each] : {std::pair{chain(5), 4}, {n_four_bar(2, 0.01, 1.5, -1), 6}}) {
    const Started started = start(model);
    RunSettings settings;
    settings.integrator = I::rk4;
    const std::unique_ptr<Integrator> integrator = make_integrator(started.system, settings);
    State s = started.state;
    integrator->start(s);
    const long before = integrator->counts().factorizations;
    for (int i = 0; i < 10; ++i) integrator->step(1e-3, s);
    EXPECT_LE(integrator->counts().factorizations - before, 10 * each);
  }
}

}  // namespace refused_steps_test
}  // namespace bricard::testing
