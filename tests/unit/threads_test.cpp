// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <thread>

#include "bricard/analysis/natural_run.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "reference/mechanisms.h"

// Scratch memory belongs to integrators: a system is never written to, and two runs of it at once do not see each other.
namespace bricard::testing {
namespace threads_test {

RunSettings with(IntegratorType integrator, double step) {
  RunSettings settings;
  settings.integrator = integrator;
  settings.step = step;
  settings.duration = 0.3;
  return settings;
}

void expect_same_bits(const Results& a, const Results& b) {
  ASSERT_EQ(a.samples.size(), b.samples.size());
  for (size_t i = 0; i < a.samples.size(); ++i) {
    const State &x = a.samples[i].state, &y = b.samples[i].state;
    EXPECT_TRUE(x.q == y.q && x.v == y.v && x.a == y.a && x.lambda == y.lambda) << "at t = " << x.t;
  }
}

/// Two runs with different methods, one after the other and at the same time.
void expect_independent_runs(const System& system, const State& start) {
  const RunSettings first = with(IntegratorType::hht, 1e-3), second = with(IntegratorType::radau, 4e-3);
  const Results one = simulate(system, start, first), other = simulate(system, start, second);
  EXPECT_TRUE(one.report.finished && other.report.finished);
  for (int repetition = 0; repetition < 3; ++repetition) {
    Results at_once, besides;
    std::thread beside([&] { besides = simulate(system, start, second); });
    at_once = simulate(system, start, first);
    beside.join();
    expect_same_bits(one, at_once);
    expect_same_bits(other, besides);
  }
}

TEST(ConstSystem, CanBeUsedFromTwoThreads) {
  const Model model = every_element();
  const Started bodies = start(model);
  expect_independent_runs(bodies.system, bodies.state);
}

TEST(ConstSystem, CanBeUsedFromTwoThreadsInNaturalCoordinates) {
  const Model model = every_element();
  const Started bodies = start(model);
  const NaturalSystem natural = assemble_natural(model, bodies.system, bodies.state);
  expect_independent_runs(natural.system, natural_start(natural, bodies.system, bodies.state, SolverType::automatic));
}

}  // namespace threads_test
}  // namespace bricard::testing
