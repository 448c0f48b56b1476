// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/markers.h"

#include "bricard/assemble/joint_table.h"

namespace bricard {

Named::Named(const Model& m) : model(m) {
  for (const Body& b : m.bodies) nodes.emplace(b.name, static_cast<int>(nodes.size()));
  for (const Joint& j : m.joints) joints.emplace(j.name, static_cast<int>(joints.size()));
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

namespace {

Vector3d mass_center(const Model& model, int node) {
  return node == 0 ? Vector3d::Zero() : model.bodies[node - 1].mass_center.position;
}

/// Joints whose ends are two different points.
bool joins_points(JointType type) {
  return type == JointType::distance || type == JointType::point_on_curve || type == JointType::curve_on_curve ||
         type == JointType::rolling;
}

}  // namespace

bool names_marker(const Reference& reference) { return reference.name.find('.') != std::string::npos; }

MarkerPose Named::marker(const Reference& reference) const {
  const size_t dot = reference.name.find('.');
  const int n = node({reference.name.substr(0, dot), reference.place});
  const Vector3d center = mass_center(model, n);  // where the node sits in the body frame
  if (dot == std::string::npos) return {n, -center, Matrix3d::Identity()};
  const std::vector<Marker>& markers = n == 0 ? model.ground.markers : model.bodies[n - 1].markers;
  const std::string name = reference.name.substr(dot + 1);
  for (const Marker& m : markers)
    if (m.name == name) return {n, m.position - center, m.orientation.toRotationMatrix()};
  throw ModelError({{reference.place, "unknown marker '" + reference.name + "'"}});
}

Pose start_pose(const Model& model, int node) {
  if (node == 0) return {};
  const Body& b = model.bodies[node - 1];
  return {b.position + b.orientation * b.mass_center.position, b.orientation.toRotationMatrix()};
}

Pose start_pose(const Model& model, const MarkerPose& marker) {
  const Pose body = start_pose(model, marker.node);
  return {body.p + body.R * marker.r, body.R * marker.R};
}

MarkerPose marker_at(const Model& model, int node, const Pose& global) {
  const Pose body = start_pose(model, node);
  return {node, body.R.transpose() * (global.p - body.p), body.R.transpose() * global.R};
}

double start_distance(const Model& model, const MarkerPose& i, const MarkerPose& j) {
  return (start_pose(model, j).p - start_pose(model, i).p).norm();
}

std::array<MarkerPose, 2> joint_markers(const Named& named, const Joint& joint) {
  std::array<MarkerPose, 2> markers;
  Pose common;
  bool known = false;
  const bool only_directions = primitives_of(joint.type).plain_rows() > 0 && !primitives_of(joint.type).coincide &&
                               primitives_of(joint.type).slides.empty();
  const bool bare = !names_marker(joint.between[0]) && !names_marker(joint.between[1]);
  if (joint.at || (only_directions && bare)) {
    common.p = joint.at ? *joint.at : start_pose(named.model, named.node(joint.between[1])).p;
    if (joint.axis && joint.second_axis) {
      common.R = frame_from_axes(*joint.axis, *joint.second_axis).toRotationMatrix();
    } else if (joint.axis) {
      common.R = frame_from_axis(*joint.axis).toRotationMatrix();
    }
    known = true;
  }
  for (int e = 0; e < 2; ++e) {
    if (!names_marker(joint.between[e])) continue;
    markers[e] = named.marker(joint.between[e]);
    if (known) continue;
    common = start_pose(named.model, markers[e]);
    known = true;
  }
  for (int e = 0; e < 2; ++e)
    if (!names_marker(joint.between[e]) && joins_points(joint.type))
      markers[e] = named.marker(joint.between[e]);
    else if (!names_marker(joint.between[e])) markers[e] = marker_at(named.model, named.node(joint.between[e]), common);
  if (joint.type == JointType::perpendicular && joint.axis && joint.second_axis) {  // each has its own z axis
    markers[0] = marker_at(named.model, markers[0].node, {common.p, frame_from_axis(*joint.axis).toRotationMatrix()});
    markers[1] = marker_at(named.model, markers[1].node, {common.p, frame_from_axis(*joint.second_axis).toRotationMatrix()});
  }
  return markers;
}

TwoPointPlace two_point_place(const System& system, const MarkerPose& i, const MarkerPose& j) {
  return {i.node, j.node, system.v_of(i.node), system.v_of(j.node), system.nodes()[i.node].block, system.nodes()[j.node].block, i.r, j.r};
}

}  // namespace bricard
