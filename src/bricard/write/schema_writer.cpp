// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/schema_writer.h"

#include <fmt/format.h>

#include "bricard/model/enum_names.h"
#include "bricard/model/framework.h"
#include "bricard/model/integrator_kinds.h"
#include "bricard/model/linearization_settings.h"
#include "bricard/model/mass_properties.h"
#include "bricard/write/json_text.h"

namespace bricard::io {
namespace {

template <class T>
struct Tag {};

// A number may be a formula, and a name may look like a number.
Json scalar() { return {{"type", Json::array({"number", "string"})}}; }
Json list(const Json& item, int least, int most) {
  return {{"type", "array"}, {"items", item}, {"minItems", least}, {"maxItems", most}};
}
Json any_of(std::initializer_list<Json> ways) { return {{"anyOf", Json(std::vector<Json>(ways))}}; }
Json map_of(const Json& element) { return {{"type", "object"}, {"additionalProperties", element}}; }
Json one_or_more(const Json& element) { return any_of({element, {{"type", "array"}, {"items", element}}}); }
Json reference_to(const std::string& definition) { return {{"$ref", "#/definitions/" + definition}}; }

template <class Enum>
Json names_of(const auto& wanted) {
  Json names = Json::array();
  for (const EnumName<Enum>& entry : enum_names(Enum{}))
    if (wanted(entry.value)) names.push_back(entry.name);
  return {{"enum", names}};
}

// The type of each value, in the order of the reader's list.
Json schema_of(Tag<double>) { return scalar(); }
Json schema_of(Tag<int>) { return scalar(); }
Json schema_of(Tag<bool>) { return {{"enum", Json::array({true, false, "yes", "no"})}}; }
Json schema_of(Tag<std::string>) { return scalar(); }
Json schema_of(Tag<Expression>) { return scalar(); }
Json schema_of(Tag<SpringLaw>) { return scalar(); }
Json schema_of(Tag<TorsionLaw>) { return scalar(); }
Json schema_of(Tag<ContactLaw>) { return scalar(); }
Json schema_of(Tag<Reference>) { return scalar(); }
Json schema_of(Tag<Vector3d>) { return list(scalar(), 3, 3); }
Json schema_of(Tag<JointNumber>) { return scalar(); }
Json schema_of(Tag<JointStart>) { return any_of({scalar(), list(scalar(), 1, 3)}); }
Json schema_of(Tag<Vector6d>) { return list(scalar(), 6, 6); }
Json schema_of(Tag<Matrix6d>) { return list(list(scalar(), 6, 6), 6, 6); }
Json schema_of(Tag<std::vector<Reference>>) { return {{"type", "array"}, {"items", scalar()}}; }
Json schema_of(Tag<MeasuredFormula>) { return scalar(); }
Json schema_of(Tag<CurveFormula>) { return scalar(); }
Json schema_of(Tag<std::vector<double>>) { return {{"type", "array"}, {"items", scalar()}}; }
Json schema_of(Tag<std::vector<MeasuredFormula>>) { return {{"type", "array"}, {"items", scalar()}}; }
Json schema_of(Tag<std::vector<std::string>>) { return {{"type", "array"}, {"items", scalar()}}; }
Json schema_of(Tag<std::vector<std::vector<double>>>) {
  return {{"type", "array"}, {"items", {{"type", "array"}, {"items", scalar()}}}};
}
Json schema_of(Tag<std::vector<JointNumber>>) { return {{"type", "array"}, {"items", scalar()}}; }
Json schema_of(Tag<std::vector<Vector2d>>) { return {{"type", "array"}, {"items", list(scalar(), 2, 2)}}; }
Json schema_of(Tag<std::vector<InputSetting>>) { return map_of(scalar()); }
Json schema_of(Tag<Matrix3d>) { return any_of({scalar(), list(scalar(), 3, 3), list(scalar(), 6, 6)}); }
Json schema_of(Tag<Quaterniond>) { return reference_to("orientation"); }
Json schema_of(Tag<BodyPoint>) { return any_of({list(scalar(), 3, 3), {{"type", "string"}}}); }
Json schema_of(Tag<BeamEnd>) { return any_of({list(scalar(), 3, 3), {{"type", "string"}}}); }
Json schema_of(Tag<std::vector<FrameworkNode>>) { return Json::object(); }  // see framework()
Json schema_of(Tag<std::vector<FrameworkMember>>) { return Json::object(); }
Json schema_of(Tag<std::vector<FrameworkJoint>>) { return Json::object(); }
Json schema_of(Tag<BeamCurve>) { return list(scalar(), 3, 3); }
Json schema_of(Tag<BeamLoad>) { return list(scalar(), 3, 3); }
Json schema_of(Tag<SectionValue>) { return scalar(); }
Json schema_of(Tag<BeamSection>) { return reference_to("section"); }
Json schema_of(Tag<std::vector<BeamSection>>) { return one_or_more(reference_to("section")); }
Json schema_of(Tag<std::vector<BeamMarker>>) { return map_of(scalar()); }
Json schema_of(Tag<DampingRatios>) { return any_of({scalar(), Json{{"type", "array"}, {"items", scalar()}}}); }
Json schema_of(Tag<ModeChoice>) { return reference_to("mode_choice"); }
Json schema_of(Tag<FlexibleRod>) { return reference_to("flexible_rod"); }
Json schema_of(Tag<FlexibleBody>) { return reference_to("flexible_body"); }
Json schema_of(Tag<std::vector<Vector3d>>) { return {{"type", "array"}, {"items", list(scalar(), 3, 3)}}; }
Json schema_of(Tag<std::vector<Signal>>) {
  return any_of({map_of(scalar()), {{"type", "array"}, {"items", scalar()}}});
}
Json schema_of(Tag<std::vector<Marker>>) { return map_of(reference_to("marker")); }
Json schema_of(Tag<std::vector<Shape>>) { return one_or_more(reference_to("shape")); }
Json schema_of(Tag<std::vector<PointMass>>) { return one_or_more(reference_to("point_mass")); }
Json schema_of(Tag<Density>) {
  Json names = Json::array();
  for (const Material& material : materials()) names.push_back(material.name);
  return any_of({{{"enum", names}}, scalar()});
}
template <class T, size_t n>
Json schema_of(Tag<std::array<T, n>>) {
  return list(schema_of(Tag<T>{}), static_cast<int>(n), static_cast<int>(n));
}
template <class T>
Json schema_of(Tag<std::optional<T>>) {
  return schema_of(Tag<T>{});
}
template <class Enum>
requires std::is_enum_v<Enum> Json schema_of(Tag<Enum>) {
  return names_of<Enum>([](Enum) { return true; });
}
Json schema_of(Tag<std::vector<JointCoordinate>>) {
  return {{"type", "array"}, {"items", schema_of(Tag<JointCoordinate>{})}};
}

/// A map with the listed fields of a struct.
template <class Struct>
Json object() {
  Json properties = Json::object(), needed = Json::array();
  const auto add = [&]<class Owner, class T>(const Field<Owner, T>& field) {
    Json property = schema_of(Tag<T>{});
    property["description"] = *field.unit ? fmt::format("{} [{}]", field.help, field.unit) : field.help;
    properties[field.name] = property;
    if (field.presence == Presence::required) needed.push_back(field.name);
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, Struct::fields());
  Json json{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!needed.empty()) json["required"] = needed;
  return json;
}

/// The section `run`. An integrator may be a map with the settings that are its own.
Json run_section() {
  Json json = object<RunSettings>(), &properties = json["properties"], &integrator = properties["integrator"];
  const Json words{{"enum", integrator["enum"]}};
  Json own{{"type", words}};
  for (const auto& [name, property] : properties.items())
    for (const IntegratorKind& kind : integrator_kinds())
      if (kind.owns(name)) own[name] = property;
  const Json map{{"type", "object"}, {"properties", own}, {"additionalProperties", false}, {"required", {"type"}}};
  integrator = {{"anyOf", {words, map}}, {"description", integrator["description"]}};
  return json;
}

/// The keys of a beam but for those that say where it runs, and those of its own.
Json framework() {
  Json member = object<FlexibleBeam>(), json = object<Framework>();
  for (const char* key : {"from", "to", "points", "curve"}) member["properties"].erase(key);
  for (const auto& [name, property] : member["properties"].items()) json["properties"][name] = property;
  member["properties"]["name"] = scalar();
  member["properties"]["nodes"] = list(scalar(), 2, 2);
  member["required"] = {"nodes"};
  json["properties"]["nodes"].update(map_of(schema_of(Tag<BeamEnd>{})));
  json["properties"]["members"].update(Json{{"type", "array"}, {"items", any_of({list(scalar(), 2, 2), member})}});
  json["properties"]["joints"].update(map_of(object<FrameworkJoint>()));
  return json;
}

/// With the words of `type` that select it.
template <class Struct>
Json with_type(const Json& words) {
  Json json = object<Struct>();
  json["properties"]["type"] = words;
  json["required"].push_back("type");
  return json;
}

Json forces() {
  Json kinds = Json::array();
  for_each_force_list(ForceLists{}, [&]<class Force>(const std::vector<Force>&) {
    if (Force::kind.section == std::string_view("forces"))
      kinds.push_back(with_type<Force>({{"enum", Json::array({Force::kind.word})}}));
  });
  return {{"oneOf", kinds}};
}

template <class Struct>
Json controller(ControllerType type) {
  return with_type<Struct>(names_of<ControllerType>([&](ControllerType value) { return value == type; }));
}

Json controllers() {
  return {{"oneOf",
           Json::array({controller<TransferFunction>(ControllerType::transfer_function),
                        controller<StateSpace>(ControllerType::state_space), controller<Pid>(ControllerType::pid)})}};
}

Json form(std::initializer_list<std::pair<const char*, Json>> keys, std::vector<std::string> needed) {
  Json properties = Json::object();
  for (const auto& [key, value] : keys) properties[key] = value;
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}, {"required", needed}};
}

