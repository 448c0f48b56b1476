// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/integrate/integrator.h"
#include "bricard/read/model_reader.h"
#include "papers/conditioning.h"
#include "papers/root_spring_pendulum.h"
#include "papers/slider_crank.h"

// Any step size: [Bauchau2009] on its pendulum with a root spring and on a mechanism of the program.
namespace bricard {
namespace scaling_test {

struct Mechanism {
  System system;
  State state;
};

/// The slider-crank in motion, at t = 0.5 s.
Mechanism moving_slider_crank(double damping, const RunSettings& settings = {}) {
  Model model = io::read_model(BRICARD_SOURCE_DIR "/models/slider_crank_004.yaml", {{"damping", {damping, {}}}});
  model.run.reference_length = settings.reference_length;
  Mechanism m{assemble(model), {}};
  m.state = initial_wishes(model, m.system);
  EXPECT_TRUE(consistent_start(m.system, SolverType::automatic, m.state).assembled);
  RunSettings run = settings;
  run.duration = run.output_step.emplace(0.5);
  run.step = 1e-3;
  const Results results = simulate(m.system, m.state, run);
  EXPECT_TRUE(results.report.finished) << results.report.stopped_because;
  m.state = results.samples.back().state;
  return m;
}

Mechanism pendulum() {
  const root_spring::Pendulum p;
  Mechanism m{root_spring::make_system(p, root_spring::Reference::averages), {}};
  m.state = root_spring::exact_state(m.system, p, 1, 1);
  return m;
}

NewtonForm midpoint_form(const Mechanism& m, double h, Scaling scaling, double augmentation) {
  RunSettings settings;
  settings.scaling = scaling;
  settings.augmentation = augmentation;
  return NewtonSystem(m.system, settings).step_form(h, 1, 2 / h, 2 / (h * h));
}

TEST(Scaling, MakesTheConditionNumberIndependentOfTheStep) {
  for (const Mechanism& m : {pendulum(), moving_slider_crank(0)}) {
    const double reference =
        conditioning::condition_number(m.system, m.state, midpoint_form(m, 1e-7, Scaling::full, 1));
    for (const double h : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6})
      EXPECT_NEAR(conditioning::condition_number(m.system, m.state, midpoint_form(m, h, Scaling::full, 1)) / reference,
                  1, 0.01)
          << h;
  }
}

TEST(Scaling, LeavesTheFourthPowerOfTheStepWithoutIt) {
  for (const Mechanism& m : {pendulum(), moving_slider_crank(5)}) {
    const auto kappa = [&](double h) {
      return conditioning::unscaled_condition_number(m.system, m.state, midpoint_form(m, h, Scaling::full, 0));
    };
    EXPECT_NEAR(conditioning::slope({1e-3, 1e-7}, {kappa(1e-3), kappa(1e-7)}), -4, 0.005);
    const double direct = conditioning::condition_number(m.system, m.state, midpoint_form(m, 1e-2, Scaling::none, 0));
    EXPECT_NEAR(direct / kappa(1e-2), 1, 1e-4);
  }
}

TEST(Scaling, OfOneDependsOnTheMasses) {
  const root_spring::Pendulum heavy{1000};
  Mechanism m{root_spring::make_system(heavy, root_spring::Reference::averages), {}};
  m.state = root_spring::exact_state(m.system, heavy, 1, 1);
  EXPECT_NEAR(conditioning::condition_number(m.system, m.state, midpoint_form(m, 1e-3, Scaling::full, 1)), 14.18, 0.01);
  EXPECT_GT(conditioning::condition_number(m.system, m.state, midpoint_form(m, 1e-3, Scaling::unit, 1)), 1e5);
}

TEST(Scaling, AndAugmentationDoNotChangeTheMotion) {
  const Mechanism reference = moving_slider_crank(5);
  for (const Scaling scaling : {Scaling::full, Scaling::unit, Scaling::none})
    for (const double augmentation : {0.0, 1.0})
      for (const std::optional<double> length : {std::optional<double>(), {3.0}}) {
        RunSettings settings;
        settings.scaling = scaling;
        settings.augmentation = augmentation;
        settings.reference_length = length;
        const Mechanism m = moving_slider_crank(5, settings);
        EXPECT_LT((m.state.q - reference.state.q).lpNorm<Eigen::Infinity>(), 1e-10);
        EXPECT_LT((m.state.v - reference.state.v).lpNorm<Eigen::Infinity>(), 1e-9);
        EXPECT_EQ(m.system.reference_length, length.value_or(reference.system.reference_length));
      }
}

struct Case {
  IntegratorType integrator;
  ProjectionMode projection;
};
class AnyStep : public ::testing::TestWithParam<Case> {};

// The formulas are of second order; what round-off leaves of velocities is said below.
TEST_P(AnyStep, ConvergesAndKeepsPositionsAndVelocities) {
  const Mechanism m = moving_slider_crank(5);
  const auto crank = [](const State& s) { return slider_crank::Motion{2 * std::atan2(s.q[6], s.q[3]), s.v[5]}; };
  for (const double h : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
    RunSettings settings;
    settings.integrator = GetParam().integrator;
    settings.projection = GetParam().projection;
    settings.step = h;
    const std::unique_ptr<Integrator> integrator = make_integrator(m.system, settings);
    State s = m.state;
    integrator->start(s);
    for (int n = 0; n < 50; ++n) ASSERT_EQ(integrator->step(h, s).status, StepStatus::accepted) << h;
    const slider_crank::Motion exact = slider_crank::integrate({}, crank(m.state), 50 * h, 100);
    const double round_off = settings.projection == ProjectionMode::none ? 1e-14 / h : 1e-11;  // ε κ ℓ/h
    EXPECT_NEAR(std::remainder(crank(s).angle - exact.angle, 2 * M_PI), 0, 100 * h * h + 1e-13) << h;
    EXPECT_NEAR(crank(s).speed, exact.speed, 300 * h * h + round_off) << h;
  }
}

INSTANTIATE_TEST_SUITE_P(Scaling, AnyStep,
                         ::testing::Values(Case{IntegratorType::hht, ProjectionMode::automatic},
                                           Case{IntegratorType::hht, ProjectionMode::none},
                                           Case{IntegratorType::generalized_alpha, ProjectionMode::automatic},
                                           Case{IntegratorType::newmark, ProjectionMode::automatic}));

}  // namespace scaling_test
}  // namespace bricard
