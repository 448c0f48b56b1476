// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/calculix_deck.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <unordered_map>

#include "bricard/check/read_log.h"
#include "bricard/read/deck_lines.h"

namespace bricard::io {
namespace {

/// Keywords that say nothing of stiffness and mass.
const std::set<std::string>& harmless() {
  static const std::set<std::string> words = {
      "HEADING", "AMPLITUDE",          "CONDUCTIVITY",       "CREEP",   "DAMPING",  "DISPLAY BODY", "EXPANSION",
      "FILTER",  "INITIAL CONDITIONS", "PHYSICAL CONSTANTS", "PLASTIC", "PREPRINT", "RESTART",      "SPECIFIC HEAT",
      "SURFACE", "TIME POINTS",        "USER MATERIAL"};
  return words;
}

/// Elements that meshes of solids contain besides: their surfaces and edges, without stiffness of their own.
bool is_skin(const std::string& type) {
  for (const char* begin : {"CPS", "CPE", "CAX", "T3D", "T2D"})
    if (type.rfind(begin, 0) == 0) return true;
  return false;
}

class DeckReader {
 public:
  explicit DeckReader(const MeshOptions& options) : options_(options), units_(options.units.value_or(FileUnits{})) {}

  MeshFile read(const std::string& path) {
    for (const DeckBlock& block : deck_blocks(path)) take(block);
    if (elements_.empty()) refuse({}, fmt::format("{}: there are no solid elements in it", path));
    give_materials();
    keep_what_is_used();
    if (!skins_.empty())
      file_.remarks.push_back(fmt::format("left aside: {} elements of surfaces and edges", skin_count_));
    return std::move(file_);
  }

 private:
  struct Section {
    Place place;
    std::string elements, material;
  };
  struct RawElement {
    SolidElement element;  ///< with numbers of nodes
    Place place;
  };

  [[noreturn]] static void refuse(const Place& place, const std::string& what) {
    throw ModelError({Fault{place, what}});
  }

  static double number(const DeckBlock& block, const DeckBlock::Data& row, std::size_t field) {
    double value = 0;
    const std::string& text = field < row.fields.size() ? row.fields[field] : std::string();
    const char* begin = text.c_str() + (text.rfind('+', 0) == 0 ? 1 : 0);
    const auto [end, error] = std::from_chars(begin, text.c_str() + text.size(), value);
    if (error != std::errc() || *end != '\0' || !std::isfinite(value))
      refuse(block.at(row), fmt::format("*{}: value {} is '{}': must be a number", block.keyword, field + 1, text));
    return value;
  }

  static int whole(const DeckBlock& block, const DeckBlock::Data& row, const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value <= 0)
      refuse(block.at(row), fmt::format("*{}: '{}': must be a number of a node or an element", block.keyword, text));
    return value;
  }

  void take(const DeckBlock& block) {
    const std::string& word = block.keyword;
    if (word == "STEP") in_step_ = true;
    if (in_step_) {
      in_step_ = word != "END STEP";
      if (word == "BOUNDARY") remark_boundary(block);
    } else if (word == "NODE") take_nodes(block);
    else if (word == "ELEMENT") take_elements(block);
    else if (word == "NSET") take_set(block, block.value("NSET"), node_sets_);
    else if (word == "ELSET") take_set(block, block.value("ELSET"), element_sets_);
    else if (word == "MATERIAL") take_material(block);
    else if (word == "ELASTIC") take_elastic(block);
    else if (word == "DENSITY") in_material(block).density = number(block, first(block), 0) * units_.density();
    else if (word == "SOLID SECTION") take_section(block);
    else if (word == "BOUNDARY") remark_boundary(block);
    else if (word == "PART" || word == "INSTANCE" || word == "ASSEMBLY")
      refuse(block.place, fmt::format("*{}: parts and instances are not read; write a flat deck, with one mesh", word));
    else if (!harmless().count(word))
      refuse(block.place,
             fmt::format("*{}: this is not read, and may change stiffness or mass. Known are *NODE, *ELEMENT, "
                         "*NSET, *ELSET, *MATERIAL, *ELASTIC, *DENSITY, *SOLID SECTION",
                         word));
  }

  void remark_boundary(const DeckBlock& block) {
    file_.remarks.push_back(
        fmt::format("left aside: {}:{}: *BOUNDARY; interfaces hold the part", block.place.file, block.place.line));
  }

  static const DeckBlock::Data& first(const DeckBlock& block) {
    if (block.data.empty()) refuse(block.place, fmt::format("*{}: its values are missing", block.keyword));
    return block.data.front();
  }

  void take_nodes(const DeckBlock& block) {
    for (const DeckBlock::Data& row : block.data) {
      const int id = whole(block, row, row.fields[0]);
      Vector3d x = Vector3d::Zero();
      for (int a = 0; a < 3; ++a)
        if (row.fields.size() > static_cast<std::size_t>(a) + 1) x[a] = units_.length * number(block, row, a + 1);
      if (!node_at_.emplace(id, static_cast<int>(positions_.size())).second)
        refuse(block.at(row), fmt::format("*NODE: there is another node {}", id));
      positions_.push_back(x);
      ids_.push_back(id);
      if (block.has("NSET")) node_sets_[upper(block.value("NSET"))].push_back(id);
    }
  }

