// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "bricard/assemble/beam_line.h"
#include "bricard/assemble/plane.h"
#include "bricard/assemble/start_checks.h"
#include "bricard/check/said.h"

// What leaves the plane of a planar model.
namespace bricard::io {
namespace {

constexpr double kStays = 1e-9;  // of the whole vector: round-off of formulas

class PlaneChecker {
 public:
  PlaneChecker(const Model& model, ReadLog& log)
      : model_(model), named_(model), log_(log), normal_(normal_of(model.plane)),
        letter_(1, "zxy"[static_cast<int>(model.plane) - static_cast<int>(Plane::xy)]),
        plane_(fmt::format("the plane {}", name_of(model.plane))) {}

  void check() {
    check_gravity();
    for (const FlexibleBeam& beam : model_.flexible_beams) check_beam(beam, "beams." + beam.name);
    for (const Body& body : model_.bodies) check_body(body, "bodies." + body.name);
    for (const Joint& joint : model_.joints) check_joint(joint, "joints." + joint.name);
    for (const Motion& motion : model_.motions) check_motion(motion, "motions." + motion.name);
    for (const Coupler& coupler : model_.couplers) check_coupler(coupler, "couplers." + coupler.name);
    for_each_force(model_, [&]<class Force>(const Force& f) {
      const std::string path = "forces." + f.name;
      if constexpr (InCoordinate<Force>) check_coordinate(f.joint, f.coordinate, path + ".coordinate", f.place);
      else if constexpr (InJoint<Force>) check_coordinate(f.joint, JointCoordinate::angle, path + ".joint", f.place);
      else if constexpr (std::is_same_v<Force, Contact>) check_contact(f, "contacts." + f.name);
    });
  }

 private:
  Place place_of(const std::string& path, const Place& otherwise) const {
    const Place* place = log_.place_of(path);
    return place ? *place : otherwise;
  }

  void check_gravity() {
    const Vector3d& g = model_.gravity;
    const double out = normal_.dot(g);
    if (std::abs(out) <= kStays * g.norm()) return;
    const std::string better = direction_text(normal_.z() != 0 ? Vector3d(0, -9.81, 0) : Vector3d(0, 0, -9.81));
    const std::string advice =
        fmt::format("give one in the plane, as gravity: {}, or [0, 0, 0] if the plane is horizontal", better);
    if (const Place* place = log_.place_of("gravity"))
      log_.fault(
          *place, "gravity",
          fmt::format("{} leaves {} by {:.4g} m/s^2 along {}; {}", direction_text(g), plane_, out, letter_, advice));
    else
      log_.fault(
          place_of("plane", {}), "plane",
          fmt::format("gravity is {} if it is not given, which leaves {}; {}", direction_text(g), plane_, advice));
  }

  // It may run beside the plane, but not across it, where its nodes could not bend.
  void check_beam(const FlexibleBeam& beam, const std::string& path) {
    const BeamLine line = beam_line(beam);
    const double start = normal_.dot(line.pose(0).p);
    for (const double s : beam_mesh(beam, line.length).nodes()) {
      const double out = normal_.dot(line.pose(s).p) - start;
      if (std::abs(out) <= kStays * line.length) continue;
      const std::string key = path + (beam.curve ? ".curve" : beam.points.empty() ? ".to" : ".points");
      return log_.fault(
          place_of(key, beam.place), key,
          fmt::format("leaves {}: at s = {:.4g} it is {:.4g} m along {} from its start; beams of a planar "
                      "model run parallel to the plane",
                      plane_, s / line.length, out, letter_));
    }
  }

  void check_body(const Body& body, const std::string& path) {
    const double out = normal_.dot(body.velocity);
    if (std::abs(out) > kStays * body.velocity.norm())
      log_.fault(place_of(path + ".velocity", body.place), path + ".velocity",
                 fmt::format("leaves {}: its {} component must be 0, found {:.4g}", plane_, letter_, out));
    const Vector3d& w = body.angular_velocity;
    if ((w - normal_.dot(w) * normal_).norm() > kStays * w.norm())
      log_.fault(place_of(path + ".angular_velocity", body.place), path + ".angular_velocity",
                 fmt::format("must be along {}, the normal of {}; found {}", letter_, plane_, direction_text(w)));
  }

