// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/beam_completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "bricard/assemble/beam_checks.h"
#include "bricard/assemble/beam_line.h"

namespace bricard::io {
namespace {

/// Where a marker of ground or of a body is at the start; complains if there is none.
bool find_position(const Model& model, const std::string& path, BeamEnd& end, ReadLog& log) {
  const std::string& name = end.marker.name;
  if (name.empty()) return !log.is_faulty(path);
  const size_t dot = name.find('.');
  const std::string owner = name.substr(0, dot);
  const std::vector<Marker>* markers = owner == "ground" ? &model.ground.markers : nullptr;
  Vector3d p = Vector3d::Zero();
  Quaterniond R = Quaterniond::Identity();
  std::vector<std::string> owners{"ground"};
  for (const Body& body : model.bodies) {
    owners.push_back(body.name);
    if (body.name == owner) markers = &body.markers, p = body.position, R = body.orientation;
  }
  if (!markers) {
    log.fault(end.marker.place, path, fmt::format("unknown body '{}'{}", owner, suggestion(owner, owners, "known")));
    return false;
  }
  end.position = p;
  if (dot == std::string::npos) return true;
  std::vector<std::string> names;
  for (const Marker& m : *markers) {
    names.push_back(owner + "." + m.name);
    if (names.back() == name) end.position = p + R * m.position;
  }
  if (std::count(names.begin(), names.end(), name)) return true;
  log.fault(
      end.marker.place, path,
      fmt::format("unknown marker '{}'{}", name,
                  names.empty() ? fmt::format("; '{}' has no markers", owner) : suggestion(name, names, "known")));
  return false;
}

/// Ends that are not given are those of the curve; without one they have to be.
bool find_ends(const Model& model, FlexibleBeam& beam, ReadLog& log) {
  const std::string path = "beams." + beam.name;
  bool good = true;
  for (const auto& [key, end, s] : {std::tuple{"from", &beam.from, 0.0}, std::tuple{"to", &beam.to, 1.0}}) {
    const std::string at = path + "." + key;
    const bool given = log.place_of(at) || log.is_faulty(at);
    if (!given && beam.curve) {
      for (int i = 0; i < 3; ++i) end->position[i] = beam.curve->position[static_cast<size_t>(i)].value(0, &s);
    } else if (!given) {
      if (!log.is_faulty(path + ".*") && !log.is_faulty(path + ".curve"))
        log.fault(beam.place, path,
                  fmt::format("missing key '{}': a position, or a marker it is welded to, in m", key));
      good = false;
    } else {
      good = find_position(model, at, *end, log) && good;
    }
  }
  return good;
}

/// The values of a material of the model's own.
void take_material(const std::vector<Material>& own, FlexibleBeam& beam) {
  for (const Material& m : own) {
    if (m.name != beam.material) continue;
    beam.density = beam.density.value_or(m.density);
    if (m.youngs_modulus == 0) return;
    beam.youngs_modulus = beam.youngs_modulus.value_or(m.youngs_modulus);
    beam.poissons_ratio = beam.poissons_ratio.value_or(m.poissons_ratio);
  }
}

}  // namespace

void complete_frameworks(const std::vector<Framework>& frames, Model& model, ReadLog& log) {
  for (const Framework& frame : frames) {
    const std::string path = "frames." + frame.name;
    std::map<std::string, BeamEnd> nodes;
    std::vector<std::string> names;
    std::set<std::string> used, faulty;
    for (const FrameworkNode& node : frame.nodes) {
      BeamEnd end = node.at;
      const std::string at = path + ".nodes." + node.name;
      names.push_back(node.name);
      if (find_position(model, at, end, log)) nodes[node.name] = end;
      else faulty.insert(node.name);
    }
    const auto find = [&](const Reference& reference, const std::string& where) -> const BeamEnd* {
      used.insert(reference.name);
      const auto found = nodes.find(reference.name);
      if (found != nodes.end()) return &found->second;
      if (!faulty.count(reference.name))
        log.fault(reference.place, where,
                  fmt::format("unknown node '{}'{}", reference.name, suggestion(reference.name, names, "known")));
      return nullptr;
    };
    for (const FrameworkMember& member : frame.members) {
      FlexibleBeam beam = member.beam;
      const std::string of_beam = "beams." + beam.name;
      const BeamEnd *from = find(member.nodes[0], path + ".members"), *to = find(member.nodes[1], path + ".members");
      if (from) beam.from.position = from->position;
      if (to) beam.to.position = to->position;
      log.record(of_beam + ".from", member.nodes[0].place, from != nullptr);
      log.record(of_beam + ".to", member.nodes[1].place, to != nullptr);
      model.flexible_beams.push_back(beam);
    }
    for (const FrameworkNode& node : frame.nodes)
      if (!used.count(node.name))
        log.fault(node.place, path + ".nodes." + node.name, "no member ends here; remove the node or add a member");
    for (const FrameworkJoint& joint : frame.joints) find(joint.node, path + ".joints." + joint.node.name);
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
      const std::string& marker = node.at.marker.name;
      std::string first = marker.substr(0, marker.find('.'));
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

void complete_beams(Model& model, ReadLog& log) {
  std::vector<FlexibleBeam> good;
  for (FlexibleBeam& beam : model.flexible_beams) {
    const std::string path = "beams." + beam.name;
    const bool ends = find_ends(model, beam, log);
    take_material(model.materials, beam);
    const auto is_faulty = [&](const auto&... field) { return (log.is_faulty(path + "." + field.name) || ...); };
    if (!ends || log.is_faulty(path + ".*") || std::apply(is_faulty, FlexibleBeam::fields())) continue;
    if (check_beam(beam, model.materials, log)) good.push_back(beam);
  }
  std::vector<std::string> names{"ground"};
  for (const Body& body : model.bodies) names.push_back(body.name);
  for (const FlexibleBeam& beam : good) {
    if (std::count(names.begin(), names.end(), beam.name))
      log.fault(beam.place, "beams." + beam.name, "a body has this name already; choose another one");
    const size_t before = model.bodies.size();
    expand_beam(beam, model);
    for (size_t i = before; i < model.bodies.size(); ++i)
      if (std::count(names.begin(), names.end(), model.bodies[i].name))
        log.fault(beam.place, "beams." + beam.name,
                  fmt::format("its node {} would be called '{}', as a body is; rename one of both", i - before,
                              model.bodies[i].name));
  }
}

}  // namespace bricard::io
