// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/json_writer.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "bricard/assemble/assemble.h"
#include "bricard/assemble/beam_line.h"
#include "bricard/assemble/markers.h"
#include "bricard/model/enum_names.h"
#include "bricard/results/channels.h"
#include "bricard/write/base64.h"
#include "bricard/write/json_text.h"

namespace bricard::io {
namespace {

Json to_json(const Vector3d& v) { return Json::array({v.x(), v.y(), v.z()}); }
Json to_json(const Quaterniond& q) { return Json::array({q.w(), q.x(), q.y(), q.z()}); }
Json to_json(const Matrix3d& I) { return Json::array({I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}); }
Json to_json(double value) { return value; }
Json to_json(int value) { return value; }
Json to_json(const std::optional<int>& value) { return value ? Json(*value) : Json(); }
Json to_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }
template <class Enum>
requires std::is_enum_v<Enum> Json to_json(Enum value) {
  for (const EnumName<Enum>& entry : enum_names(value))
    if (entry.value == value) return entry.name;
  return nullptr;
}

Json to_json(const Shape& shape) {
  Json json{{"type", name_of(shape.type)}};
  if (shape.type == ShapeType::box) json["size"] = to_json(shape.size);
  else json["radius"] = shape.radius;
  if (shape.length > 0) json["length"] = shape.length;
  if (shape.type == ShapeType::tube) json["inner_radius"] = shape.inner_radius;
  if (shape.type == ShapeType::cone) json["top_radius"] = shape.top_radius;
  json["position"] = to_json(shape.position);
  json["quaternion_wxyz"] = to_json(shape.orientation);
  json["color"] = shape.color;
  return json;
}

Json to_json(const std::vector<Shape>& shapes) {
  Json json = Json::array();
  for (const Shape& shape : shapes) json.push_back(to_json(shape));
  return json;
}

/// Two markers on two bodies, as joints and forces have them.
Json pair_json(const std::string& name, const char* type, const std::array<MarkerPose, 2>& markers,
               const FrameTable& frames) {
  const auto frame = [&](const MarkerPose& m) {
    return Json{{"position", to_json(frames.position_in_owner(m))}, {"quaternion_wxyz", to_json(Quaterniond(m.R))}};
  };
  const auto& [i, j] = markers;
  return {
      {"name", name},         {"type", type},        {"body_i", frames.drawn_with(i)}, {"body_j", frames.drawn_with(j)},
      {"marker_i", frame(i)}, {"marker_j", frame(j)}};
}

Json to_json(const JointInfo& joint, const FrameTable& frames) {
  const auto outline = [](const std::vector<Vector2d>& points) {
    Json list = Json::array();
    for (const Vector2d& p : points) list.push_back(Json::array({p.x(), p.y()}));
    return list;
  };
  Json json = pair_json(joint.name, joint.type, joint.markers, frames);
  if (!joint.outlines[0].empty()) json["outline_i"] = outline(joint.outlines[0]);
  if (!joint.outlines[1].empty()) json["outline_j"] = outline(joint.outlines[1]);
  return json;
}

Json to_json(const SpringDamper& spring, const Named& named) {
  const FrameTable& frames = named.frames;
  const MarkerPose i = named.marker(spring.between[0]), j = named.marker(spring.between[1]);
  return {{"name", spring.name},
          {"body_i", frames.drawn_with(i)},
          {"body_j", frames.drawn_with(j)},
          {"point_i", to_json(frames.position_in_owner(i))},
          {"point_j", to_json(frames.position_in_owner(j))}};
}

/// Forces that have a place: in a joint, between two markers, or at one. Springs along a line are listed on their own.
/// Those of loads along beams, which act on all nodes, are not among them.
Json forces_json(const Named& named, const System& system) {
  const FrameTable& frames = named.frames;
  std::set<std::string> along_beams;
  for (const FlexibleBeam& beam : named.model.flexible_beams)
    for (const std::string& load : load_names(beam)) along_beams.insert(load);
  Json list = Json::array();
  for_each_force(named.model, [&]<class Force>(const Force& f) {
    const char* type = Force::kind.word;
    if constexpr (std::is_same_v<Force, SpringDamper> || std::is_same_v<Force, Contact>) {
      return;
    } else if constexpr (InJoint<Force>) {
      const JointInfo& joint = system.joints[named.joint(f.joint)];
      list.push_back(pair_json(f.name, type, joint.markers, frames));
      list.back()["turns"] = std::any_of(joint.coordinates.begin(), joint.coordinates.end(),
                                         [](const RelativeCoordinate& c) { return c.name == std::string("angle"); });
    } else if constexpr (Between<Force>) {
      std::array<MarkerPose, 2> m{named.marker(f.between[0]), named.marker(f.between[1])};
      if constexpr (requires { f.at; })
        for (MarkerPose& marker : m)
          if (f.at) marker = frames.marker_at(marker.node, {*f.at, Matrix3d::Identity()});
      list.push_back(pair_json(f.name, type, m, frames));
      list.back()["axes"] = "marker";
    } else if (!along_beams.count(f.name)) {
      list.push_back(pair_json(f.name, type, {MarkerPose{}, named.marker(f.on)}, frames));
      list.back()["axes"] = "ground";
    }
  });
  return list;
}

Json to_json(const BeamSection& section) {
  Json json{{"type", to_json(section.type)}};
  for (const auto& [key, value] :
       {std::pair{"width", &BeamSection::width}, std::pair{"height", &BeamSection::height},
        std::pair{"radius", &BeamSection::radius}, std::pair{"thickness", &BeamSection::thickness},
        std::pair{"flange", &BeamSection::flange}})
    if (section.*value > 0) json[key] = (section.*value).number;
  return json;
}

/// With the section at each node, if it changes, and none if its shape is not known.
Json to_json(const FlexibleBeam& beam) {
  const double length = beam_line(beam).length;
  const std::vector<double> places = beam_mesh(beam, length).nodes();
  Json json{
      {"name", beam.name}, {"color", beam.color}, {"s", places}, {"nodes", Json::array()}, {"sections", Json::array()}};
  const bool changes = !beam.sections.empty() || (beam.section && beam.section->varies());
  for (size_t i = 0; i < places.size(); ++i) {
    json["nodes"].push_back(beam.node_name(i));
    if (changes) json["sections"].push_back(to_json(section_at(beam, places[i] / length)));
  }
  if (beam.section && !changes) json["sections"].push_back(to_json(*beam.section));
  return json;
}

Json to_json(const std::vector<Marker>& markers) {
  Json list = Json::array();
  for (const Marker& marker : markers)
    list.push_back({{"name", marker.name},
                    {"position", to_json(marker.position)},
                    {"quaternion_wxyz", to_json(marker.orientation)}});
  return list;
}

std::string packed(const Eigen::Ref<const Eigen::MatrixXd>& m) {
  return base64_floats({m.data(), static_cast<size_t>(m.size())});
}

/// What is drawn of a flexible body. Stresses are left out where there are too many for a picture.
Json surface_json(const Body& body) {
  constexpr Eigen::Index kMostStresses = 6'000'000;
  const PartSurface& surface = body.part->surface;
  Json json{{"body", body.name},
            {"count", body.part->shapes()},
            {"points", packed(surface.points)},
            {"triangles", surface.triangles},
            {"lines", surface.lines},
            {"shapes", packed(surface.shapes.cast<double>())}};
  if (surface.stresses.size() > 0 && surface.stresses.size() <= kMostStresses)
    json["stresses"] = packed(surface.stresses.cast<double>());
  return json;
}

Json to_json(const RunSettings& run) {
  Json json = Json::object();
  const auto add = [&](const auto& field) { json[field.name] = to_json(run.*field.member); };
  std::apply([&](const auto&... field) { (add(field), ...); }, RunSettings::fields());
  return json;
}

Json to_json(const RunReport& report) {
  const double steps = static_cast<double>(std::max(report.steps, 1L));
  Json json{{"verdict", name_of(report.verdict())}, {"doubts", Json::array()}};
  if (!report.finished && !report.running) json["doubts"].push_back(report.stopped_because);
  for (const Doubt& doubt : report.doubts) json["doubts"].push_back(doubt.text);
  json["finished"] = report.finished;
  if (!report.finished) json["stopped_because"] = report.stopped_because;
  json["bricard_version"] = BRICARD_VERSION;
  json["end_time"] = report.end_time;
  json["integrator"] = report.integrator;
  json["solver"] = report.solver;
  json["degrees_of_freedom"] = report.degrees_of_freedom;
  json["redundant_constraints"] = report.redundant_constraints;
  json["steps"] = report.steps;
  json["iterations"] = report.iterations;
  json["iterations_per_step"] = static_cast<double>(report.iterations) / steps;
  json["halved_steps"] = report.halved_steps;
  json["singular_steps"] = report.singular_steps;
  if (report.largest_step > 0) {
    json["rejected_steps"] = report.rejected_steps;
    json["smallest_step"] = report.smallest_step;
    json["largest_step"] = report.largest_step;
    json["ruling_error"] = report.ruling_error;
  }
  json["factorizations"] = report.linear.factorizations;
  json["solves"] = report.linear.solves;
  json["fallbacks"] = report.linear.fallbacks;
  json["refinements"] = report.linear.refinements;
  json["max_position_violation"] = report.max_position_violation;
  json["max_velocity_violation"] = report.max_velocity_violation;
  json["motion_residual"] = report.motion_residual;
  json["acceleration_residual"] = report.acceleration_residual;
  json["largest_turn"] = report.largest_turn;
  if (report.position_error > 0) json["estimated_position_error"] = report.position_error;
  json["energy"] = {{"start", report.start_energy},
                    {"end", report.end_energy},
                    {"work", report.work},
                    {"work_uncertainty", report.work_uncertainty},
                    {"turned_over", report.energy_turned_over},
                    {"max_defect", report.max_energy_defect}};
  json["seconds"] = report.seconds;
  if (!report.remarks.empty()) json["remarks"] = report.remarks;
  if (!report.events.empty()) {
    json["events"] = Json::array();
    for (const EventRecord& e : report.events)
      json["events"].push_back({{"time", e.t}, {"source", e.source}, {"what", e.what}, {"energy_change", e.energy}});
  }
  json["start_moved"] = Json::array();
  for (const BodyMove& move : report.start_moves)
    json["start_moved"].push_back({{"body", move.body},
                                   {"distance", move.distance},
                                   {"angle", move.angle},
                                   {"velocity", move.velocity},
                                   {"angular_velocity", move.angular_velocity}});
  return json;
}

/// Values of a channel of a beam, a row for each station.
Json along_beam(const Channel& channel, std::vector<double>::const_iterator value) {
  Json rows = Json::array();
  const auto width = static_cast<std::ptrdiff_t>(channel.columns.size());
  for (size_t i = 0; i < channel.stations.size(); ++i, value += width)
    rows.push_back(std::vector<double>(value, value + width));
  return {{"s", channel.stations}, {channel.name, std::move(rows)}};
}

/// One sample under the fixed names of `bricard run --json`.
Json to_json(const Sample& sample, Channels& channels) {
  Json json{
      {"time", sample.state.t}, {"bodies", Json::object()}, {"joints", Json::object()}, {"signals", Json::object()}};
  auto value = channels.evaluate(sample).begin();
  for (const Channel& channel : channels.list()) {
    const auto end = value + static_cast<std::ptrdiff_t>(channel.width());
    if (channel.kind == Channel::Kind::signal) json["signals"][channel.name] = *value;
    else if (channel.kind == Channel::Kind::joint)
      json["joints"][channel.owner][channel.name] = Json(std::vector<double>(value, end));
    else if (channel.kind == Channel::Kind::beam) json["beams"][channel.owner].update(along_beam(channel, value));
    else json["bodies"][channel.owner][channel.name] = Json(std::vector<double>(value, end));
    value = end;
  }
  return json;
}

/// The requested samples come in the order of time; the caller gets them in his.
Json samples_json(const Results& results, const std::vector<double>& at, Channels& channels) {
  std::vector<size_t> order(at.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return at[a] < at[b]; });
  std::vector<Json> samples(at.size());
  size_t next = 0;
  for (const Sample& sample : results.samples)
    if (sample.requested && next < order.size()) samples[order[next++]] = to_json(sample, channels);
  Json json = Json::array();
  for (Json& sample : samples)
    if (!sample.is_null()) json.push_back(std::move(sample));
  return json;
}

}  // namespace