// The ways of orientation_reader.cpp.
Json orientation() {
  const Json vector = list(scalar(), 3, 3);
  const Json sequence{{"type", "string"}, {"pattern", "^([xyz]{3}|[XYZ]{3})$"}};
  return any_of({list(scalar(), 4, 4), form({{"axis", vector}, {"angle", scalar()}}, {"axis", "angle"}),
                 form({{"axis", vector}, {"angle_deg", scalar()}}, {"axis", "angle_deg"}),
                 form({{"euler", vector}, {"sequence", sequence}}, {"euler", "sequence"}),
                 form({{"euler_deg", vector}, {"sequence", sequence}}, {"euler_deg", "sequence"}),
                 form({{"z", vector}, {"x", vector}}, {"z"})});
}

/// A section may be left empty.
Json section(const Json& content, const char* help) {
  Json json = any_of({content, {{"type", "null"}}});
  json["description"] = help;
  return json;
}

void add_sections(Json& properties) {
  properties["ground"] = section(reference_to("ground"), "markers and shapes that do not move");
  properties["bodies"] = section(map_of(reference_to("body")), "rigid and flexible bodies, by name");
  properties["beams"] = section(map_of(reference_to("beam")), "flexible beams, by name");
  properties["frames"] = section(map_of(reference_to("framework")), "structures of beams between nodes, by name");
  properties["joints"] = section(map_of(reference_to("joint")), "joints, by name");
  properties["curves"] = section(map_of(reference_to("curve")), "plane curves for joints on curves, by name");
  properties["couplers"] = section(map_of(reference_to("coupler")), "gears and the like between joints, by name");
  properties["motions"] = section(map_of(reference_to("motion")), "prescribed motions, by name");
  properties["forces"] = section(map_of(reference_to("force")), "springs, dampers, forces, torques, by name");
  properties["contacts"] = section(map_of(object<Contact>()), "shapes that touch, by name");
  properties["points"] = section(map_of(scalar()), "points whose paths are recorded, by name");
  properties["signals"] =
      section(map_of(any_of({scalar(), form({{"value", scalar()}, {"unit", scalar()}}, {"value"})})),
              "recorded formulas, by name");
  properties["velocity_constraints"] =
      section(map_of(scalar()), "formulas that are zero, linear in velocities, by name");
  properties["events"] = section(map_of(object<Event>()), "what happens where formulas pass through zero, by name");
  properties["expressions"] = section(map_of(scalar()), "formulas that others use, by name");
  const auto or_formula = [](const Json& element) { return map_of(any_of({scalar(), element})); };
  properties["inputs"] = section(or_formula(object<Input>()), "values that can be driven from outside, by name");
  properties["states"] =
      section(or_formula(object<DifferentialEquation>()), "differential equations of first order, by name");
  properties["variables"] = section(or_formula(object<Variable>()), "values by formulas, by name");
  properties["controllers"] =
      section(map_of(controllers()), "transfer functions, state-space blocks and PIDs, by name");
  properties["markers"] = section(map_of(map_of(reference_to("marker"))), "more markers of bodies, by body and name");
  properties["repeat"] = section(one_or_more(reference_to("repeat")), "blocks that are read several times");
}

