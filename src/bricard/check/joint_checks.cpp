// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "bricard/check/checker.h"
#include "bricard/check/model_checks.h"

// Joints: which keys each kind needs and takes says model/joint_kinds.h.
namespace bricard::io {
namespace {

class JointChecker : Checker {
 public:
  JointChecker(const Model& model, ReadLog& log) : Checker(model, log) {
    for (const CurveShape& curve : model.curves) curves_.push_back(curve.name);
    const auto note = [&](const char* key) {
      const auto takes = [&](const JointKind& kind) { return kind.takes(key); };
      if (std::any_of(std::begin(kJointKinds), std::end(kJointKinds), takes)) own_keys_.push_back(key);
    };
    std::apply([&](const auto&... field) { (note(field.name), ...); }, Joint::fields());
  }

  void check_values(const Joint& joint, const std::string& path) {
    const bool axis = check_direction(path + ".axis", joint.axis);
    const bool second = check_direction(path + ".second_axis", joint.second_axis);
    check_ranges(joint, path);
    if (!log_.place_of(path + ".type")) return;
    const JointKind& kind = kind_of(joint.type);
    const auto none = [&] { return fmt::format("has no meaning for a {} joint", kind.word); };
    if (kind.axes < 2) refuse(path, "second_axis", none);
    else if (axis && second) check_perpendicular(joint, path + ".second_axis");
    if (kind.placing == JointPlacing::two_points) refuse(path, "at", none), refuse(path, "axis", none);
    check_own_keys(joint, kind, path, none);
    check_start(joint.start, kind, path, "start");
    check_start(joint.start_velocity, kind, path, "start_velocity");
  }

  void check_references(const Joint& joint, const std::string& path) {
    check_curve_name(joint.curve, path + ".curve");
    check_curve_name(joint.second_curve, path + ".second_curve");
    if (check_between(joint.between, path + ".between", "joint") && log_.place_of(path + ".type"))
      check_place(joint, path);
  }

 private:
  void check_start(const JointStart& given, const JointKind& kind, const std::string& path, const char* key) {
    const int count = placing_coordinates(kind.type);
    if (static_cast<int>(given.numbers.size()) == count && count > 0) return;
    refuse(path, key, [&] {
      if (count == 0)
        return fmt::format("a {} joint has no coordinates that say where a body is; place the body by its "
                           "position, or with relative_to",
                           kind.word);
      const std::vector<std::string> names(kind.coordinates.begin(), kind.coordinates.begin() + count);
      return fmt::format("expected {}: {}; found {}", count == 1 ? "one number" : fmt::format("{} numbers", count),
                         fmt::join(names, ", "), given.numbers.size());
    });
  }

  /// Of those keys that not all joints have.
  template <class Why>
  void check_own_keys(const Joint& joint, const JointKind& kind, const std::string& path, const Why& none) {
    for (const JointKey& key : kind.keys)
      if (key.needed) need(path, joint.place, key.name, key.needed);
    for (const char* key : own_keys_)
      if (!kind.takes(key)) refuse(path, key, none);
    if (joint.pitch && kind.takes("pitch"))
      require(*joint.pitch != 0, path + ".pitch", *joint.pitch, "must not be 0; that is a revolute joint");
    if (joint.rotor_inertia == 0)
      refuse(path, "gear_ratio", "has no effect without a rotor_inertia; give both, or remove it");
    if (joint.type == JointType::rolling && joint.radius)
      require(*joint.radius > 0 || (*joint.radius == 0 && joint.tube_radius.value_or(0) > 0), path + ".radius",
              *joint.radius, "must be > 0; 0 with a tube_radius is a ball");
  }

  // Whether there is such a direction; complains if it is zero.
  bool check_direction(const std::string& path, const std::optional<Vector3d>& direction) {
    if (!direction || !log_.place_of(path)) return false;
    if (direction->norm() > 1e-12) return true;
    log_.fault(*log_.place_of(path), path, "a direction must not be zero");
    return false;
  }

  void check_perpendicular(const Joint& joint, const std::string& path) {
    const double cosine = joint.axis->normalized().dot(joint.second_axis->normalized());
    if (std::abs(cosine) <= 1e-6) return;
    const double angle = std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
    log_.fault(*log_.place_of(path), path,
               fmt::format("must be perpendicular to axis; the angle between them is {:.6g} "
                           "degrees",
                           angle));
  }

  void check_curve_name(const std::optional<Reference>& curve, const std::string& path) {
    if (!curve || !log_.place_of(path) || std::count(curves_.begin(), curves_.end(), curve->name)) return;
    const std::string hint = curves_.empty() ? "; the model has no curves" : suggestion(curve->name, curves_, "known");
    log_.fault(curve->place, path, fmt::format("unknown curve '{}'{}", curve->name, hint));
  }

  /// Where the joint is, if its ends do not say it.
  void check_place(const Joint& joint, const std::string& path) {
    const JointKind& kind = kind_of(joint.type);
    if (kind.placing == JointPlacing::two_points) return;
    const bool interface = !marker_in(joint.between[0].name).empty() || !marker_in(joint.between[1].name).empty();
    const bool says_where = given(path + ".at") || given(path + ".axis");
    if (!is_bare(joint.between[0]) || !is_bare(joint.between[1]) || (interface && !says_where)) {
      for (const char* key : {"at", "axis", "second_axis"})
        if (log_.place_of(path + "." + key))
          log_.fault(joint.place, path,
                     fmt::format("key '{}' has no effect when 'between' names a marker, which says where the joint is "
                                 "and how it is turned; remove the key or name two bodies",
                                 key));
      return;
    }
    const auto need_here = [&](const char* key, bool given_here, const std::string& what) {
      if (!given_here)  // by the file or by the plane of the model
        need(path, joint.place, key,
             fmt::format("{}; or name a marker in 'between', as {}.pin", what, joint.between[1].name));
    };
    if (kind.placing == JointPlacing::at_one_place)
      need_here("at", joint.at.has_value(), "where the joint is at the start, ground frame, in m");
    if (kind.axes > 0) need_here("axis", joint.axis.has_value(), "direction of the joint's axis at the start");
    if (kind.axes > 1)
      need_here(
          "second_axis", joint.second_axis.has_value(),
          joint.type == JointType::universal ? "the other axis of the cross" : "direction fixed in the second body");
  }

  std::vector<std::string> curves_;
  std::vector<const char*> own_keys_;  ///< that some joints have and others have not
};

}  // namespace

void check_joint_values(const Model& model, ReadLog& log) {
  JointChecker checker(model, log);
  for (const Joint& joint : model.joints) checker.check_values(joint, "joints." + joint.name);
}

void check_joint_references(const Model& model, ReadLog& log) {
  JointChecker checker(model, log);
  for (const Joint& joint : model.joints) checker.check_references(joint, "joints." + joint.name);
}

}  // namespace bricard::io
