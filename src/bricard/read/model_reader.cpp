// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/model_reader.h"

#include <fmt/format.h>

#include <deque>
#include <filesystem>
#include <unordered_map>

#include "bricard/assemble/start_checks.h"
#include "bricard/check/said.h"
#include "bricard/integrate/run_checks.h"
#include "bricard/model/measure_names.h"
#include "bricard/read/beam_completion.h"
#include "bricard/read/body_completion.h"
#include "bricard/read/control_sections.h"
#include "bricard/read/driven_model.h"
#include "bricard/read/field_reader.h"
#include "bricard/read/flexible_completion.h"
#include "bricard/read/formula_sections.h"
#include "bricard/read/framework_reader.h"
#include "bricard/read/linearization_reader.h"
#include "bricard/read/materials.h"
#include "bricard/read/model_files.h"
#include "bricard/read/parameters.h"
#include "bricard/read/repeat.h"
#include "bricard/read/run_reader.h"
#include "bricard/read/units.h"

namespace bricard::io {
namespace {

/// Sections of what formulas call by name: read first.
constexpr const char* kNamesOfFormulas[] = {"expressions", "inputs", "states", "variables", "controllers"};
/// The other sections that a repeat block may have as well as a file.
constexpr const char* kElements[] = {
    "ground",   "bodies",  "beams",  "frames",   "markers", "curves",  "joints",
    "couplers", "motions", "forces", "contacts", "points",  "signals", "velocity_constraints",
    "events",   "repeat"};

/// Reads the sections of all files into one model.
class SectionReader {
 public:
  SectionReader(Model& model, LinearizationSettings& linearization, ReadLog& log)
      : model_(model), linearization_(linearization), log_(log) {}

