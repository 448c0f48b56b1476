// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bricard/analysis/simulate.h"
#include "bricard/integrate/integrator.h"
#include "bricard/model/integrator_kinds.h"
#include "bricard/read/model_reader.h"
#include "order/problems.h"

// A tolerance in the place of a step: is the error what was asked for?
namespace bricard::testing {
namespace tolerance_test {

/// As the tolerance counts it: the largest of all bodies, positions per reference length, angles in rad.
double distance(const System& system, const VectorXd& a, const VectorXd& b) {
  VectorXd delta(system.velocities());
  system.manifold().difference(a, b, delta);
  double largest = 0;
  for (size_t i = 1; i < system.nodes().size(); ++i) {
    const int v = system.nodes()[i].v;
    largest = std::max({largest, delta.segment<3>(v).norm() / system.reference_length, delta.segment<3>(v + 3).norm()});
  }
  return largest;
}

RunSettings settings(IntegratorType type, double duration, double rtol) {
  RunSettings s;
  s.integrator = type;
  s.duration = duration;
  s.step = duration / 1000;
  s.output_step = duration;
  s.rtol = rtol;
  return s;
}

/// States at the times of `problem.exact`.
std::vector<State> states(const Problem& problem, const RunSettings& s, RunReport* report = nullptr) {
  SimulationHooks hooks;
  for (const Moment& m : problem.exact)
    if (m.state.t <= s.duration * (1 + 1e-12)) hooks.at.push_back(m.state.t);
  const Results results = simulate(problem.model.system, problem.model.state, s, hooks);
  EXPECT_TRUE(results.report.finished) << results.report.stopped_because;
  if (report) *report = results.report;
  std::vector<State> found;
  for (const Sample& sample : results.samples)
    if (sample.requested) found.push_back(sample.state);
  EXPECT_EQ(found.size(), hooks.at.size());
  return found;
}

double largest_error(const Problem& problem, const RunSettings& s) {
  const std::vector<State> found = states(problem, s);
  double largest = 0;
  for (size_t i = 0; i < found.size(); ++i)
    largest = std::max(largest, distance(problem.model.system, problem.exact[i].state.q, found[i].q));
  return largest;
}

struct Method {
  const char* name;
  IntegratorType type;
  /// Methods of second order take √10 times as many steps for each digit more, at 1e-9 a hundred thousand per second of the
  /// slider-crank: they run for shorter times.
  bool second_order;
};

void PrintTo(const Method& m, std::ostream* out) { *out << m.name; }

class ToleranceTest : public ::testing::TestWithParam<Method> {
 protected:
  static double duration(double of_high_order, double of_second_order) {
    return GetParam().second_order ? of_second_order : of_high_order;
  }

