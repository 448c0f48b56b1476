// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/plane.h"

#include <fmt/format.h>

#include <cmath>

namespace bricard {
namespace {

constexpr double kAligned = 1e-6;  // rad, and of the levers: differences below are round-off of the user

/// Where the joint's rows point, and what is wrong with it.
class PlanarJointMaker {
 public:
  PlanarJointMaker(const Named& named, const Joint& joint)
      : model_(named.model), frames_(named.frames), joint_(joint), normal_(normal_of(named.model.plane)) {
    made_.markers = joint_markers(named, joint);
    for (int e = 0; e < 2; ++e) start_[e] = frames_.start(made_.markers[e]);
    made_.primitives.coordinates = primitives_of(joint.type).coordinates;
    made_.primitives.special = primitives_of(joint.type).special;
  }

  PlanarJoint make() {
    make_rows();
    if (!made_.fault.empty()) return made_;
    for (int e = 0; e < 2; ++e) turn(made_.markers[e]);
    return made_;
  }

 private:
  Vector3d axis_of(int end, int axis = 2) const { return start_[end].R.col(axis); }
  char normal_letter() const { return "xyz"[normal_.x() != 0 ? 0 : normal_.y() != 0 ? 1 : 2]; }
  std::string planar_model() const { return fmt::format("a planar model (plane: {})", name_of(model_.plane)); }

  void blame(const char* key, int end, const std::string& why) {
    if (!made_.fault.empty()) return;
    made_.key = key, made_.end = end, made_.fault = why;
  }

  void make_rows() {
    const PlanarForm& form = form_here();
    if (form.refusal) return blame("type", -1, fmt::format(fmt::runtime(form.refusal), planar_model()));
    if (form.choice == PlanarForm::Choice::either_axis) need_normal_cross();
    for (int e = 0; e < 2; ++e)
      if (form.axis[e] == PlanarForm::Axis::normal) need_normal(e);
      else if (form.axis[e] == PlanarForm::Axis::in_plane) need_in_plane(e);
    if (form.same_axes) need_same_axes();
    if (form.same_height && joint_.hold_in_plane) need_same_height();
    made_.primitives.slides = form.slides, made_.primitives.axes = form.axes;
  }

  const PlanarForm& form_here() const {
    const PlanarForm& form = planar_form_of(joint_.type);
    const bool pin = form.choice == PlanarForm::Choice::pin_along_normal && is_normal(model_, axis_of(0)) &&
                     is_normal(model_, axis_of(1));
    return pin ? planar_form_of(JointType::revolute) : form;
  }

  // The cross must turn about the normal with one of its axes; the other then lies in the plane.
  void need_normal_cross() {
    const bool first = is_normal(model_, axis_of(0)) && is_in_plane(model_, axis_of(1, 0));
    const bool second = is_normal(model_, axis_of(1, 0)) && is_in_plane(model_, axis_of(0));
    if (first || second) return;
    blame(
        joint_.axis ? "axis" : "between", -1,
        fmt::format("one axis of a universal joint must be along {}, the normal of the plane {}, and the other in the "
                    "plane; they are {} and {}",
                    normal_letter(), name_of(model_.plane), direction_text(axis_of(0)), direction_text(axis_of(1, 0))));
  }

  // The end to blame: one that names its marker, if both are wrong.
  void need_axis(int end, bool good, const std::string& rule) {
    if (good) return;
    if (end == 0 && !names_marker(joint_.between[0]) && names_marker(joint_.between[1])) end = 1;
    if (names_marker(joint_.between[end]) || !joint_.axis)
      return blame("between", end,
                   fmt::format("the z axis of '{}' {}; at the start it is {}", joint_.between[end].name, rule,
                               direction_text(axis_of(end))));
    const bool second = end == 1 && joint_.second_axis;
    const Vector3d& found = second ? *joint_.second_axis : *joint_.axis;
    blame(second ? "second_axis" : "axis", end, fmt::format("{}; found {}", rule, direction_text(found)));
  }
  void need_normal(int end) {
    need_axis(
        end, is_normal(model_, axis_of(end)),
        fmt::format("must be along {}, the normal of the model's plane {}", normal_letter(), name_of(model_.plane)));
  }
  void need_in_plane(int end) {
    need_axis(end, is_in_plane(model_, axis_of(end)),
              fmt::format("must lie in the model's plane {}", name_of(model_.plane)));
  }

  void need_same_height() {
    const double apart = normal_.dot(start_[1].p - start_[0].p);
    const double size = std::max(made_.markers[0].r.norm(), made_.markers[1].r.norm());
    if (std::abs(apart) <= kAligned * size + 1e-12) return;
    blame("between", -1,
          fmt::format("'{}' and '{}' are {:.4g} m apart along {}, and no body of {} can move there; give "
                      "both the same {}",
                      joint_.between[0].name, joint_.between[1].name, std::abs(apart), normal_letter(), planar_model(),
                      normal_letter()));
  }

  // The normal has to be the same direction of both markers.
  void need_same_axes() {
    const Vector3d first = start_[0].R.transpose() * normal_, second = start_[1].R.transpose() * normal_;
    if ((first - second).norm() <= kAligned) return;
    blame("between", -1,
          fmt::format("the axes of '{}' and '{}' differ by a turn out of the plane {}, which no body of "
                      "{} can make",
                      joint_.between[0].name, joint_.between[1].name, name_of(model_.plane), planar_model()));
  }

  // Axes of the plane in place of those of the marker: z the normal; x what the marker's z axis is in the plane, or,
  // where it is the normal itself, its x axis. Rows between aligned markers then stay rows between aligned markers.
  void turn(MarkerPose& marker) const {
    if (made_.primitives.special != JointPrimitives::Special::none) return;
    const Vector3d n = frames_[marker.node].start.R.transpose() * normal_;
    const bool in_plane = std::abs(marker.R.col(2).dot(n)) < 0.5;
    marker.R = frame_from_axes(n, marker.R.col(in_plane ? 2 : 0)).toRotationMatrix();
  }

  const Model& model_;
  const FrameTable& frames_;
  const Joint& joint_;
  Vector3d normal_;
  std::array<Pose, 2> start_;
  PlanarJoint made_;
};

}  // namespace

std::string direction_text(const Vector3d& v) {
  const auto clean = [](double value) { return std::abs(value) < 1e-12 ? 0 : value; };
  return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", clean(v.x()), clean(v.y()), clean(v.z()));
}

bool is_normal(const Model& model, const Vector3d& direction) {
  return normal_of(model.plane).cross(direction.normalized()).norm() <= kAligned;
}

bool is_in_plane(const Model& model, const Vector3d& direction) {
  return std::abs(normal_of(model.plane).dot(direction.normalized())) <= kAligned;
}

PlanarJoint planar_joint(const Named& named, const Joint& joint) { return PlanarJointMaker(named, joint).make(); }

std::array<MarkerPose, 2> plane_markers(const Named& named, int node) {
  const Pose at{named.frames[node].start.p, frame_from_axis(normal_of(named.model.plane)).toRotationMatrix()};
  return {named.frames.marker_at_start(0, at), named.frames.marker_at_start(node, at)};
}

}  // namespace bricard
