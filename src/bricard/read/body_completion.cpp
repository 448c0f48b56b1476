// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/body_completion.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "bricard/check/model_checks.h"
#include "bricard/model/mass_properties.h"

namespace bricard::io {
namespace {

/// One body, or ground.
class Completion {
 public:
  Completion(const std::string& path, const Body& start, std::vector<Marker>& markers, ReadLog& log)
      : path_(path), start_(start), markers_(markers), log_(log), progress_(markers.size(), Progress::waiting) {}

  void complete_markers() {
    for (size_t i = 0; i < markers_.size(); ++i)
      if (progress_[i] == Progress::waiting) resolve(i);
  }

  void complete_rods(std::vector<Shape>& shapes) {
    for (size_t i = 0; i < shapes.size(); ++i)
      if (shapes[i].from && shapes[i].to) complete_rod(shapes[i], fmt::format("{}.shapes[{}]", path_, i));
  }

  void complete_mass(Body& body) {
    const bool given = is_given("mass") || is_given("inertia");
    if (log_.is_faulty(path_ + ".*") || !check_ways(body, given)) return;
    const auto center = point(body.mass_center, path_ + ".mass_center");
    const auto about = is_given("inertia_about") ? find(body.inertia_about, path_ + ".inertia_about") : std::nullopt;
    MassProperties all;
    bool known = center && (about || !is_given("inertia_about"));
    if (given && known) all = own_mass(body, *center, about);
    for (size_t i = 0; i < body.shapes.size(); ++i) {
      if (!is_solid(body, i)) continue;
      const MassProperties part = mass_properties(body.shapes[i]);
      known = known && part.mass > 0;  // else a fault of the shape
      all = all + part;
    }
    for (size_t i = 0; i < body.point_masses.size(); ++i) {
      const auto at = point(body.point_masses[i].at, fmt::format("{}.point_masses[{}].at", path_, i));
      known = known && at;
      if (at) all = all + MassProperties{body.point_masses[i].mass, *at, Matrix3d::Zero()};
    }
    if (!known) return;
    body.mass = all.mass;
    body.inertia = all.inertia;
    body.mass_center.position = all.center;
    check_inertia(body, path_, log_);
  }

 private:
  enum class Progress { waiting, running, done };

  bool is_given(const std::string& key) const {
    return log_.place_of(path_ + "." + key) || log_.is_faulty(path_ + "." + key);
  }

  bool is_solid(const Body& body, size_t shape) const {
    const std::string key = fmt::format("shapes[{}].", shape);
    return body.shapes[shape].density || body.shapes[shape].mass || is_given(key + "density") || is_given(key + "mass");
  }

  // Either the numbers of the whole body or those of its solids; not both, not neither.
  bool check_ways(const Body& body, bool given) {
    bool good = true, solid = log_.is_faulty(path_ + ".shapes");
    for (size_t i = 0; i < body.shapes.size(); ++i) solid = solid || is_solid(body, i);
    for (const char* key : {"mass", "inertia", "inertia_about", "mass_center"}) {
      const Place* place = solid ? log_.place_of(path_ + "." + key) : nullptr;
      if (!place) continue;
      log_.fault(*place, path_ + "." + key,
                 "the shapes with a density or mass give this; remove the key or their densities and masses");
      good = false;
    }
    if (solid || (!given && is_given("point_masses"))) return good;
    const auto need = [&](const char* key, const char* help) {
      if (is_given(key)) return;
      log_.fault(body.place, path_, fmt::format("missing key '{}': {}", key, help));
      good = false;
    };
    need("mass", "> 0, in kg; or give a shape a density, as density: steel");
    need("inertia",
         "about the centre of mass in body axes: [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz], in kg*m^2");
    return good;
  }

  MassProperties own_mass(const Body& body, const Vector3d& center, std::optional<size_t> about) {
    if (!about) return {body.mass, center, body.inertia};
    const Marker& marker = markers_[*about];
    const Matrix3d R = marker.orientation.toRotationMatrix();
    return {body.mass, center, R * body.inertia * R.transpose() - steiner(body.mass, marker.position - center)};
  }

