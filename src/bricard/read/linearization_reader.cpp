// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/linearization_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "bricard/model/measure_names.h"
#include "bricard/read/field_reader.h"
#include "bricard/read/formula_sections.h"

namespace bricard::io {
namespace {

bool is_of_positions(const MeasureCall& call) {
  const MeasureName* measure = find_measure(call.function);
  using Q = MeasureQuantity;
  return measure &&
         (measure->quantity == Q::position || measure->quantity == Q::angle || measure->quantity == Q::rotation_vector);
}

void check_reference(const Model& model, const Reference& reference, ReadLog& log) {
  std::vector<std::string> known{"ground"};
  for (const Marker& m : model.ground.markers) known.push_back("ground." + m.name);
  for (const Body& b : model.bodies) {
    known.push_back(b.name);
    for (const Marker& m : b.markers) known.push_back(b.name + "." + m.name);
  }
  if (std::find(known.begin(), known.end(), reference.name) == known.end())
    log.fault(reference.place, "linearization.reference",
              fmt::format("unknown marker '{}'{}", reference.name, suggestion(reference.name, known, "known")));
}

template <class Element>
void check_names(const char* kind, const std::vector<Element>& elements, const std::vector<Reference>& wanted,
                 const std::string& path, ReadLog& log) {
  std::vector<std::string> known;
  for (const Element& e : elements) known.push_back(e.name);
  for (const Reference& r : wanted)
    if (std::find(known.begin(), known.end(), r.name) == known.end())
      log.fault(r.place, path,
                fmt::format(
                    "unknown {} '{}'{}", kind, r.name,
                    known.empty() ? fmt::format("; the model has no {}s", kind) : suggestion(r.name, known, "known")));
}

/// The names that formulas of the model may use; what it refers to must outlive it.
struct ModelScope {
  std::map<std::string, double> constants;
  std::map<std::string, Expression> formulas;
  std::map<std::string, Table> tables;
  ExpressionScope scope;

  explicit ModelScope(const Model& model) {
    for (const Parameter& p : model.parameters) {
      constants[p.name] = p.value;
      if (const auto unit = parse_unit(p.unit); unit && !p.unit.empty())
        scope.units.dimensions[p.name] = unit->dimension;
    }
    for (const NamedFormula& f : model.expressions) formulas[f.name] = f.formula;
    for (const NamedTable& t : model.tables) tables[t.name] = t.table;
    scope.constants = &constants;
    scope.formulas = &formulas;
    scope.tables = &tables;
    scope.time = scope.measures_allowed = true;
    scope.measures = measure_signatures();
  }
};

}  // namespace

bool read(const Cursor& at, std::vector<Signal>& out) {
  std::vector<Entry> entries;
  if (at.node.IsMap()) {
    const auto named = entries_of(at, "a map of formulas, name: formula");
    if (!named) return false;
    entries = *named;
  } else {
    const auto items = items_of(at, "a list of formulas, or a map, name: formula");
    if (!items) return false;
    for (const Cursor& item : *items)
      entries.push_back({item.node.IsScalar() ? item.node.Scalar() : "", item.place, item});
  }
  bool good = true;
  for (const Entry& entry : entries) {
    Signal state;
    state.name = entry.key, state.place = entry.key_place;
    good = read_signal(entry, state) && good;
    out.push_back(state);
  }
  return good;
}

void read_linearization(const Cursor& section, LinearizationSettings& out) { read_fields(section, section.place, out); }

void check_linearization(const Model& model, const LinearizationSettings& settings, ReadLog& log) {
  for (const Signal& state : settings.states)
    for (const MeasureCall& call : state.value.inputs())
      if (!is_of_positions(call))
        log.fault(state.place, "linearization.states",
                  fmt::format(
                      "'{}' in '{}' is no position; states are functions of positions, their rates come by themselves",
                      call.function, state.name));
  check_reference(model, settings.reference, log);
  check_names("signal", model.signals, settings.outputs, "linearization.outputs", log);
  check_names("input", model.inputs, settings.inputs, "linearization.inputs", log);
}

Signal parse_state(const Model& model, const std::string& text) {
  const ModelScope names(model);
  Signal state;
  const size_t equals = text.find('=');
  state.name = text.substr(0, equals);
  try {
    state.value = Expression::parse(equals == std::string::npos ? text : text.substr(equals + 1), names.scope);
  } catch (const ExpressionError& error) {
    throw ModelError({{{},
                       fmt::format("--state {}: {}{}", text, error.what(),
                                   suggestion(error.unknown_name, error.known_names, "known"))}});
  }
  state.unit = unit_text(state.value.dimension());
  return state;
}

}  // namespace bricard::io
