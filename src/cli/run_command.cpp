// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "bricard/analysis/output_times.h"
#include "bricard/analysis/run_model.h"
#include "bricard/assemble/assemble.h"
#include "bricard/model/enum_names.h"
#include "bricard/read/driven_model.h"
#include "bricard/write/files.h"
#include "bricard/write/json_writer.h"
#include "cli/certificate_text.h"
#include "cli/checkpoints.h"
#include "cli/commands.h"
#include "cli/run_input.h"
#include "cli/run_output.h"
#include "cli/run_overrides.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  Analysis analysis = Analysis::dynamics;
  std::string model, output, csv, at, path;
  bool json = false, quiet = false, resume = false;
  double checkpoint_interval = SimulationHooks{}.checkpoint_interval;
  std::vector<std::string> parameters;
  RunOverrides settings;
};

Model read(const RunOptions& o) {
  const std::string text = io::read_file(o.model);  // not there: another matter than a wrong model
  const io::Overrides overrides = parse_parameters(o.parameters);
  Model model = o.path.empty() ? io::read_model_text(text, o.model, overrides)
                               : io::read_driven_model(text, o.model, overrides, parse_path(o.path).parameter);
  model.run = o.settings.apply(model.run);
  return model;
}

/// The input that --path drives, from and to what the reader makes of the values.
LoadPathSettings path_settings(const RunOptions& o, const System& system) {
  const PathRange range = parse_path(o.path);
  const std::string text = io::read_file(o.model);
  const auto in_si = [&](const Quantity& value) {
    io::Overrides overrides = parse_parameters(o.parameters);
    overrides.emplace_back(range.parameter, value);
    const Model model = io::read_model_text(text, o.model, overrides);
    const auto named = [&](const Parameter& p) { return p.name == range.parameter; };
    return std::find_if(model.parameters.begin(), model.parameters.end(), named)->value;
  };
  LoadPathSettings settings;
  const auto named = [&](const InputInfo& u) { return u.name == range.parameter; };
  settings.input =
      static_cast<int>(std::find_if(system.inputs.begin(), system.inputs.end(), named) - system.inputs.begin());
  settings.from = in_si(range.from);
  settings.to = in_si(range.to);
  if (settings.from == settings.to) throw UsageError(fmt::format("--path {}: both ends are the same", o.path));
  return settings;
}

/// What is asked for is written; if nothing is, the result file in the current folder.
std::string output_of(const RunOptions& o) {
  if (!o.output.empty() || o.json || !o.csv.empty()) return o.output;
  return fs::path(o.model).stem().string() + ".h5";
}

void check_outputs(const Model& model, const std::string& output, const std::string& csv) {
  for (const std::string& file : {output, csv})
    if (!file.empty()) check_output(model, file);
  if (!output.empty() && fs::path(output).lexically_normal() == fs::path(csv).lexically_normal())
    throw UsageError(fmt::format("{}: is given both for --output and --csv", csv));
}

std::string headline(const Model& model, const StartReport& start) {
  std::string line = fmt::format("{}: {}, {}", model.name, count(static_cast<long>(model.bodies.size()), "body"),
                                 count(static_cast<long>(model.joints.size()), "joint"));
  if (start.degrees_of_freedom) line += ", " + count(start.degrees_of_freedom, "degree") + " of freedom";
  if (start.redundant_constraints) line += ", " + count(start.redundant_constraints, "redundant constraint");
  return line;
}

int run(const RunOptions& o) {
  Stopwatch watch;
  std::map<std::string, double> seconds;
  const Model model = read(o);
  const std::vector<double> at = parse_times(o.at, model.run.duration);
  const std::string output = output_of(o);
  check_outputs(model, output, o.csv);
  seconds["read"] = watch.lap();
  const System system = assemble(model);
  seconds["assemble"] = watch.lap();
  const InterruptNote note;
  const StartState start = start_of(model, system, o.analysis);
  if (!o.quiet) say(headline(model, start.report));
  seconds["start"] = watch.lap();

  const double samples = o.analysis == Analysis::equilibrium ? 1 : OutputTimes::count(model.run);
  RunOutput files(model, system, output, o.csv, samples);
  if (const std::string size = files.size_text(); !o.quiet && !size.empty()) say(size);
  ProgressLine line(!o.quiet);
  SimulationHooks hooks{at, [] { return InterruptNote::signal() != 0; },
                        [&](const Progress& progress) { line.show(progress); },
                        [&](const Sample& sample) { files.add(sample); }};
  const bool resumable = o.analysis == Analysis::dynamics;
  Checkpoints checkpoints(io::make_head(model, system), at, resumable ? output : "");
  if (o.resume) hooks.memory = checkpoints.resume(files);
  if (checkpoints.are_kept()) {
    hooks.checkpoint = [&](std::string memory) { checkpoints.keep(files, std::move(memory)); };
    hooks.checkpoint_interval = o.checkpoint_interval;
  }
  Results results = o.path.empty() ? bricard::run(model, system, start, o.analysis, hooks)
                                   : run_path(model, system, start, path_settings(o, system), hooks);
  line.clear();
  results.report.seconds.insert(seconds.begin(), seconds.end());

  watch.lap();
  const std::vector<std::string> lost = files.remarks();
  results.report.remarks.insert(results.report.remarks.end(), lost.begin(), lost.end());
  files.finish(results.report);
  const bool interrupted = InterruptNote::signal() != 0 && !results.report.finished;
  if (!interrupted) checkpoints.remove();
  if (o.json) print(io::run_json(model, system, results, at) + "\n");
  results.report.seconds["write"] += watch.lap();
  if (!o.quiet) {
    say(certificate_text(results.report));
    for (const std::string& file : {output, o.csv})
      if (!file.empty()) say("  results      " + file);
    if (interrupted && checkpoints.are_kept()) say("  checkpoint   " + checkpoints.path() + "; go on with --resume");
  } else if (!results.report.finished) {
    say(fmt::format("bricard: {}: {}", o.model, results.report.stopped_because));
  } else {
    for (const Doubt& doubt : results.report.doubts)
      say(fmt::format("bricard: {}: {}: {}", o.model, name_of(results.report.verdict()), doubt.text));
  }
  if (results.report.verdict() != Verdict::failed) return kGood;
  return InterruptNote::signal() ? 128 + InterruptNote::signal() : kNotFinished;
}

