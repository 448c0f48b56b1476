// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/held_axes.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "bricard/assemble/joint_table.h"

namespace bricard {
namespace {

/// Of the pairs of axes that a joint keeps perpendicular: two hold z along z, three all axes.
size_t held_pairs(const JointInfo& joint) {
  for (const JointKind& kind : kJointKinds)
    if (!std::strcmp(kind.word, joint.type)) return primitives_of(kind.type).axes.size();
  return 0;
}

}  // namespace

std::optional<double> held_angle(const JointInfo& joint, const Kinematics& k) {
  const size_t pairs = held_pairs(joint);
  if (pairs < 2) return {};
  std::array<Matrix3d, 2> R;
  for (size_t i = 0; i < 2; ++i) R[i] = k.frames[joint.markers[i].node].R * joint.markers[i].R;
  if (pairs == 2) return std::atan2(R[0].col(2).cross(R[1].col(2)).norm(), R[0].col(2).dot(R[1].col(2)));
  return Eigen::AngleAxisd(R[0].transpose() * R[1]).angle();
}

std::vector<std::string> joints_turned_round(const System& system, const State& s) {
  constexpr size_t kMost = 10;  // lines
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  std::vector<std::string> remarks;
  for (const JointInfo& joint : system.joints) {
    const auto angle = held_angle(joint, k);
    if (!angle || *angle < 1) continue;  // closed ones have 0, or 120° and more
    const char* what = held_pairs(joint) == 2 ? "z axes of its markers point against each other"
                                              : "axes of its markers are turned against each other";
    remarks.push_back(fmt::format("joint '{}' is closed the other way round: the {} ({:.0f}°); turn one of the markers "
                                  "if that is not meant",
                                  joint.name, what, *angle * 180 / std::numbers::pi));
  }
  if (remarks.size() > kMost) {
    const size_t more = remarks.size() - kMost;
    remarks.resize(kMost);
    remarks.push_back(fmt::format("and {} more joints are closed the other way round", more));
  }
  return remarks;
}

}  // namespace bricard
