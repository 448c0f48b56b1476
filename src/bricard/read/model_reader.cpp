// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/model_reader.h"

#include <fmt/format.h>

#include <deque>
#include <filesystem>

#include "bricard/assemble/start_checks.h"
#include "bricard/check/said.h"
#include "bricard/integrate/run_checks.h"
#include "bricard/model/measure_names.h"
#include "bricard/read/beam_completion.h"
#include "bricard/read/body_completion.h"
#include "bricard/read/control_sections.h"
#include "bricard/read/field_reader.h"
#include "bricard/read/formula_sections.h"
#include "bricard/read/linearization_reader.h"
#include "bricard/read/model_files.h"
#include "bricard/read/parameters.h"
#include "bricard/read/run_reader.h"
#include "bricard/read/units.h"

namespace bricard::io {
namespace {

constexpr long kEnoughOfFaulty = 1000;       // where something is wrong, nobody waits for more of the same
constexpr long kMaxRepetitions = 1'000'000;  // more is a slip of the pen, and would fill the memory

/// Reads the sections of all files into one model.
class SectionReader {
 public:
  SectionReader(Model& model, LinearizationSettings& linearization, ReadLog& log)
      : model_(model), linearization_(linearization), log_(log) {}

  void read_file(const Cursor& root, bool is_main) {
    KeyTable keys(root, root.place);
    const Cursor *name = keys.find("name"), *description = keys.find("description");
    for (const char* done :
         {"include", "units", "parameters", "tables", "expressions", "inputs", "states", "variables", "controllers"})
      keys.find(done);
    if (name && is_main) read_text(*name, model_.name);
    if (description && is_main) read_text(*description, model_.description);
    if (const Cursor* gravity = keys.find("gravity")) {
      Cursor at = *gravity;
      at.unit = "m/s^2";
      log_.record("gravity", at.place, read(at, model_.gravity));
    }
    if (const Cursor* plane = keys.find("plane")) log_.record("plane", plane->place, read(*plane, model_.plane));
    if (const Cursor* align = keys.find("align")) {
      Cursor at = *align;
      at.unit = "rad";
      log_.record("align", at.place, read(at, model_.align));
    }
    if (const Cursor* inactive = keys.find("inactive"); inactive && !inactive->node.IsNull())
      log_.record("inactive", inactive->place, read(*inactive, model_.inactive));
    const Sections sections = find_sections(keys);
    if (const Cursor* run = keys.find("run"); run && !run->node.IsNull()) read_run(*run, model_.run);
    if (const Cursor* linear = keys.find("linearization"); linear && !linear->node.IsNull())
      read_linearization(*linear, linearization_);
    keys.report();
    read_sections(sections);
  }

  /// Whether every element was found; if not, references to the others would lead nowhere.
  bool is_complete() const { return complete_; }

 private:
  using Sections = std::vector<std::pair<std::string, Cursor>>;

  void read_text(const Cursor& at, std::string& out) {
    if (const auto text = raw_text_of(at, "a text")) out = *text;
  }

  // The sections a repeat block may have as well as a file; an empty one is as good as none.
  Sections find_sections(KeyTable& keys) {
    Sections sections;
    for (const char* key : {"ground", "bodies", "beams", "curves", "joints", "couplers", "motions", "forces", "points",
                            "signals", "velocity_constraints", "events", "repeat"})
      if (const Cursor* section = keys.find(key); section && !section->node.IsNull())
        sections.emplace_back(key, *section);
    return sections;
  }

  void read_sections(const Sections& sections) {
    for (auto [key, at] : sections) {
      if (key != "repeat") at.path = key;  // elements of a repeat block are named like all others
      if (key == "ground") read_fields(at, at.place, model_.ground);
      else if (key == "bodies") read_named(at, model_.bodies);
      else if (key == "beams") read_named(at, model_.flexible_beams);
      else if (key == "joints") read_named(at, model_.joints);
      else if (key == "curves") read_named(at, model_.curves);
      else if (key == "couplers") read_named(at, model_.couplers);
      else if (key == "motions") read_named(at, model_.motions);
      else if (key == "forces") read_forces(at);
      else if (key == "points") read_points(at);
      else if (key == "signals") read_signals(at);
      else if (key == "velocity_constraints") read_velocity_constraints(at);
      else if (key == "events") read_named(at, model_.events);
      else read_repeat(at);
    }
  }

  template <class Element>
  void read_element(const Entry& entry, std::vector<Element>& out, const std::vector<std::string>& also = {}) {
    Element element;
    element.name = entry.key;
    element.place = entry.key_place;
    read_fields(entry.value, entry.key_place, element, also);
    out.push_back(std::move(element));  // also if faulty: others may refer to it
  }

