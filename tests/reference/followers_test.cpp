// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "tangent/random_system.h"

// Runs with elements on interfaces that follow a frame and modal coordinates. Explicit steps use forces, G and J̇ v, and no
// tangent; implicit ones find the same motion only if their tangents fit, or fail.
namespace bricard::testing {
namespace followers_test {

System on_modal_interfaces(const std::string& name) {
  for (const ElementCase& element : all_element_cases())
    if (element.name == name + name_of(FrameKind::modal)) return make_system(element);
  ADD_FAILURE() << name;
  return {};
}

State started(const System& system) {
  State s = random_state(system, FrameKind::modal, 12);
  s.t = 0;
  s.a.setZero();
  s.lambda.setZero();
  const StartReport report = consistent_start(system, SolverType::automatic, s);
  EXPECT_TRUE(report.assembled) << report.problem;
  return s;
}

Results run(const System& system, const State& start, IntegratorType type, double step) {
  RunSettings settings;
  settings.integrator = type;
  settings.step = step;
  settings.duration = 0.2;
  const Results results = simulate(system, start, settings);
  EXPECT_TRUE(results.report.finished) << results.report.stopped_because;
  return results;
}

double distance(const System& system, const Results& a, const Results& b) {
  VectorXd delta(system.velocities());
  system.manifold().difference(a.samples.back().state.q, b.samples.back().state.q, delta);
  return delta.lpNorm<Eigen::Infinity>();
}

class FollowersRun : public ::testing::TestWithParam<const char*> {};

TEST_P(FollowersRun, IsTheSameMotionForEveryMethodAndKeepsTheBooks) {
  const System system = on_modal_interfaces(GetParam());
  const State start = started(system);
  const Results reference = run(system, start, IntegratorType::rk4, 5e-4);
  EXPECT_LT(reference.report.max_energy_defect, 1e-8 * reference.report.energy_turned_over);
  EXPECT_LT(distance(system, run(system, start, IntegratorType::radau, 2e-3), reference), 1e-8);
  // of second order: a quarter of the error with half the step
  for (const IntegratorType type : {IntegratorType::hht, IntegratorType::generalized_alpha, IntegratorType::hht_si2}) {
    const double coarse = distance(system, run(system, start, type, 4e-3), reference);
    const double fine = distance(system, run(system, start, type, 2e-3), reference);
    EXPECT_NEAR(coarse / fine, 4, 0.2) << coarse << " and " << fine;
  }
}

INSTANTIATE_TEST_SUITE_P(Elements, FollowersRun,
                         ::testing::Values("RigidBodies", "SpringDampers", "Coincidences", "AxisConstraints",
                                           "KnifeEdge"),
                         [](const auto& element) { return element.param; });

}  // namespace followers_test
}  // namespace bricard::testing
