// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "bricard/model/measure_names.h"

namespace bricard::io {
namespace {

Place place_in(const Scope& scope, const YAML::Mark& mark) {
  return {scope.file->path, mark.line + 1, mark.column + 1};
}

Cursor child(const Cursor& parent, const YAML::Node& node, const std::string& path, const Place& place_of_nothing) {
  // The parser places an empty value at whatever follows it, so its key is a better place.
  const Place place = node.IsNull() ? place_of_nothing : place_in(*parent.scope, node.Mark());
  return {node, place, path, parent.scope, parent.log, parent.unit};
}

// The place of a character inside a scalar, where the text stands in the file as it was read.
Place place_inside(const Cursor& scalar, const std::string& text, int offset) {
  const YAML::Mark mark = scalar.node.Mark();
  const size_t quote = scalar.node.Tag() == "!" ? 1 : 0;
  const size_t start = static_cast<size_t>(mark.pos) + quote;
  const std::string& file = scalar.scope->file->text;
  Place place = scalar.place;
  if (start < file.size() && file.compare(start, text.size(), text) == 0)
    place.column += static_cast<int>(quote) + offset;
  return place;
}

void report(const ExpressionError& error, const std::string& text, const Scope& scope, const Place& place,
            const std::string& path, ReadLog& log) {
  const std::string& unknown = error.unknown_name;
  if (scope.faulty.count(unknown)) return;
  std::string what = error.what();
  const bool says_text = what.find("'" + text + "'") != std::string::npos;
  if (!says_text && !text.empty()) what += fmt::format(" in '{}'", text);
  const auto is_unknown = [&](const QuantityName& q) { return q.name == unknown || q.name + "'" == unknown; };
  if (scope.quantities && !unknown.empty())
    if (const auto q = std::find_if(scope.quantities->begin(), scope.quantities->end(), is_unknown);
        q != scope.quantities->end())
      return log.fault(place, path, fmt::format("'{}' is {}, which may not be used here", q->name, q->kind));
  if (!unknown.empty()) {  // a name that is faulty itself may be meant as well
    std::string near = did_you_mean(unknown, {scope.faulty.begin(), scope.faulty.end()});
    if (unknown.size() < 3) near.clear();  // one letter is near to every other
    what += near.empty() ? suggestion(unknown, error.known_names, "known") : fmt::format("; did you mean '{}'?", near);
  }
  log.fault(place, path, what);
}

std::optional<long> whole(double value) {
  constexpr double kMost = 1e9;  // whole numbers are counts: this exceeds every model
  const double nearest = std::round(value);
  // Formulas like 0.1*N may miss a whole number by round-off.
  if (std::abs(value - nearest) > 1e-9 * std::max(1.0, std::abs(value))) return {};
  if (std::abs(nearest) > kMost) return {};
  return static_cast<long>(nearest);
}

// Replaces each {formula} by its integer value.
std::optional<std::string> expand(const std::string& text, const Scope& scope, const Place& place,
                                  const std::string& path, ReadLog& log) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t open = text.find('{', at);
    if (open == std::string::npos) return result + text.substr(at);
    const size_t close = text.find('}', open);
    if (close == std::string::npos) {
      log.fault(place, path, fmt::format("'{{' is not closed in '{}'", text));
      return {};
    }
    const std::string formula = text.substr(open + 1, close - open - 1);
    try {
      const double value = Expression::parse(formula, scope.constants, false)(0);
      const std::optional<long> integer = whole(value);
      if (!integer) {
        log.fault(place, path, fmt::format("{{{}}} in '{}' is {}; must be a whole number", formula, text, value));
        return {};
      }
      result += text.substr(at, open - at) + std::to_string(*integer);
    } catch (const ExpressionError& error) {
      report(error, text, scope, place, path, log);
      return {};
    }
    at = close + 1;
  }
  return result;
}

// YAML's own spellings, which are no formulas.
bool is_not_finite(std::string text) {
  constexpr size_t kLongest = 9;  // -infinity
  if (text.size() > kLongest) return false;
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.erase(0, 1);
  return text == ".inf" || text == ".nan" || text == "inf" || text == "nan" || text == "infinity";
}

/// Of a text that is a number as it stands, without unit: most formulas are.
std::optional<double> bare_number_of(const Cursor& scalar) {
  if (!scalar.node.IsScalar()) return {};
  const std::string& text = scalar.node.Scalar();
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool whole = !text.empty() && error == std::errc() && stop == end && std::isfinite(value);
  return whole ? std::optional(value) : std::nullopt;
}

