// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "bricard/analysis/eigenmodes.h"
#include "bricard/assemble/assemble.h"
#include "bricard/report/text_table.h"
#include "bricard/write/files.h"
#include "bricard/write/linear_writer.h"
#include "bricard/write/result_writer.h"
#include "cli/commands.h"
#include "cli/linear_input.h"
#include "cli/run_input.h"
#include "cli/run_overrides.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

struct ModesCommand {
  LinearInput input;
  std::string output, csv, shift;
  int count = 0;
  bool json = false, undamped = false;
};

std::string modes_text(const EigenmodeResult& result) {
  std::vector<io::TextRow> rows;
  for (const Eigenmode& mode : result.modes)
    rows.push_back({std::to_string(rows.size() + 1), fmt::format("{:.6g}", mode.frequency()),
                    fmt::format("{:.4g}", mode.damping()), fmt::format("{:.6g}", mode.s.real()),
                    fmt::format("{:.6g}", mode.s.imag()), (mode.doubtful() ? "doubtful: " : "") + mode.label});
  return io::text_table(
      {"mode", "frequency [Hz]", "damping", "real [1/s]", "imaginary [1/s]", "who moves, what is strained"}, rows, 120);
}

int run(const ModesCommand& o) {
  const io::LinearModel read = o.input.read();
  const Model& model = read.model;
  for (const std::string& file : {o.output, o.csv})
    if (!file.empty()) check_output(model, file);
  EigenmodeOptions options;
  if (o.count < 0) throw UsageError(fmt::format("--count = {}: must be >= 0", o.count));
  options.count = o.count;
  options.undamped = o.undamped;
  if (!o.shift.empty()) options.shift = parse_number("--shift", o.shift, "1/s");
  if (!o.shift.empty() && !(options.shift > 0)) throw UsageError(fmt::format("--shift = {}: must be > 0", o.shift));
  System system = assemble(model);
  const LinearizeOptions states = linearize_options(model, read.settings, system);
  const OperatingPoint point = o.input.find_point(read, system);
  LinearEquations equations(system, point.state, states);
  check_linear(model, equations.report());
  EigenmodeResult result = find_eigenmodes(equations, system, options);
  label_modes(model, system, point.state, equations, result.modes);
  if (!o.input.quiet) {
    say(fmt::format("{}: {} of {}, {}", model.name, count(static_cast<long>(result.modes.size()), "mode"),
                    count(equations.size(), "state"), result.iterative ? "iterative" : "all at once"));
    say("  about        " + point.remark);
    say(choice_text(equations.report(), equations.positions(), equations.velocities()));
    const StabilityVerdict verdict = judge_stability(result.modes);
    say(fmt::format("  motions are  {}{}; largest real part {:.6g} 1/s, {} that {} zero", name_of(verdict.stability),
                    result.iterative ? " as far as these modes tell" : "", verdict.growth,
                    count(verdict.zeros, "eigenvalue"), verdict.zeros == 1 ? "is" : "are"));
  }
  if (!o.output.empty()) {
    io::ResultFile file = io::state_file(model, system, point.state, "modes");
    file.modes = io::mode_table(result.modes, model, system, point.state);
    io::write_result_file(file, o.output);
  }
  if (!o.csv.empty()) io::write_file(o.csv, io::modes_csv(result.modes));
  print(o.json ? io::modes_json(result, model, system, point.state, equations.report(), point.remark) + "\n"
               : modes_text(result));
  if (!result.problem.empty()) say(fmt::format("bricard: {}: {}", o.input.model, result.problem));
  return result.problem.empty() ? kGood : kNotFinished;
}

constexpr const char* kModesFooter =
    "Of each conjugate pair of eigenvalues one is listed; frequency is |s|/2pi, damping -Re(s)/|s|. A mode is called\n"
    "doubtful if less than six digits of it are certain. Up to 600 states all\n"
    "modes are found at once, beyond that the 20 slowest, or as many as --count says, without forming the matrices.\n\n"
    "Examples:\n"
    "  bricard modes models/washing_machine.yaml --point static\n"
    "  bricard modes models/washing_machine.yaml --point static -o modes.h5 && bricard view modes.h5 --open\n"
    "  bricard modes models/rotor_stator.yaml --set \"speed=1 rev/s\" --reference rotor.center";

}  // namespace

void add_modes_command(Program& app, int& exit_code) {
  const auto o = std::make_shared<ModesCommand>();
  Command* command = app.add_subcommand("modes", "Frequencies, damping and shapes of small motions");
  o->input.add_options(*command, false);
  command->add_option("--count", o->count, "How many, the slowest first; 0: all")->type_name("N");
  command->add_option("--shift", o->shift, "Iterate for the eigenvalues nearest to this real number, in 1/s")
      ->type_name("SIGMA");
  command->add_flag("--undamped", o->undamped, "Stiffness and mass alone");
  command->add_option("-o,--output", o->output, "Write an HDF5 file with the shapes, for `view`")->type_name("FILE");
  command->add_option("--csv", o->csv, "Write a table")->type_name("FILE");
  command->add_flag("--json", o->json, "Print everything as JSON, shapes too");
  command->footer(kModesFooter);
  command->callback([o, &exit_code] { exit_code = run(*o); });
}

}  // namespace bricard::cli
