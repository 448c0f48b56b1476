// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/compare_runs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bricard/analysis/consistent_start.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"

namespace bricard {
namespace compare_runs_test {

/// IFToMM A01: a point mass of 1 kg, 1 m from the hinge, let go when level.
constexpr const char* kPendulum = R"(
name: pendulum
bodies:
  bob: {mass: 1, inertia: [1.0e-4, 1.0e-4, 1.0e-4], position: [-1, 0, 0]}
joints:
  hinge: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}
run: {duration: 1, step: 0.001}
)";

struct Prepared {
  Model model;
  System system;
  State start;
};

Prepared pendulum(const std::string& text = kPendulum) {
  Model model = io::read_model_text(text, "pendulum.yaml");
  System system = assemble(model);
  State start = initial_wishes(model, system);
  EXPECT_TRUE(consistent_start(system, model.run.solver, start).assembled);
  return {std::move(model), std::move(system), std::move(start)};
}

CompareMethod method(const Prepared& p, IntegratorType type) {
  CompareMethod m{name_of(type), p.model.run};
  m.settings.integrator = type;
  return m;
}

ComparePlan plan_of(const Prepared& p, std::vector<double> steps) {
  ComparePlan plan;
  plan.methods = {method(p, IntegratorType::hht), method(p, IntegratorType::newmark)};
  plan.methods[1].settings.gamma = 0.6;
  plan.methods[1].settings.beta = 0.3025;
  plan.reference = {method(p, IntegratorType::generalized_alpha), steps.back() / 4, true};
  plan.steps = std::move(steps);
  return plan;
}

TEST(CompareRuns, FindsTheOrdersOfHhtAndOfDampedNewmark) {
  const Prepared p = pendulum();
  const ComparePlan plan = plan_of(p, {4e-3, 2e-3, 1e-3});
  const Comparison c = compare_runs(p.model, p.system, p.start, plan);
  ASSERT_EQ(c.runs.size(), 6u);
  EXPECT_EQ(c.times.size(), 50u);  // of the distance 0.02 s all steps are parts; of 0.01 s they are not
  for (const size_t i : {1u, 2u, 4u, 5u}) {
    const double wanted = i < 3 ? 2 : 1, tolerance = i < 3 ? 0.03 : 0.05;
    const RunErrors &coarse = c.runs[i - 1].largest, &fine = c.runs[i].largest;
    EXPECT_NEAR(std::log2(coarse.positions / fine.positions), wanted, tolerance) << i;
    EXPECT_NEAR(std::log2(coarse.velocities / fine.velocities), wanted, tolerance) << i;
    EXPECT_NEAR(std::log2(coarse.reactions / fine.reactions), wanted, tolerance) << i;
    EXPECT_LE(c.runs[i].end.positions, fine.positions);
  }
  EXPECT_LT(c.uncertainty.positions, 1e-3 * c.runs[2].largest.positions);
}

