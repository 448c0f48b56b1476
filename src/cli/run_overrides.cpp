// SPDX-License-Identifier: Apache-2.0
#include "cli/run_overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "bricard/integrate/run_checks.h"
#include "bricard/model/enum_names.h"
#include "bricard/model/integrator_kinds.h"
#include "cli/commands.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

constexpr const char* kNone = "none";  // takes back what the file has, where a setting may be absent

std::string option_of(std::string field) {
  std::replace(field.begin(), field.end(), '_', '-');
  return "--" + field;
}

void parse(const std::string& option, const std::string& text, const char* unit, double& out) {
  out = parse_number(option, text, unit);
}

void parse(const std::string& option, const std::string& text, const char* unit, std::optional<double>& out) {
  out.reset();
  if (text != kNone) out = parse_number(option, text, unit);
}

void parse(const std::string& option, const std::string& text, const char* unit, int& out) {
  const double value = parse_number(option, text, unit);
  if (value != std::round(value) || std::abs(value) > 1e9)
    throw UsageError(fmt::format("{} = {}: must be a whole number", option, text));
  out = static_cast<int>(value);
}

void parse(const std::string& option, const std::string& text, const char* unit, std::optional<int>& out) {
  out.reset();
  if (text == kNone) return;
  int value = 0;
  parse(option, text, unit, value);
  out = value;
}

template <class Enum>
requires std::is_enum_v<Enum>
void parse(const std::string& option, const std::string& text, const char*, Enum& out) {
  std::vector<std::string> names;
  for (const io::EnumName<Enum>& entry : io::enum_names(Enum{})) {
    if (entry.name == text) {
      out = entry.value;
      return;
    }
    names.push_back(entry.name);
  }
  throw UsageError(fmt::format("{} = {}: unknown{}", option, text, hint(text, names)));
}

const char* group_title(SettingGroup group) {
  switch (group) {
    case SettingGroup::everyday: return "Run settings, in the place of the file's";
    case SettingGroup::method: return "Settings of one integrator";
    case SettingGroup::expert: return "Settings for experts";
  }
  return "";
}

/// What holds for a model file: values in their ranges, and settings that the integrator looks at.
void check_settings(const RunSettings& settings, const std::map<std::string, std::string>& given) {
  Model model;
  model.run = settings;
  io::ReadLog log;
  for (const auto& [field, text] : given)
    if (text != kNone) log.record("run." + field, {}, true);
  io::check_run(model, log);
  std::string message;
  for (const io::ReadLog::Finding& f : log.findings()) {
    const std::string option = option_of(f.path.substr(std::string("run.").size()));
    message +=
        fmt::format("{}{}{}: {}", message.empty() ? "" : "\n", option, f.value.empty() ? "" : " = " + f.value, f.what);
  }
  if (!message.empty()) throw UsageError(message);
}

}  // namespace

Quantity parse_quantity(const std::string& option, const std::string& text) {
  Quantity value;
  try {
    const Expression formula = Expression::parse(text, {}, false);
    value = {formula(0), formula.dimension()};
  } catch (const ExpressionError& error) {
    throw UsageError(fmt::format("{} = {}: expected a number: {}{}", option, text, error.what(),
                                 io::suggestion(error.unknown_name, error.known_names, "known")));
  }
  if (!std::isfinite(value.value)) throw UsageError(fmt::format("{} = {}: must be a finite number", option, text));
  return value;
}

double parse_number(const std::string& option, const std::string& text, const char* unit) {
  const Quantity value = parse_quantity(option, text);
  const Dimension expected = parse_unit(unit)->dimension;
  const auto factor = conversion(value.dimension, expected, {});
  if (!factor)
    throw UsageError(fmt::format("{} = {}: is {} where {} is expected", option, text, describe(value.dimension),
                                 describe(expected)));
  return value.value * *factor;
}

io::Overrides parse_parameters(const std::vector<std::string>& texts) {
  io::Overrides overrides;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw UsageError(fmt::format("--set {}: expected name=value", text));
    const std::string name = text.substr(0, equals);
    overrides.emplace_back(name, parse_quantity("--set " + name, text.substr(equals + 1)));
  }
  return overrides;
}

PathRange parse_path(const std::string& text) {
  const size_t equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
  if (equals == 0 || equals == std::string::npos || colon == std::string::npos)
    throw UsageError(fmt::format("--path {}: expected name=from:to, as load=0:100", text));
  const std::string name = text.substr(0, equals), option = "--path " + name;
  PathRange range{name, parse_quantity(option, text.substr(equals + 1, colon - equals - 1)),
                  parse_quantity(option, text.substr(colon + 1))};
  if (range.from.value == 0) range.from.dimension = range.to.dimension;
  if (range.to.value == 0) range.to.dimension = range.from.dimension;
  return range;
}

std::vector<double> parse_times(const std::string& text, double duration) {
  std::vector<double> times;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    const double t = parse_number("--at", part, "s");
    if (!(t >= 0 && t <= duration))
      throw UsageError(fmt::format("--at = {}: must be from 0 to the duration, which is {} s", part, duration));
    times.push_back(t);
  }
  return times;
}

RunOverrides::RunOverrides(std::map<std::string, std::string> given) : given_(std::move(given)) {
  std::vector<std::string> names;
  std::apply([&](const auto&... field) { (names.push_back(field.name), ...); }, RunSettings::fields());
  for (const auto& [name, text] : given_)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw UsageError(fmt::format("{} = {}: unknown run setting{}", name, text, hint(name, names)));
}

void RunOverrides::add_options(Command& command, const std::vector<std::string>& fields) {
  const auto add = [&](const auto& field) {
    const std::string name = field.name;
    if (!fields.empty() && std::find(fields.begin(), fields.end(), name) == fields.end()) return;
    const std::string unit = *field.unit ? fmt::format(", in {}", field.unit) : "";
    command
        .add_option_function(
            option_of(name), [this, name](const std::string& text) { given_[name] = text; }, field.help + unit)
        ->type_name("VALUE")
        ->group(group_title(group_of(name)));
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, RunSettings::fields());
}

RunSettings RunOverrides::apply(RunSettings settings) const {
  const auto set = [&](const auto& field) {
    const auto text = given_.find(field.name);
    if (text != given_.end()) parse(option_of(field.name), text->second, field.unit, settings.*field.member);
  };
  std::apply([&](const auto&... field) { (set(field), ...); }, RunSettings::fields());
  check_settings(settings, given_);
  return settings;
}

}  // namespace bricard::cli
