// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/formula_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "bricard/model/measure_names.h"
#include "bricard/read/parameters.h"

namespace bricard::io {
namespace {

std::optional<std::vector<double>> numbers_of(const Cursor& at) {
  const auto items = items_of(at, "a list of numbers");
  if (!items) return {};
  std::vector<double> numbers;
  bool good = true;
  for (const Cursor& item : *items) {
    const auto number = number_of(item);
    if (number) numbers.push_back(*number);
    else good = false;
  }
  return good ? std::optional(numbers) : std::nullopt;
}

bool read_points(const Cursor& at, Table& out) {
  const auto items = items_of(at, "a list of points [[x, y], ...]");
  if (!items) return false;
  bool good = true;
  for (const Cursor& item : *items) {
    const auto pair = items_of(item, "a point [x, y]", 2);
    const auto x = pair ? number_of((*pair)[0]) : std::nullopt, y = pair ? number_of((*pair)[1]) : std::nullopt;
    if (x && y) out.x.push_back(*x), out.y.push_back(*y);
    else good = false;
  }
  return good;
}

// Numbers in this unit become numbers in SI, `factor` times as large.
bool set_unit(const Cursor& at, std::vector<double>& numbers, Dimension& dimension, double& factor) {
  const auto text = text_of(at, "a unit, as mm");
  if (!text) return false;
  const auto unit = parse_unit(*text);
  if (!unit || text->empty()) {
    at.fault(fmt::format("unknown unit '{}'{}", *text, suggestion(*text, known_units(), "known")));
    return false;
  }
  factor = unit->value;
  for (double& x : numbers) x *= factor;
  dimension = unit->dimension;
  return true;
}

// `natural`, `not-a-knot` or the slopes at both ends.
bool read_ends(const Cursor& at, Table& out) {
  const char* expected = "natural, not-a-knot or the slopes at both ends [first, last]";
  if (at.node.IsSequence()) {
    const auto slopes = items_of(at, expected, 2);
    const auto first = slopes ? number_of((*slopes)[0]) : std::nullopt, last = slopes ? number_of((*slopes)[1]) : first;
    if (!first || !last) return false;
    out.ends = SplineEnds::slopes;
    out.slopes = {*first, *last};
    return true;
  }
  const auto word = text_of(at, expected);
  if (!word) return false;
  if (*word == "not-a-knot") out.ends = SplineEnds::not_a_knot;
  else if (*word != "natural") {
    at.fault(fmt::format("unknown '{}'{}", *word, suggestion(*word, {"natural", "not-a-knot"}, "expected")));
    return false;
  }
  return true;
}

// Two numbers per line, between them a comma, semicolon or spaces. Empty lines, lines that start with # and one headline
// of words are passed over.
bool read_csv(const Cursor& at, const std::string& path, Table& out) {
  std::ifstream stream(path);
  if (!stream) {
    at.fault(fmt::format("{} cannot be read", path));
    return false;
  }
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == ',' || c == ';' || c == '\t' || c == '\r'; }, ' ');
    const size_t start = line.find_first_not_of(' ');
    if (start == std::string::npos || line[start] == '#') continue;
    double values[2];
    const char *here = line.data() + start, *end = line.data() + line.size();
    bool good = true;
    for (double& value : values) {
      while (here < end && *here == ' ') ++here;
      if (here < end && *here == '+') ++here;
      const auto [next, error] = std::from_chars(here, end, value);
      good = good && error == std::errc();
      here = next;
    }
    const bool rest = good && line.find_first_not_of(' ', static_cast<size_t>(here - line.data())) != std::string::npos;
    if (good && !rest) {
      out.x.push_back(values[0]), out.y.push_back(values[1]);
    } else if (!out.x.empty() || number > 1) {
      at.fault(fmt::format("{}:{}: expected two numbers, x and y", path, number));
      return false;
    }
  }
  return true;
}

}  // namespace

