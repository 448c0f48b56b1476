// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "bricard/check/checker.h"
#include "bricard/check/model_checks.h"

// Forces. Most of what a kind must satisfy follows from its description in model/forces.h; a function here for what does
// not.
namespace bricard::io {
namespace {

/// forces.spring, contacts.floor
template <class Force>
std::string path_of(const Force& f) {
  return fmt::format("{}.{}", Force::kind.section, f.name);
}

class ForceChecker : Checker {
 public:
  using Checker::Checker;

  template <class Force>
  void check_values(const Force& f, const std::string& path) {
    std::vector<std::string> effective;
    for (const char* key : Force::kind.effective)
      if (key) effective.emplace_back(key);
    if (!effective.empty()) need_any(path, f.place, effective);
    check_ranges(f, path);
    check_formulas(f, path);
    if constexpr (requires { check_more(f, path); }) check_more(f, path);
  }

  template <class Force>
  void check_references(const Force& f, const std::string& path) {
    if constexpr (InCoordinate<Force>) check_coordinate(f.joint, f.coordinate, f.place, path, Force::kind.called);
    if constexpr (Between<Force>) check_ends(f, path);
    if constexpr (requires { check_more_references(f, path); }) check_more_references(f, path);
  }

 private:
  // Formulas of the time alone have a value at the start.
  template <class Force>
  void check_formulas(const Force& f, const std::string& path) {
    const auto check = [&]<class T>(const Field<Force, T>& field) {
      const std::string key = path + "." + field.name;
      if constexpr (std::is_same_v<T, MeasuredFormula>) check_formula((f.*field.member).formula, key);
      if constexpr (std::is_same_v<T, LoadFormulas>)
        for (size_t i = 0; i < 3; ++i) check_formula((f.*field.member)[i], key, fmt::format("[{}]", i));
    };
    std::apply([&](const auto&... field) { (check(field), ...); }, Force::fields());
  }

  // Between two bodies with `at`, or between two markers.
  template <class Force>
  void check_ends(const Force& f, const std::string& path) {
    if constexpr (std::is_same_v<Force, Contact>)
      if (f.type == ContactType::beam_on_plane) return;
    if (!check_between(f.between, path + ".between", Force::kind.called)) return;
    if constexpr (requires { f.at; })
      if (f.at && (!is_bare(f.between[0]) || !is_bare(f.between[1])))
        log_.fault(f.place, path,
                   "key 'at' has no effect when 'between' names a marker; remove the key or name two bodies");
  }

  void check_more(const JointStop& stop, const std::string& path) {
    if (stop.lower && stop.upper)
      require(*stop.upper > *stop.lower, path + ".upper", *stop.upper,
              fmt::format("must be > lower, which is {}", stop.lower->value));
  }

  void check_more(const Contact& c, const std::string& path) {
    check_sizes(c, path);
    need_one(path, c.place, {"stiffness", "contact_modulus", "law"});
    const bool spheres = c.type == ContactType::sphere_on_plane || c.type == ContactType::sphere_on_sphere ||
                         c.type == ContactType::capsule_on_plane;
    if (!spheres) refuse(path, "contact_modulus", "Hertz's law is that of spheres here; give 'stiffness' or 'law'");
    if (c.law)
      for (const char* key : {"dissipation", "restitution"})
        refuse(path, key, "'law' says all of the normal force; remove this key, or use 'rate' in the law");
    if (given(path + ".restitution")) {
      need(path, c.place, "impact_speed", "the speed for which 'restitution' holds, in m/s");
      refuse(path, "dissipation", "follows from 'restitution'; give one of them");
      if (c.restitution) require(*c.restitution <= 1, path + ".restitution", *c.restitution, "must be <= 1");
    } else {
      refuse(path, "impact_speed", "has a meaning with 'restitution' only");
    }
    check_friction(c, path);
  }

