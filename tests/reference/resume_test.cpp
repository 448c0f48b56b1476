// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "bricard/analysis/run_model.h"
#include "bricard/assemble/assemble.h"
#include "bricard/integrate/integrator.h"
#include "bricard/read/model_reader.h"
#include "bricard/write/json_writer.h"

// A run that is stopped after any step and goes on from its memory is the run that was not stopped, bit for bit.
namespace bricard::testing {
namespace resume_test {

constexpr int kSteps = 40;

/// Two rods with a spring that counts turns, an applied force and a damper, which do work.
constexpr const char* kRods = R"(
bodies:
  a: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], angular_velocity: [0, 30, 0]}
  b: {mass: 2, inertia: [0.1, 0.01, 0.1], position: [1, 0.5, 0]}
joints:
  A: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}
  B: {type: spherical, between: [a, b], at: [1, 0, 0]}
forces:
  torsion: {type: torsion-spring, joint: A, stiffness: 40, damping: 0.5}
  line: {type: spring-damper, between: [ground, b], stiffness: 300, damping: 2, free_length: 1}
run: {duration: 0.3, step: 5e-3}
)";

/// A weight on a string's place of a stop, let go and caught again: constraints and inputs change on the way.
constexpr const char* kEvents = R"(
bodies:
  bar: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, between: [ground, bar], at: [0, 0, 0], axis: [0, 1, 0]}
forces:
  bumper: {type: joint-stop, joint: hinge, upper: 0.4, stiffness: 2000, damping: 5}
motions: {hold: {joint: hinge, displacement: 0.3*t}}
events:
  go: {when: t - 0.1, deactivate: [hold]}
  seen: {when: angle(hinge) - 0.2}
run: {duration: 0.6, step: 1e-2}
)";

/// Parallel bars, with more joints than are needed, that rest until a pulse comes that is shorter than steps would be.
constexpr const char* kPulse = R"(
gravity: [0, 0, 0]
bodies:
  left: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [0, 0, 0.5]}
  right: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [1, 0, 0.5]}
  top: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 1]}
joints:
  A: {type: revolute, between: [ground, left], at: [0, 0, 0], axis: [0, 1, 0]}
  B: {type: revolute, between: [left, top], at: [0, 0, 1], axis: [0, 1, 0]}
  C: {type: revolute, between: [top, right], at: [1, 0, 1], axis: [0, 1, 0]}
  D: {type: revolute, between: [right, ground], at: [1, 0, 0], axis: [0, 1, 0]}
forces:
  pulse: {type: force, on: top, force: ["300*max(0, 1 - ((t - 0.3)/0.01)^2)^3", 0, 0]}
run: {duration: 0.6, step: 1e-2}
)";

Model named(const char* name) { return io::read_model(std::string(BRICARD_SOURCE_DIR "/models/") + name + ".yaml"); }

/// All that a run has to show but the time it took, as bytes.
std::string shown(const Results& results) {
  std::vector<Sample> samples = results.samples;
  Archive x;
  x(samples);
  RunReport report = results.report;
  report.seconds.clear();
  return x.take_bytes() + io::certificate_json(report);
}

class Runs {
 public:
  explicit Runs(const Model& model)
      : model_(model), system_(assemble(model)), start_(start_of(model, system_, Analysis::dynamics)) {
    hooks_.at = {0.21 * model.run.duration, 0.77 * model.run.duration};
  }

  Results run(const SimulationHooks& hooks) const {
    return bricard::run(model_, system_, start_, Analysis::dynamics, hooks);
  }
  /// Stops after `step` steps and goes on from there.
  Results in_two(long step) const {
    std::string memory;
    SimulationHooks first = hooks_, second = hooks_;
    first.cancelled = [&step] { return --step == 0; };
    first.checkpoint = [&](std::string bytes) { memory = std::move(bytes); };
    const Results stopped = run(first);
    EXPECT_FALSE(memory.empty());
    second.memory = memory;
    return run(second);
  }
  void compare(unsigned seed) const {
    const Results whole = run(hooks_);
    if (whole.report.steps < 2) return;
    std::mt19937 random(seed);
    const long step = 1 + static_cast<long>(random() % static_cast<unsigned>(whole.report.steps - 1));
    EXPECT_TRUE(shown(in_two(step)) == shown(whole)) << "stopped after " << step << " of " << whole.report.steps;
  }

