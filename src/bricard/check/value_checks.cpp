// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bricard/assemble/alignment.h"
#include "bricard/check/model_checks.h"
#include "bricard/integrate/augmented_settings.h"
#include "bricard/integrate/step_control.h"
#include "bricard/model/integrator_kinds.h"

namespace bricard::io {
namespace {

class ValueChecker {
 public:
  ValueChecker(const Model& model, ReadLog& log) : model_(model), log_(log) {}

  void check() {
    check_shapes("ground", model_.ground.shapes);
    for (const Body& body : model_.bodies) check_body(body, "bodies." + body.name);
    for (const Joint& joint : model_.joints) check_joint(joint, "joints." + joint.name);
    for (const SpringDamper& spring : model_.springs) check_spring(spring, "forces." + spring.name);
    for (const TorsionSpring& spring : model_.torsion_springs) check_torsion_spring(spring, "forces." + spring.name);
    for (const AppliedForce& force : model_.forces) check_force(force, "forces." + force.name);
    require_within("align", model_.align, 0, kMostAligned, "must be an angle from 0 to 0.01 rad");
    check_run(model_.run);
  }

 private:
  void require(bool good, const std::string& path, double value, const std::string& rule) {
    const Place* place = log_.place_of(path);
    if (place && !good) log_.fault(*place, fmt::format("{} = {}", path, value), rule);
  }
  void require_positive(const std::string& path, double value) { require(value > 0, path, value, "must be > 0"); }
  void require_not_negative(const std::string& path, double value) { require(value >= 0, path, value, "must be >= 0"); }
  void require_within(const std::string& path, double value, double least, double most, const std::string& rule) {
    require(value >= least && value <= most, path, value, rule);
  }

  bool is_given(const std::string& path) const { return log_.place_of(path) || log_.is_faulty(path); }

  // A key that has no meaning here would be ignored in silence.
  void refuse(const std::string& owner, const char* key, const std::string& kind) {
    if (const Place* place = log_.place_of(owner + "." + key))
      log_.fault(*place, owner + "." + key, "has no meaning for a " + kind);
  }

  // At least one of the keys is needed for the element to do anything.
  void require_any(const Place& place, const std::string& path, const std::vector<std::string>& keys) {
    for (const std::string& key : keys)
      if (is_given(path + "." + key)) return;
    log_.fault(place, path, fmt::format("has no effect; give {}", fmt::join(keys, " or ")));
  }

  void check_body(const Body& body, const std::string& path) {
    if (body.name == "ground") log_.fault(body.place, path, "'ground' is what does not move; choose another name");
    require_positive(path + ".mass", body.mass);
    require_positive(path + ".weight", body.weight);
    if (body.fixed) refuse(path, "weight", "body that is fixed");
    for (size_t i = 0; i < body.point_masses.size(); ++i)
      require_positive(fmt::format("{}.point_masses[{}].mass", path, i), body.point_masses[i].mass);
    check_shapes(path, body.shapes);
  }

  void check_shapes(const std::string& owner, const std::vector<Shape>& shapes) {
    for (size_t i = 0; i < shapes.size(); ++i) check_shape(shapes[i], fmt::format("{}.shapes[{}]", owner, i));
  }

  void check_shape(const Shape& shape, const std::string& path) {
    if (!log_.place_of(path + ".type")) return;
    const ShapeType type = shape.type;
    const bool box = type == ShapeType::box, tube = type == ShapeType::tube, cone = type == ShapeType::cone,
               rod = type == ShapeType::rod, along_z = type == ShapeType::cylinder || tube || cone;
    const std::string kind = name_of(type);
    const auto check_key = [&](const char* key, bool needed) {
      if (!needed) return refuse(path, key, kind);
      if (!is_given(path + "." + key))
        log_.fault(shape.place, path, fmt::format("missing key '{}' of a {}", key, kind));
    };
    const auto check_size = [&](const char* key, bool needed, double least) {
      check_key(key, needed);
      if (needed) require_positive(path + "." + key, least);
    };
    check_size("size", box, shape.size.minCoeff());
    check_size("radius", !box, shape.radius);
    check_size("length", along_z, shape.length);
    check_size("inner_radius", tube, shape.inner_radius);
    check_key("from", rod);
    check_key("to", rod);
    if (rod) refuse(path, "position", kind), refuse(path, "orientation", kind);
    if (!cone) refuse(path, "top_radius", kind);
    else require_not_negative(path + ".top_radius", shape.top_radius);
    if (tube && log_.place_of(path + ".radius"))
      require(shape.inner_radius < shape.radius, path + ".inner_radius", shape.inner_radius,
              fmt::format("must be < the radius, which is {}", shape.radius));
    check_mass(shape, path);
    check_color(shape, path);
  }

