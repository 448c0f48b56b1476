// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

#include "bricard/integrate/integrator.h"
#include "bricard/read/model_reader.h"
#include "reference/mechanisms.h"
#include "unit/tolerance_entries.h"

// Every value of Tolerances, multiplied and divided by its margin.
namespace bricard::testing {
namespace tolerances_test {

using I = IntegratorType;

/// A motion of a few steps that meets what the values are about.
struct Trial {
  const Started* model;
  I type;
  double h;
  int singular = -1;  // coordinate that is 0 at a singular position, which a step is to hit
  double tolerance = 1e-8;
  std::optional<int> order = {};
  std::optional<double> rtol = {};
};
constexpr int kSteps = 16, kMiddle = 8;

struct Outcome {
  bool finished = true;
  State end;
  long iterations = 0;
  SolverCounts counts;
};

Outcome outcome_of(const Trial& trial, double h, int steps, const Tolerances& tolerances) {
  RunSettings settings;
  settings.integrator = trial.type;
  settings.tolerance = trial.tolerance;
  settings.order = trial.order;
  settings.rtol = trial.rtol;
  const std::unique_ptr<Integrator> integrator = make_integrator(trial.model->system, settings, tolerances);
  Outcome outcome;
  outcome.end = trial.model->state;
  integrator->start(outcome.end);
  for (int i = 0; i < steps && outcome.finished; ++i) {
    const StepReport report = integrator->step(h, outcome.end);
    outcome.iterations += report.iterations;
    outcome.finished = report.status == StepStatus::accepted;
  }
  outcome.counts = integrator->counts();
  return outcome;
}

Outcome outcome_of(const Trial& trial, const Tolerances& t) { return outcome_of(trial, trial.h, kSteps, t); }

/// With a step that ends at the singular position, by the secant rule.
Trial steered(Trial trial) {
  const auto at = [&](double h) { return outcome_of(trial, h, kMiddle, {}).end.q[trial.singular]; };
  double before = trial.h, there = at(before);
  trial.h *= 1.01;
  for (int i = 0; i < 6; ++i) {
    const double here = at(trial.h);
    if (std::abs(here) < 1e-13 || here == there) break;
    const double next = trial.h - here * (trial.h - before) / (here - there);
    before = std::exchange(trial.h, next);
    there = here;
  }
  return trial;
}

double distance(const Outcome& a, const Outcome& b) { return (a.end.q - b.end.q).lpNorm<Eigen::Infinity>(); }

/// The value, moved by a factor; of those near 1 the distance from it.
Tolerances moved(const ToleranceEntry& entry, double factor) {
  Tolerances t;
  double& value = t.*entry.value;
  value = value > 0.5 && value < 1 ? 1 - (1 - value) * factor : value * factor;
  return t;
}

/// A four-bar with redundant rows and a slider-crank without meet their singular positions in the middle of the motion; a chain
/// in space and a disc that rolls have none.
class Trials : public ::testing::Test {
 protected:
  Trials() {
    const int bar = bars_.system.nodes()[1].q + 1, crank = crank_.system.nodes()[1].q;
    for (const I type : {I::hht, I::radau, I::hht_add, I::rk4, I::alnr, I::generalized_alpha})
      trials_.push_back(steered({&bars_, type, 4.5e-3, bar}));
    for (const I type : {I::hht, I::radau}) trials_.push_back(steered({&crank_, type, 2.2e-3, crank}));
    trials_.push_back({&at_singular_, I::hht, 4e-3});
    trials_.push_back({&upright_, I::energy_decaying, 2e-2});
    trials_.push_back({&chain_, I::hht_si2, 1e-2});
    trials_.push_back({&chain_, I::bdf, 1e-2, -1, 1e-8, 4});
    trials_.push_back({&chain_, I::radau, 4e-3, -1, 1e-8, {}, 1e-6});
    trials_.push_back({&disc_, I::generalized_alpha, 4e-3});
  }
  Started bars_ = start(n_four_bar(1, 0.01, 0.04, -1));
  Started crank_ = start(io::read_model(BRICARD_SOURCE_DIR "/models/singular_slider_crank.yaml", {{"start", 1.52}}));
  Started at_singular_ = start(n_four_bar(1, 0.01, 1e-8, -1));
  Started upright_ = start(n_four_bar(1, 0.01, 1.2, -1));
  Started chain_ = start(chain(3));
  Started disc_ = start(io::read_model(BRICARD_SOURCE_DIR "/models/rolling_disc.yaml"));
  std::vector<Trial> trials_;
};

TEST_F(Trials, DoNotDependOnAnyToleranceWithinItsMargin) {
  for (const Trial& trial : trials_) {
    const Outcome usual = outcome_of(trial, {});
    ASSERT_TRUE(usual.finished) << name_of(trial.type);
    // a tenth of what half the step would change, or a millionth of a link
    const Outcome finer = outcome_of(trial, trial.h / 2, 2 * kSteps, {});
    const double allowed = std::max(0.1 * distance(usual, finer), 1e-6);
    for (const ToleranceEntry& entry : tolerance_entries())
      for (const double factor : {entry.margin, 1 / entry.margin}) {
        const Outcome other = outcome_of(trial, moved(entry, factor));
        EXPECT_TRUE(other.finished) << name_of(trial.type) << " " << entry.name << " × " << factor;
        EXPECT_LE(distance(usual, other), allowed) << name_of(trial.type) << " " << entry.name << " × " << factor;
      }
  }
}

/// A motion that no value can change says nothing about its margin.
TEST_F(Trials, UseEveryTolerance) {
  std::vector<Outcome> usual;
  for (const Trial& trial : trials_) usual.push_back(outcome_of(trial, {}));
  std::string unused;
  for (const ToleranceEntry& entry : tolerance_entries()) {
    bool used = entry.margin == 1;
    for (size_t i = 0; i < trials_.size() && !used; ++i)
      for (const double factor : {1e12, 1e-12}) {
        const Outcome other = outcome_of(trials_[i], moved(entry, factor));
        used = used || !other.finished || other.iterations != usual[i].iterations || other.end.q != usual[i].end.q ||
               other.end.lambda != usual[i].end.lambda ||
               other.counts.factorizations != usual[i].counts.factorizations ||
               other.counts.refinements != usual[i].counts.refinements || other.counts.solves != usual[i].counts.solves;
      }
    if (!used) unused += std::string(" ") + entry.name;
  }
  EXPECT_EQ(unused, "");
}

TEST(Tolerances, HaveNamesAndMargins) {
  std::set<std::string> names;
  for (const ToleranceEntry& entry : tolerance_entries()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_GE(entry.margin, 1) << entry.name;
    EXPECT_GT(std::string(entry.meaning).size(), 0u) << entry.name;
  }
}

}  // namespace tolerances_test
}  // namespace bricard::testing
