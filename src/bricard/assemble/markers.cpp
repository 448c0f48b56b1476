// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/markers.h"

#include "bricard/assemble/beam_line.h"
#include "bricard/assemble/placing.h"

namespace bricard {

Named::Named(const Model& m) : model(m), frames(m) {
  for (int n = 0; n < frames.size(); ++n) nodes.emplace(frames[n].name, n);
  for (const FlexibleBeam& beam : m.flexible_beams)
    for (const BeamPlace& place : beam_places(beam)) beam_markers.emplace(place.name, place.body);
  for (const Joint& j : m.joints) joints.emplace(j.name, static_cast<int>(joints.size()));
  const PlacingNames names{[&](const Reference& reference) { return marker(reference); },
                           [&](const Joint& joint) { return joint_markers(*this, joint); }};
  place_given(m, names, frames);
  place_start(m, names, frames);
}

int Named::node(const Reference& body) const {
  const auto found = nodes.find(body.name);
  if (found == nodes.end()) throw ModelError({{body.place, "unknown body '" + body.name + "'"}});
  return found->second;
}

int Named::joint(const Reference& reference) const {
  const auto found = joints.find(reference.name);
  if (found == joints.end()) throw ModelError({{reference.place, "unknown joint '" + reference.name + "'"}});
  return found->second;
}

bool names_marker(const Reference& reference) { return reference.name.find('.') != std::string::npos; }

MarkerPose Named::marker(const Reference& reference) const {
  if (const auto at = beam_markers.find(reference.name); at != beam_markers.end())
    return marker({at->second, reference.place});
  const size_t dot = reference.name.find('.');
  const int n = node({reference.name.substr(0, dot), reference.place});
  const FrameRow& frame = frames[n];
  if (dot == std::string::npos) return {n, frame.origin, Matrix3d::Identity()};
  const std::string name = reference.name.substr(dot + 1);
  for (const Marker& m : *frame.markers) {
    if (m.name != name) continue;
    const Matrix3d R = m.orientation.toRotationMatrix();
    if (m.interface < 0) return {n, m.position + frame.origin, R};
    const int at = frames.interface_of(n, m.interface);
    const MarkerPose& place = frames[at].on_body;
    return {at, place.R.transpose() * (m.position - place.r), place.R.transpose() * R};
  }
  throw ModelError({{reference.place, "unknown marker '" + reference.name + "'"}});
}

std::array<MarkerPose, 2> joint_markers(const Named& named, const Joint& joint) {
  std::array<MarkerPose, 2> markers;
  Pose common;
  bool known = false;
  const JointPlacing placing = kind_of(joint.type).placing;
  const bool bare = !names_marker(joint.between[0]) && !names_marker(joint.between[1]);
  if (joint.at || (placing == JointPlacing::directions && bare)) {
    common.p = joint.at ? *joint.at : named.frames[named.node(joint.between[1])].given.p;
    if (joint.axis && joint.second_axis) {
      common.R = frame_from_axes(*joint.axis, *joint.second_axis).toRotationMatrix();
    } else if (joint.axis) {
      common.R = frame_from_axis(*joint.axis).toRotationMatrix();
    }
    known = true;
  }
  for (int e = 0; e < 2; ++e)
    markers[e] = known ? named.frames.marker_at(named.node(joint.between[e]), common) : named.marker(joint.between[e]);
  if (joint.type == JointType::perpendicular && joint.axis && joint.second_axis) {  // each has its own z axis
    markers[0] = named.frames.marker_at(markers[0].node, {common.p, frame_from_axis(*joint.axis).toRotationMatrix()});
    markers[1] =
        named.frames.marker_at(markers[1].node, {common.p, frame_from_axis(*joint.second_axis).toRotationMatrix()});
  }
  if (joint.type == JointType::revolute_spherical) {  // the pin may be long: the link turns in the plane of its ball
    const Pose pin = named.frames.given(markers[0]);
    const double along = pin.R.col(2).dot(named.frames.given(markers[1]).p - pin.p);
    markers[0].r += along * markers[0].R.col(2);
  }
  return markers;
}

TwoPointPlace two_point_place(const System& system, const MarkerPose& i, const MarkerPose& j) {
  return {i.node, j.node, system.v_of(i.node), system.v_of(j.node), system.block_of(i.node), system.block_of(j.node),
          i.r,    j.r};
}

}  // namespace bricard
