// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace bricard::io {
namespace {

bool is_identifier(const std::string& name) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), is_part);
}

// The first name in a formula that has no value yet, "" if there is none.
std::string first_unknown(const Cursor& value, const std::map<std::string, double>& constants) {
  if (!value.node.IsScalar()) return "";
  try {
    ExpressionScope scope;
    scope.constants = &constants;
    scope.suggestions = false;
    Expression::parse(value.node.Scalar(), scope);
  } catch (const ExpressionError& error) {
    return error.unknown_name;
  }
  return "";
}

}  // namespace

bool check_variable_name(const Entry& entry) {
  const std::string& name = entry.key;
  std::string what;
  if (name == "t" || name == "time") what = "this name stands for the time";
  else if (name == "pi" || name == "e") what = "this name stands for a number of mathematics";
  else if (!is_identifier(name))
    what = "a name in formulas consists of letters, digits and _, and starts with no digit";
  if (!what.empty()) entry.value.log->fault(entry.key_place, entry.value.path, what + "; choose another one");
  return what.empty();
}

void Parameters::add(const Cursor& section) {
  if (section.node.IsNull()) return;
  const auto entries = entries_of(section, "a map of parameters, name: number");
  if (!entries) return;
  for (const Entry& entry : *entries) {
    if (!check_variable_name(entry)) continue;
    const auto [found, is_new] = index_.try_emplace(entry.key, definitions_.size());
    if (!is_new) {
      definitions_[found->second].value = entry.value;
      continue;
    }
    definitions_.push_back({entry.key, entry.value});
    progress_.push_back(Progress::waiting);
  }
}

std::optional<size_t> Parameters::find(const std::string& name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

void Parameters::apply(const Overrides& overrides, Scope& scope) {
  std::vector<std::string> names;
  for (const Definition& definition : definitions_) names.push_back(definition.name);
  for (const auto& [name, value] : overrides) {
    const std::string what = fmt::format("parameter '{}' set from outside", name);
    const auto definition = find(name);
    if (!definition) {
      log_.fault({}, what, "the model has no such parameter" + suggestion(name, names, "it has"));
      continue;
    }
    progress_[*definition] = Progress::done;
    if (std::isfinite(value.value)) {
      scope.constants[name] = value.value;
      scope.units.dimensions[name] = value.dimension;
    } else {
      log_.fault({}, what, "must be a finite number");
      scope.faulty.insert(name);
    }
  }
}

/// The parameter whose value a formula lacks.
std::optional<size_t> Parameters::needed(size_t definition, const Scope& scope) const {
  const auto other = find(first_unknown(definitions_[definition].value, scope.constants));
  return other && progress_[*other] != Progress::done ? other : std::nullopt;
}

void Parameters::compute(const Definition& definition, Scope& scope) {
  const SourceFile* const file = scope.file;
  const UnitSystem units = scope.units.units;
  scope.file = definition.value.scope->file;
  scope.units.units = definition.value.scope->units.units;
  Cursor value = definition.value;
  value.scope = &scope;
  const auto quantity = quantity_of(value);
  scope.file = file;
  scope.units.units = units;
  if (quantity) {
    scope.constants[definition.name] = quantity->value;
    scope.units.dimensions[definition.name] = quantity->dimension;
  } else {
    scope.faulty.insert(definition.name);
  }
}

// A value from outside is to measure what the one in the file does; only then are the formulas with it right.
void Parameters::check_dimensions(const Overrides& overrides, Scope& scope) {
  for (const auto& [name, value] : overrides) {
    const auto found = find(name);
    if (!found || !definitions_[*found].value.node.IsScalar()) continue;
    Dimension expected;
    try {
      expected =
          Expression::parse(definitions_[*found].value.node.Scalar(), scope.constants, false, scope.units).dimension();
    } catch (const ExpressionError&) {
      continue;  // the file's formula does not count any more
    }
    if (expected.kind != Dimension::Kind::hard || same_dimension(expected, value.dimension)) continue;
    const bool bare = value.dimension.kind != Dimension::Kind::hard;
    log_.fault({}, fmt::format("parameter '{}' set from outside", name),
               fmt::format("is {} where {} is expected{}", describe(value.dimension), describe(expected),
                           bare ? fmt::format("; give a unit, as '{} {}'", value.value, unit_text(expected)) : ""));
    scope.constants.erase(name);
    scope.faulty.insert(name);
  }
}

void Parameters::compute(const Overrides& overrides, Model& model, Scope& scope) {
  apply(overrides, scope);
  in_order_of_need(
      progress_, [&](size_t i) { return needed(i, scope); }, [&](size_t i) { compute(definitions_[i], scope); },
      [&](size_t i, size_t other, const std::vector<size_t>&) {
        const Definition& definition = definitions_[i];
        definition.value.fault(
            fmt::format("needs '{}', which needs '{}' in turn", definitions_[other].name, definition.name));
        scope.faulty.insert(definition.name);
      });
  check_dimensions(overrides, scope);
  for (const Definition& definition : definitions_) {
    const auto value = scope.constants.find(definition.name);
    if (value != scope.constants.end())
      model.parameters.push_back({value->first, value->second, unit_text(scope.units.dimensions[value->first])});
  }
}

std::string Parameters::release(const std::string& name, Model& model, Scope& scope) const {
  scope.constants.erase(name);
  for (const Definition& other : definitions_)
    if (other.name != name && first_unknown(other.value, scope.constants) == name)
      other.value.fault(fmt::format("uses '{}', which is driven; use it in formulas of forces only", name));
  const auto is_it = [&](const Parameter& p) { return p.name == name; };
  const auto parameter = std::find_if(model.parameters.begin(), model.parameters.end(), is_it);
  if (parameter == model.parameters.end()) return "";  // it has no value, which was said
  const std::string unit = parameter->unit;
  model.parameters.erase(parameter);
  return unit;
}

}  // namespace bricard::io
