// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "bricard/analysis/check_model.h"
#include "bricard/analysis/find_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "generators/judge.h"
#include "generators/rolling_models.h"

// Random wheels, blades and tops at the step that `check` suggests, by the default integrator: energy and slip stay
// bounded, or the run does not end as good.
namespace bricard::testing {

void PrintTo(const RollingFamily& f, std::ostream* out);
void PrintTo(const RollingFamily& f, std::ostream* out) { *out << f.name; }

namespace rolling_test {

// A suggested step aims at errors of about 1 %: that much of the energy in motion, five times over; slip is no matter
// of the step but of the condition itself, whose error may be that of the positions in a step.
constexpr double kEnergy = 0.05, kSlip = 1e-3;
constexpr double kDuration = 3;

/// Why a run is not good, in its own words; "" if it is.
std::string what_it_says_against(const RunReport& report) {
  if (!report.stopped_because.empty()) return report.stopped_because;
  if (report.verdict() == Verdict::good) return "";
  return std::string(name_of(report.verdict())) + ": " + (report.doubts.empty() ? "" : report.doubts[0].text);
}

Judgement judge_rolling(const RollingFamily& family, unsigned seed) {
  Draw draw(seed);
  Judgement result;
  result.model = family.draw(draw);
  try {
    Model model = io::read_model_text(result.model, "drawn.yaml");
    model.run.duration = kDuration;
    const double step = check_model(model).scales.suggested_step;
    if (step > 0) model.run.step = std::min(step, kDuration);
    result.model += fmt::format("run: {{duration: {}, step: {:.17g}}}\n", kDuration, model.run.step);
    const System system = assemble(model);
    const StartState start = find_start(model, system, StartType::given);
    const Results results = simulate(system, start.state, model.run);
    result.said = what_it_says_against(results.report);
    if (!result.said.empty()) return result;
    double energy = 1e-9, speed = 1e-3;
    Kinematics k = system.make_kinematics();
    for (const Sample& sample : results.samples) {
      energy = std::max(energy, sample.kinetic);
      system.update(sample.state, k);
      for (const Frame& f : k.frames) speed = std::max(speed, f.v.norm());
    }
    result.note("energy", results.report.max_energy_defect / energy, kEnergy);
    result.note("slip", results.report.max_velocity_violation / speed, kSlip);
  } catch (const std::exception& e) {
    result.stopped = std::string("refused: ") + e.what();
  }
  return result;
}

class Rolling : public ::testing::TestWithParam<RollingFamily> {};

TEST_P(Rolling, KeepsEnergyAndDoesNotSlipAtTheSuggestedStep) {
  const char* one = std::getenv("BRICARD_SEED");
  const unsigned first = one ? std::atoi(one) : 0, count = one ? 1 : wanted_count(10, 110);
  Tally tally(GetParam().name);
  for (unsigned seed = first; seed < first + count; ++seed) tally.add(seed, judge_rolling(GetParam(), seed));
  std::cout << tally.text();
  EXPECT_EQ(tally.bad(), 0);
  // To say that one does not know is no way to be right.
  EXPECT_LE(tally.without_answer(), static_cast<int>(count) / 10);
}

/// Both wheels have the same condition along the axle, which is hard to see.
TEST(RollingRows, CountsTheRedundantRowsOfACart) {
  for (const RollingFamily& family : rolling_families()) {
    if (family.name != "carts") continue;
    const Judgement cart = judge_rolling(family, 21);
    EXPECT_TRUE(cart.good() && cart.said.empty()) << cart.said << cart.stopped;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Rolling, ::testing::ValuesIn(rolling_families()),
                         [](const auto& i) { return i.param.name; });

}  // namespace rolling_test
}  // namespace bricard::testing