  void read_file(const Cursor& root, bool is_main) {
    KeyTable keys(root, root.place);
    const Cursor *name = keys.find("name"), *description = keys.find("description");
    for (const char* done : {"include", "units", "parameters", "tables", "materials"}) keys.find(done);
    for (const char* done : kNamesOfFormulas) keys.find(done);
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

  /// When all bodies are known.
  void hand_out_markers() {
    std::unordered_map<std::string, std::vector<Marker>*> owners{{"ground", &model_.ground.markers}};
    std::vector<std::string> names{"ground"};
    for (Body& body : model_.bodies) owners.emplace(body.name, &body.markers), names.push_back(body.name);
    for (auto& [owner, markers] : more_markers_)
      if (const auto found = owners.find(owner.name); found != owners.end())
        std::move(markers.begin(), markers.end(), std::back_inserter(*found->second));
      else
        log_.fault(owner.place, "markers." + owner.name,
                   fmt::format("unknown body '{}'{}", owner.name, suggestion(owner.name, names, "known")));
  }

  std::vector<Framework>& frames() { return frames_; }

  /// Whether every element was found; if not, references to the others would lead nowhere.
  bool is_complete() const { return complete_ && repetitions_.is_complete(); }

 private:
  using Sections = std::vector<std::pair<std::string, Cursor>>;

  void read_text(const Cursor& at, std::string& out) {
    if (const auto text = raw_text_of(at, "a text")) out = *text;
  }

  // An empty one is as good as none.
  Sections find_sections(KeyTable& keys) {
    Sections sections;
    for (const char* key : kElements)
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
      else if (key == "frames") read_frames(at);
      else if (key == "markers") read_markers(at);
      else if (key == "joints") read_named(at, model_.joints);
      else if (key == "curves") read_named(at, model_.curves);
      else if (key == "couplers") read_named(at, model_.couplers);
      else if (key == "motions") read_named(at, model_.motions);
      else if (key == "forces") read_forces(at);
      else if (key == "contacts") read_named(at, model_.contacts);
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

  void read_frames(const Cursor& section) {
    for (const Entry& entry : named_entries(section)) frames_.push_back(read_framework(entry));
  }

  void read_forces(const Cursor& section) {
    for (const Entry& entry : named_entries(section)) {
      const auto word = peek(entry.value, "type");
      if (!word)
        log_.fault(entry.key_place, entry.value.path, "missing key 'type': " + alternatives(force_words("forces")));
      const auto kind = word ? read_choice(*word, force_words("forces"), {}) : std::nullopt;
      if (kind) read_force(*kind, entry);
    }
  }

  void read_force(size_t kind, const Entry& entry) {
    size_t n = 0;
    for_each_force_list(model_, [&]<class Force>(std::vector<Force>& list) {
      if (Force::kind.section == std::string_view("forces") && n++ == kind) read_element(entry, list, {"type"});
    });
  }

  /// Markers beside those that bodies have themselves, {body: {name: {...}}}.
  void read_markers(const Cursor& section) {
    const auto owners = entries_of(section, "a map of bodies, body: {name: {...}}");
    if (!owners) complete_ = false;
    for (size_t i = 0; owners && i < owners->size(); ++i) {
      const Entry& owner = (*owners)[i];
      Cursor at = owner.value;
      at.path = (owner.key == "ground" ? "ground" : "bodies." + owner.key) + ".markers";
      more_markers_.push_back({{owner.key, owner.key_place}, {}});
      if (!read(at, more_markers_.back().second)) complete_ = false;
    }
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
    repetitions_.read(at, [&](const Cursor&, KeyTable& keys) -> Repetitions::Visit {
      for (const char* done : kNamesOfFormulas) keys.find(done);
      return [this, sections = find_sections(keys)](const Scope& scope) {
        Sections here = sections;
        for (auto& [key, section] : here) section.scope = &scope;
        read_sections(here);
      };
    });
  }

  Model& model_;
  LinearizationSettings& linearization_;
  ReadLog& log_;
  Repetitions repetitions_{log_};
  std::vector<std::pair<Reference, std::vector<Marker>>> more_markers_;  ///< and whose they are
  std::vector<Framework> frames_;
  bool complete_ = true;
};

/// Every call in a formula can be read in one way only.
void check_functions(const ExternalFunctions& functions, ReadLog& log) {
  for (const auto& [name, function] : functions)
    if (Expression::has_function(name) || find_measure(name))
      log.fault({}, "",
                fmt::format("function '{}': formulas have a function of this name already; choose another one", name));
}

/// What formulas call by name, from the repeat blocks of a file. What is wrong with the blocks themselves is said when
/// their elements are read.
void add_repeated_names(const Cursor& at, FormulaSections& formulas, ControlSections& control,
                        std::deque<Scope>& scopes, Repetitions& repetitions, ReadLog& unheard) {
  const auto repeat = peek(at, "repeat");
  if (!repeat || repeat->node.IsNull()) return;
  Cursor blocks = *repeat;
  blocks.log = &unheard;
  repetitions.read(blocks, [&](const Cursor& block, KeyTable& keys) -> Repetitions::Visit {
    bool any = false, deeper = false;
    for (const char* key : kNamesOfFormulas) any = keys.find(key) || any;
    for (const char* key : kElements) deeper = (keys.find(key) && key == std::string("repeat")) || deeper;
    if (!any && !deeper) return {};
    return [&, any, block](const Scope& scope) {
      Cursor here = block;
      here.scope = &scope, here.log = at.log;
      if (any) {
        here.scope = &scopes.emplace_back(scope);
        formulas.add(here);
        control.add(here);
      }
      add_repeated_names(here, formulas, control, scopes, repetitions, unheard);
    };
  });
}

LinearModel read_files(const ModelFiles& files, const Overrides& overrides, const ExternalFunctions& functions,
                       ReadLog& log, const std::string& driven = "") {
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
  if (!driven.empty()) control.drive(driven, parameters.release(driven, model, names));
  const size_t count = scopes.size();
  for (size_t i = 0; i < count; ++i) {
    const Cursor root = root_cursor(files.documents[i].root, scopes[i], log);
    scopes[i].constants = names.constants;
    scopes[i].faulty = names.faulty;
    scopes[i].units.dimensions = names.units.dimensions;
    if (const auto section = peek(root, "materials"); section && !section->node.IsNull())
      read_materials(*section, model.materials);
    formulas.add(root);
    control.add(root);
    ReadLog unheard;
    Repetitions repetitions(unheard);
    add_repeated_names(root, formulas, control, scopes, repetitions, unheard);
  }
  names.quantities = &control.names();
  names.quantity_dimensions = &control.dimensions();
  formulas.compute(model);

  SectionReader reader(model, read.settings, log);
  for (Scope& scope : scopes) {
    scope.faulty = names.faulty;
    scope.formulas = &formulas.formulas();
    scope.tables = &formulas.tables();
    scope.quantities = &control.names();
    scope.quantity_dimensions = &control.dimensions();
    scope.functions = &functions;
    scope.materials = &model.materials;
  }
  for (size_t i = 0; i < count; ++i)
    reader.read_file(root_cursor(files.documents[i].root, scopes[i], log), files.documents[i].source == 0);
  reader.hand_out_markers();
  control.read(model);
  convert_coordinates(units, model, log);
  complete_plane(model);
  check_values(model, log);
  check_run(model, log);
  complete_flexible(model, log);
  complete_bodies(model, log);
  complete_beams(reader.frames(), model, log);
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

Model read_driven_model(const std::string& text, const std::string& path, const Overrides& overrides,
                        const std::string& driven) {
  ReadLog log;
  const ModelFiles files = load_model_text(text, path, log);
  return read_files(files, overrides, {}, log, driven).model;
}

RunSettings read_run_settings(const std::string& text, RunSettings settings) {
  ReadLog log;
  const SourceFile file{"", text};
  const Scope scope{&file, {}, {}};
  Cursor at = root_cursor(YAML::Load(text), scope, log);
  at.path = "run";
  Model model;
  model.run = settings;
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