constexpr const char* kOutputs = "Results are written in the forms asked for; without --output, --csv and --json to\n"
                                 "MODEL's name with the ending .h5 in the current folder.\n\n";

constexpr const char* kRunExamples = "Examples:\n"
                                     "  bricard run models/pendulum.yaml\n"
                                     "  bricard run models/pendulum.yaml --set length=0.5 --step 1/2000 -o short.h5\n"
                                     "  bricard run models/pendulum.yaml --json --at 0.5,1 > run.json\n"
                                     "  bricard run models/pendulum.yaml --rtol 1e-6 --integrator radau --hmax 0.1\n"
                                     "  bricard run models/pendulum.yaml --resume";

constexpr const char* kKinematicsExamples =
    "All motion must be prescribed. Torques and forces of the motions are part of the joints'\n"
    "reactions (inverse dynamics). Exit code 1: the joints could not follow the motions to the "
    "end;\n"
    "2: the model is wrong, or something in it is not driven.\n\n"
    "Example:\n"
    "  bricard kinematics models/four_bar.yaml --output-step 0.01 --csv four_bar.csv";

constexpr const char* kStaticExamples =
    "--path follows the equilibria while a parameter of loads goes from one value to another, also where it has to "
    "fall\n"
    "in between. Points where the loads pass an extreme (limit points) or where the structure may leave the path\n"
    "(bifurcations, as buckling) are located and listed. Samples are counted in the place of time.\n\n"
    "Exit code 1: no equilibrium was found, or the path did not reach its end (what was found is kept); 2: the model "
    "is "
    "wrong.\n\n"
    "Examples:\n"
    "  bricard static models/flyball_governor.yaml --json\n"
    "  bricard static models/four_bar.yaml --sequence --csv reactions.csv\n"
    "  bricard static models/snap_through.yaml --path load=0:60\n"
    "  bricard static models/buckling_column.yaml --path \"P=0:30 N\" -o column.h5 && bricard view column.h5 --open";

Command* add_command(Program& app, int& exit_code, const char* name, const char* what,
                     const std::shared_ptr<RunOptions>& o) {
  Command* command = app.add_subcommand(name, what);
  command->add_option("MODEL", o->model, "The model file (YAML)")->required()->type_name("");
  command->add_option("-o,--output", o->output, "Write an HDF5 file, all that `view` needs")->type_name("FILE");
  command->add_option("--csv", o->csv, "Write a table with all channels")->type_name("FILE");
  command->add_flag("--json", o->json, "Print certificate and final values on stdout");
  command->add_option("--set", o->parameters, "Set a parameter of the model; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_flag("-q,--quiet", o->quiet, "Only errors on stderr");
  command->callback([o, &exit_code] {
    if (!o->at.empty() && !o->json) throw UsageError("--at: has a meaning only with --json");
    exit_code = run(*o);
  });
  return command;
}

void add_times(Command* command, const std::shared_ptr<RunOptions>& o) {
  command->add_option("--at", o->at, "With --json: also the values at these times, in s")->type_name("T1,T2,..");
}

}  // namespace

void add_run_command(Program& app, int& exit_code) {
  const auto o = std::make_shared<RunOptions>();
  Command* command = add_command(app, exit_code, "run", "Simulate a model over time", o);
  add_times(command, o);
  command->add_flag("--resume", o->resume, "Go on with a run that was stopped or killed");
  command
      ->add_option_function(
          "--checkpoint",
          [o](const std::string& text) {
            o->checkpoint_interval = parse_number("--checkpoint", text, "s");
            if (!(o->checkpoint_interval >= 0))
              throw UsageError(fmt::format("--checkpoint = {}: must not be negative", text));
          },
          "Keep what --resume needs every so many seconds of computing; 60 if absent")
      ->type_name("SECONDS");
  o->settings.add_options(*command);
  command->footer(std::string(kOutputs) + kRunExamples);
}

void add_kinematics_command(Program& app, int& exit_code) {
  const auto o = std::make_shared<RunOptions>();
  o->analysis = Analysis::kinematics;
  Command* command = add_command(app, exit_code, "kinematics",
                                 "Positions to accelerations and reactions of a model that is driven entirely", o);
  add_times(command, o);
  o->settings.add_options(*command, {"duration", "step", "output_step", "solver"});
  command->footer(std::string(kOutputs) + kKinematicsExamples);
}

void add_static_command(Program& app, int& exit_code) {
  const auto o = std::make_shared<RunOptions>();
  o->analysis = Analysis::equilibrium;
  Command* command =
      add_command(app, exit_code, "static", "Find the equilibrium near the start, and whether it is stable", o);
  command->add_flag_callback(
      "--sequence", [o] { o->analysis = Analysis::equilibria; },
      "At all output times, motions and loads standing still at each");
  command->add_option("--path", o->path, "Along a parameter of loads, through limit points and past bifurcations")
      ->type_name("NAME=FROM:TO");
  add_times(command, o);
  o->settings.add_options(*command, {"duration", "step", "output_step", "solver"});
  command->footer(std::string(kOutputs) + kStaticExamples);
}

}  // namespace bricard::cli