// θ'' = cos θ g/(L + I/(m L)) by classical Runge-Kutta with 1e5 steps.
double exact_x(double end) {
  const double g = 9.81 / (1 + 1e-4), n = 1e5, h = end / n;
  double angle = 0, speed = 0;
  const auto acceleration = [&](double a) { return g * std::cos(a); };
  for (int i = 0; i < n; ++i) {
    const double v1 = speed, a1 = acceleration(angle), v2 = speed + h / 2 * a1, a2 = acceleration(angle + h / 2 * v1);
    const double v3 = speed + h / 2 * a2, a3 = acceleration(angle + h / 2 * v2);
    const double v4 = speed + h * a3, a4 = acceleration(angle + h * v3);
    angle += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    speed += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return -std::cos(angle);
}

TEST(CompareRuns, ReportsTheTrueErrorOfAQuantity) {
  const Prepared p = pendulum();
  ComparePlan plan = plan_of(p, {4e-3});
  plan.quantities = {"bob.position.x"};
  const Comparison c = compare_runs(p.model, p.system, p.start, plan);
  for (const ComparedRun& run : c.runs) {
    RunSettings settings = run.method == "hht" ? plan.methods[0].settings : plan.methods[1].settings;
    settings.step = run.step;
    const double x = simulate(p.system, p.start, settings).samples.back().state.q[0];
    const double error = std::abs(x - exact_x(1));  // the largest |x| is 1 to three digits
    EXPECT_NEAR(run.end.quantities[0], error, 0.002 * error) << run.method;
  }
}

TEST(CompareRuns, ByToleranceReportsTheTrueErrorAndItFallsWithTheTolerance) {
  const Prepared p = pendulum();
  ComparePlan plan = plan_of(p, {1e-3, 1e-5, 1e-7});
  plan.by_tolerance = true;
  plan.reference = {method(p, IntegratorType::radau), 1e-9, false};
  plan.methods.resize(1);
  plan.methods[0].settings.integrator = IntegratorType::bdf;
  plan.methods[0].name = "bdf";
  plan.quantities = {"bob.position.x"};
  const Comparison c = compare_runs(p.model, p.system, p.start, plan);
  ASSERT_TRUE(c.has_reference) << c.reference_problem;
  EXPECT_EQ(c.times.size(), 100u);
  for (const ComparedRun& run : c.runs) {
    RunSettings settings = plan.methods[0].settings;
    settings.rtol = run.step;
    const double x = simulate(p.system, p.start, settings).samples.back().state.q[0];
    const double error = std::abs(x - exact_x(1));
    EXPECT_NEAR(run.end.quantities[0], error, 0.01 * error + 1e-9) << run.step;
    EXPECT_LT(run.largest.positions, 100 * run.step);
    EXPECT_GT(run.largest.positions, 0.01 * run.step);
  }
  EXPECT_LT(c.uncertainty.positions, 0.1 * c.runs[2].largest.positions);
}

TEST(CompareRuns, KeepsARunThatFailsWithItsReason) {
  std::string text = kPendulum;
  text += "motions:\n  drive: {joint: hinge, displacement: sqrt(1.05 - t)}\n";
  const Prepared p = pendulum(text);
  ComparePlan plan = plan_of(p, {2e-3, 1e-3});
  plan.methods[1].settings.duration = 2;  // no value later
  const Comparison c = compare_runs(p.model, p.system, p.start, plan);
  ASSERT_EQ(c.runs.size(), 4u);
  EXPECT_TRUE(c.runs[1].finished) << c.runs[1].problem;
  EXPECT_FALSE(c.runs[2].finished);
  EXPECT_NE(c.runs[2].problem.find("t = 1.0"), std::string::npos) << c.runs[2].problem;
  EXPECT_TRUE(std::isnan(c.runs[2].largest.positions));
  const Report report = comparison_report(p.model, plan, c);
  EXPECT_EQ(report.tables[0].rows[1][2], c.runs[3].problem);
}

TEST(CompareRuns, ReportsWhatItHasWithoutAReference) {
  const Prepared p = pendulum();
  ComparePlan plan = plan_of(p, {2e-3});
  plan.reference.method.settings.duration = 3 * plan.reference.step;  // ends before the times of the comparison
  const Comparison c = compare_runs(p.model, p.system, p.start, plan);
  EXPECT_FALSE(c.has_reference);
  ASSERT_EQ(c.runs.size(), 2u);
  EXPECT_TRUE(c.runs[0].finished);
  const Report report = comparison_report(p.model, plan, c);
  EXPECT_NE(report.text.find("No reference"), std::string::npos);
  EXPECT_EQ(report.tables.size(), 2u);  // work, and energy with constraints
}

TEST(CompareRuns, StopsWhenAskedToAndKeepsWhatIsDone) {
  const Prepared p = pendulum();
  const ComparePlan plan = plan_of(p, {4e-3, 2e-3, 1e-3});
  int begun = 0;
  CompareHooks hooks;
  hooks.begin = [&](const std::string&) { ++begun; };
  hooks.cancelled = [&] { return begun > 6; };  // three of the reference, then in the fourth run
  const Comparison c = compare_runs(p.model, p.system, p.start, plan, hooks);
  EXPECT_TRUE(c.interrupted);
  ASSERT_EQ(c.runs.size(), 3u);  // hht and newmark at 4 ms, hht at 2 ms
  EXPECT_EQ(c.runs[1].step, 2e-3);
  EXPECT_EQ(c.runs[2].method, "newmark");
  const Report report = comparison_report(p.model, plan, c);
  EXPECT_NE(report.text.find("3 of 6 runs reached their end. Interrupted"), std::string::npos) << report.text;
}

}  // namespace compare_runs_test
}  // namespace bricard