void FormulaSections::add(const Cursor& root) {
  if (const auto section = peek(root, "tables"); section && !section->node.IsNull()) read_tables(*section);
  auto section = peek(root, "expressions");
  if (!section || section->node.IsNull()) return;
  section->path = "expressions";  // in repeat blocks, too
  if (const auto entries = entries_of(*section, "a map of formulas, name: formula"))
    for (const Entry& entry : *entries)
      if (claim(entry)) {
        index_[entry.key] = definitions_.size();
        definitions_.push_back(entry);
        progress_.push_back(Progress::waiting);
      }
}

// Formulas, tables and parameters share their names, so that each formula can be read in one way only.
bool FormulaSections::claim(const Entry& entry) {
  if (!check_variable_name(entry)) return false;
  if (names_.constants.count(entry.key) || names_.faulty.count(entry.key)) {
    log_.fault(entry.key_place, entry.value.path, "this name is already a parameter; choose another one");
    return false;
  }
  const auto [first, is_new] = lines_.try_emplace(entry.key, entry.key_place.line);
  if (!is_new)
    log_.fault(entry.key_place, entry.value.path,
               fmt::format("this name is already used on line {}; choose another one", first->second));
  return is_new;
}

void FormulaSections::read_tables(const Cursor& section) {
  const auto entries = entries_of(section, "a map of tables, name: {x: [...], y: [...]}");
  if (!entries) return;
  for (const Entry& entry : *entries) {
    if (!claim(entry)) continue;
    Scope scope = names_;
    scope.file = entry.value.scope->file;
    Cursor at = entry.value;
    at.scope = &scope;
    NamedTable table{entry.key, entry.key_place, {}};
    if (!read_table(at, entry.key_place, table.table)) {
      names_.faulty.insert(entry.key);
      continue;
    }
    tables_[entry.key] = table.table;
    table_list_.push_back(std::move(table));
  }
}

bool FormulaSections::read_table(const Cursor& at, const Place& owner, Table& out) {
  KeyTable keys(at, owner);
  const Cursor *x = keys.find("x"), *y = keys.find("y"), *points = keys.find("points"), *file = keys.find("file");
  const Cursor *x_unit = keys.find("x_unit"), *y_unit = keys.find("y_unit"), *ends = keys.find("ends");
  if (keys.report() || !keys.is_map()) return false;
  const int ways = (x || y) + (points != nullptr) + (file != nullptr);
  if (ways != 1 || (!points && !file && !(x && y))) {
    log_.fault(owner, at.path, "expected either x and y, or points, or file");
    return false;
  }
  if (points) {
    if (!read_points(*points, out) || !check_table(*points, out)) return false;
  } else if (file) {
    const auto name = raw_text_of(*file, "a file name");
    if (!name) return false;
    const std::filesystem::path folder = std::filesystem::path(at.scope->file->path).parent_path();
    if (!read_csv(*file, (folder / *name).string(), out) || !check_table(*file, out)) return false;
  } else {
    const auto xs = numbers_of(*x), ys = numbers_of(*y);
    if (!xs || !ys) return false;
    out.x = *xs, out.y = *ys;
    if (xs->size() != ys->size()) {
      y->fault(fmt::format("has {} numbers, but x has {}", ys->size(), xs->size()));
      return false;
    }
    if (!check_table(*x, out)) return false;
  }
  const bool ends_good = !ends || read_ends(*ends, out);
  double x_factor = 1, y_factor = 1;
  const bool x_good = !x_unit || set_unit(*x_unit, out.x, out.x_dimension, x_factor);
  const bool y_good = !y_unit || set_unit(*y_unit, out.y, out.y_dimension, y_factor);
  for (double& slope : out.slopes) slope *= y_factor / x_factor;
  return ends_good && x_good && y_good;
}

