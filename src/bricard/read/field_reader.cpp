// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/field_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "bricard/check/said.h"
#include "bricard/model/mass_properties.h"

namespace bricard::io {
namespace {

// Reads every item, so that each faulty one is reported.
template <class T, size_t n>
bool read_items(const std::optional<std::vector<Cursor>>& items, std::array<T, n>& out) {
  bool good = items.has_value();
  for (size_t i = 0; items && i < n; ++i) good = read((*items)[i], out[i]) && good;
  return good;
}

template <size_t n>
std::optional<std::array<double, n>> read_numbers(const Cursor& at, const std::string& expected) {
  std::array<double, n> numbers{};
  return read_items(items_of(at, expected, n), numbers) ? std::optional(numbers) : std::nullopt;
}

// One element or a list of them.
template <class Element>
bool read_list(const Cursor& at, const std::string& kind, std::vector<Element>& out) {
  std::vector<Cursor> elements{at};
  if (!at.node.IsMap()) {
    const auto items =
        items_of(at, fmt::format("a {} (a map) or a list of {}{}", kind, kind, kind.back() == 's' ? "es" : "s"));
    if (!items) return false;
    elements = *items;
  }
  for (Cursor& cursor : elements) {
    // Shapes of ground may come from several files: the index counts through all of them.
    cursor.path = fmt::format("{}[{}]", at.path, out.size());
    Element element;
    element.place = cursor.place;
    at.log->record(cursor.path, cursor.place, true);
    read_fields(cursor, cursor.place, element);
    out.push_back(std::move(element));
  }
  return true;
}

/// A list of any length.
template <class T>
bool read_values(const Cursor& at, const std::string& expected, std::vector<T>& out) {
  const auto items = items_of(at, expected);
  bool good = items.has_value();
  for (size_t i = 0; items && i < items->size(); ++i) {
    out.emplace_back();
    good = read((*items)[i], out.back()) && good;
  }
  return good;
}

}  // namespace

bool read(const Cursor& at, double& out) {
  const auto number = number_of(at);
  if (number) out = *number;
  return number.has_value();
}

bool read(const Cursor& at, int& out) {
  const auto integer = integer_of(at);
  if (integer) out = static_cast<int>(*integer);
  return integer.has_value();
}

bool read(const Cursor& at, bool& out) {
  const auto index = read_choice(at, {"true", "false"}, {"yes", "no"});
  if (index) out = *index % 2 == 0;
  return index.has_value();
}

bool read(const Cursor& at, std::string& out) {
  // An unquoted # starts a comment, so that nothing is left of it.
  const auto text = text_of(at, "a text (in quotes if it starts with #)");
  if (text) out = *text;
  return text.has_value();
}

namespace {

// A direction may be a difference of positions or of anything else, but of one thing.
bool read_direction(const Cursor& at, Vector3d& out) {
  const auto items = items_of(at, "a list of three numbers", 3);
  std::array<Quantity, 3> components;
  Dimension common;
  bool good = items.has_value();
  for (size_t i = 0; items && i < 3; ++i) {
    const auto quantity = quantity_of((*items)[i]);
    good = good && quantity;
    if (quantity) components[i] = *quantity;
    if (common.kind == Dimension::Kind::plain) common = components[i].dimension;
  }
  for (int i = 0; good && i < 3; ++i) {
    const Quantity& c = components[static_cast<size_t>(i)];
    const auto factor = conversion(c.dimension, common, at.scope->units.units);
    if (!factor)
      (*items)[static_cast<size_t>(i)].fault(fmt::format("is {} beside {}; the components of a direction must be alike",
                                                         describe(c.dimension), describe(common)));
    good = factor.has_value();
    out[i] = good ? *factor * c.value : 0;
  }
  return good;
}

}  // namespace

bool read(const Cursor& at, Vector3d& out) {
  if (!at.unit || !parse_unit(at.unit)) return read_direction(at, out);
  const auto numbers = read_numbers<3>(at, "a list of three numbers");
  if (numbers) out = Vector3d((*numbers)[0], (*numbers)[1], (*numbers)[2]);
  return numbers.has_value();
}

bool read(const Cursor& at, Matrix3d& out) {
  const std::string expected = "a list of three or six numbers, [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]";
  std::array<double, 6> I{};
  if (at.node.IsScalar()) {  // in planar models; completed when the plane is known
    double moment = 0;
    if (!read(at, moment)) return false;
    out = Vector3d(NAN, NAN, moment).asDiagonal();
    return true;
  }
  if (at.node.IsSequence() && at.node.size() == 6) {
    const auto all = read_numbers<6>(at, expected);
    if (!all) return false;
    I = *all;
  } else {
    const auto diagonal = read_numbers<3>(at, expected);
    if (!diagonal) return false;
    std::copy(diagonal->begin(), diagonal->end(), I.begin());
  }
  out << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
  return true;
}

bool read(const Cursor& at, Expression& out) {
  const auto formula = formula_of(at, FormulaUse::of_time);
  if (formula) out = *formula;
  return formula.has_value();
}

bool read(const Cursor& at, Reference& out) {
  const auto name = text_of(at, "a name");
  if (name) out = {*name, at.place};
  return name.has_value();
}

bool read(const Cursor& at, std::array<Reference, 2>& out) {
  return read_items(items_of(at, "a list of two names, body or body.marker", 2), out);
}

bool read(const Cursor& at, LoadFormulas& out) {
  const auto items = items_of(at, "a list of three formulas", 3);
  bool good = items.has_value();
  for (size_t i = 0; items && i < 3; ++i) {
    const auto formula = formula_of((*items)[i], FormulaUse::of_motion);
    if (formula) out[i] = *formula;
    else good = false;
  }
  return good;
}

namespace {

// A formula or the name of a table, which is then read over the first variable.
bool read_law(const Cursor& at, const std::vector<FormulaVariable>& variables, Expression& out) {
  Cursor formula_at = at;
  const auto* tables = at.scope->tables;
  if (at.node.IsScalar() && tables && tables->count(at.node.Scalar()))
    formula_at.node = YAML::Node(fmt::format("akima({}, {})", variables[0].name, at.node.Scalar()));
  const auto formula = formula_of(formula_at, FormulaUse::of_motion, variables);
  if (formula) out = *formula;
  return formula.has_value();
}

}  // namespace

bool read(const Cursor& at, SpringLaw& out) { return read_law(at, {{"length", "m"}, {"rate", "m/s"}}, out.formula); }

bool read(const Cursor& at, TorsionLaw& out) {
  return read_law(at, {{"angle", "rad"}, {"rate", "rad/s"}}, out.formula);
}

bool read(const Cursor& at, ContactLaw& out) { return read_law(at, {{"depth", "m"}, {"rate", "m/s"}}, out.formula); }

bool read(const Cursor& at, MeasuredFormula& out) {
  const auto formula = formula_of(at, FormulaUse::of_motion);
  if (formula) out.formula = *formula;
  return formula.has_value();
}

bool read(const Cursor& at, CurveFormula& out) {
  const auto formula = formula_of(at, FormulaUse::number, {{"u", ""}});
  if (formula) out.formula = *formula;
  return formula.has_value();
}

bool read(const Cursor& at, JointNumber& out) {
  const auto formula = formula_of(at, FormulaUse::number);
  if (!formula || !is_number(at, (*formula)(0))) return false;
  out.formula = *formula;
  out.value = (*formula)(0);
  return true;
}

bool read(const Cursor& at, std::array<double, 2>& out) {
  return read_items(items_of(at, "a list of two numbers", 2), out);
}

bool read(const Cursor& at, Vector2d& out) {
  const auto numbers = read_numbers<2>(at, "a point [x, y]");
  if (numbers) out = Vector2d((*numbers)[0], (*numbers)[1]);
  return numbers.has_value();
}

namespace {

/// Three and three numbers with a unit each.
bool read_halves(const Cursor& at, const std::string& first_unit, const std::string& second_unit, Vector6d& out) {
  const auto items = items_of(at, "a list of six numbers", 6);
  bool good = items.has_value();
  for (int i = 0; items && i < 6; ++i) {
    Cursor item = (*items)[static_cast<size_t>(i)];
    item.unit = (i < 3 ? first_unit : second_unit).c_str();
    good = read(item, out[i]) && good;
  }
  return good;
}

/// `N, N*m` in its parts.
std::vector<std::string> units_of(const Cursor& at) {
  std::vector<std::string> units;
  std::string rest = at.unit;
  for (size_t comma; (comma = rest.find(", ")) != std::string::npos; rest.erase(0, comma + 2))
    units.push_back(rest.substr(0, comma));
  units.push_back(rest);
  return units;
}

}  // namespace

// What moves along the axes has another unit than what turns about them.
bool read(const Cursor& at, Vector6d& out) {
  const std::vector<std::string> units = units_of(at);
  return read_halves(at, units[0], units[1], out);
}

bool read(const Cursor& at, Matrix6d& out) {
  const bool one_row = at.node.IsSequence() && at.node.size() == 6 && at.node[0].IsScalar();
  if (one_row) at.fault("expected six rows of six numbers, found one row");
  if (one_row) return false;
  const auto rows = items_of(at, "six rows of six numbers", 6);
  const std::vector<std::string> units = units_of(at);
  bool good = rows.has_value();
  for (int i = 0; rows && i < 6; ++i) {
    const size_t half = i < 3 ? 0 : 2;
    Vector6d row = Vector6d::Zero();
    good = read_halves((*rows)[static_cast<size_t>(i)], units[half], units[half + 1], row) && good;
    out.row(i) = row.transpose();
  }
  return good;
}

bool read(const Cursor& at, std::vector<Reference>& out) { return read_values(at, "a list of names", out); }
bool read(const Cursor& at, JointStart& out) {
  if (!at.node.IsScalar()) return read_values(at, "a number or a list of numbers", out.numbers);
  return read(at, out.numbers.emplace_back());
}
bool read(const Cursor& at, std::vector<JointNumber>& out) { return read_values(at, "a list of numbers", out); }
bool read(const Cursor& at, std::vector<Vector2d>& out) { return read_values(at, "a list of points [x, y]", out); }
bool read(const Cursor& at, std::vector<JointCoordinate>& out) {
  return read_values(at, "a list of words, one per joint", out);
}

bool read(const Cursor& at, std::vector<double>& out) { return read_values(at, "a list of numbers", out); }
bool read(const Cursor& at, std::vector<std::vector<double>>& out) {
  return read_values(at, "a matrix, a list of rows [[1, 2], [3, 4]]", out);
}
bool read(const Cursor& at, std::vector<MeasuredFormula>& out) { return read_values(at, "a list of formulas", out); }
bool read(const Cursor& at, std::vector<std::string>& out) { return read_values(at, "a list of names", out); }

bool read(const Cursor& at, std::vector<Marker>& out) {
  const auto entries = entries_of(at, "a map of markers, name: {position: [x, y, z]}");
  if (!entries) return false;
  for (const Entry& entry : *entries) {
    if (!claim_name(entry)) continue;
    Marker marker;
    marker.name = entry.key;
    marker.place = entry.key_place;
    read_fields(entry.value, entry.key_place, marker);
    out.push_back(std::move(marker));
  }
  return true;
}

// Each formula in the unit of its input.
bool read(const Cursor& at, std::vector<InputSetting>& out) {
  const auto entries = entries_of(at, "a map of inputs, {name: formula}");
  if (!entries) return false;
  std::vector<std::string> inputs;
  bool good = true;
  for (const QuantityName& q : *at.scope->quantities)
    if (q.kind == std::string("an input")) inputs.push_back(q.name);
  for (const Entry& entry : *entries) {
    InputSetting setting{entry.key, entry.key_place, entry.value.path, {}};
    const auto named = [&](const QuantityName& q) { return q.name == entry.key && q.kind == std::string("an input"); };
    const auto quantity = std::find_if(at.scope->quantities->begin(), at.scope->quantities->end(), named);
    if (quantity == at.scope->quantities->end()) {
      at.log->fault(entry.key_place, entry.value.path,
                    fmt::format("no input is named '{}'{}", entry.key,
                                inputs.empty() ? "; the model has no inputs" : suggestion(entry.key, inputs, "known")));
      good = false;
      continue;
    }
    Cursor value = entry.value;
    value.unit = quantity->unit.c_str();
    good = read(value, setting.value) && good;
    out.push_back(std::move(setting));
  }
  return good;
}

bool read(const Cursor& at, std::vector<Shape>& out) { return read_list(at, "shape", out); }

bool read(const Cursor& at, std::vector<PointMass>& out) { return read_list(at, "point mass", out); }

bool read(const Cursor& at, BodyPoint& out) {
  if (at.node.IsSequence()) return read(at, out.position);
  const auto name = text_of(at, "a list of three numbers or the name of a marker");
  if (name) out.marker = {*name, at.place};
  return name.has_value();
}

bool read(const Cursor& at, std::vector<Vector3d>& out) { return read_values(at, "a list of points [x, y, z]", out); }

bool read(const Cursor& at, BeamEnd& out) {
  if (at.node.IsSequence()) return read(at, out.position);
  const auto name = text_of(at, "a position [x, y, z] or the name of a marker");
  if (name) out.marker = {*name, at.place};
  return name.has_value();
}

namespace {

bool read_along(const Cursor& at, FormulaUse use, std::array<Expression, 3>& out) {
  const auto items = items_of(at, "a list of three formulas in s", 3);
  bool good = items.has_value();
  for (size_t i = 0; items && i < 3; ++i) {
    const auto formula = formula_of((*items)[i], use, {{"s", ""}});
    if (formula) out[i] = *formula;
    else good = false;
  }
  return good;
}

}  // namespace

bool read(const Cursor& at, BeamCurve& out) { return read_along(at, FormulaUse::number, out.position); }
bool read(const Cursor& at, BeamLoad& out) { return read_along(at, FormulaUse::of_time, out.force); }

bool read(const Cursor& at, SectionValue& out) {
  const auto formula = formula_of(at, FormulaUse::number, {{"s", ""}});
  if (!formula) return false;
  if (formula->inputs().empty()) return read(at, out.number);
  out.formula = *formula;
  return true;
}

bool read(const Cursor& at, BeamSection& out) {
  out.place = at.place;
  read_fields(at, at.place, out);
  return true;
}

namespace {

// As a section: what is wrong with single keys is in the log.
template <class Struct>
bool read_struct(const Cursor& at, Struct& out) {
  out.place = at.place;
  read_fields(at, at.place, out);
  return true;
}

}  // namespace

bool read(const Cursor& at, DampingRatios& out) {
  if (at.node.IsSequence()) return read(at, out.values);
  out.values.resize(1);
  return read(at, out.values[0]);
}

bool read(const Cursor& at, ModeChoice& out) { return read_struct(at, out); }
bool read(const Cursor& at, FlexibleRod& out) { return read_struct(at, out); }
bool read(const Cursor& at, FlexibleBody& out) { return read_struct(at, out); }

bool read(const Cursor& at, std::vector<BeamSection>& out) { return read_list(at, "section", out); }

bool read(const Cursor& at, std::vector<BeamMarker>& out) {
  const auto entries = entries_of(at, "a map of places along the beam, {middle: 0.5}");
  if (!entries) return false;
  bool good = true;
  for (const Entry& entry : *entries) {
    if (!claim_name(entry)) continue;
    BeamMarker marker{entry.key, entry.key_place, 0};
    Cursor value = entry.value;
    value.unit = "";
    good = read(value, marker.s) && good;
    out.push_back(marker);
  }
  return good;
}

bool read(const Cursor& at, Density& out) {
  const auto text = text_of(at, "a number or the name of a material");
  if (!text) return false;
  const bool is_word = !text->empty() && std::isalpha(static_cast<unsigned char>((*text)[0])) &&
                       text->find_first_of("+*/^( ") == std::string::npos;
  if (!is_word || at.scope->constants.count(*text) || at.scope->faulty.count(*text)) return read(at, out.value);
  std::vector<std::string> names;
  static const std::vector<Material> kNone;
  for (const auto* list : {at.scope->materials ? at.scope->materials : &kNone, &materials()})
    for (const Material& material : *list) {
      names.push_back(material.name);
      if (material.name != *text) continue;
      out.value = material.density;
      return true;
    }
  at.fault(fmt::format("unknown material '{}'{}", *text, suggestion(*text, names, "known")));
  return false;
}

std::optional<size_t> read_choice(const Cursor& at, const std::vector<std::string>& names,
                                  const std::vector<std::string>& aliases) {
  const std::string list = fmt::format("{}", fmt::join(names, ", "));
  const auto word = text_of(at, "one of " + list);
  if (!word) return {};
  std::vector<std::string> all = names;
  all.insert(all.end(), aliases.begin(), aliases.end());
  const auto found = std::find(all.begin(), all.end(), *word);
  if (found != all.end()) return static_cast<size_t>(found - all.begin());
  const std::string near = did_you_mean(*word, all);
  at.fault(fmt::format("unknown word '{}'; allowed: {}{}", *word, list,
                       near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
  return {};
}

bool claim_name(const Entry& entry) {
  const std::string &name = entry.key, &path = entry.value.path;
  ReadLog& log = *entry.value.log;
  if (const std::string what = fault_of_name(name); !what.empty())
    log.fault(entry.key_place, fmt::format("'{}'", path), what);
  if (const Place* first = log.place_of(path)) {
    log.fault(entry.key_place, path,
              fmt::format("this name is taken; first used at {}:{}:{}", first->file, first->line, first->column));
    return false;
  }
  log.record(path, entry.key_place, true);
  return true;
}

}  // namespace bricard::io