  void take_elements(const DeckBlock& block) {
    const std::string type = upper(block.value("TYPE"));
    const SolidKind* kind = solid_kind(type);
    if (!kind && !is_skin(type)) {
      std::vector<std::string> names;
      for (const std::string_view name : solid_kind_names()) names.emplace_back(name);
      refuse(block.place, fmt::format("*ELEMENT: type {} is not read; solids are {}",
                                      type.empty() ? "is missing and" : type, alternatives(names)));
    }
    if (!kind) {
      skins_.insert(type);
      skin_count_ += static_cast<int>(block.data.size());
      return;
    }
    std::vector<int> numbers;
    for (const DeckBlock::Data& row : block.data) {
      for (const std::string& field : row.fields)
        if (!field.empty()) numbers.push_back(whole(block, row, field));
      if (static_cast<int>(numbers.size()) <= kind->nodes && row.fields.back().empty()) continue;
      if (static_cast<int>(numbers.size()) != kind->nodes + 1)
        refuse(block.at(row), fmt::format("*ELEMENT: element {} has {} nodes, and {} has {}", numbers.front(),
                                          numbers.size() - 1, type, kind->nodes));
      SolidElement element{kind, numbers.front(), -1, {numbers.begin() + 1, numbers.end()}};
      if (!element_at_.emplace(element.number, static_cast<int>(elements_.size())).second)
        refuse(block.at(row), fmt::format("*ELEMENT: there is another element {}", element.number));
      if (block.has("ELSET")) element_sets_[upper(block.value("ELSET"))].push_back(element.number);
      elements_.push_back({std::move(element), block.at(row)});
      numbers.clear();
    }
    if (!numbers.empty()) refuse(block.place, fmt::format("*ELEMENT: element {} is not complete", numbers.front()));
  }

  void take_set(const DeckBlock& block, const std::string& name, std::map<std::string, std::vector<int>>& sets) {
    if (name.empty()) refuse(block.place, fmt::format("*{0}: its name is missing, as in *{0}, {0}=TIP", block.keyword));
    std::vector<int>& set = sets[upper(name)];
    for (const DeckBlock::Data& row : block.data) {
      if (block.has("GENERATE")) {
        const int from = whole(block, row, row.fields[0]);
        const int to = row.fields.size() > 1 ? whole(block, row, row.fields[1]) : from;
        const int step = row.fields.size() > 2 && !row.fields[2].empty() ? whole(block, row, row.fields[2]) : 1;
        for (int id = from; id <= to; id += step) set.push_back(id);
        continue;
      }
      for (const std::string& field : row.fields) {
        if (field.empty()) continue;
        if (std::isdigit(static_cast<unsigned char>(field.front()))) {
          set.push_back(whole(block, row, field));
          continue;
        }
        const auto other = sets.find(upper(field));
        if (other == sets.end())
          refuse(block.at(row), fmt::format("*{}: there is no set '{}' above", block.keyword, field));
        const std::vector<int> copy = other->second;
        set.insert(set.end(), copy.begin(), copy.end());
      }
    }
  }

  void take_material(const DeckBlock& block) {
    if (block.value("NAME").empty()) refuse(block.place, "*MATERIAL: its NAME is missing");
    file_.mesh.materials.push_back({block.value("NAME")});
    material_places_.push_back(block.place);
  }

  SolidMaterial& in_material(const DeckBlock& block) {
    if (file_.mesh.materials.empty())
      refuse(block.place, fmt::format("*{}: there is no *MATERIAL above", block.keyword));
    return file_.mesh.materials.back();
  }

  void take_elastic(const DeckBlock& block) {
    SolidMaterial& material = in_material(block);
    const std::string type = upper(block.value("TYPE"));
    if (!type.empty() && type != "ISO" && type != "ISOTROPIC")
      refuse(block.place, fmt::format("*ELASTIC: type {}: only isotropic materials are read", type));
    material.youngs_modulus = number(block, first(block), 0) * units_.stress();
    material.poisson = number(block, first(block), 1);
    if (!(material.youngs_modulus > 0) || !(material.poisson > -1 && material.poisson < 0.5))
      refuse(block.at(first(block)), "*ELASTIC: E must be > 0 and nu between -1 and 0.5");
  }

  void take_section(const DeckBlock& block) {
    if (block.has("ORIENTATION")) refuse(block.place, "*SOLID SECTION: orientations of materials are not read");
    sections_.push_back({block.place, block.value("ELSET"), block.value("MATERIAL")});
  }

