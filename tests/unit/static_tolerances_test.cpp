// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>

#include "bricard/analysis/statics.h"
#include "bricard/read/model_reader.h"
#include "reference/mechanisms.h"
#include "unit/static_tolerance_entries.h"

// Every value of StaticTolerances, multiplied and divided by its margin.
namespace bricard::testing {
namespace static_tolerances_test {

Started strip(double load) {
  return start(io::read_model(BRICARD_SOURCE_DIR "/models/princeton_beam.yaml",
                              {{"load", Quantity(load, parse_unit("N")->dimension)}}));
}

/// A flat two-bar truss, whose limit load is 28.3 N.
Started truss(double load) {
  return start(io::read_model_text(R"(
gravity: [0, 0, 0]
ground: {markers: {left: {position: [-1, 0, 0]}, right: {position: [1, 0, 0]}}}
bodies: {top: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.3]}}
joints: {guide: {type: translational, between: [ground, top], at: [0, 0, 0.3], axis: [0, 0, 1]}}
forces:
  l: {type: spring-damper, between: [ground.left, top], stiffness: 3000}
  r: {type: spring-damper, between: [ground.right, top], stiffness: 3000}
  load: {type: force, on: top, force: [0, 0, )" +
                                       std::to_string(-load) + "]}\n",
                                   "truss.yaml"));
}

Started upright() {
  return start(io::read_model_text(R"(
bodies: {rod: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5]}}
joints: {pin: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}}
)",
                                   "rod.yaml"));
}

struct Outcome {
  StaticReport report;
  VectorXd q;
};

Outcome outcome_of(const Started& model, const StaticTolerances& tolerances) {
  State s = model.state;
  const StaticReport report = find_equilibrium(model.system, SolverType::automatic, s, tolerances);
  return {report, s.q};
}

StaticTolerances moved(const StaticToleranceEntry& entry, double factor) {
  StaticTolerances t;
  t.*entry.value *= factor;
  return t;
}

class StaticTrials : public ::testing::Test {
 protected:
  StaticTrials() {
    for (const double load : {1e-6, 8.896, 40.0}) trials_.push_back(strip(load));
    for (const double load : {20.0, 26.0, 40.0}) trials_.push_back(truss(load));
    trials_.push_back(upright());
    trials_.push_back(start(chain(12)));
  }
  std::vector<Started> trials_;
};

TEST_F(StaticTrials, DoNotDependOnAnyToleranceWithinItsMargin) {
  for (size_t i = 0; i < trials_.size(); ++i) {
    SCOPED_TRACE(i);
    const Outcome usual = outcome_of(trials_[i], {});
    ASSERT_TRUE(usual.report.found) << usual.report.text();
    for (const StaticToleranceEntry& entry : static_tolerance_entries())
      for (const double factor : {entry.margin, 1 / entry.margin}) {
        SCOPED_TRACE(entry.name);
        const Outcome other = outcome_of(trials_[i], moved(entry, factor));
        EXPECT_TRUE(other.report.found) << factor;
        EXPECT_EQ(other.report.stability, usual.report.stability) << factor;
        EXPECT_LT((other.q - usual.q).lpNorm<Eigen::Infinity>(), 1e-8) << factor;  // of lengths of 1 m
      }
  }
}

TEST_F(StaticTrials, UseEveryTolerance) {
  std::string unused;
  for (const StaticToleranceEntry& entry : static_tolerance_entries()) {
    bool used = entry.margin == 1;
    for (size_t i = 0; i < trials_.size() && !used; ++i) {
      const Outcome usual = outcome_of(trials_[i], {});
      for (const double factor : {1e6, 1e-6}) {
        const Outcome other = outcome_of(trials_[i], moved(entry, factor));
        used = used || other.report.found != usual.report.found || other.q != usual.q ||
               other.report.stability != usual.report.stability || other.report.iterations != usual.report.iterations;
      }
    }
    if (!used) unused += std::string(" ") + entry.name;
  }
  EXPECT_EQ(unused, "");
}

}  // namespace static_tolerances_test
}  // namespace bricard::testing
