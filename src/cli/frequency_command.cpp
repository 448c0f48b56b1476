// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "bricard/analysis/frequency_response.h"
#include "bricard/assemble/assemble.h"
#include "bricard/report/report_writer.h"
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

struct FrequencyCommand {
  LinearInput input;
  std::string from = "0.1", to = "100", csv;
  PlotOutputs outputs;
  int points = 200;
  bool json = false;
};

std::vector<double> frequencies_of(const FrequencyCommand& o) {
  const double first = parse_number("--from", o.from, "1/s"), last = parse_number("--to", o.to, "1/s");
  if (!(first > 0)) throw UsageError(fmt::format("--from = {}: must be > 0", o.from));
  if (!(last > first))
    throw UsageError(fmt::format("--to = {}: must be larger than --from, which is {}", o.to, o.from));
  if (o.points < 2 || o.points > 100000)
    throw UsageError(fmt::format("--points = {}: must be from 2 to 100000", o.points));
  return logarithmic(first, last, o.points);
}

int run(const FrequencyCommand& o) {
  const std::vector<double> frequencies = frequencies_of(o);
  const io::LinearModel read = o.input.read();
  const Model& model = read.model;
  o.outputs.check(model);
  if (!o.csv.empty()) check_output(model, o.csv);
  System system = assemble(model);
  const LinearizeOptions states = linearize_options(model, read.settings, system);
  if (system.inputs.empty())
    refuse(model, "the model has no inputs; name them in a section `inputs` and use them in forces");
  if (model.signals.empty()) refuse(model, "the model has no signals to look at; name them in a section `signals`");
  const OperatingPoint point = o.input.find_point(read, system);
  const LinearEquations equations(system, point.state, states);
  check_linear(model, equations.report());
  const Linearization lin = linearize(equations, model, read.settings, system, point.state);
  if (!o.input.quiet) {
    say(fmt::format("{}: {}, {}, {}", model.name, count(lin.states(), "state"),
                    count(static_cast<long>(lin.inputs.size()), "input"),
                    count(static_cast<long>(lin.outputs.size()), "output")));
    say("  about        " + point.remark);
    say(choice_text(lin.report, lin.positions, lin.velocities));
  }
  const FrequencyResponse response = find_frequency_response(lin, frequencies);
  const Report report = frequency_report(model.name, lin, response);
  for (const std::string& file : o.outputs.of(".html")) io::write_file(file, io::report_page(report));
  for (const std::string& path : o.outputs.of(".h5")) {
    io::ResultFile file = io::state_file(model, system, point.state, "frequency");
    file.responses = io::response_table(lin, response);
    io::write_result_file(file, path);
  }
  if (!o.csv.empty()) io::write_file(o.csv, frequency_csv(lin, response));
  if (o.json) print(io::report_json(report));
  else if (o.outputs.files.empty() && o.csv.empty()) print(frequency_csv(lin, response));
  return kGood;
}

constexpr const char* kFrequencyFooter =
    "Magnitude and phase of every signal for every input of the model, or of those that --input and --output-signal "
    "name.\n"
    "Without --output, --csv and --json a table on stdout.\n\n"
    "Example:\n"
    "  bricard frequency models/cart_pendulum.yaml --set kick=0 --from 0.01 --to 10 -o bode.html\n"
    "  bricard frequency models/cart_pendulum.yaml --set kick=0 -o bode.h5 && bricard view bode.h5 --open";

}  // namespace

void add_frequency_command(Program& app, int& exit_code) {
  const auto o = std::make_shared<FrequencyCommand>();
  Command* command = app.add_subcommand("frequency", "Frequency response from inputs to signals (Bode plot)");
  o->input.add_options(*command, true);
  command->add_option("--from", o->from, "Lowest frequency, in Hz")->type_name("F");
  command->add_option("--to", o->to, "Highest frequency, in Hz")->type_name("F");
  command->add_option("--points", o->points, "Number of frequencies, evenly spaced in their logarithms")
      ->type_name("N");
  o->outputs.add_option(*command);
  command->add_option("--csv", o->csv, "Write a table")->type_name("FILE");
  command->add_flag("--json", o->json, "Print all numbers as JSON");
  command->footer(kFrequencyFooter);
  command->callback([o, &exit_code] { exit_code = run(*o); });
}

}  // namespace bricard::cli