  std::vector<Entry> named_entries(const Cursor& section) {
    std::vector<Entry> claimed;
    auto entries = entries_of(section, "a map, name: {...}");
    if (!entries) complete_ = false;
    else
      for (Entry& entry : *entries)
        if (claim_name(entry)) claimed.push_back(std::move(entry));
    return claimed;
  }

  template <class Element>
  void read_named(const Cursor& section, std::vector<Element>& out) {
    for (const Entry& entry : named_entries(section)) read_element(entry, out);
  }

  void read_forces(const Cursor& section) {
    for (const Entry& entry : named_entries(section)) {
      const auto word = peek(entry.value, "type");
      if (!word) log_.fault(entry.key_place, entry.value.path, "missing key 'type': " + alternatives(force_words()));
      const auto kind = word ? read_choice(*word, force_words(), {}) : std::nullopt;
      if (kind) read_force(*kind, entry);
    }
  }

  void read_force(size_t kind, const Entry& entry) {
    size_t n = 0;
    for_each_force_list(model_, [&](auto& list) {
      if (n++ == kind) read_element(entry, list, {"type"});
    });
  }

  void read_points(const Cursor& section) {
    for (const Entry& entry : named_entries(section)) {
      Point point{entry.key, {}};
      if (read(entry.value, point.marker)) model_.points.push_back(point);
    }
  }

  void read_signals(const Cursor& section) {
    for (const Entry& entry : named_entries(section)) {
      Signal signal;
      signal.name = entry.key;
      signal.place = entry.key_place;
      if (read_signal(entry, signal)) model_.signals.push_back(signal);
    }
  }

  void read_velocity_constraints(const Cursor& section) {
    for (const Entry& entry : named_entries(section)) {
      VelocityConstraint c{entry.key, entry.key_place, {}};
      Cursor at = entry.value;
      at.unit = nullptr;
      if (read(at, c.formula)) model_.velocity_constraints.push_back(c);
    }
  }

  void read_repeat(const Cursor& at) {
    if (at.node.IsMap()) return read_block(at);
    const auto blocks = items_of(at, "a block {for: {i: [1, n]}, ...} or a list of blocks");
    if (!blocks) complete_ = false;
    else
      for (const Cursor& block : *blocks) read_block(block);
  }

  void read_block(const Cursor& at) {
    KeyTable keys(at, at.place);
    const Cursor* loops = keys.require("for", "the variables and their ranges, {i: [1, n]}");
    const Sections sections = find_sections(keys);
    const bool bad_keys = keys.report();
    const auto variables = loops ? entries_of(*loops, "a map of variables, {i: [1, n]}") : std::nullopt;
    if (bad_keys || !variables || !check_variables(*loops, *variables)) complete_ = false;
    else loop(*variables, 0, *at.scope, sections);
  }

  bool check_variables(const Cursor& loops, const std::vector<Entry>& variables) {
    bool good = !variables.empty();
    if (!good) loops.fault("no variable; expected {i: [1, n]}");
    for (const Entry& variable : variables) {
      good = check_variable_name(variable) && good;
      if (loops.scope->constants.count(variable.key) == 0) continue;
      log_.fault(variable.key_place, variable.value.path,
                 "this name is already a parameter or a variable of an outer repeat");
      good = false;
    }
    return good;
  }

  // One loop per variable, the first outermost; ranges may use the variables before.
  void loop(const std::vector<Entry>& variables, size_t depth, const Scope& outer, const Sections& sections) {
    if (depth == variables.size()) {
      Sections here = sections;
      for (auto& [key, section] : here) section.scope = &outer;
      return read_sections(here);
    }
    Cursor range = variables[depth].value;
    range.scope = &outer;
    const auto bounds = read_range(range);
    if (!bounds) return;
    Scope inner = outer;
    for (long i = bounds->first; i <= bounds->second && repetitions_ <= kMaxRepetitions; ++i) {
      if (repetitions_ > kEnoughOfFaulty && !log_.findings().empty()) complete_ = false;
      if (repetitions_ > kEnoughOfFaulty && !complete_) return;
      if (++repetitions_ > kMaxRepetitions) too_many(range);
      inner.constants[variables[depth].key] = static_cast<double>(i);
      loop(variables, depth + 1, inner, sections);
    }
  }

  void too_many(const Cursor& range) {
    range.fault(fmt::format("more than {} repetitions", kMaxRepetitions));
    complete_ = false;
  }

  // [first, last], or n for [1, n]; last = first − 1 is an empty range.
  std::optional<std::pair<long, long>> read_range(const Cursor& at) {
    std::optional<long> first = 1, last;
    if (at.node.IsSequence()) {
      const auto items = items_of(at, "a range [first, last]", 2);
      first = items ? integer_of((*items)[0]) : std::nullopt;
      last = items ? integer_of((*items)[1]) : std::nullopt;
    } else {
      last = integer_of(at);
    }
    if (first && last && *last >= *first - 1) return std::pair{*first, *last};
    if (first && last) at.fault(fmt::format("the range from {} to {} runs backwards", *first, *last));
    complete_ = false;
    return {};
  }

