// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/units.h"

#include <fmt/format.h>

#include <algorithm>

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

namespace {

/// Converts the fields of an element whose unit is written `turning or sliding`, as `rad or m`.
class CoordinateUnits {
 public:
  CoordinateUnits(const std::map<std::string, UnitSystem>& units, const Model& model, ReadLog& log)
      : units_(units), log_(log) {
    for (const Joint& joint : model.joints) types_.emplace(joint.name, joint.type);
  }

  template <class Element>
  void convert(const std::string& section, std::vector<Element>& elements) {
    for (Element& e : elements) {
      const std::optional<bool> turning = turns(e.joint, e.coordinate);
      if (!turning) continue;
      const auto convert_field = [&](const auto& field) {
        const std::string both = field.unit;
        const size_t at = both.find(" or ");
        if (at == std::string::npos) return;
        const std::string unit = *turning ? both.substr(0, at) : both.substr(at + 4);
        convert_value(e.*field.member, unit, section + "." + e.name + "." + field.name);
      };
      std::apply([&](const auto&... field) { (convert_field(field), ...); }, Element::fields());
    }
  }

  /// A rotor turns with the joint's angle, if it has one.
  void convert_rotor(Joint& joint) {
    const bool slides = joint.type == JointType::translational;
    convert_value(joint.rotor_inertia, slides ? "kg" : "kg*m^2", "joints." + joint.name + ".rotor_inertia");
  }

  /// Coordinates of a joint and their rates.
  void convert_start(Joint& joint) {
    const auto& names = kind_of(joint.type).coordinates;
    for (const auto& [numbers, key, per] :
         {std::tuple{&joint.start.numbers, "start", ""}, {&joint.start_velocity.numbers, "start_velocity", "/s"}})
      for (size_t i = 0; i < std::min(numbers->size(), names.size()); ++i) {
        if (!names[i]) continue;
        const std::string name = names[i];
        const bool slides = name == "translation" || name == "x" || name == "y" || name == "distance";
        const auto result =
            in_unit((*numbers)[i].formula, std::string(slides ? "m" : "rad") + per, "joints." + joint.name + "." + key,
                    numbers->size() > 1 ? fmt::format("[{}]", i) : "");
        if (result) (*numbers)[i].value = (*result)(0);
      }
  }

  /// Factors are plain numbers, but those of translations that are coupled with angles are in rad/m.
  void convert_factors(Coupler& coupler) {
    const size_t n = std::min(coupler.factors.size(), coupler.joints.size());
    std::vector<bool> turning;
    for (size_t i = 0; i < n; ++i) {
      const JointCoordinate wanted =
          i < coupler.coordinates.size() ? coupler.coordinates[i] : JointCoordinate::automatic;
      const std::optional<bool> known = turns(coupler.joints[i], wanted);
      if (!known) return;
      turning.push_back(*known);
    }
    const bool any_turns = std::count(turning.begin(), turning.end(), true) > 0;
    for (size_t i = 0; i < n; ++i) {
      JointNumber& f = coupler.factors[i];
      const auto result = in_unit(f.formula, any_turns && !turning[i] ? "rad/m" : "",
                                  "couplers." + coupler.name + ".factors", fmt::format("[{}]", i));
      if (result) f.value = (*result)(0);
    }
  }

 private:
  /// Whether the coordinate is an angle; nothing if the joint is unknown.
  std::optional<bool> turns(const Reference& joint, JointCoordinate coordinate) const {
    if (coordinate != JointCoordinate::automatic) return coordinate == JointCoordinate::angle;
    const auto type = types_.find(joint.name);
    if (type == types_.end()) return {};
    const std::vector<JointCoordinate> all = coordinates_of(type->second);
    return all.size() == 1 ? std::optional(all[0] == JointCoordinate::angle) : std::nullopt;
  }

  /// `item` says which one in a list.
  std::optional<Expression> in_unit(const Expression& formula, const std::string& unit, const std::string& path,
                                    const std::string& item = "") {
    const Place* place = log_.place_of(path);
    if (!place) return {};
    Cursor at;
    at.place = *place;
    at.path = path + item;
    at.log = &log_;
    return converted(formula, unit.c_str(), units_.at(place->file), at);
  }
  void convert_value(Expression& formula, const std::string& unit, const std::string& path) {
    if (const auto result = in_unit(formula, unit, path)) formula = *result;
  }
  void convert_value(MeasuredFormula& f, const std::string& unit, const std::string& path) {
    convert_value(f.formula, unit, path);
  }
  void convert_value(JointNumber& number, const std::string& unit, const std::string& path) {
    if (const auto result = in_unit(number.formula, unit, path)) number.value = (*result)(0);
  }
  template <class T>
  void convert_value(std::optional<T>& value, const std::string& unit, const std::string& path) {
    if (value) convert_value(*value, unit, path);
  }
  template <class T>
  void convert_value(T&, const std::string&, const std::string&) {}  // other fields have one unit

  const std::map<std::string, UnitSystem>& units_;
  ReadLog& log_;
  std::map<std::string, JointType> types_;
};

}  // namespace

void convert_coordinates(const std::map<std::string, UnitSystem>& units, Model& model, ReadLog& log) {
  CoordinateUnits converter(units, model, log);
  converter.convert("motions", model.motions);
  for (Joint& joint : model.joints) converter.convert_start(joint), converter.convert_rotor(joint);
  for_each_force_list(model, [&]<class Force>(std::vector<Force>& forces) {
    if constexpr (InCoordinate<Force>) converter.convert("forces", forces);
  });
  for (Coupler& coupler : model.couplers) converter.convert_factors(coupler);
}

}  // namespace bricard::io
