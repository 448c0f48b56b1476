// SPDX-License-Identifier: Apache-2.0
#include "bricard/model/model.h"

#include "bricard/model/enum_names.h"

namespace bricard {
namespace {

/// The first word of a value; "" if files have none for it.
template <class Enum>
const char* word_of(Enum value) {
  for (const io::EnumName<Enum>& entry : io::enum_names(value))
    if (entry.value == value) return entry.name;
  return "";
}

}  // namespace

Model::Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

const char* name_of(JointCoordinate coordinate) {
  return coordinate == JointCoordinate::automatic ? "automatic" : word_of(coordinate);
}
const char* name_of(ShapeType type) { return word_of(type); }
const char* name_of(CouplerType type) { return word_of(type); }
const char* name_of(Plane plane) { return word_of(plane); }

Vector3d normal_of(Plane plane) {
  switch (plane) {
    case Plane::yz: return Vector3d::UnitX();
    case Plane::zx: return Vector3d::UnitY();
    default: return Vector3d::UnitZ();
  }
}

std::vector<JointCoordinate> coordinates_of(JointType type) {
  std::vector<JointCoordinate> found;
  for (const char* name : kind_of(type).coordinates)
    for (const io::EnumName<JointCoordinate>& c : io::enum_names(JointCoordinate{}))
      if (kind_of(type).moved && name && std::string(name) == c.name) found.push_back(c.value);
  return found;
}

std::vector<std::string> force_words() {
  std::vector<std::string> words;
  for_each_force_list(ForceLists{}, [&]<class Force>(const std::vector<Force>&) { words.push_back(Force::kind.word); });
  return words;
}

std::vector<std::string> force_words(std::string_view section) {
  std::vector<std::string> words;
  for_each_force_list(ForceLists{}, [&]<class Force>(const std::vector<Force>&) {
    if (section == Force::kind.section) words.push_back(Force::kind.word);
  });
  return words;
}

}  // namespace bricard
