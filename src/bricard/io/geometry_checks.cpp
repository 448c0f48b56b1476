// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bricard/assemble/assemble.h"
#include "bricard/io/model_checks.h"

namespace bricard::io {
namespace {

Vector3d start_position(const Model& model, const Reference& reference) {
  const MarkerPose marker = find_marker(model, reference);
  if (marker.node == 0) return marker.r;
  const Body& body = model.bodies[static_cast<size_t>(marker.node - 1)];
  return body.position + body.orientation * (body.mass_center.position + marker.r);
}

bool coincide(const Model& model, const std::array<Reference, 2>& ends) {
  return (start_position(model, ends[0]) - start_position(model, ends[1])).norm() < 1e-12;
}

}  // namespace

void check_geometry(const Model& model, ReadLog& log) {
  for (const Joint& joint : model.joints)
    if (joint.type == JointType::distance && coincide(model, joint.between))
      log.fault(joint.between[1].place, "joints." + joint.name + ".between",
                fmt::format("'{}' and '{}' are at the same place at the start; a distance joint needs a direction "
                            "between them", joint.between[0].name, joint.between[1].name));
  for (const SpringDamper& spring : model.springs) {
    const bool pulls_always = (spring.free_length && *spring.free_length > 0) || spring.preload != 0;
    if (pulls_always && coincide(model, spring.between))
      log.fault(spring.between[1].place, "forces." + spring.name + ".between",
                fmt::format("'{}' and '{}' are at the same place at the start, so that the force has no direction; "
                            "move one end, or set free_length: 0 and no preload",
                            spring.between[0].name, spring.between[1].name));
  }
}

}  // namespace bricard::io
