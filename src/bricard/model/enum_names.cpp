// SPDX-License-Identifier: Apache-2.0
#include "bricard/model/enum_names.h"

#include "bricard/model/integrator_kinds.h"

namespace bricard::io {
namespace {

/// The words of all kinds after those that are `first`, then their aliases.
template <class Type>
std::vector<EnumName<Type>> names_of_kinds(const auto& kinds, std::vector<EnumName<Type>> first = {}) {
  for (const auto& kind : kinds) first.push_back({kind.word, kind.type});
  for (const auto& kind : kinds)
    for (const char* alias : kind.aliases)
      if (alias) first.push_back({alias, kind.type});
  return first;
}

}  // namespace

std::span<const EnumName<JointType>> enum_names(JointType) {
  static const std::vector<EnumName<JointType>> names = names_of_kinds<JointType>(kJointKinds);
  return names;
}

std::span<const EnumName<ContactType>> enum_names(ContactType) {
  static const std::vector<EnumName<ContactType>> names = [] {
    std::vector<EnumName<ContactType>> all;
    for (const ContactKind& kind : kContactKinds) all.push_back({kind.word, kind.type});
    return all;
  }();
  return names;
}

std::span<const EnumName<IntegratorType>> enum_names(IntegratorType) {
  static const std::vector<EnumName<IntegratorType>> names =
      names_of_kinds<IntegratorType>(integrator_kinds(), {{"automatic", IntegratorType::automatic}});
  return names;
}

}  // namespace bricard::io
