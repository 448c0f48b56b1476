// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/frames.h"

namespace bricard {
namespace {

//     p = x + R c,   ṗ = ẋ + ω × R c,   ω in the body's axes: Rᵀω
FrameRow row_of(const Body& b, int node) {
  FrameRow row;
  const Vector3d center = b.part ? Vector3d(Vector3d::Zero()) : b.mass_center.position, c = b.orientation * center;
  row.owner = FrameRow::Owner::body;
  row.name = b.name;
  row.parent = node;
  row.given = row.start = {b.position + c, b.orientation.toRotationMatrix()};
  row.orientation = b.orientation;
  row.velocity = b.velocity + b.angular_velocity.cross(c);
  row.spin = b.orientation.conjugate() * b.angular_velocity;
  row.origin = -center;
  row.mass = b.mass, row.inertia = b.inertia;
  row.markers = &b.markers;
  row.part = b.part;
  return row;
}

FrameRow row_of(const PartInterface& at, const FrameRow& body, int node) {
  FrameRow row;
  row.owner = FrameRow::Owner::interface;
  row.name = body.name + "." + at.name;
  row.parent = node;
  row.mass = body.mass, row.inertia = at.axes.transpose() * body.inertia * at.axes;
  row.on_body = {body.parent, at.position, at.axes};
  return row;
}

MarkerPose as_marker(int node, const Pose& frame, const Pose& global) {
  return {node, frame.R.transpose() * (global.p - frame.p), frame.R.transpose() * global.R};
}

}  // namespace

FrameTable::FrameTable(const Model& model) {
  FrameRow ground;
  ground.name = "ground";
  ground.markers = &model.ground.markers;
  rows_.push_back(ground);
  for (const Body& b : model.bodies) {
    bodies_.push_back(size());
    rows_.push_back(row_of(b, size()));
  }
  first_interface_.assign(rows_.size(), 0);
  for (const int body : bodies_) {
    if (!rows_[body].part) continue;
    first_interface_[body] = size();
    for (const PartInterface& at : rows_[body].part->interfaces) {
      interfaces_.push_back(size());
      rows_.push_back(row_of(at, rows_[body], size()));
    }
    carry_interfaces(body);
  }
}

//     ṗ = ṗ_B + ω × R r
void FrameTable::carry_interfaces(int node) {
  const FrameRow body = rows_[node];
  for (size_t i = 0; body.part && i < body.part->interfaces.size(); ++i) {
    FrameRow& row = rows_[interface_of(node, static_cast<int>(i))];
    const MarkerPose& at = row.on_body;
    row.given = {body.given.p + body.given.R * at.r, body.given.R * at.R};
    row.start = {body.start.p + body.start.R * at.r, body.start.R * at.R};
    row.orientation = Quaterniond(row.start.R);
    row.velocity = body.velocity + body.start.R * body.spin.cross(at.r);
    row.spin = at.R.transpose() * body.spin;
  }
}

MarkerPose FrameTable::on_body(const MarkerPose& marker) const {
  const FrameRow& row = rows_[marker.node];
  if (row.owner != FrameRow::Owner::interface) return marker;
  return {row.on_body.node, row.on_body.r + row.on_body.R * marker.r, row.on_body.R * marker.R};
}

Pose FrameTable::start(const MarkerPose& marker) const {
  const Pose& frame = rows_[marker.node].start;
  return {frame.p + frame.R * marker.r, frame.R * marker.R};
}

Pose FrameTable::given(const MarkerPose& marker) const {
  const Pose& frame = rows_[marker.node].given;
  return {frame.p + frame.R * marker.r, frame.R * marker.R};
}

void FrameTable::give(int node, const Pose& pose) {
  rows_[node].given = pose;
  move(node, pose);
}

void FrameTable::move(int node, const Pose& pose) {
  rows_[node].start = pose;
  rows_[node].orientation = Quaterniond(pose.R);
  carry_interfaces(node);
}

void FrameTable::set_motion(int node, const Vector3d& velocity, const Vector3d& spin) {
  rows_[node].velocity = velocity, rows_[node].spin = spin;
  carry_interfaces(node);
}

MarkerPose FrameTable::marker_at(int node, const Pose& global) const {
  return as_marker(node, rows_[node].given, global);
}

MarkerPose FrameTable::marker_at_start(int node, const Pose& global) const {
  return as_marker(node, rows_[node].start, global);
}

double FrameTable::start_distance(const MarkerPose& i, const MarkerPose& j) const {
  return (start(j).p - start(i).p).norm();
}

}  // namespace bricard
