// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "bricard/assemble/joint_table.h"
#include "bricard/assemble/markers.h"
#include "bricard/assemble/start_checks.h"

namespace bricard::io {
namespace {

bool coincide(const Named& named, const std::array<Reference, 2>& ends) {
  return named.frames.start_distance(named.marker(ends[0]), named.marker(ends[1])) < 1e-12;
}

/// So that its direction does not matter; of laws that see more than their spring nothing is concluded.
bool vanishes_at_zero_length(const Expression& law) {
  const auto own = [](const MeasureCall& x) { return x.function == "length" || x.function == "rate"; };
  if (!std::all_of(law.inputs().begin(), law.inputs().end(), own)) return false;
  const std::vector<double> zeros(law.inputs().size(), 0.0);
  return law.value(0, zeros.data()) == 0;
}

bool coincide(const Named& named, const Joint& joint) {
  const auto [i, j] = joint_markers(named, joint);
  return named.frames.start_distance(i, j) < 1e-12;
}

}  // namespace

void check_geometry(const Model& model, ReadLog& log) {
  const Named named(model);
  for (const Joint& joint : model.joints)
    if (primitives_of(joint.type).special == JointPrimitives::Special::distance && coincide(named, joint))
      log.fault(joint.between[1].place, "joints." + joint.name + ".between",
                fmt::format("'{}' and '{}' are at the same place at the start; a {} joint needs a direction between "
                            "them",
                            joint.between[0].name, joint.between[1].name, name_of(joint.type)));
  for (const SpringDamper& spring : model.springs) {
    const bool pulls_always = (spring.free_length && *spring.free_length > 0) || spring.preload != 0 ||
                              (spring.law && !vanishes_at_zero_length(spring.law->formula));
    if (pulls_always && coincide(named, spring.between))
      log.fault(spring.between[1].place, "forces." + spring.name + ".between",
                fmt::format("'{}' and '{}' are at the same place at the start, so that the force has no direction; "
                            "move one end, or {}",
                            spring.between[0].name, spring.between[1].name,
                            spring.law ? "give a stiffness in the place of the law, free_length: 0 and no preload"
                                       : "set free_length: 0 and no preload"));
  }
}

}  // namespace bricard::io
