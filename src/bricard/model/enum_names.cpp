// SPDX-License-Identifier: Apache-2.0
#include "bricard/model/enum_names.h"

#include "bricard/model/integrator_kinds.h"

namespace bricard::io {

std::span<const EnumName<IntegratorType>> enum_names(IntegratorType) {
  static const std::vector<EnumName<IntegratorType>> names = [] {
    std::vector<EnumName<IntegratorType>> all{{"automatic", IntegratorType::automatic}};
    for (const IntegratorKind& kind : integrator_kinds()) all.push_back({kind.word, kind.type});
    for (const IntegratorKind& kind : integrator_kinds())
      for (const char* alias : kind.aliases) all.push_back({alias, kind.type});
    return all;
  }();
  return names;
}

}  // namespace bricard::io