// A comma inside [ ] ends an item even within parentheses.
bool is_torn_formula(const YAML::Node& item) {
  if (!item.IsScalar()) return false;
  const std::string& text = item.Scalar();
  return std::count(text.begin(), text.end(), '(') != std::count(text.begin(), text.end(), ')');
}

}  // namespace

Cursor root_cursor(const YAML::Node& node, const Scope& scope, ReadLog& log) {
  return {node, place_in(scope, node.Mark()), "", &scope, &log, ""};
}

std::string describe(const YAML::Node& node) {
  if (node.IsMap()) return "a map";
  if (node.IsSequence()) return fmt::format("a list of {}", node.size());
  if (!node.IsScalar()) return "nothing";
  constexpr size_t kMost = 40;
  const std::string& text = node.Scalar();
  return fmt::format("'{}'", text.size() > kMost ? text.substr(0, kMost) + "..." : text);
}

std::optional<std::vector<Entry>> entries_of(const Cursor& map, const std::string& expected) {
  if (!map.node.IsMap()) {
    map.fault(fmt::format("expected {}, found {}", expected, describe(map.node)));
    return {};
  }
  std::vector<Entry> entries;
  entries.reserve(map.node.size());  // keys stay where they are
  std::unordered_map<std::string_view, int> lines;
  for (const auto& pair : map.node) {
    const Place place = place_in(*map.scope, pair.first.Mark());
    if (!pair.first.IsScalar()) {
      map.log->fault(place, map.path, "a key must be a text, found " + describe(pair.first));
      continue;
    }
    const auto key = expand(pair.first.Scalar(), *map.scope, place, map.path, *map.log);
    if (!key) continue;
    const std::string path = map.path.empty() ? *key : map.path + "." + *key;
    if (const auto first = lines.find(*key); first != lines.end()) {
      map.log->fault(place, path, fmt::format("given twice; first on line {}", first->second));
      continue;
    }
    entries.push_back({*key, place, child(map, pair.second, path, place)});
    lines.emplace(entries.back().key, place.line);
  }
  return entries;
}

std::optional<Cursor> peek(const Cursor& map, const std::string& key) {
  if (map.node.IsMap())
    for (const auto& pair : map.node)
      if (pair.first.IsScalar() && pair.first.Scalar() == key)
        return child(map, pair.second, map.path.empty() ? key : map.path + "." + key,
                     place_in(*map.scope, pair.first.Mark()));
  return {};
}

std::optional<std::vector<Cursor>> items_of(const Cursor& list, const std::string& expected) {
  if (!list.node.IsSequence()) {
    list.fault(fmt::format("expected {}, found {}", expected, describe(list.node)));
    return {};
  }
  std::vector<Cursor> items;
  items.reserve(list.node.size());
  for (const auto& item : list.node)
    items.push_back(child(list, item, list.path + "[" + std::to_string(items.size()) + "]", list.place));
  return items;
}

std::optional<std::vector<Cursor>> items_of(const Cursor& list, const std::string& expected, size_t count) {
  auto items = items_of(list, expected);
  if (!items || items->size() == count) return items;
  const bool torn =
      std::any_of(items->begin(), items->end(), [](const Cursor& item) { return is_torn_formula(item.node); });
  list.fault(fmt::format("expected {}, found {}{}", expected, describe(list.node),
                         torn ? "; a formula with commas must be quoted" : ""));
  return {};
}

std::optional<std::string> raw_text_of(const Cursor& scalar, const std::string& expected) {
  if (scalar.node.IsScalar()) return scalar.node.Scalar();
  scalar.fault(fmt::format("expected {}, found {}", expected, describe(scalar.node)));
  return {};
}

std::optional<std::string> text_of(const Cursor& scalar, const std::string& expected) {
  const auto text = raw_text_of(scalar, expected);
  return text ? expand(*text, *scalar.scope, scalar.place, scalar.path, *scalar.log) : text;
}

std::optional<Expression> formula_of(const Cursor& scalar, FormulaUse use,
                                     const std::vector<FormulaVariable>& variables) {
  const auto text = text_of(scalar, "a number or formula");
  if (!text) return {};
  if (is_not_finite(*text)) {
    scalar.fault(fmt::format("must be a finite number, found '{}'", *text));
    return {};
  }
  ExpressionScope names;
  names.constants = &scalar.scope->constants;
  names.time = use != FormulaUse::number;
  names.measures = measure_signatures();
  names.measures_allowed = use == FormulaUse::of_motion;
  names.formulas = scalar.scope->formulas;
  names.tables = scalar.scope->tables;
  if (names.measures_allowed) names.functions = scalar.scope->functions;
  names.units.units = scalar.scope->units.units;
  names.dimensions = &scalar.scope->units.dimensions;
  for (const FormulaVariable& variable : variables) {
    names.variables.push_back(variable.name);
    names.units.dimensions[variable.name] = parse_unit(variable.unit)->dimension;
  }
  if (use == FormulaUse::of_motion) names.quantities = scalar.scope->quantity_dimensions;
  try {
    Expression formula = Expression::parse(*text, names);
    for (const MeasureCall& call : formula.inputs())
      if (call.column >= 0 && !call.arguments.empty())
        scalar.log->note_measure({place_inside(scalar, *text, call.column), scalar.path, call});
    return converted(formula, scalar.unit, scalar.scope->units.units, scalar);
  } catch (const ExpressionError& error) {
    report(error, *text, *scalar.scope, place_inside(scalar, *text, error.column), scalar.path, *scalar.log);
    return {};
  }
}

