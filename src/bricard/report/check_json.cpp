// SPDX-License-Identifier: Apache-2.0
#include "bricard/report/check_json.h"

#include "bricard/write/json_text.h"

namespace bricard::io {
namespace {

Json to_json(const std::vector<JointGap>& gaps) {
  Json json = Json::array();
  for (const JointGap& gap : gaps)
    json.push_back({{"name", gap.name}, {"distance", gap.distance}, {"angle", gap.angle}});
  return json;
}

Json to_json(const StartReport& start) {
  Json json{{"assembled", start.assembled}, {"corrections", start.iterations}, {"aligned", start.aligned}};
  if (!start.problem.empty()) json["problem"] = start.problem;
  json["guess_open"] = to_json(start.guess);
  json["still_open"] = to_json(start.open);
  json["moved"] = Json::array();
  for (const BodyMove& move : start.moves)
    json["moved"].push_back({{"body", move.body},
                             {"distance", move.distance},
                             {"angle", move.angle},
                             {"velocity", move.velocity},
                             {"angular_velocity", move.angular_velocity}});
  return json;
}

Json to_json(const Dependencies& dependencies) {
  Json json{{"equations", dependencies.joint_equations()}, {"joints", Json::array()}, {"motions", Json::array()}};
  for (const Redundancy& r : dependencies.joints)
    json["joints"].push_back({{r.is_coupler ? "coupler" : "joint", r.joint},
                              {"type", r.type},
                              {"directions", r.directions},
                              {"depends_on", r.depends_on},
                              {"depends_on_couplers", r.depends_on_couplers}});
  for (const OverDrive& over : dependencies.motions)
    json["motions"].push_back({{"motion", over.motion},
                               {"depends_on_motions", over.motions},
                               {"depends_on_joints", over.joints},
                               {"depends_on_couplers", over.couplers},
                               {"contradiction", over.contradiction},
                               {"gap", over.gap}});
  return json;
}

Json remedies_json(const std::vector<Remedy>& remedies) {
  Json json = Json::array();
  for (const Remedy& remedy : remedies) {
    Json changes = Json::array();
    for (const JointChange& c : remedy.changes) changes.push_back({{"joint", c.joint}, {"from", c.from}, {"to", c.to}});
    json.push_back({{"changes", changes}, {"redundant_left", remedy.redundant_left}});
  }
  return json;
}

}  // namespace

std::string check_json(const Model& model, const CheckReport& r) {
  Json json{{"name", model.name},
            {"can_run", r.can_run()},
            {"problems", r.problems},
            {"suggestions", r.suggestions},
            {"bodies", r.bodies},
            {"joints", r.joints},
            {"motions", r.motions},
            {"plane", r.plane.empty() ? Json(nullptr) : Json(r.plane)},
            {"velocities", r.velocities},
            {"equations", r.equations},
            {"degrees_of_freedom",
             {{"gruebler", r.gruebler}, {"rank", r.degrees_of_freedom}, {"generic", r.generic_degrees_of_freedom}}},
            {"locked", r.is_locked()},
            {"singular_start", r.is_singular()},
            {"weakest_equation", r.weakest},
            {"redundant", to_json(r.always)}};
  json["beams"] = Json::array();
  for (const BeamSummary& b : r.beams)
    json["beams"].push_back({{"name", b.name},
                             {"elements", b.elements},
                             {"degree", b.degree},
                             {"nodes", b.nodes},
                             {"shortest_element", b.shortest},
                             {"longest_element", b.longest},
                             {"largest_turn_of_element", b.turn},
                             {"longest_element_per_radius_of_gyration", b.thickness},
                             {"wave_speed", b.wave_speed},
                             {"wave_time", b.wave_time},
                             {"free_ends", b.free}});
  json["flexible_bodies"] = Json::array();
  for (const FlexibleSummary& f : r.flexible)
    json["flexible_bodies"].push_back({{"name", f.name},
                                       {"source", f.source},
                                       {"mass", f.mass},
                                       {"shapes", f.shapes},
                                       {"lowest_frequency", f.lowest},
                                       {"highest_frequency", f.highest},
                                       {"stiffening", f.stiffens},
                                       {"damping", f.damped},
                                       {"interfaces", f.interfaces}});
  if (r.is_singular()) json["redundant_at_start"] = to_json(r.at_start);
  json["remedies"] = remedies_json(r.remedies);
  json["undriven"] = r.undriven;
  json["immovable"] = r.immovable;
  json["loops"] = Json::array();
  for (const LoopNames& loop : r.loops) json["loops"].push_back({{"bodies", loop.bodies}, {"joints", loop.joints}});
  const auto list = [](const Vector3d& v) { return Json::array({v.x(), v.y(), v.z()}); };
  json["markers"] = Json::array();
  for (const JointPlaces& places : r.places) {
    Json ends = Json::array();
    for (const JointPlaces::End& end : places.ends)
      ends.push_back({{"body", end.body}, {"position", list(end.position)}, {"axis", list(end.axis)}});
    json["markers"].push_back({{"joint", places.joint}, {"ends", ends}});
  }
  json["loose"] = Json::array();
  for (const LooseBodies& loose : r.loose)
    json["loose"].push_back({{"bodies", loose.bodies}, {"has_forces", loose.has_forces}});
  json["start"] = to_json(r.start);
  json["start"]["nearer_closure"] = r.nearer_closure;
  const TimeScales& s = r.scales;
  json["time_scales"] = {{"fastest", s.fastest},   {"slowest", s.slowest}, {"growth", s.fastest_growth},
                         {"damping", s.damping},   {"turning", s.turning}, {"suggested_step", s.suggested_step},
                         {"followed", s.followed}, {"doubt", s.doubt},     {"start_moves", s.moving}};
  return text_of(json, 2);
}

}  // namespace bricard::io