bool FormulaSections::check_table(const Cursor& at, const Table& table) {
  const int wrong = first_not_increasing(table.x);
  if (table.x.size() < 3) {
    at.fault(fmt::format("a table needs at least 3 points, found {}", table.x.size()));
    return false;
  }
  if (wrong < 0) return true;
  at.fault(fmt::format("x must increase from point to point; x[{}] = {} is followed by x[{}] = {}", wrong - 1,
                       table.x[wrong - 1], wrong, table.x[wrong]));
  return false;
}

/// The formula whose value another lacks; it may be one that is done, and faulty.
std::optional<size_t> FormulaSections::needed(size_t definition) const {
  Cursor at = definitions_[definition].value;
  if (!at.node.IsScalar()) return {};
  ReadLog unheard;  // what is wrong is said when it is read
  at.log = &unheard;
  const auto text = text_of(at, "a formula");
  if (!text) return {};
  ExpressionScope known;
  known.constants = &at.scope->constants;
  known.time = known.measures_allowed = true;
  known.measures = measure_signatures();
  known.formulas = &formulas_;
  known.tables = &tables_;
  known.quantities = names_.quantity_dimensions;
  known.functions = names_.functions;
  known.suggestions = false;
  try {
    Expression::parse(*text, known);
  } catch (const ExpressionError& error) {
    const auto found = index_.find(error.unknown_name);
    if (found != index_.end() && progress_[found->second] != Progress::done) return found->second;
  }
  return {};
}

void FormulaSections::compute(const Entry& entry) {
  const SourceFile* const file = names_.file;
  const UnitSystem units = names_.units.units;
  Cursor at = entry.value;
  names_.file = at.scope->file;
  names_.units.units = at.scope->units.units;
  const bool repeated = at.scope->constants.size() > names_.constants.size();  // has variables of its block
  std::map<std::string, double> constants = repeated ? at.scope->constants : std::map<std::string, double>();
  if (repeated) names_.constants.swap(constants);
  at.scope = &names_;
  at.unit = nullptr;  // it keeps what it measures
  const auto formula = formula_of(at, FormulaUse::of_motion);
  if (repeated) names_.constants.swap(constants);
  names_.file = file;
  names_.units.units = units;
  if (formula) formulas_[entry.key] = *formula;
  else names_.faulty.insert(entry.key);
}

void FormulaSections::compute(Model& model) {
  names_.formulas = &formulas_;
  names_.tables = &tables_;
  in_order_of_need(
      progress_, [&](size_t i) { return needed(i); }, [&](size_t i) { compute(definitions_[i]); },
      [&](size_t i, size_t other, const std::vector<size_t>& chain) {
        std::string circle;
        for (auto link = std::find(chain.begin(), chain.end(), other); link != chain.end(); ++link)
          circle += definitions_[*link].key + " -> ";
        definitions_[i].value.fault("needs itself: " + circle + definitions_[other].key);
        names_.faulty.insert(definitions_[i].key);
      });
  for (const Entry& entry : definitions_)
    if (const auto found = formulas_.find(entry.key); found != formulas_.end())
      model.expressions.push_back({entry.key, entry.key_place, found->second});
  model.tables = table_list_;
}

bool read_signal(Entry entry, Signal& out) {
  std::optional<Expression> formula;
  entry.value.unit = nullptr;
  if (entry.value.node.IsMap()) {
    KeyTable keys(entry.value, entry.key_place);
    const Cursor* value = keys.require("value", "a formula in t and measures");
    const Cursor* unit = keys.find("unit");
    if (keys.report()) return false;
    formula = formula_of(*value, FormulaUse::of_motion);
    if (unit) out.unit = raw_text_of(*unit, "a text").value_or("");
  } else {
    formula = formula_of(entry.value, FormulaUse::of_motion);
  }
  if (formula) out.value = *formula;
  if (formula && out.unit.empty()) out.unit = unit_text(formula->dimension());
  return formula.has_value();
}

}  // namespace bricard::io