 private:
  Model model_;
  System system_;
  StartState start_;
  SimulationHooks hooks_;
};

struct Case {
  const char* name;
  Model model;
};

std::vector<Case> cases() {
  std::vector<Case> all{{"rods", io::read_model_text(kRods, "rods.yaml")},
                        {"events", io::read_model_text(kEvents, "events.yaml")},
                        {"pulse", io::read_model_text(kPulse, "pulse.yaml")}};
  for (const char* name : {"n_four_bar", "rolling_disc", "singular_slider_crank"}) {
    all.push_back({name, named(name)});
    RunSettings& run = all.back().model.run;
    run.rtol.reset();
    run.output_step.reset();
    run.duration = std::min(run.duration, kSteps * run.step);
  }
  return all;
}

class Resume : public ::testing::TestWithParam<IntegratorType> {};

TEST_P(Resume, EqualsTheRunThatWasNotStopped) {
  unsigned seed = 1;
  for (Case& c : cases())
    for (const bool tolerance : {false, true})
      for (const Coordinates coordinates : {Coordinates::bodies, Coordinates::natural}) {
        SCOPED_TRACE(fmt::format("{}, {}, {}", c.name, tolerance ? "rtol" : "step", static_cast<int>(coordinates)));
        if (tolerance && !kind_of(GetParam()).uses("rtol")) continue;
        Model model = c.model;
        model.run.integrator = GetParam();
        model.run.coordinates = coordinates;
        if (tolerance) {
          model.run.rtol = GetParam() == IntegratorType::radau_1 ? 1e-2 : 1e-3;
          model.run.output_step = model.run.duration / 30;
        }
        try {
          Runs(model).compare(++seed);
        } catch (const ModelError&) {  // not a model for this method
        }
      }
}

INSTANTIATE_TEST_SUITE_P(Integrators, Resume, ::testing::ValuesIn([] {
                           std::vector<IntegratorType> types;
                           for (const IntegratorKind& kind : integrator_kinds()) types.push_back(kind.type);
                           return types;
                         }()),
                         [](const auto& test) {
                           std::string name = name_of(test.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(ResumeWith, EverySolver) {
  unsigned seed = 100;
  for (Case& c : cases())
    for (const SolverType solver : {SolverType::dense, SolverType::skyline, SolverType::sparse_lu, SolverType::klu}) {
      SCOPED_TRACE(fmt::format("{}, solver {}", c.name, static_cast<int>(solver)));
      c.model.run.solver = solver;
      Runs(c.model).compare(++seed);
    }
}

/// A load that is let go at 1.5 s and caught at 2.4 s: the matrices of the second half know nothing of the start.
TEST(ResumeWith, JointsThatWereSwitched) {
  Model model = named("release_and_catch");
  model.run.step = 5e-3;
  unsigned seed = 200;
  for (const IntegratorType type : {IntegratorType::hht, IntegratorType::bdf, IntegratorType::rk4}) {
    SCOPED_TRACE(name_of(type));
    model.run.integrator = type;
    const Runs runs(model);
    for (int i = 0; i < 3; ++i) runs.compare(++seed);
  }
}

TEST(ResumeFrom, AMemoryOfAnotherShapeIsRefused) {
  const Runs rods(io::read_model_text(kRods, "rods.yaml"));
  SimulationHooks hooks;
  hooks.checkpoint_interval = 0;
  hooks.checkpoint = [&](std::string bytes) { hooks.memory = std::move(bytes); };
  rods.run(SimulationHooks(hooks));
  const std::string good = hooks.memory;
  ASSERT_GT(good.size(), 100u);
  hooks.checkpoint = {};
  for (const std::string& bad : {good.substr(0, good.size() / 2), good + "more"}) {
    hooks.memory = bad;
    EXPECT_THROW(rods.run(hooks), ArchiveError);
  }
}

}  // namespace resume_test
}  // namespace bricard::testing
