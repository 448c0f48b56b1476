// SPDX-License-Identifier: Apache-2.0
#include "bricard/model/events.h"

#include <algorithm>

#include "bricard/model/model.h"

namespace bricard {
namespace {

struct KindName {
  SwitchedKind kind;
  const char *section, *word;
};
constexpr KindName kKinds[] = {{SwitchedKind::force, "forces.", "force"},
                               {SwitchedKind::joint, "joints.", "joint"},
                               {SwitchedKind::motion, "motions.", "motion"}};

bool has(const Model& model, SwitchedKind kind, const std::string& name) {
  const auto in = [&](const auto& list) {
    return std::any_of(list.begin(), list.end(), [&](const auto& element) { return element.name == name; });
  };
  if (kind == SwitchedKind::joint) return in(model.joints);
  if (kind == SwitchedKind::motion) return in(model.motions);
  bool found = false;
  for_each_force_list(model, [&](const auto& list) { found = found || in(list); });
  return found;
}

}  // namespace

const char* name_of(SwitchedKind kind) { return kKinds[static_cast<int>(kind)].word; }

std::vector<SwitchedName> switched_elements(const Model& model, const std::string& name) {
  std::vector<SwitchedName> found;
  for (const KindName& k : kKinds) {
    if (has(model, k.kind, name)) found.push_back({k.kind, name});
    if (!name.starts_with(k.section)) continue;
    const std::string rest = name.substr(std::string(k.section).size());
    if (has(model, k.kind, rest)) found.push_back({k.kind, rest});
  }
  return found;
}

}  // namespace bricard
