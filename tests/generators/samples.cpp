// SPDX-License-Identifier: Apache-2.0
#include "generators/samples.h"

#include <algorithm>
#include <map>

namespace bricard::testing {
namespace {

const std::string kBodies = R"(
bodies:
  a: {mass: 2, inertia: [1, 1.2, 1.1], position: [1, 0.1, 0.2], markers: {m: {position: [0.2, 0.1, -0.3]}}}
  b: {mass: 3, inertia: [1.5, 1.2, 1.3], position: [3, 0.2, -0.1], markers: {m: {position: [-0.1, 0.4, 0.2]}}}
curves:
  oval: {half_axes: [0.5, 0.3]}
  egg: {half_axes: [0.4, 0.6]}
)";

std::string map_of(const Keys& keys) {
  std::string text = "{";
  for (const auto& [key, value] : keys) text += (text.size() > 1 ? ", " : "") + key + ": " + value;
  return text + "}";
}

}  // namespace

Keys sample_force(const std::string& word) {
  static const std::map<std::string, Keys> samples{
      {"spring-damper",
       {{"between", "[a.m, b.m]"},
        {"stiffness", "13"},
        {"damping", "2.5"},
        {"free_length", "0.4"},
        {"preload", "0.3"}}},
      {"torsion-spring", {{"joint", "hinge"}, {"stiffness", "11"}, {"damping", "1.7"}, {"free_angle", "0.2"}}},
      {"force", {{"on", "a.m"}, {"force", "[1 + t, -2, \"0.3*distance(a, b)\"]"}, {"torque", "[0.5, t^2, wx(b)]"}}},
      {"joint-spring", {{"joint", "slide"}, {"stiffness", "7"}, {"damping", "0.9"}, {"free_position", "0.1"}}},
      {"joint-stop",
       {{"joint", "slide"}, {"lower", "-9"}, {"upper", "9"}, {"stiffness", "40"}, {"damping", "3"}, {"depth", "0.1"}}},
      {"motor", {{"joint", "hinge"}, {"force", "\"3*distance(a, b) + sin(t)\""}}},
      {"bushing",
       {{"between", "[a.m, b.m]"},
        {"stiffness", "[3, 4, 5]"},
        {"rotational_stiffness", "[1, 2, 3]"},
        {"damping", "[0.3, 0.4, 0.5]"},
        {"rotational_damping", "[0.1, 0.2, 0.3]"},
        {"force", "[0.1, 0, 0]"},
        {"torque", "[0, 0.2, 0]"}}},
      {"field",
       {{"between", "[a.m, b.m]"},
        {"stiffness",
         "[[3, 0, 0, 0, 1, 0], [0, 4, 0, 0, 0, 0], [0, 0, 5, 0, 0, 0], [0, 0, 0, 1, 0, 0], [1, 0, 0, 0, 2, 0], "
         "[0, 0, 0, 0, 0, 3]]"}}},
      {"beam",
       {{"between", "[a, b]"},
        {"length", "2"},
        {"youngs_modulus", "20"},
        {"shear_modulus", "8"},
        {"area", "1"},
        {"Ixx", "0.5"},
        {"Iyy", "0.3"},
        {"Izz", "0.2"},
        {"asy", "1.2"},
        {"asz", "1.2"},
        {"damping_ratio", "0.1"}}},
      {"contact",
       {{"type", "sphere-on-sphere"},
        {"between", "[a.m, b.m]"},
        {"radius", "1.3"},
        {"second_radius", "1.1"},
        {"contact_modulus", "20"},
        {"dissipation", "0.1"},
        {"friction_coefficient", "0.3"},
        {"static_coefficient", "0.4"},
        {"stribeck_speed", "0.7"},
        {"stribeck_exponent", "1.8"},
        {"bristle_stiffness", "3"},
        {"bristle_damping", "0.4"},
        {"viscous_friction", "0.2"}}}};
  return samples.at(word);
}

std::vector<Keys> samples_of_force(const std::string& word) {
  if (word != "contact") return {sample_force(word)};
  const Keys coulomb{{"between", "[a, b]"},           {"stiffness", "5"},
                     {"restitution", "0.7"},          {"impact_speed", "4"},
                     {"friction_coefficient", "0.3"}, {"slip_speed", "0.8"}};
  const auto with = [&](const std::string& type, Keys sizes) {
    Keys keys{{"type", type}};
    keys.insert(keys.end(), sizes.begin(), sizes.end());
    keys.insert(keys.end(), coulomb.begin(), coulomb.end());
    return keys;
  };
  return {sample_force(word),
          with("sphere-on-plane", {{"radius", "1.5"}}),
          with("capsule-on-plane", {{"radius", "1.5"}, {"length", "0.4"}}),
          with("box-on-plane", {{"size", "[4, 3, 2]"}}),
          with("disc-on-plane", {{"radius", "1.5"}, {"tube_radius", "0.1"}}),
          with("cylinder-on-plane", {{"radius", "1.5"}, {"length", "0.4"}}),
          with("sphere-on-curve", {{"radius", "1.5"}, {"curve", "oval"}})};
}

std::string model_with_force(const std::string& word, const Keys& keys) {
  const std::vector<std::string> with_type = force_words("forces");
  const bool has_section = std::find(with_type.begin(), with_type.end(), word) == with_type.end();
  Keys all;
  if (!has_section) all.push_back({"type", word});
  all.insert(all.end(), keys.begin(), keys.end());
  return kBodies + R"(joints:
  slide: {type: translational, between: [ground, a], at: [1, 0.1, 0.2], axis: [1, 0, 0]}
  hinge: {type: revolute, between: [a, b], at: [3, 0, 0], axis: [0, 0, 1]}
)" + (has_section ? word + "s" : "forces") +
         ":\n  f: " + map_of(all) + "\n";
}

std::string model_with_joint(const JointKind& kind) {
  static const std::map<std::string, std::string> samples{
      {"length", "1.7"},         {"pitch", "0.3"},         {"curve", "oval"},
      {"second_curve", "egg"},   {"radius", "0.2"},        {"tube_radius", "0.05"},
      {"hold_in_plane", "true"}, {"rotor_inertia", "0.4"}, {"gear_ratio", "-3"}};
  const bool points = kind.placing == JointPlacing::two_points;
  Keys keys{{"type", kind.word}, {"between", points ? "[a.m, b.m]" : "[a, b]"}};
  if (!points) keys.push_back({"at", "[2, 0.3, 0.1]"});
  if (kind.axes > 0) keys.push_back({"axis", "[1, 2, 2]"});
  if (kind.axes > 1) keys.push_back({"second_axis", "[2, 1, -2]"});
  for (const JointKey& key : kind.keys)
    if (key.name) keys.push_back({key.name, samples.at(key.name)});
  return kBodies + "joints:\n  j: " + map_of(keys) + "\n";
}

}  // namespace bricard::testing
