// SPDX-License-Identifier: Apache-2.0
#include "bricard/check/checker.h"
#include "bricard/check/model_checks.h"

// Forces. Most of what a kind must satisfy follows from its description in model/forces.h; a function here for what does
// not.
namespace bricard::io {
namespace {

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
  for_each_force(model, [&](const auto& f) { checker.check_values(f, "forces." + f.name); });
}

void check_force_references(const Model& model, ReadLog& log) {
  ForceChecker checker(model, log);
  for_each_force(model, [&](const auto& f) { checker.check_references(f, "forces." + f.name); });
}

}  // namespace bricard::io
