// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/check_flexible.h"

#include <algorithm>

namespace bricard {

std::vector<FlexibleSummary> flexible_bodies(const Model& model) {
  std::vector<FlexibleSummary> all;
  for (const Body& body : model.bodies) {
    if (!body.part) continue;
    const ReducedPart& part = *body.part;
    FlexibleSummary summary{body.name, part.source, part.inertia.mass, part.shapes()};
    if (!part.frequencies.empty()) {
      const auto [least, most] = std::minmax_element(part.frequencies.begin(), part.frequencies.end());
      summary.lowest = *least, summary.highest = *most;
    }
    summary.stiffens = part.stiffening.has_value();
    summary.damped = part.damping.size() > 0 && !part.damping.isZero(0);
    for (const PartInterface& at : part.interfaces) summary.interfaces.push_back(at.name);
    all.push_back(summary);
  }
  return all;
}

}  // namespace bricard
