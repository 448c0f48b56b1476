// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/framework_reader.h"

#include <fmt/format.h>

#include "bricard/read/field_reader.h"

namespace bricard::io {
namespace {

class FrameworkReader {
 public:
  explicit FrameworkReader(const Entry& entry) : at_(entry.value), log_(*entry.value.log) {
    frame_.name = entry.key;
    frame_.place = entry.key_place;
  }

  Framework read() {
    read_fields(at_, frame_.place, usual_, {"nodes", "members", "joints"});
    for (const char* key : {"from", "to", "points", "curve"})
      if (const Place* place = log_.place_of(at_.path + "." + key))
        log_.fault(*place, at_.path + "." + key, "members run straight from node to node; remove the key");
    const auto nodes_at = peek(at_, "nodes"), members_at = peek(at_, "members"), joints_at = peek(at_, "joints");
    if (log_.is_faulty(at_.path + ".*")) return std::move(frame_);  // no map
    if (!nodes_at) need("nodes", "named places, {A: [0, 0, 0], B: ground.wall}");
    if (!members_at) need("members", "beams from node to node, [[A, B], [B, C]]");
    if (nodes_at) read_nodes(*nodes_at);
    if (members_at) read_members(*members_at);
    if (joints_at) read_joints(*joints_at);
    return std::move(frame_);
  }

 private:
  void need(const char* key, const char* what) {
    log_.fault(frame_.place, at_.path, fmt::format("missing key '{}': {}", key, what));
  }

  void read_nodes(const Cursor& section) {
    const auto entries = entries_of(section, "a map of places, {A: [0, 0, 0], B: ground.wall}");
    for (size_t i = 0; entries && i < entries->size(); ++i) {
      const Entry& entry = (*entries)[i];
      if (!claim_name(entry)) continue;
      FrameworkNode node{entry.key, entry.key_place, {}};
      Cursor value = entry.value;
      value.unit = "m";
      log_.record(value.path, value.place, io::read(value, node.at));
      frame_.nodes.push_back(node);
    }
  }

  void read_members(const Cursor& section) {
    const auto items = items_of(section, "a list of members, [[A, B], {nodes: [B, C], ...}]");
    for (size_t i = 0; items && i < items->size(); ++i) read_member((*items)[i]);
  }

  void read_member(const Cursor& at) {
    FrameworkMember member;
    member.place = at.place;
    const auto nodes = at.node.IsMap() ? peek(at, "nodes") : std::optional(at);
    if (!nodes) return log_.fault(at.place, at.path, "missing key 'nodes': the two it runs between, [A, B]");
    if (!read_pair(*nodes, member.nodes)) return;
    std::string name = fmt::format("{}_{}_{}", frame_.name, member.nodes[0].name, member.nodes[1].name);
    if (const auto given = at.node.IsMap() ? peek(at, "name") : std::nullopt; given && !io::read(*given, name)) return;
    const std::string path = "beams." + name;
    if (log_.place_of(path))
      return log_.fault(at.place, at.path, fmt::format("the name '{}' is taken; give it another one, name: ...", name));
    log_.record(path, at.place, true);
    hand_down(path);
    member.beam = usual_;
    if (at.node.IsMap()) {
      Cursor own = at;
      own.path = path;
      read_fields(own, at.place, member.beam, {"name", "nodes"});
    }
    member.beam.name = name;
    member.beam.place = member.place;
    frame_.members.push_back(std::move(member));
  }

  bool read_pair(const Cursor& at, std::array<Reference, 2>& out) {
    const auto items = items_of(at, "two nodes, [A, B]", 2);
    bool good = items.has_value();
    for (size_t i = 0; items && i < 2; ++i) good = io::read((*items)[i], out[i]) && good;
    return good;
  }

  /// What stands in the framework counts as if it stood in the member.
  void hand_down(const std::string& path) {
    const auto hand = [&](const std::string& key) {
      if (const Place* place = log_.place_of(at_.path + key)) log_.record(path + key, *place, true);
      else if (log_.is_faulty(at_.path + key)) log_.record(path + key, frame_.place, false);
    };
    const std::string dot = ".", section = ".section.";
    std::apply([&](const auto&... field) { (hand(dot + field.name), ...); }, FlexibleBeam::fields());
    std::apply([&](const auto&... field) { (hand(section + field.name), ...); }, BeamSection::fields());
  }

  void read_joints(const Cursor& section) {
    const auto entries = entries_of(section, "a map of nodes, {B: {type: spherical}}");
    for (size_t i = 0; entries && i < entries->size(); ++i) {
      const Entry& entry = (*entries)[i];
      FrameworkJoint joint;
      joint.node = {entry.key, entry.key_place};
      read_fields(entry.value, entry.key_place, joint);
      if (!log_.is_faulty(entry.value.path + ".type")) frame_.joints.push_back(joint);
    }
  }

  Cursor at_;
  ReadLog& log_;
  Framework frame_;
  FlexibleBeam usual_;
};

}  // namespace

Framework read_framework(const Entry& entry) { return FrameworkReader(entry).read(); }

}  // namespace bricard::io