  void check_joint(const Joint& joint, const std::string& path) {
    const PlanarJoint made = planar_joint(named_, joint);
    if (made.fault.empty()) return;
    std::string key = path + "." + made.key;
    Place place = place_of(key, joint.place);
    if (made.key == "between" && made.end >= 0) {
      place = joint.between[made.end].place;
      key += fmt::format("[{}]", made.end);
    }
    log_.fault(place, key, made.fault);
  }

  /// The coordinates of other joints follow from their axes; a cylindrical one has its axis across the plane or in it.
  void check_coordinate(const Reference& reference, JointCoordinate wanted, const std::string& path,
                        const Place& owner) {
    const Joint& joint = model_.joints[named_.joint(reference)];
    if (joint.type != JointType::cylindrical) return;
    const bool turns = is_normal(model_, named_.frames.start(joint_markers(named_, joint)[0]).R.col(2));
    const JointCoordinate moves = turns ? JointCoordinate::angle : JointCoordinate::translation;
    if (wanted == moves) return;
    log_.fault(place_of(path, owner), path,
               fmt::format("'{}' has its axis {}, so that it has no {}; it has {} {}", joint.name,
                           (turns ? "across " : "in ") + plane_, name_of(wanted), turns ? "an" : "a", name_of(moves)));
  }

  void check_coupler(const Coupler& coupler, const std::string& path) {
    for (size_t i = 0; i < coupler.joints.size(); ++i) {
      JointCoordinate wanted = i < coupler.coordinates.size() ? coupler.coordinates[i] : JointCoordinate::angle;
      if (coupler.type == CouplerType::rack_and_pinion && i == 1) wanted = JointCoordinate::translation;
      check_coordinate(coupler.joints[i], wanted, fmt::format("{}.joints[{}]", path, i), coupler.joints[i].place);
    }
  }

  void check_contact(const Contact& contact, const std::string& path) {
    if (contact.type == ContactType::sphere_on_sphere) return;
    const bool on_curve = contact.type == ContactType::sphere_on_curve;
    const Vector3d axis = named_.frames.start(named_.marker(contact.between[1])).R.col(2);
    if (on_curve ? is_normal(model_, axis) : is_in_plane(model_, axis)) return;
    const std::string rule =
        on_curve ? fmt::format("be along {}, the normal of {}", letter_, plane_) : "lie in " + plane_;
    log_.fault(place_of(path + ".between", contact.place), path + ".between",
               fmt::format("the z axis of '{}' must {}; at the start it is {}", contact.between[1].name, rule,
                           direction_text(axis)));
  }

  void check_motion(const Motion& motion, const std::string& path) {
    if (!motion.between) return check_coordinate(motion.joint, motion.coordinate, path + ".coordinate", motion.place);
    const bool turns = motion.coordinate == JointCoordinate::angle;
    const int column = motion.coordinate == JointCoordinate::x ? 0 : motion.coordinate == JointCoordinate::y ? 1 : 2;
    const Vector3d axis = named_.frames.start(named_.marker((*motion.between)[0])).R.col(column);
    if (turns ? is_normal(model_, axis) : is_in_plane(model_, axis)) return;
    const std::string rule = turns ? fmt::format("be along {}, the normal of {}", letter_, plane_) : "lie in " + plane_;
    log_.fault(place_of(path + ".coordinate", motion.place), path + ".coordinate",
               fmt::format("the {} axis of '{}' must {}; at the start it is {}", "xyz"[column],
                           (*motion.between)[0].name, rule, direction_text(axis)));
  }

  const Model& model_;
  const Named named_;
  ReadLog& log_;
  const Vector3d normal_;
  const std::string letter_, plane_;
};

}  // namespace

void complete_plane(Model& model) {
  if (model.plane == Plane::none) return;
  const auto is_bare = [](const Joint& j) { return !names_marker(j.between[0]) && !names_marker(j.between[1]); };
  for (Joint& joint : model.joints)
    if (joint.type == JointType::revolute && !joint.axis && is_bare(joint)) joint.axis = normal_of(model.plane);
}

void check_plane(const Model& model, ReadLog& log) {
  if (model.plane != Plane::none) PlaneChecker(model, log).check();
}

}  // namespace bricard::io

namespace bricard {

void check_if_built(const Model& model) {
  if (!model.sources.empty()) return;
  io::ReadLog log = io::said_in(model);
  io::check_values(model, log);
  for (const Body& body : model.bodies) io::check_inertia(body, "bodies." + body.name, log);
  io::check_references(model, log);
  log.throw_faults({});
  io::check_geometry(model, log);
  io::check_plane(model, log);
  log.throw_faults({});
}

}  // namespace bricard
