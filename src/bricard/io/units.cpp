// SPDX-License-Identifier: Apache-2.0
#include "bricard/io/units.h"

#include <fmt/format.h>

namespace bricard::io {
namespace {

std::optional<double> read_unit_name(const Cursor& at, const char* example) {
  const Quantity wanted = *parse_unit(example);
  const auto text = text_of(at, fmt::format("a unit, as {}", example));
  if (!text) return {};
  const auto unit = parse_unit(*text);
  if (!unit || text->empty()) {
    at.fault(fmt::format("unknown unit '{}'{}", *text, suggestion(*text, known_units(), "known")));
    return {};
  }
  const bool angle_alike = unit->dimension.power == wanted.dimension.power;
  if (same_dimension(unit->dimension, wanted.dimension) && angle_alike) return unit->value;
  at.fault(fmt::format("'{}' is the unit of {} where {} ({}) is expected", *text, describe(unit->dimension),
                       describe(wanted.dimension), example));
  return {};
}

}  // namespace

UnitSystem read_units(const Cursor& section) {
  UnitSystem units;
  if (section.node.IsNull()) return units;
  KeyTable keys(section, section.place);
  const auto read_one = [&](const char* key, const char* example, double& factor) {
    if (const Cursor* value = keys.find(key))
      if (const auto unit = read_unit_name(*value, example)) factor = *unit;
  };
  read_one("length", "m", units.length);
  read_one("angle", "rad", units.angle);
  read_one("mass", "kg", units.mass);
  read_one("time", "s", units.time);
  read_one("force", "N", units.force);
  keys.report();
  return units;
}

void convert_motions(const std::map<std::string, UnitSystem>& units, Model& model, ReadLog& log) {
  std::map<std::string, JointType> types;
  for (const Joint& joint : model.joints) types.emplace(joint.name, joint.type);
  for (Motion& motion : model.motions) {
    const std::string path = "motions." + motion.name + ".displacement";
    const Place* place = log.place_of(path);
    const auto type = types.find(motion.joint.name);
    if (!place || type == types.end()) continue;
    const bool slides = motion.coordinate == JointCoordinate::translation ||
                        (motion.coordinate == JointCoordinate::automatic && type->second == JointType::translational);
    Cursor at;
    at.place = *place;
    at.path = path;
    at.log = &log;
    const auto result = converted(motion.displacement, slides ? "m" : "rad", units.at(place->file), at);
    if (result) motion.displacement = *result;
  }
}

}  // namespace bricard::io