std::string certificate_json(const RunReport& report) { return text_of(to_json(report)); }

std::string model_json(const Model& model, const System& system) {
  const Named named(model);
  Json json{{"name", model.name},
            {"description", model.description},
            {"gravity", to_json(model.gravity)},
            {"bodies", Json::array()},
            {"ground", {{"shapes", to_json(model.ground.shapes)}, {"markers", to_json(model.ground.markers)}}},
            {"joints", Json::array()},
            {"springs", Json::array()},
            {"forces", forces_json(named, system)},
            {"points", Json::array()},
            {"beams", Json::array()},
            {"surfaces", Json::array()},
            {"parameters", Json::object()},
            {"parameter_units", Json::object()},
            {"run", to_json(model.run)},
            {"included_files", Json::array()}};
  for (const Body& body : model.bodies)
    json["bodies"].push_back({{"name", body.name},
                              {"mass", body.mass},
                              {"mass_center", to_json(body.mass_center.position)},
                              {"inertia", to_json(body.inertia)},
                              {"shapes", to_json(body.shapes)},
                              {"markers", to_json(body.markers)}});
  for (const int node : named.frames.interfaces())
    json["bodies"].push_back({{"name", named.frames[node].name},
                              {"interface_of", named.frames[named.frames[node].on_body.node].name},
                              {"shapes", Json::array()},
                              {"markers", Json::array()}});
  for (const JointInfo& joint : system.joints) json["joints"].push_back(to_json(joint, named.frames));
  for (const SpringDamper& spring : model.springs) json["springs"].push_back(to_json(spring, named));
  for (size_t i = 0; i < model.points.size(); ++i) {
    const MarkerPose& point = system.points[i];
    json["points"].push_back({{"name", model.points[i].name},
                              {"body", named.frames.drawn_with(point)},
                              {"position", to_json(named.frames.position_in_owner(point))}});
  }
  for (const FlexibleBeam& beam : model.flexible_beams) json["beams"].push_back(to_json(beam));
  for (const Body& body : model.bodies)
    if (body.part && body.part->surface.points.cols() > 0) json["surfaces"].push_back(surface_json(body));
  for (const Parameter& parameter : model.parameters)
    json["parameters"][parameter.name] = parameter.value, json["parameter_units"][parameter.name] = parameter.unit;
  for (size_t i = 1; i < model.sources.size(); ++i)
    json["included_files"].push_back({{"path", model.sources[i].path}, {"text", model.sources[i].text}});
  return text_of(json);
}

std::string run_json(const Model& model, const System& system, const Results& results, const std::vector<double>& at) {
  Channels channels(model, system, results.report.start_energy);
  Json json{{"certificate", to_json(results.report)}, {"final", to_json(results.samples.back(), channels)}};
  if (!at.empty()) json["samples"] = samples_json(results, at, channels);
  return text_of(json, 2);
}

}  // namespace bricard::io