  void check_sizes(const Contact& c, const std::string& path) {
    if (!log_.place_of(path + ".type")) return;
    const ContactKind& kind = kind_of(c.type);
    const auto check = [&]<class T>(const Field<Contact, T>& field) {
      if constexpr (std::is_same_v<T, std::optional<double>> || std::is_same_v<T, std::optional<Vector3d>> ||
                    std::is_same_v<T, std::optional<Reference>>) {
        const bool is_size = std::any_of(std::begin(kContactKinds), std::end(kContactKinds),
                                         [&](const ContactKind& k) { return k.takes(field.name); });
        if (!is_size) return;
        for (const char* key : kind.needs)
          if (key && key == std::string_view(field.name)) need(path, c.place, key, field.help);
        if (!kind.takes(field.name))
          refuse(path, field.name, fmt::format("has no meaning for {}; remove the key", kind.word));
      }
    };
    std::apply([&](const auto&... field) { (check(field), ...); }, Contact::fields());
  }

  void check_friction(const Contact& c, const std::string& path) {
    const bool rubs = given(path + ".friction_coefficient");
    for (const char* key : {"static_coefficient", "stribeck_speed", "stribeck_exponent", "slip_speed",
                            "bristle_stiffness", "bristle_damping", "viscous_friction"})
      if (!rubs) refuse(path, key, "has no effect without 'friction_coefficient'");
    if (!rubs) return;
    need_one(path, c.place, {"slip_speed", "bristle_stiffness"});
    if (!given(path + ".bristle_stiffness"))
      refuse(path, "bristle_damping", "has no effect without 'bristle_stiffness'");
    else if (c.friction_coefficient == 0)
      require(false, path + ".friction_coefficient", 0, "must be > 0 with 'bristle_stiffness'");
    if (c.static_coefficient && *c.static_coefficient >= 0)
      require(*c.static_coefficient >= c.friction_coefficient, path + ".static_coefficient", *c.static_coefficient,
              fmt::format("must be >= friction_coefficient, which is {}", c.friction_coefficient));
  }

  void check_more_references(const Contact& c, const std::string& path) {
    std::vector<std::string> names;
    if (log_.place_of(path + ".curve")) {
      for (const CurveShape& curve : model_.curves) names.push_back(curve.name);
      expect_known(*c.curve, path + ".curve", "curve", names);
    }
    if (c.type != ContactType::beam_on_plane || !log_.place_of(path + ".between")) return;
    names.clear();
    for (const FlexibleBeam& beam : model_.flexible_beams) names.push_back(beam.name);
    expect_known(c.between[0], path + ".between[0]", "beam", names);
    resolve(c.between[1], path + ".between[1]");
  }

  void expect_known(const Reference& reference, const std::string& path, const char* what,
                    const std::vector<std::string>& names) {
    if (std::count(names.begin(), names.end(), reference.name)) return;
    const std::string hint =
        names.empty() ? fmt::format("; the model has no {}s", what) : suggestion(reference.name, names, "known");
    log_.fault(reference.place, path, fmt::format("unknown {} '{}'{}", what, reference.name, hint));
  }

  void check_more_references(const TorsionSpring& spring, const std::string& path) {
    if (!log_.place_of(path + ".joint")) return;
    const Joint* joint = find_joint(spring.joint, path + ".joint");
    if (!joint || joint->type == JointType::revolute || joint->type == JointType::cylindrical) return;
    log_.fault(spring.joint.place, path + ".joint",
               fmt::format("'{}' is a {} joint; a torsion spring needs a revolute or cylindrical one", joint->name,
                           name_of(joint->type)));
  }

  void check_more_references(const AppliedForce& force, const std::string& path) {
    if (log_.place_of(path + ".frame") && force.frame.name != "body") resolve(force.frame, path + ".frame");
    const bool acts = log_.place_of(path + ".on") && resolve(force.on, path + ".on");
    const std::string body = body_in(force.on.name);
    if (acts && body == "ground")
      log_.fault(force.on.place, path + ".on", "a force on ground has no effect; name a body");
    if (!log_.place_of(path + ".reaction") || !resolve(force.reaction, path + ".reaction")) return;
    if (acts && body_in(force.reaction.name) == body)
      log_.fault(force.reaction.place, path + ".reaction",
                 fmt::format("the force acts on '{}' already; name another body", body));
  }
};

}  // namespace

void check_force_values(const Model& model, ReadLog& log) {
  ForceChecker checker(model, log);
  for_each_force(model, [&](const auto& f) { checker.check_values(f, path_of(f)); });
}

void check_force_references(const Model& model, ReadLog& log) {
  ForceChecker checker(model, log);
  for_each_force(model, [&](const auto& f) { checker.check_references(f, path_of(f)); });
}

}  // namespace bricard::io