  int material_named(const Section& section) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < file_.mesh.materials.size(); ++i) {
      names.push_back(file_.mesh.materials[i].name);
      if (upper(names.back()) == upper(section.material)) return static_cast<int>(i);
    }
    refuse(section.place, fmt::format("*SOLID SECTION: there is no material '{}'{}", section.material,
                                      suggestion(section.material, names, "known are")));
  }

  void give_materials() {
    for (const Section& section : sections_) {
      const auto set = element_sets_.find(upper(section.elements));
      if (set == element_sets_.end()) {
        std::vector<std::string> names;
        for (const auto& [name, ids] : element_sets_) names.push_back(name);
        refuse(section.place, fmt::format("*SOLID SECTION: there is no set of elements '{}'{}", section.elements,
                                          suggestion(upper(section.elements), names, "known are")));
      }
      const int material = material_named(section);
      for (const int id : set->second)
        if (const auto at = element_at_.find(id); at != element_at_.end())
          elements_[at->second].element.material = material;
    }
    for (RawElement& raw : elements_)
      if (raw.element.material < 0) raw.element.material = other_material(raw);
    std::set<int> used;
    for (const RawElement& raw : elements_) used.insert(raw.element.material);
    for (const int i : used) check_material(i);
  }

  /// Of elements without section: the one that was given with the command.
  int other_material(const RawElement& raw) {
    if (!options_.material)
      refuse(raw.place,
             fmt::format("element {} has no material: add a *SOLID SECTION and a *MATERIAL, or give all elements "
                         "without one a material with --material steel",
                         raw.element.number));
    if (given_ < 0) {
      given_ = static_cast<int>(file_.mesh.materials.size());
      const Material& material = *options_.material;
      file_.mesh.materials.push_back(
          {material.name, material.youngs_modulus, material.poissons_ratio, material.density});
      material_places_.emplace_back();
    }
    return given_;
  }

  void check_material(int index) const {
    const SolidMaterial& material = file_.mesh.materials[index];
    const Place& place = material_places_[index];
    if (!(material.youngs_modulus > 0))
      refuse(place, fmt::format("material '{}' has no *ELASTIC: E and nu are missing", material.name));
    if (!(material.density > 0))
      refuse(place, fmt::format("material '{}' has no *DENSITY: without mass there is no motion", material.name));
    if (!options_.units && (material.density < 1 || material.density > 1e5))
      refuse(
          place,
          fmt::format(
              "material '{}' has a density of {:.4g} kg/m^3, and nothing has; if lengths are in millimetres and masses "
              "in tonnes, say --units mm; if it is right, say --units m",
              material.name, material.density));
  }

  void keep_what_is_used() {
    std::vector<int> place(positions_.size(), -1);
    SolidMesh& mesh = file_.mesh;
    for (RawElement& raw : elements_)
      for (int& node : raw.element.nodes) {
        const auto found = node_at_.find(node);
        if (found == node_at_.end())
          refuse(raw.place, fmt::format("element {} has node {}, which is nowhere", raw.element.number, node));
        place[node = found->second] = 0;
      }
    int count = 0;
    for (int& at : place)
      if (at == 0) at = count++;
    mesh.nodes.resize(3, count);
    mesh.numbers.resize(count);
    for (std::size_t i = 0; i < place.size(); ++i)
      if (place[i] >= 0) mesh.nodes.col(place[i]) = positions_[i], mesh.numbers[place[i]] = ids_[i];
    for (RawElement& raw : elements_) {
      for (int& node : raw.element.nodes) node = place[node];
      mesh.elements.push_back(std::move(raw.element));
    }
    for (const auto& [name, ids] : node_sets_) {
      std::set<int> nodes;  // each once
      for (const int id : ids)
        if (const auto found = node_at_.find(id); found != node_at_.end() && place[found->second] >= 0)
          nodes.insert(place[found->second]);
      mesh.node_sets[name] = {nodes.begin(), nodes.end()};
    }
  }

  const MeshOptions& options_;
  FileUnits units_;
  MeshFile file_;
  bool in_step_ = false;
  std::vector<Vector3d> positions_;
  std::vector<int> ids_;
  std::unordered_map<int, int> node_at_, element_at_;
  std::vector<RawElement> elements_;
  std::map<std::string, std::vector<int>> node_sets_, element_sets_;
  std::vector<Section> sections_;
  std::vector<Place> material_places_;
  std::set<std::string> skins_;
  int skin_count_ = 0, given_ = -1;
};

}  // namespace

FileUnits file_units(const std::string& name) {
  const std::vector<FileUnits> known = {{"m", 1, 1}, {"mm", 1e-3, 1e3}, {"in", 0.0254, 4.4482216152605 / 0.0254}};
  for (const FileUnits& units : known)
    if (units.name == name) return units;
  throw ModelError(
      {Fault{{}, fmt::format("units '{}': must be m (m, kg, s), mm (mm, t, s) or in (in, lbf*s^2/in, s)", name)}});
}

MeshFile read_calculix_deck(const std::string& path, const MeshOptions& options) {
  return DeckReader(options).read(path);
}

}  // namespace bricard::io