  void check_mass(const Shape& shape, const std::string& path) {
    if (shape.density) require_positive(path + ".density", shape.density->value);
    if (shape.mass) require_positive(path + ".mass", *shape.mass);
    for (const char* key : {"density", "mass"})
      if (path.rfind("ground.", 0) == 0) refuse(path, key, "shape of ground, which does not move");
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

  // Whether there is such a direction; complains if it is zero.
  bool check_direction(const std::string& path, const std::optional<Vector3d>& direction) {
    if (!direction || !log_.place_of(path)) return false;
    if (direction->norm() > 1e-12) return true;
    log_.fault(*log_.place_of(path), path, "a direction must not be zero");
    return false;
  }

  void check_joint(const Joint& joint, const std::string& path) {
    const bool axis = check_direction(path + ".axis", joint.axis);
    const bool second = check_direction(path + ".second_axis", joint.second_axis);
    if (joint.length) require_positive(path + ".length", *joint.length);
    if (!log_.place_of(path + ".type")) return;
    const std::string kind = name_of(joint.type) + std::string(" joint");
    if (joint.type != JointType::universal && joint.type != JointType::perpendicular) refuse(path, "second_axis", kind);
    else if (axis && second) check_perpendicular(joint, path + ".second_axis");
    if (joint.type != JointType::distance) refuse(path, "length", kind);
    if (joint.type != JointType::distance && joint.type != JointType::point_on_curve &&
        joint.type != JointType::curve_on_curve && joint.type != JointType::rolling)
      return;
    refuse(path, "at", kind);
    refuse(path, "axis", kind);
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

  void check_spring(const SpringDamper& spring, const std::string& path) {
    require_any(spring.place, path, {"stiffness", "damping", "preload", "law"});
    require_not_negative(path + ".stiffness", spring.stiffness);
    require_not_negative(path + ".damping", spring.damping);
    if (spring.free_length) require_not_negative(path + ".free_length", *spring.free_length);
  }

  void check_torsion_spring(const TorsionSpring& spring, const std::string& path) {
    require_any(spring.place, path, {"stiffness", "damping", "law"});
    require_not_negative(path + ".stiffness", spring.stiffness);
    require_not_negative(path + ".damping", spring.damping);
  }

  void check_force(const AppliedForce& force, const std::string& path) {
    require_any(force.place, path, {"force", "torque"});
    check_start(force.force, path + ".force");
    check_start(force.torque, path + ".torque");
  }

  void check_start(const std::array<Expression, 3>& components, const std::string& path) {
    const Place* place = log_.place_of(path);
    if (!place) return;
    for (size_t i = 0; i < 3; ++i)
      if (components[i].inputs().empty() && !std::isfinite(components[i](0)))
        log_.fault(*place, fmt::format("{}[{}]", path, i),
                   fmt::format("'{}' has no finite value at t = 0", components[i].text()));
  }

  void check_run(const RunSettings& run) {
    require_positive("run.duration", run.duration);
    require_positive("run.step", run.step);
    if (run.step > run.duration && run.duration > 0 && !log_.is_faulty("run.duration")) check_step_fits(run);
    if (run.output_step) require_positive("run.output_step", *run.output_step);
    require_within("run.alpha", run.alpha, -1.0 / 3, 0, "must be from -1/3 to 0");
    require_within("run.rho_infinity", run.rho_infinity, 0, 1, "must be from 0 to 1");
    require_positive("run.beta", run.beta);
    require(run.gamma >= 0.5, "run.gamma", run.gamma, "must be >= 1/2");
    require(run.tolerance > 0 && run.tolerance <= 1e-2, "run.tolerance", run.tolerance, "must be > 0 and <= 0.01");
    require_within("run.max_iterations", run.max_iterations, 2, 100, "must be from 2 to 100");
    require_not_negative("run.augmentation", run.augmentation);
    if (run.reference_length) require_positive("run.reference_length", *run.reference_length);
    require(std::abs(run.b - 0.5) > 1e-6, "run.b", run.b,
            "must not be 1/2, where both constraint forces cannot be told apart");
    if (run.order) require_within("run.order", *run.order, 1, 5, "must be from 1 to 5");
    check_factors(run);
    if (run.passes) require_within("run.passes", *run.passes, 1, 100, "must be from 1 to 100");
    require_within("run.singular_refinement", run.singular_refinement, 1, 100, "must be from 1 to 100");
    check_tolerance(run);
    std::apply([&](const auto&... field) { (check_use(run, field.name), ...); }, RunSettings::fields());
  }

  /// Of the augmented Lagrangian methods. The automatic value is that for a motion of a hundredth of the model's size in a step.
  void check_factors(const RunSettings& run) {
    double mass = 0;
    for (const Body& body : model_.bodies) mass += body.mass / static_cast<double>(model_.bodies.size());
    const AugmentedParameters automatic = automatic_parameters(chosen_integrator(run), mass, run.step, 0.01);
    const auto check = [&](const char* name, const std::optional<double>& value, double chosen) {
      if (value)
        require(*value > 0, name, *value,
                fmt::format("must be > 0; if it is left out, the program takes about {:.2g}", chosen));
    };
    check("run.penalty", run.penalty, automatic.alpha);
    check("run.omega", run.omega, automatic.omega);
    check("run.xi", run.xi, automatic.xi);
  }

  void check_use(const RunSettings& run, const std::string& setting) {
    const Place* place = log_.place_of("run." + setting);
    const bool judged = setting == "rtol" || log_.is_faulty("run.integrator") || log_.is_faulty("run.rtol");
    if (!place || judged) return;  // check_tolerance has more to say about rtol
    if (const std::string why = why_unused(run, setting); !why.empty()) log_.fault(*place, "run." + setting, why);
  }

  void check_tolerance(const RunSettings& run) {
    if (run.rtol) require_within("run.rtol", *run.rtol, 1e-13, 0.1, "must be from 1e-13 to 0.1");
    require_not_negative("run.atol", run.atol);
    if (run.hmin) require_positive("run.hmin", *run.hmin);
    if (run.hmax) require_positive("run.hmax", *run.hmax);
    check_smallest_step(run);
    if (!run.rtol || knows_its_error(chosen_integrator(run))) return;
    const std::string method = name_of(run.integrator),
                      rule = fmt::format(
                          "'{}' runs with fixed steps only; take hht, generalized-alpha, bdf or radau for a tolerance",
                          method);
    if (is_given("run.rtol")) return require(false, "run.rtol", *run.rtol, rule);
    if (const Place* place = log_.place_of("run.integrator"))
      log_.fault(*place, "run.integrator = " + method, fmt::format("{}; rtol is {}", rule, *run.rtol));
  }

  void check_smallest_step(const RunSettings& run) {
    const double hmax = run.hmax.value_or(kLargestOfDuration * run.duration);
    if (!run.rtol || !run.hmin || *run.hmin <= hmax || hmax <= 0) return;
    if (is_given("run.hmin"))
      return require(false, "run.hmin", *run.hmin,
                     fmt::format("must be <= hmax, which is {}{}", hmax,
                                 run.hmax ? "" : " (a twentieth of the duration) if not given"));
    require(false, "run.hmax", hmax, fmt::format("must be >= hmin, which is {}", *run.hmin));
  }

  // Of the two, the fault is where the user said something.
  void check_step_fits(const RunSettings& run) {
    const std::string rule = fmt::format("must be <= the duration, which is {}{}", run.duration,
                                         is_given("run.duration") ? "" : " if not given");
    if (is_given("run.step")) return require(false, "run.step", run.step, rule);
    require(false, "run.duration", run.duration,
            fmt::format("must be >= the step, which is {} if not given", run.step));
  }

  const Model& model_;
  ReadLog& log_;
};

}  // namespace

void check_values(const Model& model, ReadLog& log) { ValueChecker(model, log).check(); }

}  // namespace bricard::io
