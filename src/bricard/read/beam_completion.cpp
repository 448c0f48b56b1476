// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/beam_completion.h"

#include <fmt/format.h>

#include <algorithm>

#include "bricard/assemble/beam_checks.h"
#include "bricard/assemble/beam_line.h"

namespace bricard::io {
namespace {

/// Where a marker of ground or of a body is at the start; complains if there is none.
bool find_position(const Model& model, const std::string& path, BeamEnd& end, ReadLog& log) {
  const std::string& name = end.marker.name;
  if (name.empty()) return log.place_of(path) != nullptr;
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

}  // namespace

void complete_beams(Model& model, ReadLog& log) {
  std::vector<FlexibleBeam> good;
  for (FlexibleBeam& beam : model.flexible_beams) {
    const std::string path = "beams." + beam.name;
    const bool from = find_position(model, path + ".from", beam.from, log),
               to = find_position(model, path + ".to", beam.to, log);
    const auto is_faulty = [&](const auto&... field) { return (log.is_faulty(path + "." + field.name) || ...); };
    if (!from || !to || log.is_faulty(path + ".*") || std::apply(is_faulty, FlexibleBeam::fields())) continue;
    if (check_beam(beam, log)) good.push_back(beam);
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
