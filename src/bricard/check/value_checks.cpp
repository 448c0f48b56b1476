// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Eigenvalues>
#include <cmath>

#include "bricard/check/checker.h"
#include "bricard/check/model_checks.h"

namespace bricard::io {
namespace {

class BodyChecker : Checker {
 public:
  using Checker::Checker;

  void check_body(const Body& body, const std::string& path) {
    if (body.name == "ground") log_.fault(body.place, path, "'ground' is what does not move; choose another name");
    require_range(Range::positive, path + ".mass", body.mass);
    require_range(Range::positive, path + ".weight", body.weight);
    if (body.fixed) refuse(path, "weight", "has no meaning for a body that is fixed");
    for (size_t i = 0; i < body.point_masses.size(); ++i)
      require_range(Range::positive, fmt::format("{}.point_masses[{}].mass", path, i), body.point_masses[i].mass);
    check_shapes(path, body.shapes);
  }

  void check_shapes(const std::string& owner, const std::vector<Shape>& shapes) {
    for (size_t i = 0; i < shapes.size(); ++i) check_shape(shapes[i], fmt::format("{}.shapes[{}]", owner, i));
  }

 private:
  void check_shape(const Shape& shape, const std::string& path) {
    if (!log_.place_of(path + ".type")) return;
    const ShapeType type = shape.type;
    const bool box = type == ShapeType::box, tube = type == ShapeType::tube, cone = type == ShapeType::cone,
               rod = type == ShapeType::rod, along_z = type == ShapeType::cylinder || tube || cone;
    const std::string kind = name_of(type);
    const auto none = [&] { return "has no meaning for a " + kind; };
    const auto check_key = [&](const char* key, bool needed) {
      if (!needed) return refuse(path, key, none);
      if (!given(path + "." + key)) log_.fault(shape.place, path, fmt::format("missing key '{}' of a {}", key, kind));
    };
    const auto check_size = [&](const char* key, bool needed, double least) {
      check_key(key, needed);
      if (needed) require_range(Range::positive, path + "." + key, least);
    };
    check_size("size", box, shape.size.minCoeff());
    check_size("radius", !box, shape.radius);
    check_size("length", along_z, shape.length);
    check_size("inner_radius", tube, shape.inner_radius);
    check_key("from", rod);
    check_key("to", rod);
    if (rod) refuse(path, "position", none), refuse(path, "orientation", none);
    if (!cone) refuse(path, "top_radius", none);
    else require_range(Range::not_negative, path + ".top_radius", shape.top_radius);
    if (tube && log_.place_of(path + ".radius"))
      require(shape.inner_radius < shape.radius, path + ".inner_radius", shape.inner_radius,
              fmt::format("must be < the radius, which is {}", shape.radius));
    check_mass(shape, path);
    check_color(shape, path);
  }

  void check_mass(const Shape& shape, const std::string& path) {
    if (shape.density) require_range(Range::positive, path + ".density", shape.density->value);
    if (shape.mass) require_range(Range::positive, path + ".mass", *shape.mass);
    for (const char* key : {"density", "mass"})
      if (path.rfind("ground.", 0) == 0) refuse(path, key, "has no meaning for a shape of ground, which does not move");
    const Place* place = log_.place_of(path + ".mass");
    if (place && shape.density) log_.fault(*place, path + ".mass", "the density gives this; remove one of them");
  }

  void check_color(const Shape& shape, const std::string& path) {
    const bool is_color = shape.color.size() == 7 && shape.color[0] == '#' &&
                          shape.color.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
    const Place* place = log_.place_of(path + ".color");
    if (place && !is_color)
      log_.fault(*place, path + ".color",
                 fmt::format("expected \"#rrggbb\" in hexadecimal digits, found '{}'", shape.color));
  }
};

}  // namespace

void check_inertia(const Body& body, const std::string& owner, ReadLog& log) {
  const bool own = log.place_of(owner + ".inertia") || log.is_faulty(owner + ".inertia");
  const std::string path = own ? owner + ".inertia" : owner;
  if (log.is_faulty(path)) return;
  const Vector3d I = Eigen::SelfAdjointEigenSolver<Matrix3d>(body.inertia, Eigen::EigenvaluesOnly).eigenvalues();
  const double round_off = 1e-14 * std::abs(I[2]);
  const bool zero = std::abs(I[0]) <= round_off;
  const std::string moments = fmt::format("principal moments {:.6g}, {:.6g}, {:.6g} kg*m^2{}", zero ? 0 : I[0], I[1],
                                          I[2], body.inertia_about.name.empty() ? "" : " about the mass centre");
  const Place& place = own ? *log.place_of(path) : body.place;
  if (I[0] <= round_off)
    log.fault(
        place, path,
        fmt::format("the {} must be > 0{}", moments, zero ? "; give a thin rod a small moment about its axis" : ""));
  else if (I[0] < 1 / kLargestNumber)
    log.fault(place, path, fmt::format("the {} are too small to compute with", moments));
  else if (I[2] > (I[0] + I[1]) * (1 + 1e-9))
    log.fault(
        place, path,
        fmt::format("no body has the {}; the largest must be <= the sum of the others, {:.6g}", moments, I[0] + I[1]));
}

void check_values(const Model& model, ReadLog& log) {
  BodyChecker bodies(model, log);
  bodies.check_shapes("ground", model.ground.shapes);
  for (const Body& body : model.bodies) bodies.check_body(body, "bodies." + body.name);
  check_joint_values(model, log);
  check_force_values(model, log);
  check_control(model, log);
  const Place* align = log.place_of("align");
  if (align && !(model.align >= 0 && model.align <= kMostAligned))
    log.fault(*align, "align", "must be an angle from 0 to 0.01 rad", fmt::format("{}", model.align));
}

}  // namespace bricard::io
