// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/io/csv_writer.h"
#include "bricard/io/enum_names.h"
#include "bricard/io/files.h"
#include "bricard/io/json_writer.h"
#include "bricard/io/model_reader.h"
#include "bricard/io/result_writer.h"
#include "cli/certificate_text.h"
#include "cli/commands.h"
#include "cli/run_overrides.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string model, output, csv, at;
  bool json = false, quiet = false;
  std::vector<std::string> parameters;
  RunOverrides settings;
};

Model read(const RunOptions& o) {
  const std::string text = io::read_file(o.model);  // not there: another matter than a wrong model
  Model model = io::read_model_text(text, o.model, parse_parameters(o.parameters));
  model.run = o.settings.apply(model.run);
  return model;
}

/// What is asked for is written; if nothing is, the result file in the current folder.
std::string output_of(const RunOptions& o) {
  if (!o.output.empty() || o.json || !o.csv.empty()) return o.output;
  return fs::path(o.model).stem().string() + ".h5";
}

/// Before hours of work: can the results be written, and would they overwrite the model?
void check_outputs(const Model& model, const std::string& output, const std::string& csv) {
  for (const std::string& file : {output, csv}) {
    if (file.empty()) continue;
    std::error_code ignored;
    for (const SourceFile& source : model.sources)
      if (fs::equivalent(file, source.path, ignored))
        throw UsageError(
            fmt::format("{}: is a file of the model; give the results another name", file));
    io::check_writable(file);
  }
  if (!output.empty() && fs::path(output).lexically_normal() == fs::path(csv).lexically_normal())
    throw UsageError(fmt::format("{}: is given both for --output and --csv", csv));
}

State start_of(const Model& model, const System& system, RunReport& report, bool quiet) {
  State state = initial_wishes(model, system);
  const StartReport start = consistent_start(system, model.run.solver, state);
  if (!start.assembled)
    throw ModelError({{{},
                       fmt::format("{}: {}", model.sources[0].path, start.problem)}});
  report.degrees_of_freedom = start.degrees_of_freedom;
  report.redundant_constraints = start.redundant_constraints;
  if (quiet) return state;
  std::string line =
      fmt::format("{}: {}, {}", model.name, count(static_cast<long>(model.bodies.size()), "body"),
                  count(static_cast<long>(model.joints.size()), "joint"));
  if (start.degrees_of_freedom)
    line += ", " + count(start.degrees_of_freedom, "degree") + " of freedom";
  if (start.redundant_constraints)
    line += ", " + count(start.redundant_constraints, "redundant constraint");
  say(line);
  if (start.largest_move > 1e-6 * system.reference_length)
    say(fmt::format("  start        bodies moved to meet the joints, {} most: {:.3g} m",
                    start.most_moved, start.largest_move));
  return state;
}

/// Takes over what was found before the simulation.
void complete(RunReport& report, const RunReport& before) {
  report.degrees_of_freedom = before.degrees_of_freedom;
  report.redundant_constraints = before.redundant_constraints;
  report.seconds.insert(before.seconds.begin(), before.seconds.end());
}

void write(const Model& model, const System& system, const Results& results,
           const std::string& output, const std::string& csv) {
  if (output.empty() && csv.empty()) return;
  const io::ResultFile file = io::make_result_file(model, system, results);
  if (!output.empty()) io::write_result_file(file, output);
  if (!csv.empty()) io::write_csv(file.table, csv);
}

int run(const RunOptions& o) {
  Stopwatch watch;
  RunReport before;
  const Model model = read(o);
  const std::vector<double> at = parse_times(o.at, model.run.duration);
  const std::string output = output_of(o);
  check_outputs(model, output, o.csv);
  before.seconds["read"] = watch.lap();
  const System system = assemble(model);
  before.seconds["assemble"] = watch.lap();
  const InterruptNote note;
  const State start = start_of(model, system, before, o.quiet);
  before.seconds["start"] = watch.lap();

  ProgressLine line(!o.quiet);
  const SimulationHooks hooks{at, [] { return InterruptNote::signal() != 0; },
                              [&](const Progress& progress) { line.show(progress); }};
  Results results = simulate(system, start, model.run, hooks);
  line.clear();
  complete(results.report, before);

  watch.lap();
  write(model, system, results, output, o.csv);
  if (o.json) print(io::run_json(model, system, results, at) + "\n");
  results.report.seconds["write"] = watch.lap();
  if (!o.quiet) {
    say(certificate_text(results.report));
    for (const std::string& file : {output, o.csv})
      if (!file.empty()) say("  results      " + file);
  } else if (!results.report.finished) {
    say(fmt::format("bricard run: {}: {}", o.model, results.report.stopped_because));
  }
  if (results.report.finished) return kGood;
  return InterruptNote::signal() ? 128 + InterruptNote::signal() : kNotFinished;
}

constexpr const char* kFooter =
    "Results are written in the forms asked for; without --output, --csv and --json to\n"
    "MODEL's name with the ending .h5 in the current folder.\n\n"
    "Examples:\n"
    "  bricard run models/pendulum.yaml\n"
    "  bricard run models/pendulum.yaml --set length=0.5 --step 1/2000 -o short.h5\n"
    "  bricard run models/pendulum.yaml --json --at 0.5,1 > run.json";

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Simulate a model over time");
  const auto o = std::make_shared<RunOptions>();
  command->add_option("MODEL", o->model, "The model file (YAML)")->required()->type_name("");
  command->add_option("-o,--output", o->output, "Write an HDF5 file, all that `view` needs")
      ->type_name("FILE");
  command->add_option("--csv", o->csv, "Write a table with all channels")->type_name("FILE");
  command->add_flag("--json", o->json, "Print certificate and final values on stdout");
  command->add_option("--at", o->at, "With --json: also the values at these times, in s")
      ->type_name("T1,T2,..");
  command->add_option("--set", o->parameters, "Set a parameter of the model; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_flag("-q,--quiet", o->quiet, "Only errors on stderr");
  o->settings.add_options(*command);
  command->footer(kFooter);
  command->callback([o, &exit_code] {
    if (!o->at.empty() && !o->json) throw UsageError("--at: has a meaning only with --json");
    exit_code = run(*o);
  });
}

}  // namespace bricard::cli