  Model& model_;
  LinearizationSettings& linearization_;
  ReadLog& log_;
  long repetitions_ = 0;
  bool complete_ = true;
};

/// Every call in a formula can be read in one way only.
void check_functions(const ExternalFunctions& functions, ReadLog& log) {
  for (const auto& [name, function] : functions)
    if (Expression::has_function(name) || find_measure(name))
      log.fault({}, "",
                fmt::format("function '{}': formulas have a function of this name already; choose another one", name));
}

LinearModel read_files(const ModelFiles& files, const Overrides& overrides, const ExternalFunctions& functions,
                       ReadLog& log) {
  log.throw_faults(files.sources);  // without all files nearly every reference would be a fault
  LinearModel read;
  Model& model = read.model;
  model.sources = files.sources;
  model.name = std::filesystem::path(files.sources[0].path).stem().string();

  std::deque<Scope> scopes;                 // cursors point at them
  std::map<std::string, UnitSystem> units;  // by file
  Parameters parameters(log);
  for (const ModelFiles::Document& document : files.documents) {
    scopes.push_back({&files.sources[document.source], {}, {}, {}});
    const Cursor root = root_cursor(document.root, scopes.back(), log);
    if (const auto section = peek(root, "units")) scopes.back().units.units = read_units(*section);
    units[scopes.back().file->path] = scopes.back().units.units;
    if (const auto section = peek(root, "parameters")) parameters.add(*section);
  }
  Scope names;
  parameters.compute(overrides, model, names);
  check_functions(functions, log);
  names.functions = &functions;
  FormulaSections formulas(names, log);
  ControlSections control(formulas, log);
  for (size_t i = 0; i < scopes.size(); ++i) {
    formulas.add(root_cursor(files.documents[i].root, scopes[i], log));
    control.add(root_cursor(files.documents[i].root, scopes[i], log));
  }
  names.quantities = &control.names();
  names.quantity_dimensions = &control.dimensions();
  formulas.compute(model);

  SectionReader reader(model, read.settings, log);
  for (size_t i = 0; i < scopes.size(); ++i) {
    scopes[i].constants = names.constants;
    scopes[i].faulty = names.faulty;
    scopes[i].units.dimensions = names.units.dimensions;
    scopes[i].formulas = &formulas.formulas();
    scopes[i].tables = &formulas.tables();
    scopes[i].quantities = &control.names();
    scopes[i].quantity_dimensions = &control.dimensions();
    scopes[i].functions = &functions;
    reader.read_file(root_cursor(files.documents[i].root, scopes[i], log), files.documents[i].source == 0);
  }
  control.read(model);
  convert_coordinates(units, model, log);
  complete_plane(model);
  check_values(model, log);
  check_run(model, log);
  complete_bodies(model, log);
  complete_beams(model, log);
  if (reader.is_complete()) {
    check_references(model, log);
    check_linearization(model, read.settings, log);
  }
  log.throw_faults(files.sources);
  check_geometry(model, log);
  check_plane(model, log);
  log.throw_faults(files.sources);
  return read;
}

}  // namespace

Model read_model(const std::string& path, const Overrides& overrides) {
  ReadLog log;
  const ModelFiles files = load_model_files(path, log);
  return read_files(files, overrides, {}, log).model;
}

Model read_model_text(const std::string& text, const std::string& path, const Overrides& overrides,
                      const ExternalFunctions& functions) {
  ReadLog log;
  const ModelFiles files = load_model_text(text, path, log);
  return read_files(files, overrides, functions, log).model;
}

LinearModel read_linear_model(const std::string& text, const std::string& path, const Overrides& overrides,
                              const ExternalFunctions& functions) {
  ReadLog log;
  const ModelFiles files = load_model_text(text, path, log);
  return read_files(files, overrides, functions, log);
}

RunSettings read_run_settings(const std::string& text, RunSettings settings) {
  ReadLog log;
  const SourceFile file{"", text};
  const Scope scope{&file, {}, {}};
  Cursor at = root_cursor(YAML::Load(text), scope, log);
  at.path = "run";
  Model model;
  model.run = std::move(settings);
  read_run(at, model.run);
  check_run(model, log);
  try {
    log.throw_faults({file});
  } catch (const ModelError& error) {
    std::vector<Fault> faults = error.faults();
    for (Fault& fault : faults) fault.place = {};
    throw ModelError(std::move(faults));
  }
  return model.run;
}

}  // namespace bricard::io
