// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/frames.h"

namespace bricard {
namespace {

//     p = x + R c,   ṗ = ẋ + ω × R c,   ω in the body's axes: Rᵀω
FrameRow row_of(const Body& b, int node) {
  FrameRow row;
  const Vector3d c = b.orientation * b.mass_center.position;
  row.owner = FrameRow::Owner::body;
  row.name = b.name;
  row.parent = node;
  row.given = row.start = {b.position + c, b.orientation.toRotationMatrix()};
  row.orientation = b.orientation;
  row.velocity = b.velocity + b.angular_velocity.cross(c);
  row.spin = b.orientation.conjugate() * b.angular_velocity;
  row.origin = -b.mass_center.position;
  row.mass = b.mass, row.inertia = b.inertia;
  row.markers = &b.markers;
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
}

void FrameTable::set_motion(int node, const Vector3d& velocity, const Vector3d& spin) {
  rows_[node].velocity = velocity, rows_[node].spin = spin;
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