  /// From 1e-3 to 1e-9 all errors lie within one decade of the line error = c · tolerance in the middle of them, where c is how
  /// much the motion itself makes of an error on its way; none is more than a hundred times the tolerance.
  static void expect_proportion(const Problem& problem) {
    std::vector<double> logarithms;
    std::string list;
    for (double rtol = 1e-3; rtol > 0.9e-9; rtol /= 10) {
      const double end = problem.exact.back().state.t;
      RunSettings s = settings(GetParam().type, end, rtol);
      s.hmax = end;  // only the tolerance rules
      const double ratio = largest_error(problem, s) / rtol;
      EXPECT_LT(ratio, 100) << "tolerance " << rtol;
      logarithms.push_back(std::log10(ratio));
      list += " " + std::to_string(ratio);
    }
    const double line =
        std::accumulate(logarithms.begin(), logarithms.end(), 0.0) / static_cast<double>(logarithms.size());
    for (const double at : logarithms) EXPECT_LT(std::abs(at - line), 1) << "errors over tolerances:" << list;
  }
};

TEST_P(ToleranceTest, IsInProportionToTheErrorOfASliderCrank) { expect_proportion(slider_crank(duration(2, 0.12), 5)); }

TEST_P(ToleranceTest, IsInProportionToTheErrorOfAndrewsMechanism) {
  expect_proportion(seven_bodies(duration(0.03, 0.002)));
}

TEST_P(ToleranceTest, IsInProportionToTheErrorOfASpatialSliderCrank) {
  expect_proportion(spatial_slider_crank(16, duration(0.5, 0.1)));
}

TEST_P(ToleranceTest, IsInProportionToTheErrorOfAGovernor) {
  expect_proportion(flyball_governor(8e3, 4e2, duration(2, 0.12)));
}

TEST_P(ToleranceTest, IsInProportionToTheErrorOfAStiffGovernor) {
  expect_proportion(flyball_governor(8e5, 4e4, duration(2, 0.12)));
}

INSTANTIATE_TEST_SUITE_P(Methods, ToleranceTest,
                         ::testing::Values(Method{"Hht", IntegratorType::hht, true},
                                           Method{"GeneralizedAlpha", IntegratorType::generalized_alpha, true},
                                           Method{"Bdf", IntegratorType::bdf, false},
                                           Method{"Radau", IntegratorType::radau, false},
                                           Method{"HhtSi2", IntegratorType::hht_si2, true},
                                           Method{"NstiffSi2", IntegratorType::nstiff_si2, true},
                                           Method{"HhtAdd", IntegratorType::hht_add, true}),
                         [](const auto& i) { return std::string(i.param.name); });

struct DenseErrors {
  double q = 0, v = 0, reactions = 0;
};

DenseErrors worst(const DenseErrors& a, const DenseErrors& b) {
  return {std::max(a.q, b.q), std::max(a.v, b.v), std::max(a.reactions, b.reactions)};
}

DenseErrors errors_at(const Problem& problem, const State& s, const Moment& exact) {
  const System& system = problem.model.system;
  Kinematics k = system.make_kinematics();
  std::vector<Wrench> reactions(system.joints.size());
  system.update(s, k);
  system.reactions(k, reactions);
  DenseErrors e{distance(system, exact.state.q, s.q), (s.v - exact.state.v).norm(), 0};
  for (size_t j = 0; j < reactions.size(); ++j)
    e.reactions = std::max(e.reactions, (reactions[j].force - exact.reactions[j].force).norm());
  return e;
}

class DenseOutput : public ::testing::TestWithParam<IntegratorType> {};

/// Runs that end at one of the times have a step end there; the longest run has its steps where it likes. Errors rise and
/// fall along the motion: fifty times see more of that than ten, hence the factor.
TEST_P(DenseOutput, IsAsGoodAsTheEndsOfSteps) {
  constexpr int times = 50;
  const Problem crank = spatial_slider_crank(times, 0.5);
  for (const double rtol : {1e-4, 1e-7}) {
    if (rtol < 1e-5 && GetParam() == IntegratorType::hht) continue;  // 13000 steps: nothing to interpolate
    SCOPED_TRACE(rtol);
    DenseErrors between, ends;
    RunReport report;
    const std::vector<State> dense = states(crank, settings(GetParam(), 0.5, rtol), &report);
    for (int i = 0; i < times; ++i) between = worst(between, errors_at(crank, dense[i], crank.exact[i]));
    for (int i = times / 10; i <= times; i += times / 10) {
      const std::vector<State> run = states(crank, settings(GetParam(), crank.exact[i - 1].state.t, rtol));
      ends = worst(ends, errors_at(crank, run.back(), crank.exact[i - 1]));
    }
    EXPECT_LT(between.q, 5 * ends.q);
    EXPECT_LT(between.v, 5 * ends.v);
    EXPECT_LT(between.reactions, 5 * ends.reactions);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, DenseOutput,
                         ::testing::Values(IntegratorType::hht, IntegratorType::bdf, IntegratorType::radau));

TEST(StepControl, KeepsToTheLargestStep) {
  const Problem crank = slider_crank(2, 5);
  RunSettings s = settings(IntegratorType::radau, 2, 1e-3);
  s.hmax = 0.01;
  RunReport report;
  states(crank, s, &report);
  EXPECT_LE(report.largest_step, 0.01);
  EXPECT_GE(report.steps, 200);
  s.hmax = {};
  states(crank, s, &report);
  EXPECT_GT(report.largest_step, 0.02);
}

TEST(StepControl, ReportsStepsAndWhatRulesThem) {
  const Problem crank = slider_crank(2, 5);
  RunSettings s = settings(IntegratorType::bdf, 2, 1e-5);
  s.step = 0.1;  // too long a guess
  RunReport report;
  states(crank, s, &report);
  EXPECT_GT(report.steps, 50);
  EXPECT_GT(report.rejected_steps, 0);
  EXPECT_LT(report.smallest_step, report.largest_step);
  EXPECT_NE(report.ruling_error.find("of body '"), std::string::npos) << report.ruling_error;
  EXPECT_NE(report.ruling_error.find("% of the steps"), std::string::npos);
}

/// Only one body: it is what rules.
constexpr const char* kKicked = R"(
gravity: [0, 0, 0]
bodies:
  stone: {mass: 1, inertia: [1, 1, 1]}
forces:
  kick: {type: force, on: stone, force: ['if(time - 0.5, 0, 0, 1000)', 0, 0]}
run: {duration: 1, step: 0.01, rtol: 1e-8, hmin: 1e-4, hmax: 0.02, integrator: hht}
)";

TEST(StepControl, StopsAtAJumpWithTheLastGoodState) {
  const Model model = io::read_model_text(kKicked, "kicked.yaml");
  const Started kicked = start(model);
  const Results results = simulate(kicked.system, kicked.state, model.run);
  const RunReport& report = results.report;
  EXPECT_FALSE(report.finished);
  EXPECT_NE(report.stopped_because.find("t = 0.49"), std::string::npos) << report.stopped_because;
  EXPECT_NE(report.stopped_because.find("below hmin = 0.0001 s; the position of body 'stone' rules"), std::string::npos)
      << report.stopped_because;
  const State& last = results.samples.back().state;
  EXPECT_EQ(last.t, report.end_time);
  EXPECT_NEAR(last.t, 0.5, 1e-3);
  EXPECT_LE(last.t, 0.5);
  EXPECT_EQ(last.q.head<3>().norm(), 0);  // nothing of the failed step
}

/// Without a limit the steps become as short as the jump needs, and the motion after it is right: ½·1000·(t − ½)². The
/// estimate of Radau IIA is far larger than its error in smooth motion, and allowed to be; at a jump it is not. Without its
/// velocities it would miss a jump before the first stage and be off by up to half a metre.
TEST(StepControl, PassesAJumpIfItMay) {
  Model model = io::read_model_text(kKicked, "kicked.yaml");
  model.run.hmin = {};
  using enum IntegratorType;
  for (const auto& [type, error] : {std::pair{hht, 1e-3}, {bdf, 1e-3}, {radau, 5e-3}}) {
    SCOPED_TRACE(name_of(type));
    model.run.integrator = type;
    const Started kicked = start(model);
    const Results results = simulate(kicked.system, kicked.state, model.run);
    ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
    EXPECT_NEAR(results.samples.back().state.q[0], 125, error);
  }
}

struct Runaway {
  const char* force;  ///< on a stone that starts at 1 m with 1 m/s
  const char* name;
};

/// Exponential growth; infinite after a finite time, by position and by speed; a value that is lost.
const Runaway kRunaways[] = {{"25*dx(stone)", "Exponential"},
                             {"dx(stone)^2", "PositionSquared"},
                             {"vx(stone)^2", "SpeedSquared"},
                             {"sqrt(0.7-time)", "NoValue"}};

/// A second-order method at this tolerance has made some 2000 steps when the stone is 1e4 ℓ_r away; looked at with the next
/// powers of two. Backward Euler needs as many with a tolerance of 3e-2. Attempts count.
TEST(StepControl, EndsRunawayMotionsSoon) {
  for (const Runaway& runaway : kRunaways)
    for (const IntegratorKind& kind : integrator_kinds()) {
      RunSettings settings;
      settings.integrator = kind.type, settings.duration = 20, settings.step = 0.01;
      settings.rtol = kind.type == IntegratorType::radau_1 ? 3e-2 : 1e-3;
      const Model model = io::read_model_text(std::string(R"(
gravity: [0, 0, 0]
bodies:
  stone: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [1, 0, 0]}
forces:
  push: {type: force, on: stone, force: [")") + runaway.force +
                                                  "\", 0, 0]}\n",
                                              "stone.yaml");
      const Started stone = start(model);
      if (!knows_its_error(kind.type) || !why_not(stone.system, settings).empty()) continue;
      SCOPED_TRACE(std::string(runaway.name) + " " + kind.word);
      const RunReport report = simulate(stone.system, stone.state, settings).report;
      EXPECT_FALSE(report.finished);
      EXPECT_FALSE(report.stopped_because.empty());
      EXPECT_LT(report.steps + report.rejected_steps + report.halved_steps, 2e4) << report.stopped_because;
      EXPECT_GE(report.smallest_step, 1e-12 * settings.duration);
    }
}

/// Height of the slider and speed of the shaft at 0.5, 1 and 2 s, computed by others to 12 digits.
TEST(FlyballGovernorReference, MeetsKnownValues) {
  const Problem governor = flyball_governor(8e5, 4e4);
  const double height[] = {0.743249424786, 0.501420922380, 0.505909294297},
               speed[] = {5.103415421972, 6.271125741877, 6.236223614436};
  for (const auto& [i, time] : {std::pair{0, 3}, {1, 7}, {2, 15}}) {
    const State& s = governor.exact[time].state;
    EXPECT_NEAR(s.q[governor.model.system.nodes()[2].q + 2], height[i], 2e-12);
    EXPECT_NEAR(s.v[governor.model.system.nodes()[1].v + 5], speed[i], 2e-11);
  }
}

TEST(FlyballGovernorReference, SatisfiesTheConstraints) {
  const Problem governor = flyball_governor(8e3, 4e2);
  const System& system = governor.model.system;
  Kinematics k = system.make_kinematics();
  Residual r = system.make_residual();
  for (const Moment& m : governor.exact) {
    system.update(m.state, k);
    system.residual(k, r);
    EXPECT_LT(r.constraint.lpNorm<Eigen::Infinity>(), 2e-15);  // round-off of lengths of 1 m
  }
}

}  // namespace tolerance_test
}  // namespace bricard::testing
