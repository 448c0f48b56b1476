// SPDX-License-Identifier: Apache-2.0
#include "cli/linear_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bricard/write/files.h"
#include "cli/commands.h"
#include "cli/run_input.h"
#include "cli/run_overrides.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

constexpr size_t kListed = 12;  // coordinates by name

std::vector<Reference> references(const std::vector<std::string>& names) {
  std::vector<Reference> all;
  for (const std::string& name : names) all.push_back({name, {}});
  return all;
}

std::string list_of(std::vector<std::string> names) {
  const size_t all = names.size();
  if (all > kListed) names.resize(kListed);
  return fmt::format("{}{}", fmt::join(names, ", "), all > kListed ? fmt::format(" and {} more", all - kListed) : "");
}

}  // namespace

void LinearInput::add_options(Command& command, bool with_signals) {
  command.add_option("MODEL", model, "The model file (YAML)")->required()->type_name("");
  command
      .add_option(
          "--point", point,
          "State to linearize about: given (start of the file), static (equilibrium) or steady (at rest seen from "
          "the reference marker)")
      ->type_name("WORD");
  command.add_option("--time", time, "Run the model from there and linearize at this time")->type_name("T");
  command.add_option("--state", states, "A wanted coordinate, as angle(hinge) or theta=angle(hinge); may be repeated")
      ->type_name("FORMULA")
      ->allow_extra_args(false);
  command.add_option("--reference", reference, "Marker in whose axes other coordinates are counted; ground if absent")
      ->type_name("MARKER");
  if (with_signals) {
    command.add_option("--input", inputs, "An input of the model; all if absent; may be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command.add_option("--output-signal", outputs, "A signal; all if absent; may be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
  }
  command.add_option("--set", parameters, "Set a parameter of the model; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_flag("-q,--quiet", quiet, "Only errors on stderr");
}

io::LinearModel LinearInput::read() const { return read_with(parse_parameters(parameters)); }

io::LinearModel LinearInput::read_with(const std::string& parameter, const Quantity& value) const {
  io::Overrides overrides = parse_parameters(parameters);
  overrides.emplace_back(parameter, value);
  return read_with(overrides);
}

io::LinearModel LinearInput::read_with(const io::Overrides& overrides) const {
  io::LinearModel m = io::read_linear_model(io::read_file(model), model, overrides);
  for (const std::string& state : states) m.settings.states.push_back(io::parse_state(m.model, state));
  if (!reference.empty()) m.settings.reference = {reference, {}};
  if (!inputs.empty()) m.settings.inputs = references(inputs);
  if (!outputs.empty()) m.settings.outputs = references(outputs);
  io::ReadLog log;
  io::check_linearization(m.model, m.settings, log);
  log.throw_faults(m.model.sources);
  return m;
}

PointType LinearInput::point_type() const {
  const std::vector<std::string> words{"given", "static", "steady"};
  const auto found = std::find(words.begin(), words.end(), point);
  if (found == words.end()) throw UsageError(fmt::format("--point = {}: unknown{}", point, hint(point, words)));
  return static_cast<PointType>(found - words.begin());
}

std::optional<double> LinearInput::until() const {
  if (time.empty()) return {};
  const double t = parse_number("--time", time, "s");
  if (!(t > 0)) throw UsageError(fmt::format("--time = {}: must be > 0", time));
  return t;
}

OperatingPoint LinearInput::find_point(const io::LinearModel& m, const System& system) const {
  OperatingPoint found = find_operating_point(m.model, system, point_type(), m.settings.reference, until());
  if (!found.problem.empty()) refuse(m.model, found.problem);
  return found;
}

void PlotOutputs::add_option(Command& command) {
  command
      .add_option("-o,--output", files,
                  "Write a page with plots (.html) or a result file for `view` (.h5); may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

void PlotOutputs::check(const Model& model) const {
  for (const std::string& file : files) {
    const std::string ending = std::filesystem::path(file).extension().string();
    if (ending != ".html" && ending != ".h5")
      throw UsageError(fmt::format("--output = {}: the ending says the format; known: .html, .h5", file));
    check_output(model, file);
  }
}

std::vector<std::string> PlotOutputs::of(const std::string& ending) const {
  std::vector<std::string> found;
  for (const std::string& file : files)
    if (std::filesystem::path(file).extension() == ending) found.push_back(file);
  return found;
}

void check_linear(const Model& model, const LinearizeReport& report) {
  if (!report.problem.empty()) refuse(model, report.problem);
}

std::string choice_text(const LinearizeReport& report, const std::vector<LinearCoordinate>& positions,
                        const std::vector<LinearCoordinate>& velocities) {
  std::vector<std::string> of_positions, of_velocities;
  for (const LinearCoordinate& c : positions) of_positions.push_back(c.name);
  for (const LinearCoordinate& c : velocities) of_velocities.push_back(c.differential ? c.name : c.name + "'");
  std::string text = fmt::format("  states       {}", list_of(of_positions));
  text += fmt::format("\n               {}", list_of(of_velocities));
  for (const DroppedState& d : report.dropped) text += fmt::format("\n  left out     {}: {}", d.name, d.reason);
  if (!report.added.empty()) text += "\n  completed    " + list_of(report.added);
  if (!report.redundant.empty()) text += "\n  redundant    equations of " + list_of(report.redundant);
  for (const std::string& remark : report.remarks) text += "\n  remark       " + remark;
  return text;
}

}  // namespace bricard::cli
