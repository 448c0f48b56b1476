// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "bricard/assemble/assemble.h"
#include "bricard/write/linear_writer.h"
#include "cli/commands.h"
#include "cli/linear_input.h"
#include "cli/run_input.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

constexpr long kMostStates = 6000;  // matrices of this size need 300 MB each

struct LinearizeCommand {
  LinearInput input;
  std::vector<std::string> outputs;
  bool json = false;
};

void check_files(const Model& model, const std::vector<std::string>& outputs) {
  for (const std::string& path : outputs) {
    const std::string ending = std::filesystem::path(path).extension().string();
    const auto& known = io::linear_formats();
    if (std::find(known.begin(), known.end(), ending) == known.end())
      throw UsageError(
          fmt::format("--output = {}: the ending says the format; known: {}", path, fmt::join(known, ", ")));
    for (const std::string& file : io::files_of(path)) check_output(model, file);
  }
}

int run(const LinearizeCommand& o) {
  const io::LinearModel read = o.input.read();
  const Model& model = read.model;
  check_files(model, o.outputs);
  System system = assemble(model);
  const LinearizeOptions states = linearize_options(model, read.settings, system);
  const OperatingPoint point = o.input.find_point(read, system);
  const LinearEquations equations(system, point.state, states);
  check_linear(model, equations.report());
  if (equations.size() > kMostStates)
    refuse(model, fmt::format("{} states are too many for matrices that are written in full; use `bricard modes`",
                              equations.size()));
  const Linearization lin = linearize(equations, model, read.settings, system, point.state);
  if (!o.input.quiet) {
    say(fmt::format("{}: {} in {}, {}, {}", model.name, count(static_cast<long>(lin.positions.size()), "coordinate"),
                    count(lin.states(), "state"), count(static_cast<long>(lin.inputs.size()), "input"),
                    count(static_cast<long>(lin.outputs.size()), "output")));
    say("  about        " + point.remark);
    say(choice_text(lin.report, lin.positions, lin.velocities));
  }
  for (const std::string& path : o.outputs)
    for (const std::string& file : io::write_linearization(lin, point.remark, path))
      if (!o.input.quiet) say("  written      " + file);
  if (o.json || o.outputs.empty()) print(io::linearization_json(lin, point.remark) + "\n");
  return kGood;
}

constexpr const char* kLinearizeFooter =
    "Writes A, B, C, D of x' = A x + B u, y = C x + D u and mass, damping and stiffness matrix, with the names and "
    "units of\n"
    "states, inputs and outputs: .json, .mat (MATLAB), .npz (numpy), or a file per matrix: .csv, .mtx (Matrix "
    "Market).\n"
    "Without --output, JSON on stdout. Wanted coordinates that depend on others are left out, missing ones are "
    "completed\n"
    "with coordinates of bodies; what was done is said on stderr and in the JSON.\n\n"
    "Examples:\n"
    "  bricard linearize models/double_pendulum.yaml --point static -o pendulum.mat -o pendulum.npz\n"
    "  bricard linearize models/rotor_stator.yaml --state \"spin=angle(bearing)\" --reference rotor.center --json";

}  // namespace

void add_linearize_command(Program& app, int& exit_code) {
  const auto o = std::make_shared<LinearizeCommand>();
  Command* command = app.add_subcommand("linearize", "Matrices of small motions, in coordinates of your choice");
  o->input.add_options(*command, true);
  command->add_option("-o,--output", o->outputs, "Write the matrices; the ending says how; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command->add_flag("--json", o->json, "Print everything as JSON");
  command->footer(kLinearizeFooter);
  command->callback([o, &exit_code] { exit_code = run(*o); });
}

}  // namespace bricard::cli
