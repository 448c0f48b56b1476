// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"

// Beams in a mechanism at steps far below the periods of all their modes.
namespace bricard::testing {
namespace beam_small_steps_test {

/// At full speed, after the ramp of 0.1 s. In T = 3 µs each point moves by T v, and ½ a T² more: ½ · 126 rad/s · T = 2e-4 of it.
TEST(BeamMechanisms, TakeStepsOfTenNanoseconds) {
  Model model = io::read_model(BRICARD_SOURCE_DIR "/models/flexible_slider_crank.yaml");
  const System system = assemble(model);
  State s = initial_wishes(model, system);
  ASSERT_TRUE(consistent_start(model, system, model.run.solver, s).assembled);
  model.run.duration = 0.12;
  const Results run = simulate(system, s, model.run);
  ASSERT_TRUE(run.report.finished);
  const State begin = s = run.samples.back().state;
  const std::unique_ptr<Integrator> integrator = make_integrator(system, RunSettings{});
  integrator->start(s);
  constexpr double kStep = 1e-8;
  constexpr int kSteps = 300;
  for (int i = 0; i < kSteps; ++i) {
    const StepReport step = integrator->step(kStep, s);
    ASSERT_EQ(step.status, StepStatus::accepted) << i;
    ASSERT_LE(step.iterations, 3) << i;
  }
  VectorXd way(system.velocities());
  system.manifold().difference(begin.q, s.q, way);
  const VectorXd straight = kSteps * kStep * begin.v;
  EXPECT_LT((way - straight).lpNorm<Eigen::Infinity>(), 1e-3 * straight.lpNorm<Eigen::Infinity>());
}

}  // namespace beam_small_steps_test
}  // namespace bricard::testing