  // The marker of that name, also written body.marker; complains if there is none.
  std::optional<size_t> find(const Reference& reference, const std::string& path) {
    std::vector<std::string> names;
    for (size_t i = 0; i < markers_.size(); ++i) {
      if (reference.name == markers_[i].name || reference.name == start_.name + "." + markers_[i].name) return i;
      names.push_back(markers_[i].name);
    }
    log_.fault(reference.place, path,
               fmt::format("'{}' has no marker '{}'{}", start_.name, reference.name,
                           names.empty() ? "; it has no markers" : suggestion(reference.name, names, "it has")));
    return {};
  }

  std::optional<Vector3d> point(const BodyPoint& at, const std::string& path) {
    if (at.marker.place.line == 0) return at.position;
    const auto marker = find(at.marker, path);
    return marker ? std::optional(markers_[*marker].position) : std::nullopt;
  }

  void resolve(size_t i) {
    Marker& marker = markers_[i];
    const std::string path = fmt::format("{}.markers.{}.relative_to", path_, marker.name);
    progress_[i] = Progress::done;
    if (!log_.place_of(path)) return;
    if (marker.relative_to.name == "ground") {  // as the description has it
      if (!start_.relative_to.name.empty())
        return log_.fault(marker.relative_to.place, path,
                          fmt::format("'{}' is itself relative to '{}'; give its markers in the body frame",
                                      start_.name, start_.relative_to.name));
      marker.position = start_.orientation.conjugate() * (marker.position - start_.position);
      marker.orientation = start_.orientation.conjugate() * marker.orientation;
      return;
    }
    const auto other = find(marker.relative_to, path);
    if (!other) return;
    progress_[i] = Progress::running;
    if (progress_[*other] == Progress::waiting) resolve(*other);
    if (progress_[*other] == Progress::running) {
      log_.fault(
          marker.relative_to.place, path,
          fmt::format("leads in a circle: '{}' is relative to '{}' in turn", markers_[*other].name, marker.name));
    } else {
      marker.interface = markers_[*other].interface;
      marker.position = markers_[*other].position + markers_[*other].orientation * marker.position;
      marker.orientation = markers_[*other].orientation * marker.orientation;
    }
    progress_[i] = Progress::done;
  }

  void complete_rod(Shape& rod, const std::string& path) {
    const auto from = point(*rod.from, path + ".from"), to = point(*rod.to, path + ".to");
    if (!from || !to) return;
    const Vector3d d = *to - *from;
    if (d.norm() < 1e-12) return log_.fault(rod.place, path, "both ends of the rod are at the same place");
    rod.length = d.norm();
    rod.position = (*from + *to) / 2;
    rod.orientation = frame_from_axis(d);
  }

  std::string path_;
  const Body& start_;
  std::vector<Marker>& markers_;
  ReadLog& log_;
  std::vector<Progress> progress_;
};

/// One number is the moment about the normal of a plane; the others have no part in a planar motion.
void complete_moment(Plane plane, Body& body, ReadLog& log) {
  if (!std::isnan(body.inertia(0, 0))) return;
  const double moment = body.inertia(2, 2);
  body.inertia = moment * Matrix3d::Identity();
  const std::string path = "bodies." + body.name + ".inertia";
  const Place* place = log.place_of(path);
  if (place && plane == Plane::none)
    log.fault(
        *place, path,
        "one number is enough in planar models only (plane: xy); expected [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, "
        "Ixz, Iyz]");
}

}  // namespace

void complete_bodies(Model& model, ReadLog& log) {
  Body at_rest;
  at_rest.name = "ground";
  Completion ground("ground", at_rest, model.ground.markers, log);
  ground.complete_markers();
  ground.complete_rods(model.ground.shapes);
  for (Body& body : model.bodies) {
    complete_moment(model.plane, body, log);
    Completion completion("bodies." + body.name, body, body.markers, log);
    completion.complete_markers();
    completion.complete_rods(body.shapes);
    if (!body.flexible) completion.complete_mass(body);
  }
}

}  // namespace bricard::io
