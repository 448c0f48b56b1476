// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/control_sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "bricard/elements/velocity_constraints.h"
#include "bricard/read/field_reader.h"

namespace bricard::io {
namespace {

/// What an entry says that it measures; "" if nothing or nonsense, which is said.
std::string unit_of(const Entry& entry) {
  const auto at = peek(entry.value, "unit");
  if (!at || !at->node.IsScalar()) return "";
  const std::string text = at->node.Scalar();
  if (parse_unit(text)) return text;
  at->fault(fmt::format("unknown unit '{}'{}", text, suggestion(text, known_units(), "known")));
  return "";
}

void set(Expression& out, const Expression& formula) { out = formula; }
void set(MeasuredFormula& out, const Expression& formula) { out.formula = formula; }
void set(JointNumber& out, const Expression& formula) { out.formula = formula, out.value = formula(0); }
const Expression& formula_in(const Expression& f) { return f; }
const Expression& formula_in(const MeasuredFormula& f) { return f.formula; }
const Expression& formula_in(const JointNumber& f) { return f.formula; }

}  // namespace

void ControlSections::claim(const Entry& entry, const char* kind, const std::string& unit) {
  if (!formulas_.claim(entry)) return;
  names_.push_back({entry.key, unit, kind});
  dimensions_[entry.key] = parse_unit(unit)->dimension;
  if (kind == std::string("a state"))
    dimensions_[entry.key + "'"] = parse_unit(unit.empty() ? "s^-1" : unit + "/s")->dimension;
}

// A state-space block has the names of its outputs in the place of its own.
void ControlSections::claim_outputs(const Entry& entry) {
  const auto outputs = peek(entry.value, "outputs");
  if (!outputs || !outputs->node.IsSequence()) return claim(entry, "a controller", "");
  for (const auto& item : outputs->node)
    if (item.IsScalar()) claim({item.Scalar(), outputs->place, *outputs}, "an output of a controller", "");
}

void ControlSections::drive(const std::string& name, const std::string& unit) {
  names_.push_back({name, unit, "driven"});
  dimensions_[name] = parse_unit(unit)->dimension;
  driven_.push_back({name, {}, Expression(0.0), unit});
}

void ControlSections::add(const Cursor& root) {
  for (const auto& [section, kind] : {std::pair{"inputs", "an input"}, std::pair{"states", "a state"},
                                      std::pair{"variables", "a variable"}, std::pair{"controllers", "a controller"}}) {
    auto at = peek(root, section);
    if (!at || at->node.IsNull()) continue;
    at->path = section;  // in repeat blocks, too
    const auto entries = entries_of(*at, "a map, name: {...}");
    for (size_t i = 0; entries && i < entries->size(); ++i) {
      const Entry& entry = (*entries)[i];
      const bool controller = section == std::string("controllers");
      const std::string unit = controller ? "" : unit_of(entry);
      controller ? claim_outputs(entry) : claim(entry, kind, unit);
      definitions_.push_back({section, entry, unit});
    }
  }
}

/// Into the unit of the value, which is known only now; `key` is "" for a value that stands alone.
template <class Value>
void ControlSections::convert(const Definition& d, const char* key, const std::string& unit, Value& value) {
  Cursor at = d.entry.value;
  if (*key) {
    at.path += std::string(".") + key;
    const Place* place = log_.place_of(at.path);
    if (!place) return;
    at.place = *place;
  }
  if (const auto formula = converted(formula_in(value), unit.c_str(), at.scope->units.units, at)) set(value, *formula);
}

void ControlSections::read_input(const Definition& d, Model& model) {
  Input input;
  input.name = d.entry.key;
  input.place = d.entry.key_place;
  const bool alone = !d.entry.value.node.IsMap();
  Cursor at = d.entry.value;
  at.unit = nullptr;
  if (alone) io::read(at, input.value);
  else read_fields(d.entry.value, d.entry.key_place, input);
  convert(d, alone ? "" : "value", d.unit, input.value);
  model.inputs.push_back(std::move(input));
}

void ControlSections::read_state(const Definition& d, Model& model) {
  DifferentialEquation e;
  e.name = d.entry.key;
  e.place = d.entry.key_place;
  const std::string per_second = d.unit.empty() ? "s^-1" : d.unit + "/s";
  const bool alone = !d.entry.value.node.IsMap();
  Cursor at = d.entry.value;
  at.unit = nullptr;
  if (alone) io::read(at, e.rate);
  else read_fields(d.entry.value, d.entry.key_place, e);
  if (e.rate) convert(d, alone ? "" : "rate", per_second, *e.rate);
  convert(d, "start", d.unit, e.start);
  convert(d, "start_rate", per_second, e.start_rate);
  if (e.scale) convert(d, "scale", d.unit, *e.scale);
  model.states.push_back(std::move(e));
}

void ControlSections::read_variable(const Definition& d, Model& model) {
  Variable w;
  w.name = d.entry.key;
  w.place = d.entry.key_place;
  const bool alone = !d.entry.value.node.IsMap();
  Cursor at = d.entry.value;
  at.unit = nullptr;
  if (alone) io::read(at, w.value);
  else read_fields(d.entry.value, d.entry.key_place, w);
  convert(d, alone ? "" : "value", d.unit, w.value);
  convert(d, "guess", d.unit, w.guess);
  model.variables.push_back(std::move(w));
}

template <class Block>
void ControlSections::read_block(const Definition& d, std::vector<Block>& out) {
  Block block;
  block.name = d.entry.key;
  block.place = d.entry.key_place;
  read_fields(d.entry.value, d.entry.key_place, block, {"type"});
  out.push_back(std::move(block));
}

void ControlSections::check(const VelocityConstraint& c) const {
  using Seen = VelocityConstraints::Seen;
  std::vector<Seen> kinds;
  for (const MeasureCall& call : c.formula.formula.inputs()) {
    const auto named = [&](const QuantityName& q) {
      return q.name == call.function && q.kind == std::string("an input");
    };
    const MeasureName* measure = call.arguments.empty() ? nullptr : find_measure(call.function);
    if (measure) kinds.push_back(VelocityConstraints::kind_of(measure->quantity, measure->component));
    else kinds.push_back(std::any_of(names_.begin(), names_.end(), named) ? Seen::input : Seen::other);
  }
  const std::string fault = VelocityConstraints::fault_of(c.formula.formula, kinds);
  if (!fault.empty()) log_.fault(c.place, "velocity_constraints." + c.name, fault);
}

void ControlSections::read_controller(const Definition& d, Model& model) {
  ControllerType type{};
  const auto word = peek(d.entry.value, "type");
  if (!word)
    return log_.fault(d.entry.key_place, d.entry.value.path,
                      "missing key 'type': transfer-function, state-space or pid");
  if (!io::read(*word, type)) return;
  switch (type) {
    case ControllerType::transfer_function: return read_block(d, model.transfer_functions);
    case ControllerType::state_space: return read_block(d, model.state_spaces);
    case ControllerType::pid: return read_block(d, model.pids);
  }
}

void ControlSections::read(Model& model) {
  model.inputs.insert(model.inputs.end(), driven_.begin(), driven_.end());
  for (const Definition& d : definitions_) {
    if (d.section == "inputs") read_input(d, model);
    else if (d.section == "states") read_state(d, model);
    else if (d.section == "variables") read_variable(d, model);
    else read_controller(d, model);
  }
  for (const VelocityConstraint& c : model.velocity_constraints) check(c);
  for (const Signal& s : model.signals)
    for (const QuantityName& name : names_)
      if (s.name == name.name)
        log_.fault(
            s.place, "signals." + s.name,
            fmt::format("this name is already {}, whose value is recorded anyway; choose another one", name.kind));
}

}  // namespace bricard::io
