// SPDX-License-Identifier: Apache-2.0
#include "bricard/check/checker.h"

#include <algorithm>
#include <cmath>

namespace bricard::io {
namespace {

template <class Map>
std::vector<std::string> names_in(const Map& map) {
  std::vector<std::string> names;
  for (const auto& [name, element] : map) names.push_back(name);
  return names;
}

/// `revolute, translational, …`: joints with coordinates that can be moved.
std::string joints_with_coordinates() {
  std::vector<std::string> words;
  for (const JointKind& kind : kJointKinds)
    if (kind.moved) words.push_back(kind.word);
  return alternatives(words);
}

}  // namespace

std::string body_in(const std::string& reference) { return reference.substr(0, reference.find('.')); }
std::string marker_in(const std::string& reference) {
  const size_t dot = reference.find('.');
  return dot == std::string::npos ? "" : reference.substr(dot + 1);
}

Checker::Names::Names(const Model& model) {
  markers["ground"] = &model.ground.markers;
  for (const Body& body : model.bodies) markers[body.name] = &body.markers;
  for (const FlexibleBeam& beam : model.flexible_beams) add_beam_markers(beam);
  for (const Joint& joint : model.joints) joints[joint.name] = &joint;
  for (const Body& body : model.bodies)
    if (body.flexible || body.part) flexible[body.name] = body.part ? &body.part->interfaces : nullptr;
}

// A beam that is faulty has no nodes among the bodies; what is said about its markers then leads nowhere.
void Checker::Names::add_beam_markers(const FlexibleBeam& beam) {
  if (!markers.count(beam.node_name(0))) {
    faulty_beams.push_back(beam.name);
    return;
  }
  std::vector<Marker>& of_beam = beam_markers[beam.name];
  for (const char* end : {"start", "end"}) of_beam.emplace_back().name = end;
  for (const BeamMarker& m : beam.markers) of_beam.emplace_back().name = m.name;
  markers[beam.name] = &of_beam;
}

const Checker::Names& Checker::names() {
  if (!names_) names_ = std::make_unique<const Names>(model_);
  return *names_;
}

std::string Checker::body_of(const std::string& reference) {
  return names().beam_markers.count(body_in(reference)) ? reference : body_in(reference);
}

bool Checker::is_bare(const Reference& reference) {
  const std::string marker = marker_in(reference.name);
  const auto flexible = names().flexible.find(body_in(reference.name));
  return marker.empty() || (flexible != names().flexible.end() && flexible->second &&
                            std::any_of(flexible->second->begin(), flexible->second->end(),
                                        [&](const PartInterface& at) { return at.name == marker; }));
}

void Checker::require(bool good, const std::string& path, double value, const std::string& rule) {
  if (good) return;
  if (const Place* place = log_.place_of(path)) log_.fault(*place, path, rule, fmt::format("{}", value));
}

void Checker::refuse(const std::string& owner, const std::string& key, const std::string& why) {
  if (const Place* place = log_.place_of(owner + "." + key)) log_.fault(*place, owner + "." + key, why);
}

void Checker::need(const std::string& owner, const Place& place, const std::string& key, const std::string& help) {
  if (!given(owner + "." + key)) log_.fault(place, owner, fmt::format("missing key '{}': {}", key, help));
}

void Checker::need_any(const std::string& owner, const Place& place, const std::vector<std::string>& keys) {
  for (const std::string& key : keys)
    if (given(owner + "." + key)) return;
  log_.fault(place, owner, fmt::format("has no effect; give {}", fmt::join(keys, " or ")));
}

void Checker::need_one(const std::string& owner, const Place& place, const std::vector<std::string>& keys) {
  std::vector<std::string> found;
  for (const std::string& key : keys)
    if (given(owner + "." + key)) found.push_back(key);
  if (found.empty()) log_.fault(place, owner, "give one of " + alternatives(keys));
  else if (found.size() > 1)
    log_.fault(place, owner, fmt::format("'{}' and '{}' contradict each other; give one of them", found[0], found[1]));
}

void Checker::check_formula(const Expression& formula, const std::string& path, const std::string& item,
                            bool with_rates) {
  const Place* place = log_.place_of(path);
  if (!place || !formula.inputs().empty()) return;
  const TimeJet start = formula.jet(0);
  const bool good = std::isfinite(start.value) && (!with_rates || std::isfinite(start.rate + start.acceleration));
  if (!good)
    log_.fault(*place, path + item,
               fmt::format("'{}' has no finite value{} at t = 0", formula.text(),
                           with_rates ? ", rate and acceleration" : ""));
}

bool Checker::resolve(const Reference& reference, const std::string& path) {
  const std::string owner = body_in(reference.name);
  const Names& known = names();
  if (std::count(known.faulty_beams.begin(), known.faulty_beams.end(), owner)) return false;
  const auto flexible = known.flexible.find(owner);
  if (flexible != known.flexible.end() && !flexible->second) return false;
  const auto body = known.markers.find(owner);
  if (body == known.markers.end()) {
    log_.fault(reference.place, path,
               fmt::format("unknown body '{}'{}", owner, suggestion(owner, names_in(known.markers), "known")));
    return false;
  }
  if (reference.name.find('.') == std::string::npos) {
    if (flexible != known.flexible.end()) {
      const std::vector<PartInterface>& at = *flexible->second;
      log_.fault(reference.place, path,
                 fmt::format("'{}' is flexible; name one of its interfaces{}", owner,
                             at.empty() ? "" : fmt::format(", as {}.{}", owner, at.front().name)));
      return false;
    }
    if (!known.beam_markers.count(owner)) return true;
    log_.fault(reference.place, path,
               fmt::format("'{}' is a beam; name one of its markers, as {}.start or {}.end", owner, owner, owner));
    return false;
  }
  std::vector<std::string> markers;
  for (const Marker& marker : *body->second) markers.push_back(owner + "." + marker.name);
  if (std::count(markers.begin(), markers.end(), reference.name)) return true;
  const std::string hint =
      markers.empty() ? fmt::format("; '{}' has no markers", owner) : suggestion(reference.name, markers, "known");
  log_.fault(reference.place, path, fmt::format("unknown marker '{}'{}", reference.name, hint));
  return false;
}

bool Checker::check_between(const std::array<Reference, 2>& ends, const std::string& path, const std::string& kind) {
  if (!log_.place_of(path)) return false;
  const bool first = resolve(ends[0], path + "[0]"), second = resolve(ends[1], path + "[1]");
  if (!first || !second) return false;
  const std::string body = body_of(ends[0].name);
  if (body != body_of(ends[1].name)) return true;
  log_.fault(ends[1].place, path, fmt::format("both ends are on '{}'; a {} connects two bodies", body, kind));
  return false;
}

const Joint* Checker::find_joint(const Reference& reference, const std::string& path, const std::string& where) {
  const std::map<std::string, const Joint*>& joints = names().joints;
  const auto found = joints.find(reference.name);
  if (found != joints.end()) return log_.place_of("joints." + reference.name + ".type") ? found->second : nullptr;
  const std::string hint =
      joints.empty() ? "; the model has no joints" : suggestion(reference.name, names_in(joints), "known");
  log_.fault(reference.place, path, fmt::format("unknown joint '{}'{}{}", reference.name, where, hint));
  return nullptr;
}

std::optional<JointCoordinate> Checker::find_coordinate(const Reference& reference, JointCoordinate wanted,
                                                        const Place& owner, const std::string& owner_path,
                                                        const std::string& joint_path,
                                                        const std::string& coordinate_path, const std::string& kind) {
  const Joint* joint = find_joint(reference, joint_path);
  if (!joint) return {};
  const std::vector<JointCoordinate> all = coordinates_of(joint->type);
  const std::string what = fmt::format("'{}' is a {} joint", joint->name, name_of(joint->type));
  if (all.empty()) {
    log_.fault(reference.place, joint_path,
               fmt::format("{}; a {} needs a {} one", what, kind, joints_with_coordinates()));
    return {};
  }
  if (wanted == JointCoordinate::automatic) {
    if (all.size() == 1) return all[0];
    std::vector<std::string> words;
    const bool listed = coordinate_path == joint_path;  // in a coupler's list
    for (const JointCoordinate c : all)
      words.push_back(listed ? name_of(c) : fmt::format("'coordinate: {}'", name_of(c)));
    const std::string where =
        listed ? "say under 'coordinates', one word per joint, whether it is " : "say which coordinate is meant, ";
    log_.fault(owner, owner_path, what + "; " + where + alternatives(words));
    return {};
  }
  if (std::count(all.begin(), all.end(), wanted)) return wanted;
  const Place* place = log_.place_of(coordinate_path);
  log_.fault(place ? *place : owner, coordinate_path, fmt::format("{}, which has no {}", what, name_of(wanted)));
  return {};
}

std::optional<JointCoordinate> Checker::check_coordinate(const Reference& joint, JointCoordinate wanted,
                                                         const Place& owner, const std::string& path,
                                                         const std::string& kind) {
  if (!log_.place_of(path + ".joint") || log_.is_faulty(path + ".coordinate")) return {};
  return find_coordinate(joint, wanted, owner, path, path + ".joint", path + ".coordinate", kind);
}

}  // namespace bricard::io
