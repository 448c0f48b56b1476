// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/model/beam.h"
#include "bricard/model/joint_kinds.h"

// A structure of beams between named nodes, as the user describes it: the reader makes beams and joints of it.
namespace bricard {

struct FrameworkNode {
  std::string name;
  Place place;
  BeamEnd at;
};

/// A straight beam from node to node. What it does not say itself, the framework says.
struct FrameworkMember {
  Place place;
  std::array<Reference, 2> nodes;
  FlexibleBeam beam;
};

/// How members are joined at a node, if they are not welded.
struct FrameworkJoint {
  Reference node;
  JointType type = JointType::fixed;
  std::optional<Vector3d> axis;
  static constexpr auto fields() {
    return std::tuple{
        required(&FrameworkJoint::type, "type", "", "revolute, spherical, ...: a kind of joint"),
        field(&FrameworkJoint::axis, "axis", "any", "direction of its z axis at the start, ground frame")};
  }
};

struct Framework {
  std::string name;
  Place place;
  std::vector<FrameworkNode> nodes;
  std::vector<FrameworkMember> members;
  std::vector<FrameworkJoint> joints;
  static constexpr auto fields() {
    return std::tuple{
        required(&Framework::nodes, "nodes", "m", "named places: positions, ground frame, or markers to be joined to"),
        required(&Framework::members, "members", "", "beams from node to node: [[A, B], {nodes: [B, C], ...}]"),
        field(&Framework::joints, "joints", "", "of nodes where members are not welded, {B: {type: spherical}}")};
  }
};

}  // namespace bricard
