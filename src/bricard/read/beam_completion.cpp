// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/beam_completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "bricard/assemble/beam_checks.h"
#include "bricard/assemble/beam_line.h"
#include "bricard/read/flexible_completion.h"

namespace bricard::io {

void take_material(const std::vector<Material>& own, FlexibleBeam& beam) {
  for (const Material& m : own) {
    if (m.name != beam.material) continue;
    beam.density = beam.density.value_or(m.density);
    if (m.youngs_modulus == 0) return;
    beam.youngs_modulus = beam.youngs_modulus.value_or(m.youngs_modulus);
    beam.poissons_ratio = beam.poissons_ratio.value_or(m.poissons_ratio);
  }
}

namespace {

/// Where ends of beams are. A marker of a beam is known once this beam is, whichever stands first in the file.
class BeamEnds {
 public:
  BeamEnds(std::vector<Framework>& frames, Model& model, ReadLog& log) : model_(model), log_(log) {
    for (Framework& frame : frames) add_members(frame);
    for (FlexibleBeam& beam : model.flexible_beams) beams_.emplace(beam.name, Progress{&beam});
    for (Framework& frame : frames)
      for (FrameworkNode& node : frame.nodes) place(nodes_.at(&node));
  }

  /// Finds the ends of a beam and checks it, and those that it hangs on before; false if there is something wrong.
  bool complete(const FlexibleBeam& beam) { return complete(beams_.at(beam.name)); }

 private:
  enum class State { unknown, busy, good, faulty };
  struct Progress {
    FlexibleBeam* beam;
    State state = State::unknown;
  };
  struct Node {
    std::string path;
    BeamEnd* end;
    State state = State::unknown;
  };

  void add_members(Framework& frame);
  bool complete(Progress& at);
  bool place(Node& node);
  bool find_ends(FlexibleBeam& beam);
  bool find_position(const std::string& path, BeamEnd& end);
  bool find_on_beam(Progress& owner, const std::string& path, BeamEnd& end);
  bool find_on_body(const std::string& path, BeamEnd& end);
  bool unknown_marker(const BeamEnd& end, const std::string& path, const std::vector<std::string>& names) {
    log_.fault(end.marker.place, path,
               fmt::format("unknown marker '{}'{}", end.marker.name,
                           names.empty() ? fmt::format("; '{}' has no markers", owner_of(end))
                                         : suggestion(end.marker.name, names, "known")));
    return false;
  }
  static std::string owner_of(const BeamEnd& end) { return end.marker.name.substr(0, end.marker.name.find('.')); }