bool is_number(const Cursor& scalar, double value) {
  const std::string fault = fault_of_number(value);
  if (!fault.empty()) scalar.log->fault(scalar.place, scalar.path, fault, fmt::format("{}", value));
  return fault.empty();
}

std::optional<double> number_of(const Cursor& scalar) {
  if (const auto number = bare_number_of(scalar)) {
    const auto expected = scalar.unit ? parse_unit(scalar.unit) : std::nullopt;
    const double factor = expected ? scalar.scope->units.units.factor(expected->dimension) : 1;
    return is_number(scalar, factor * *number) ? std::optional(factor * *number) : std::nullopt;
  }
  const auto formula = formula_of(scalar, FormulaUse::number);
  if (!formula || !is_number(scalar, (*formula)(0))) return {};
  return (*formula)(0);
}

std::optional<Quantity> quantity_of(const Cursor& scalar) {
  Cursor undecided = scalar;
  undecided.unit = nullptr;
  const auto formula = formula_of(undecided, FormulaUse::number);
  if (!formula || !is_number(scalar, (*formula)(0))) return {};
  return Quantity((*formula)(0), formula->dimension());
}

std::optional<Expression> converted(const Expression& formula, const char* unit, const UnitSystem& units,
                                    const Cursor& at) {
  const auto expected = unit ? parse_unit(unit) : std::nullopt;
  if (!expected) return formula;
  const auto factor = conversion(formula.dimension(), expected->dimension, units);
  if (factor) return formula.scaled(*factor);
  const std::string name = *unit ? fmt::format("{} ({})", describe(expected->dimension), unit) : "a plain number";
  at.fault(fmt::format("'{}' is {} where {} is expected", formula.text(), describe(formula.dimension()), name));
  return {};
}

std::optional<long> integer_of(const Cursor& scalar) {
  const auto number = number_of(scalar);
  if (!number) return {};
  const auto integer = whole(*number);
  if (!integer) scalar.fault(fmt::format("must be a whole number, found {}", *number));
  return integer;
}

KeyTable::KeyTable(const Cursor& map, const Place& owner) : path_(map.path), owner_(owner), log_(map.log) {
  auto entries = entries_of(map);
  is_map_ = entries.has_value();
  if (is_map_) entries_ = std::move(*entries);
}

const Cursor* KeyTable::find(std::string_view key) {
  allowed_.push_back(key);
  for (const Entry& entry : entries_)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

const Cursor* KeyTable::require(std::string_view key, const std::string& help) {
  const Cursor* value = find(key);
  if (!value) miss(key, help);
  return value;
}

bool KeyTable::report() const {
  if (!is_map_) return true;
  bool any = false;
  std::vector<std::string> misspelt;  // a required key found under a wrong name is not missing too
  for (const Entry& entry : entries_) {
    if (std::count(allowed_.begin(), allowed_.end(), std::string_view(entry.key))) continue;
    const std::vector<std::string> allowed(allowed_.begin(), allowed_.end());
    if (entry.key == "<<") {
      log_->fault(entry.key_place, path_, "the merge key '<<' is not read; use parameters or 'repeat'");
      log_->record(path_ + ".*", entry.key_place, false);  // what is missing may come from it
      return true;
    }
    log_->fault(entry.key_place, path_,
                fmt::format("unknown key '{}'{}", entry.key, suggestion(entry.key, allowed, "allowed")));
    misspelt.push_back(did_you_mean(entry.key, allowed));
    const std::string meant = path_ + "." + misspelt.back();
    if (!misspelt.back().empty() && !log_->place_of(meant)) log_->record(meant, entry.key_place, false);
    any = true;
  }
  for (const auto& [key, help] : missing_) {
    if (std::count(misspelt.begin(), misspelt.end(), key)) continue;
    log_->fault(owner_, path_, fmt::format("missing key '{}': {}", key, help));
    any = true;
  }
  return any;
}

}  // namespace bricard::io
