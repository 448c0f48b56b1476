// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <sstream>

#include "bricard/analysis/campbell.h"
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

struct CampbellCommand {
  LinearInput input;
  std::string sweep;
  PlotOutputs outputs;
  int count = 12;
  bool json = false;
};

/// name=first:last:points, each value as in --set.
struct Sweep {
  std::string name;
  std::vector<Quantity> values;
};

Sweep parse_sweep(const std::string& text) {
  const auto wrong = [&] {
    return UsageError(fmt::format("--sweep {}: expected name=first:last:points, as speed=0:10:21", text));
  };
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) throw wrong();
  std::vector<std::string> parts;
  std::istringstream stream(text.substr(equals + 1));
  for (std::string part; std::getline(stream, part, ':');) parts.push_back(part);
  if (parts.size() != 3) throw wrong();
  Sweep sweep{text.substr(0, equals), {}};
  const Quantity first = parse_quantity("--sweep " + sweep.name, parts[0]),
                 last = parse_quantity("--sweep " + sweep.name, parts[1]);
  const double points = parse_number("--sweep " + sweep.name, parts[2], "");
  if (points != std::floor(points) || points < 2 || points > 10000)
    throw UsageError(fmt::format("--sweep {}: {} points; must be a whole number from 2 to 10000", text, parts[2]));
  const bool alike = first.dimension.kind == last.dimension.kind || first.value == 0 || last.value == 0;
  if (!alike) throw UsageError(fmt::format("--sweep {}: one end has a unit and the other has not", text));
  const Dimension dimension = first.value == 0 ? last.dimension : first.dimension;
  for (int i = 0; i < static_cast<int>(points); ++i)
    sweep.values.emplace_back(first.value + (last.value - first.value) * i / (points - 1), dimension);
  return sweep;
}

/// The diagram, and the model with its modes at the last value that has any.
void write_result(const CampbellPlan& plan, const Campbell& campbell, const std::string& path) {
  const auto last =
      std::find_if(campbell.points.rbegin(), campbell.points.rend(), [](const auto& p) { return !p.modes.empty(); });
  if (last == campbell.points.rend()) throw io::FileError(fmt::format("{}: is not written: no value has modes", path));
  const Model model = plan.model(last->value);
  System system = assemble(model);
  const LinearizeOptions states = linearize_options(model, plan.settings, system);
  const State s = find_operating_point(model, system, plan.point, plan.settings.reference).state;
  std::vector<Eigenmode> modes = last->modes;
  label_modes(model, system, s, LinearEquations(system, s, states), modes);
  io::ResultFile file = io::state_file(model, system, s, "campbell");
  file.modes = io::mode_table(modes, model, system, s);
  file.campbell = io::campbell_table(plan, campbell);
  io::write_result_file(file, path);
}

/// What the unit of the values is in SI, by what the reader makes of them; some may make no model. Throws ModelError if
/// none does.
double unit_in_si(const LinearInput& input, const Sweep& sweep) {
  double factor = 1;
  std::exception_ptr fault;
  bool any = false;
  for (const Quantity& value : sweep.values) try {
      const Model model = input.read_with(sweep.name, value).model;
      for (const Parameter& p : model.parameters)
        if (p.name == sweep.name && value.value != 0) factor = p.value / value.value;
      any = true;
      if (value.value != 0) break;
    } catch (const ModelError&) {
      if (!fault) fault = std::current_exception();
    }
  if (!any) std::rethrow_exception(fault);
  return factor;
}

int run(const CampbellCommand& o) {
  const Sweep sweep = parse_sweep(o.sweep);
  const io::LinearModel read = o.input.read();
  const Model& first = read.model;
  const auto named = [&](const Parameter& p) { return p.name == sweep.name; };
  const auto parameter = std::find_if(first.parameters.begin(), first.parameters.end(), named);
  if (parameter == first.parameters.end()) {
    std::vector<std::string> names;
    for (const Parameter& p : first.parameters) names.push_back(p.name);
    throw UsageError(fmt::format("--sweep {}: unknown parameter '{}'{}", o.sweep, sweep.name, hint(sweep.name, names)));
  }
  o.outputs.check(first);
  if (o.count < 1) throw UsageError(fmt::format("--count = {}: must be >= 1", o.count));
  const InterruptNote note;
  CampbellPlan plan;
  plan.parameter = sweep.name;
  plan.unit = parameter->unit;
  plan.settings = read.settings;
  plan.count = o.count;
  plan.point = o.input.point_type();
  plan.time = o.input.until();
  const double unit = unit_in_si(o.input, sweep);
  for (const Quantity& value : sweep.values) plan.values.push_back(unit * value.value);
  plan.model = [&](double value) {
    return o.input.read_with(sweep.name, {value / unit, sweep.values[0].dimension}).model;
  };
  plan.cancelled = [] { return InterruptNote::signal() != 0; };
  const Campbell campbell = find_campbell(plan);
  const Report report = campbell_report(first.name, plan, campbell);
  for (const std::string& file : o.outputs.of(".html")) io::write_file(file, io::report_page(report));
  for (const std::string& file : o.outputs.of(".h5")) write_result(plan, campbell, file);
  print(o.json ? io::report_json(report) : io::report_text(report));
  if (campbell.interrupted) return 128 + InterruptNote::signal();
  const bool all =
      std::all_of(campbell.points.begin(), campbell.points.end(), [](const auto& p) { return p.problem.empty(); });
  return all ? kGood : kNotFinished;
}

constexpr const char* kCampbellFooter =
    "At each value of the parameter the operating point (--point) and the modes are computed; a mode is followed from "
    "value to\n"
    "value by the likeness of its shape. Orbits with the rotation are forward (F), against it backward (B). Where the\n"
    "parameter is a speed in rad/s, speeds at which a mode meets the rotation are listed. Motions that do not "
    "oscillate\n"
    "are listed by their real eigenvalue. Each value is called stable, neutral or unstable, and the ends of unstable\n"
    "ranges are found by halving. A value without operating point is reported with the reason; the others are kept, "
    "and\n"
    "the exit code is 1.\n\n"
    "Example:\n"
    "  bricard campbell models/rotor_stator.yaml --sweep \"speed=0:1 rev/s:21\" -o campbell.html\n"
    "  bricard campbell models/whipple_bicycle.yaml --sweep \"v=1 m/s:9 m/s:33\"\n"
    "  bricard campbell models/rotor_stator.yaml --sweep \"speed=0:1 rev/s:21\" -o campbell.h5 && bricard view "
    "campbell.h5 --open";

}  // namespace

void add_campbell_command(Program& app, int& exit_code) {
  const auto o = std::make_shared<CampbellCommand>();
  Command* command = app.add_subcommand("campbell", "Modes over a parameter, as the speed of a rotor");
  o->input.add_options(*command, false);
  command->add_option("--sweep", o->sweep, "The parameter and its values")
      ->required()
      ->type_name("NAME=FIRST:LAST:POINTS");
  command->add_option("--count", o->count, "How many modes at each value, the slowest first")->type_name("N");
  o->outputs.add_option(*command);
  command->add_flag("--json", o->json, "Print all numbers as JSON");
  command->footer(kCampbellFooter);
  command->callback([o, &exit_code] { exit_code = run(*o); });
}

}  // namespace bricard::cli