  Model& model_;
  ReadLog& log_;
  std::map<std::string, Progress> beams_;
  std::map<const FrameworkNode*, Node> nodes_;
  std::map<std::string, std::array<Node*, 2>> members_;  ///< by the name of the beam
};

/// Members become beams, whose ends are nodes.
void BeamEnds::add_members(Framework& frame) {
  const std::string path = "frames." + frame.name;
  std::map<std::string, Node*> named;
  std::vector<std::string> names;
  std::set<std::string> used;
  for (FrameworkNode& node : frame.nodes) {
    named[node.name] = &nodes_.emplace(&node, Node{path + ".nodes." + node.name, &node.at}).first->second;
    names.push_back(node.name);
  }
  const auto find = [&](const Reference& reference, const std::string& where) -> Node* {
    used.insert(reference.name);
    const auto found = named.find(reference.name);
    if (found != named.end()) return found->second;
    log_.fault(reference.place, where,
               fmt::format("unknown node '{}'{}", reference.name, suggestion(reference.name, names, "known")));
    return nullptr;
  };
  for (const FrameworkMember& member : frame.members) {
    const std::string of_beam = "beams." + member.beam.name;
    auto& ends = members_[member.beam.name];
    for (const size_t i : {0, 1}) {
      ends[i] = find(member.nodes[i], path + ".members");
      log_.record(of_beam + (i == 0 ? ".from" : ".to"), member.nodes[i].place, ends[i] != nullptr);
    }
    model_.flexible_beams.push_back(member.beam);
  }
  for (const FrameworkNode& node : frame.nodes)
    if (!used.count(node.name))
      log_.fault(node.place, path + ".nodes." + node.name, "no member ends here; remove the node or add a member");
  for (const FrameworkJoint& joint : frame.joints) find(joint.node, path + ".joints." + joint.node.name);
}

bool BeamEnds::complete(Progress& at) {
  if (at.state == State::good || at.state == State::faulty) return at.state == State::good;
  at.state = State::busy;
  FlexibleBeam& beam = *at.beam;
  const std::string path = "beams." + beam.name;
  const bool ends = find_ends(beam);
  take_material(model_.materials, beam);
  const auto is_faulty = [&](const auto&... field) { return (log_.is_faulty(path + "." + field.name) || ...); };
  const bool read = ends && !log_.is_faulty(path + ".*") && !std::apply(is_faulty, FlexibleBeam::fields());
  at.state = read && check_beam(beam, model_.materials, log_) ? State::good : State::faulty;
  return at.state == State::good;
}

bool BeamEnds::place(Node& node) {
  if (node.state == State::unknown) {
    const bool good = find_position(node.path, *node.end);
    node.state = good ? State::good : State::faulty;
  }
  return node.state == State::good;
}

/// Ends that are not given are those of the curve; without one they have to be.
bool BeamEnds::find_ends(FlexibleBeam& beam) {
  if (const auto member = members_.find(beam.name); member != members_.end()) {
    const auto& [from, to] = member->second;
    if (!from || !to || !place(*from) || !place(*to)) return false;
    beam.from.position = from->end->position, beam.to.position = to->end->position;
    return true;
  }
  const std::string path = "beams." + beam.name;
  bool good = true;
  for (const auto& [key, end, s] : {std::tuple{"from", &beam.from, 0.0}, std::tuple{"to", &beam.to, 1.0}}) {
    const std::string at = path + "." + key;
    const bool given = log_.place_of(at) || log_.is_faulty(at);
    if (!given && beam.curve) {
      for (int i = 0; i < 3; ++i) end->position[i] = beam.curve->position[static_cast<size_t>(i)].value(0, &s);
    } else if (!given) {
      if (!log_.is_faulty(path + ".*") && !log_.is_faulty(path + ".curve"))
        log_.fault(beam.place, path,
                   fmt::format("missing key '{}': a position, or a marker it is welded to, in m", key));
      good = false;
    } else {
      good = find_position(at, *end) && good;
    }
  }
  return good;
}

/// Complains if there is no such marker.
bool BeamEnds::find_position(const std::string& path, BeamEnd& end) {
  if (end.marker.name.empty()) return !log_.is_faulty(path);
  const auto beam = beams_.find(owner_of(end));
  return beam != beams_.end() ? find_on_beam(beam->second, path, end) : find_on_body(path, end);
}

bool BeamEnds::find_on_beam(Progress& owner, const std::string& path, BeamEnd& end) {
  const FlexibleBeam& beam = *owner.beam;
  if (owner.state == State::busy)
    log_.fault(end.marker.place, path,
               fmt::format("'{}' is welded to this beam itself, or to one that hangs on it; give one of their ends a "
                           "position",
                           beam.name));
  if (owner.state == State::busy || !complete(owner)) return false;
  std::vector<std::string> names;
  for (const BeamPlace& place : beam_places(beam)) {
    names.push_back(place.name);
    if (place.name == end.marker.name) end.body = place.body;
  }
  if (end.body.empty()) return unknown_marker(end, path, names);
  const BeamLine line = beam_line(beam);
  const std::string marker = end.marker.name.substr(beam.name.size() + 1);
  double s = marker == "end" ? 1 : 0;
  for (const BeamMarker& m : beam.markers)
    if (m.name == marker) s = m.s;
  end.position = line.pose(s * line.length).p;
  return true;
}

bool BeamEnds::find_on_body(const std::string& path, BeamEnd& end) {
  const std::string &name = end.marker.name, owner = owner_of(end);
  const std::vector<Marker>* markers = owner == "ground" ? &model_.ground.markers : nullptr;
  Vector3d p = Vector3d::Zero();
  Quaterniond R = Quaterniond::Identity();
  std::vector<std::string> owners{"ground"};
  for (const auto& [beam, progress] : beams_) owners.push_back(beam);
  for (const Body& body : model_.bodies) {
    owners.push_back(body.name);
    if (body.name == owner) markers = &body.markers, p = body.position, R = body.orientation;
  }
  if (!markers) {
    log_.fault(end.marker.place, path, fmt::format("unknown body '{}'{}", owner, suggestion(owner, owners, "known")));
    return false;
  }
  end.position = p, end.body = owner;
  if (name == owner) return true;
  std::vector<std::string> names;
  for (const Marker& m : *markers) {
    names.push_back(owner + "." + m.name);
    if (names.back() == name) end.position = p + R * m.position;
  }
  return std::count(names.begin(), names.end(), name) ? true : unknown_marker(end, path, names);
}

/// The nodes of good beams become bodies.
void expand_beams(const std::vector<const FlexibleBeam*>& beams, Model& model, ReadLog& log) {
  std::vector<std::string> names{"ground"};
  for (const Body& body : model.bodies) names.push_back(body.name);
  for (const FlexibleBeam* beam : beams) {
    if (std::count(names.begin(), names.end(), beam->name))
      log.fault(beam->place, "beams." + beam->name, "a body has this name already; choose another one");
    const size_t before = model.bodies.size();
    if (beam->reduce) {
      reduce_beam(*beam, model, log);
      continue;
    }
    expand_beam(*beam, model);
    for (size_t i = before; i < model.bodies.size(); ++i)
      if (std::count(names.begin(), names.end(), model.bodies[i].name))
        log.fault(beam->place, "beams." + beam->name,
                  fmt::format("its node {} would be called '{}', as a body is; rename one of both", i - before,
                              model.bodies[i].name));
  }
}

// At a node with a marker each member is joined to the body of the marker, else to the first member there.
void join_members(const std::vector<Framework>& frames, Model& model) {
  std::map<std::string, const FlexibleBeam*> beams;
  for (const FlexibleBeam& beam : model.flexible_beams) beams[beam.name] = &beam;
  std::set<std::string> bodies;
  for (const Body& body : model.bodies) bodies.insert(body.name);
  for (const Framework& frame : frames)
    for (const FrameworkNode& node : frame.nodes) {
      Joint joint;
      joint.place = node.place;
      for (const FrameworkJoint& given : frame.joints)
        if (given.node.name == node.name)
          joint.type = given.type, joint.axis = given.axis, joint.place = given.node.place;
      std::string first = node.at.body;
      int number = 0;
      for (const FrameworkMember& member : frame.members)
        for (const size_t end : {0, 1}) {
          if (member.nodes[end].name != node.name) continue;
          const FlexibleBeam& beam = *beams.at(member.beam.name);
          if (!bodies.count(beam.node_name(0))) continue;  // it is faulty
          const size_t last = beam_mesh(beam, beam_line(beam).length).nodes().size() - 1;
          const std::string body = beam.node_name(end == 0 ? 0 : last);
          if (first.empty()) {
            first = body;
            continue;
          }
          joint.name = fmt::format("{}_{}_{}", frame.name, node.name, ++number);
          joint.between = {Reference{first, node.place}, Reference{body, member.place}};
          joint.at = end == 0 ? beam.from.position : beam.to.position;
          model.joints.push_back(joint);
        }
    }
}

/// A joint with a place of its own takes markers of beams as the nodes there.
void name_nodes(const std::vector<const FlexibleBeam*>& beams, Model& model) {
  std::map<std::string, std::string> nodes;
  for (const FlexibleBeam* beam : beams)
    for (const BeamPlace& place : beam_places(*beam)) nodes[place.name] = place.body;
  for (Joint& joint : model.joints)
    for (Reference& end : joint.between)
      if (const auto node = nodes.find(end.name); joint.at && node != nodes.end()) end.name = node->second;
}

}  // namespace

void complete_beams(std::vector<Framework>& frames, Model& model, ReadLog& log) {
  BeamEnds ends(frames, model, log);
  std::vector<const FlexibleBeam*> good;
  for (const FlexibleBeam& beam : model.flexible_beams)
    if (ends.complete(beam)) good.push_back(&beam);
  expand_beams(good, model, log);
  std::erase_if(good, [](const FlexibleBeam* beam) { return beam->reduce.has_value(); });
  join_members(frames, model);
  name_nodes(good, model);
  std::set<std::string> reduced;
  for (const Body& body : model.bodies)
    if (body.part) reduced.insert(body.name);
  std::erase_if(model.flexible_beams, [&](const FlexibleBeam& beam) { return reduced.count(beam.name) > 0; });
}

}  // namespace bricard::io