Json repeat_block() {
  Json properties = Json::object();
  properties["for"] = map_of(any_of({scalar(), list(scalar(), 2, 2)}));
  properties["for"]["description"] = "variables and their ranges, {i: [1, n]}";
  add_sections(properties);
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}, {"required", {"for"}}};
}

Json table() {
  const Json numbers{{"type", "array"}, {"items", scalar()}};
  const Json unit{{"type", "string"}};
  const Json ends = any_of({{{"enum", {"natural", "not-a-knot"}}}, list(scalar(), 2, 2)});
  const Json points{{"type", "array"}, {"items", list(scalar(), 2, 2)}};
  return any_of({form({{"x", numbers}, {"y", numbers}, {"x_unit", unit}, {"y_unit", unit}, {"ends", ends}}, {"x", "y"}),
                 form({{"points", points}, {"x_unit", unit}, {"y_unit", unit}, {"ends", ends}}, {"points"}),
                 form({{"file", {{"type", "string"}}}, {"x_unit", unit}, {"y_unit", unit}, {"ends", ends}}, {"file"})});
}

Json units() {
  Json properties = Json::object();
  for (const char* key : {"length", "angle", "mass", "time", "force"}) properties[key] = Json{{"type", "string"}};
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

}  // namespace

std::string model_schema() {
  Json properties = Json::object();
  properties["name"] = {{"type", Json::array({"string", "number"})},
                        {"description", "shown in messages and in the viewer"}};
  properties["description"] = {{"type", Json::array({"string", "number"})}, {"description", "shown in the viewer"}};
  properties["include"] = one_or_more({{"type", "string"}});
  properties["include"]["description"] = "files to read first";
  properties["units"] = section(units(), "what bare numbers of the file mean; SI where nothing is said");
  properties["parameters"] = section(map_of(scalar()), "numbers with names");
  properties["materials"] = section(map_of(object<Material>()), "what bodies and beams are made of, by name");
  properties["tables"] = section(map_of(table()), "tables for cubic and akima, by name");
  properties["gravity"] = list(scalar(), 3, 3);
  properties["gravity"]["description"] = "ground frame; [0, 0, -9.81] if absent [m/s^2]";
  properties["inactive"] = schema_of(Tag<std::vector<Reference>>{});
  properties["inactive"]["description"] =
      "names of forces, joints and motions that are off until an event activates them";
  properties["plane"] = schema_of(Tag<Plane>{});
  properties["plane"]["description"] = "planar model: every body moves parallel to this plane of the ground frame";
  properties["align"] = scalar();
  properties["align"]["description"] = "axes of joints that are parallel or perpendicular on a body within this angle "
                                       "are made so, 0 to 0.01; 1e-6 if absent, "
                                       "0: as given [rad]";
  add_sections(properties);
  properties["linearization"] =
      section(object<LinearizationSettings>(), "coordinates, inputs and outputs of small motions");
  properties["run"] = section(run_section(), "settings of the simulation");
  const Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                    {"title", "Bricard model"},
                    {"type", "object"},
                    {"properties", properties},
                    {"additionalProperties", false},
                    {"definitions",
                     {{"orientation", orientation()},
                      {"marker", object<Marker>()},
                      {"shape", object<Shape>()},
                      {"point_mass", object<PointMass>()},
                      {"ground", object<Ground>()},
                      {"body", object<Body>()},
                      {"mode_choice", object<ModeChoice>()},
                      {"flexible_rod", object<FlexibleRod>()},
                      {"flexible_body", object<FlexibleBody>()},
                      {"section", object<BeamSection>()},
                      {"beam", object<FlexibleBeam>()},
                      {"framework", framework()},
                      {"joint", object<Joint>()},
                      {"curve", object<CurveShape>()},
                      {"coupler", object<Coupler>()},
                      {"motion", object<Motion>()},
                      {"force", forces()},
                      {"repeat", repeat_block()}}}};
  return text_of(schema, 1) + "\n";
}

}  // namespace bricard::io
