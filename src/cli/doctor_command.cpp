// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Core>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/model/enum_names.h"
#include "bricard/read/model_reader.h"
#include "bricard/report/page_writer.h"
#include "bricard/write/result_writer.h"
#include "cli/commands.h"
#include "cli/model_folder.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPendulum = R"(
name: self-test
bodies:
  rod: {mass: 2, inertia: [0.01, 0.2, 0.2], position: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}
run: {duration: 1, step: 1/1000, alpha: 0}
)";

struct SelfTest {
  bool good;
  std::string text;
};

/// Without numerical damping the energy of a pendulum stays within O(h²) of its start.
SelfTest test_pendulum(SolverType solver) {
  Model model = io::read_model_text(kPendulum, "self-test.yaml");
  model.run.solver = solver;
  const System system = assemble(model);
  State state = initial_wishes(model, system);
  if (!consistent_start(system, solver, state).assembled) return {false, "does not start"};
  const Results results = simulate(system, state, model.run);
  double largest = 0;
  for (const Sample& sample : results.samples) largest = std::max(largest, sample.kinetic);
  const double defect = results.report.max_energy_defect;
  const bool good = results.report.finished && largest > 0 && defect < 1e-4 * largest;
  return {good, fmt::format("energy defect {:.1e} of {:.3g} J", defect, largest)};
}

std::string models_text() {
  const fs::path folder = model_folder();
  std::error_code error;
  long files = 0;
  for (const auto& entry : fs::directory_iterator(folder, error)) files += entry.path().extension() == ".yaml";
  return fmt::format("{} ({})", folder.string(), error ? "missing" : count(files, "file"));
}

int doctor() {
  const Stopwatch watch;
  std::string text =
      fmt::format("bricard {}\n  build      {}, compiler {}\n  libraries  Eigen {}.{}.{}, HDF5 {}\n"
                  "  viewer     {}\n  models     {}\n",
                  BRICARD_VERSION, BRICARD_BUILD, __VERSION__, EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
                  EIGEN_MINOR_VERSION, io::hdf5_version(), io::has_viewer() ? "built in" : "missing", models_text());
  bool all_good = true;
  for (const auto& solver : io::enum_names(SolverType{})) {
    const SelfTest test = test_pendulum(solver.value);
    text += fmt::format("  solver     {:<12} {:<4}  {}\n", solver.name, test.good ? "good" : "BAD", test.text);
    all_good = all_good && test.good;
  }
  text += fmt::format("  self-test  {} in {:.2g} s\n", all_good ? "good" : "BAD", watch.seconds());
  print(text);
  return all_good ? kGood : kNotFinished;
}

}  // namespace

void add_doctor_command(Program& app, int& exit_code) {
  Command* command = app.add_subcommand("doctor", "Say what this program is made of and test it on a pendulum");
  command->footer("Example:\n  bricard doctor");
  command->callback([&exit_code] { exit_code = doctor(); });
}

}  // namespace bricard::cli
