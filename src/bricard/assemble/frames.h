// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bricard/model/model.h"
#include "bricard/system/system.h"

// The table of frames: everything that carries markers, whatever it belongs to.            docs/architecture.md, Frames
// Its rows are the nodes of every System that is made of the model; nothing else may be concluded from their order.
namespace bricard {

/// A place and axes in the ground frame.
struct Pose {
  Vector3d p = Vector3d::Zero();
  Matrix3d R = Matrix3d::Identity();
};

/// A frame as the model has it.
struct FrameRow {
  enum class Owner { ground, body, interface };
  Owner owner = Owner::ground;
  std::string name;  ///< in messages and results
  int parent = 0;    ///< node that pictures draw it with; its own for what is drawn itself
  Pose given;        ///< of a body's mass centre in the configuration that the description is about
  Pose start;        ///< the same at the start: joints with `start` may have moved it
  Quaterniond orientation = Quaterniond::Identity();              ///< the axes at the start
  Vector3d velocity = Vector3d::Zero(), spin = Vector3d::Zero();  ///< at the start: ground axes, own axes
  /// Where the owner's origin is, from which markers and results count, in the axes of the frame: a body's frame sits in
  /// its mass centre.
  Vector3d origin = Vector3d::Zero();
  double mass = 0;  ///< what moves with it, for inertia and for scaling
  Matrix3d inertia = Matrix3d::Zero();
  const std::vector<Marker>* markers = nullptr;
  std::shared_ptr<const ReducedPart> part;  ///< of a flexible body, whose frame is that of the part
  /// Where an interface is on its body when this is not deformed.
  MarkerPose on_body;

  bool is_body() const { return owner == Owner::body; }
};

/// The model is to outlive it.
class FrameTable {
 public:
  explicit FrameTable(const Model& model);

  int size() const { return static_cast<int>(rows_.size()); }
  const FrameRow& operator[](int node) const { return rows_[node]; }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  /// Nodes of the bodies, in the model's order.
  const std::vector<int>& bodies() const { return bodies_; }
  /// Nodes of the interfaces of flexible bodies: those of one body are neighbours.
  const std::vector<int>& interfaces() const { return interfaces_; }
  /// The node of an interface by its number on the body.
  int interface_of(int body, int number) const { return first_interface_[body] + number; }
  /// A marker on an interface as one of the body, which is not deformed.
  MarkerPose on_body(const MarkerPose& marker) const;

  /// Where a marker is at the start.
  Pose start(const MarkerPose& marker) const;
  Pose given(const MarkerPose& marker) const;
  /// The marker of a frame that is at a pose in space as the description has it.
  MarkerPose marker_at(int node, const Pose& global) const;
  /// ... at the start.
  MarkerPose marker_at_start(int node, const Pose& global) const;
  /// Distance of two markers at the start.
  double start_distance(const MarkerPose& i, const MarkerPose& j) const;
  /// Where a marker is in the axes of its owner, from the owner's origin.
  Vector3d position_in_owner(const MarkerPose& marker) const { return marker.r - rows_[marker.node].origin; }
  /// What a marker is drawn with.
  const std::string& drawn_with(const MarkerPose& marker) const { return rows_[rows_[marker.node].parent].name; }

  /// Sets both configurations, or that of the start alone.
  void give(int node, const Pose& pose);
  void move(int node, const Pose& pose);
  /// Velocity in ground axes, angular velocity in those of the frame.
  void set_motion(int node, const Vector3d& velocity, const Vector3d& spin);

 private:
  std::vector<FrameRow> rows_;
  void carry_interfaces(int node);

  std::vector<int> bodies_, interfaces_;
  std::vector<int> first_interface_;  ///< by nodes of bodies
};

}  // namespace bricard
