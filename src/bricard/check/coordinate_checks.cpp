// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bricard/check/model_checks.h"

// Motions, couplers and forces in joint coordinates, and joints on curves.
namespace bricard::io {
namespace {

/// `a`, `a or b`, `a, b or c`
std::string alternatives(const std::vector<std::string>& words) {
  std::string list = words[0];
  for (size_t i = 1; i < words.size(); ++i) list += (i + 1 < words.size() ? ", " : " or ") + words[i];
  return list;
}

class CoordinateChecker {
 public:
  CoordinateChecker(const Model& model, ReadLog& log) : model_(model), log_(log) {
    for (const Joint& joint : model.joints) joints_[joint.name] = &joint;
    for (const CurveShape& curve : model.curves) curves_.push_back(curve.name);
  }

  void check() {
    for (const CurveShape& curve : model_.curves) check_curve(curve, "curves." + curve.name);
    for (const Joint& joint : model_.joints) check_joint(joint, "joints." + joint.name);
    for (const Coupler& coupler : model_.couplers) check_coupler(coupler, "couplers." + coupler.name);
    for (const Motion& motion : model_.motions) check_motion(motion, "motions." + motion.name);
    for (const JointSpring& s : model_.joint_springs) {
      const std::string path = "forces." + s.name;
      check_coordinate(s.joint, s.coordinate, s.place, path, "joint spring");
      if (!given(path + ".stiffness") && !given(path + ".damping") && !given(path + ".preload"))
        log_.fault(s.place, path, "has no effect; give stiffness or damping or preload");
      require(path + ".stiffness", s.stiffness, s.stiffness >= 0, "must be >= 0");
      require(path + ".damping", s.damping, s.damping >= 0, "must be >= 0");
    }
    for (const JointStop& s : model_.joint_stops) check_stop(s, "forces." + s.name);
    for (const Motor& m : model_.motors) {
      check_coordinate(m.joint, m.coordinate, m.place, "forces." + m.name, "motor");
      if (m.force.formula.inputs().empty()) check_formula(m.force.formula, "forces." + m.name + ".force", false);
    }
    for (const Bushing& b : model_.bushings) check_bushing(b, "forces." + b.name);
    for (const BeamForce& b : model_.beams) check_beam(b, "forces." + b.name);
  }

 private:
  bool given(const std::string& path) const { return log_.place_of(path) || log_.is_faulty(path); }

  void require(const std::string& path, double value, bool good, const std::string& rule) {
    const Place* place = log_.place_of(path);
    if (place && !good) log_.fault(*place, fmt::format("{} = {}", path, value), rule);
  }
  void refuse(const std::string& owner, const char* key, const std::string& why) {
    if (const Place* place = log_.place_of(owner + "." + key)) log_.fault(*place, owner + "." + key, why);
  }
  void need(const std::string& owner, const Place& place, const char* key, const std::string& help) {
    if (!given(owner + "." + key)) log_.fault(place, owner, fmt::format("missing key '{}': {}", key, help));
  }

  /// Exactly one of the keys; says so if not.
  void one_of(const std::string& owner, const Place& place, const std::vector<std::string>& keys) {
    std::vector<std::string> found;
    for (const std::string& key : keys)
      if (given(owner + "." + key)) found.push_back(key);
    if (found.empty()) log_.fault(place, owner, "give one of " + alternatives(keys));
    else if (found.size() > 1)
      log_.fault(place, owner,
                 fmt::format("'{}' and '{}' contradict each other; give one of them", found[0], found[1]));
  }

  void check_formula(const Expression& formula, const std::string& path, bool with_rates) {
    const Place* place = log_.place_of(path);
    if (!place) return;
    const TimeJet start = formula.jet(0);
    const bool good = std::isfinite(start.value) && (!with_rates || std::isfinite(start.rate + start.acceleration));
    if (!good)
      log_.fault(*place, path,
                 fmt::format("'{}' has no finite value{} at t = 0", formula.text(),
                             with_rates ? ", rate and acceleration" : ""));
  }

  void check_curve(const CurveShape& curve, const std::string& path) {
    const char* formula = nullptr;  // the first of its keys
    for (const char* key : {"range", "y", "x"})
      if (given(path + "." + key)) formula = key;
    one_of(path, curve.place, {"points", "radius", "half_axes", formula ? formula : "x"});
    if (formula) check_curve_formula(curve, path);
    if (curve.radius) {
      require(path + ".radius", *curve.radius, *curve.radius > 0, "must be > 0");
      refuse(path, "closed", "a circle is closed; remove this key");
    }
    if (curve.half_axes) refuse(path, "closed", "an ellipse is closed; remove this key");
    if (curve.half_axes)
      for (const double a : *curve.half_axes) require(path + ".half_axes", a, a > 0, "must be > 0");
    const Place* place = log_.place_of(path + ".points");
    if (!place) return;
    const size_t least = curve.closed ? 3 : 2, n = curve.points.size();
    if (n < least)
      return log_.fault(
          *place, path + ".points",
          fmt::format("{} curve needs at least {} points, found {}", curve.closed ? "a closed" : "an open", least, n));
    for (size_t i = 0; i < n; ++i) {
      const bool last = i + 1 == n;
      if ((last && !curve.closed) || curve.points[i] != curve.points[(i + 1) % n]) continue;
      log_.fault(*place, fmt::format("{}.points[{}]", path, last ? i : i + 1),
                 last ? "is the first point again; a closed curve joins the last point to the first by itself"
                      : "is the same as the point before");
    }
  }

  void check_curve_formula(const CurveShape& curve, const std::string& path) {
    need(path, curve.place, "x", "a formula in u, in m");
    need(path, curve.place, "y", "a formula in u, in m");
    need(path, curve.place, "range", "from where to where u runs, as [0, 2*pi]");
    if (!curve.x || !curve.y || !curve.range) return;
    const auto [first, last] = *curve.range;
    if (!(last > first))
      return require(path + ".range", last, false, fmt::format("must be > {}, where u begins", first));
    const auto fault = [&](const std::string& what) { log_.fault(*log_.place_of(path + ".x"), path, what); };
    struct At {
      Vector2d c, d;
    };
    const auto at = [&](double u) {
      const TimeJet still, along{u, 1, 0};
      const TimeJet x = curve.x->formula.jet(still, &along), y = curve.y->formula.jet(still, &along);
      const bool finite = std::isfinite(x.acceleration + y.acceleration);
      return finite ? At{{x.value, y.value}, {x.rate, y.rate}} : At{{NAN, NAN}, {NAN, NAN}};
    };
    constexpr int kSamples = 240;
    double size = 0;
    At before = at(first);
    const At begin = before;
    for (int i = 0; i <= kSamples; ++i) {
      const double u = first + (last - first) * i / kSamples;
      const At here = at(u);
      if (!here.c.allFinite() || !here.d.allFinite())
        return fault(fmt::format("has no finite point with two finite derivatives at u = {:.6g}", u));
      if (!(here.d.dot(before.d) > 0))
        return fault(fmt::format("has a corner or stands still near u = {:.6g}; a curve must be smooth", u));
      size = std::max(size, (here.c - begin.c).norm());
      before = here;
    }
    if (!curve.closed) return;
    const auto shown = [&](double x) { return std::abs(x) < 1e-9 * size ? 0 : x; };
    if ((before.c - begin.c).norm() > 1e-9 * size)
      fault(fmt::format(
          "its ends do not meet: ({:.6g}, {:.6g}) m at u = {:.6g}, ({:.6g}, {:.6g}) m at u = {:.6g}; change the "
          "range or remove 'closed'",
          shown(begin.c.x()), shown(begin.c.y()), first, shown(before.c.x()), shown(before.c.y()), last));
    else if ((before.d.normalized() - begin.d.normalized()).norm() > 1e-6)
      fault("its ends meet in a corner; a closed curve must be smooth");
  }

  void check_joint(const Joint& joint, const std::string& path) {
    if (!log_.place_of(path + ".type")) return;
    const std::string none = fmt::format("has no meaning for a {} joint", name_of(joint.type));
    const bool on_point = joint.type == JointType::point_on_curve, on_curve = joint.type == JointType::curve_on_curve;
    if (joint.type == JointType::screw) {
      need(path, joint.place, "pitch", "way per turn, in m, < 0 for a left-hand thread");
      if (joint.pitch)
        require(path + ".pitch", *joint.pitch, *joint.pitch != 0, "must not be 0; that is a revolute joint");
    } else {
      refuse(path, "pitch", none);
    }
    if (on_point || on_curve) {
      need(path, joint.place, "curve", "name of a curve in the section 'curves'");
      check_curve_name(joint.curve, path + ".curve");
    } else {
      refuse(path, "curve", none);
    }
    if (on_curve) {
      need(path, joint.place, "second_curve", "name of a curve in the section 'curves'");
      check_curve_name(joint.second_curve, path + ".second_curve");
    } else {
      refuse(path, "second_curve", none);
    }
    if (joint.type == JointType::rolling) {
      need(path, joint.place, "radius", "of the wheel, in m");
      if (joint.radius)
        require(path + ".radius", *joint.radius,
                *joint.radius > 0 || (*joint.radius == 0 && joint.tube_radius.value_or(0) > 0),
                "must be > 0; 0 with a tube_radius is a ball");
      if (joint.tube_radius)
        require(path + ".tube_radius", *joint.tube_radius, *joint.tube_radius >= 0, "must be >= 0");
      return refuse(path, "hold_in_plane", none);
    }
    refuse(path, "tube_radius", none);
    if (on_point) return;
    refuse(path, "radius", none);
    refuse(path, "hold_in_plane", none);
  }

  void check_curve_name(const std::optional<Reference>& curve, const std::string& path) {
    if (!curve || !log_.place_of(path) || std::count(curves_.begin(), curves_.end(), curve->name)) return;
    const std::string hint = curves_.empty() ? "; the model has no curves" : suggestion(curve->name, curves_, "known");
    log_.fault(curve->place, path, fmt::format("unknown curve '{}'{}", curve->name, hint));
  }

  // The joint of that name; complains if there is none. A joint with a faulty type is no help.
  const Joint* find_joint(const Reference& reference, const std::string& path) {
    const auto found = joints_.find(reference.name);
    if (found != joints_.end()) return log_.place_of("joints." + reference.name + ".type") ? found->second : nullptr;
    std::vector<std::string> names;
    for (const auto& [name, joint] : joints_) names.push_back(name);
    const std::string hint = names.empty() ? "; the model has no joints" : suggestion(reference.name, names, "known");
    log_.fault(reference.place, path, fmt::format("unknown joint '{}'{}", reference.name, hint));
    return nullptr;
  }

  /// The coordinate of a joint that is meant; complains if it has none or more than one.
  std::optional<JointCoordinate> find_coordinate(const Reference& reference, JointCoordinate wanted, const Place& owner,
                                                 const std::string& owner_path, const std::string& joint_path,
                                                 const std::string& coordinate_path, const std::string& kind) {
    const Joint* joint = find_joint(reference, joint_path);
    if (!joint) return {};
    const std::vector<JointCoordinate> all = coordinates_of(joint->type);
    const std::string what = fmt::format("'{}' is a {} joint", joint->name, name_of(joint->type));
    if (all.empty()) {
      log_.fault(reference.place, joint_path,
                 what + "; a " + kind +
                     " needs a revolute, translational, cylindrical, screw, "
                     "planar or inline one");
      return {};
    }
    if (wanted == JointCoordinate::automatic) {
      if (all.size() == 1) return all[0];
      std::vector<std::string> words;
      const bool listed = coordinate_path == joint_path;  // in a coupler's list
      for (const JointCoordinate c : all)
        words.push_back(listed ? name_of(c) : fmt::format("'coordinate: {}'", name_of(c)));
      const std::string where =
          listed ? "say under 'coordinates', one word per joint, whether it is " : "say which coordinate is meant, ";
      log_.fault(owner, owner_path, what + "; " + where + alternatives(words));
      return {};
    }
    if (std::count(all.begin(), all.end(), wanted)) return wanted;
    const Place* place = log_.place_of(coordinate_path);
    log_.fault(place ? *place : owner, coordinate_path, fmt::format("{}, which has no {}", what, name_of(wanted)));
    return {};
  }

  std::optional<JointCoordinate> check_coordinate(const Reference& joint, JointCoordinate wanted, const Place& owner,
                                                  const std::string& path, const std::string& kind) {
    if (!log_.place_of(path + ".joint") || log_.is_faulty(path + ".coordinate")) return {};
    return find_coordinate(joint, wanted, owner, path, path + ".joint", path + ".coordinate", kind);
  }

  void check_motion(const Motion& motion, const std::string& path) {
    one_of(path, motion.place, {"joint", "between"});
    one_of(path, motion.place, {"displacement", "velocity", "acceleration"});
    if (motion.displacement) check_formula(*motion.displacement, path + ".displacement", true);
    if (motion.velocity) check_formula(*motion.velocity, path + ".velocity", false);
    if (motion.acceleration) check_formula(*motion.acceleration, path + ".acceleration", false);
    if (motion.displacement)
      refuse(path, "start", "has no effect with a displacement, which says where the motion starts");
    if (!motion.acceleration) refuse(path, "start_velocity", "has an effect only with an acceleration");
    const auto coordinate = check_coordinate(motion.joint, motion.coordinate, motion.place, path, "motion");
    if (coordinate) {
      const auto [first, is_new] = moved_.try_emplace({motion.joint.name, *coordinate}, motion.name);
      if (!is_new)
        log_.fault(motion.joint.place, path + ".joint",
                   fmt::format("the {} of '{}' already has the motion '{}'", name_of(*coordinate), motion.joint.name,
                               first->second));
    }
    if (!motion.between || log_.is_faulty(path + ".coordinate")) return;
    using C = JointCoordinate;
    if (motion.coordinate == C::automatic)
      log_.fault(motion.place, path,
                 "say which coordinate of the second marker moves, 'coordinate: x', 'y', 'z' or 'angle' (about z)");
    else if (motion.coordinate == C::translation)
      log_.fault(*log_.place_of(path + ".coordinate"), path + ".coordinate",
                 "two markers have no translation; allowed: x, y, z, angle");
  }

  void check_coupler(const Coupler& coupler, const std::string& path) {
    if (!log_.place_of(path + ".type") || !log_.place_of(path + ".joints")) return;
    const bool gear = coupler.type == CouplerType::gear, rack = coupler.type == CouplerType::rack_and_pinion;
    const bool any = coupler.type == CouplerType::coupler;
    const std::string kind = gear   ? "gear"
                             : rack ? "rack-and-pinion"
                                    : "coupler",
                      none = "has no meaning for a " + kind;
    const size_t n = coupler.joints.size();
    if (n < 2 || n > (any ? 3u : 2u))
      log_.fault(*log_.place_of(path + ".joints"), path + ".joints",
                 fmt::format("a {} couples {} joints, found {}", kind, any ? "two or three" : "two", n));
    if (gear) one_of(path, coupler.place, {"ratio", "teeth"});
    else refuse(path, "ratio", none), refuse(path, "teeth", none), refuse(path, "internal", none);
    if (coupler.ratio) require(path + ".ratio", *coupler.ratio, *coupler.ratio != 0, "must not be 0");
    if (coupler.ratio)
      refuse(path, "internal", "counts only with teeth; the sign of ratio says whether they turn alike");
    if (coupler.teeth)
      for (const double z : *coupler.teeth) require(path + ".teeth", z, z > 0, "must be > 0");
    if (rack) need(path, coupler.place, "radius", "of the pinion, in m");
    else refuse(path, "radius", none);
    if (coupler.radius) require(path + ".radius", *coupler.radius, *coupler.radius != 0, "must not be 0");
    if (any) need(path, coupler.place, "factors", "one factor per joint");
    else refuse(path, "factors", none), refuse(path, "coordinates", none);
    check_coupler_lists(coupler, path, n);
    check_coupler_joints(coupler, path, kind);
  }

  void check_coupler_lists(const Coupler& coupler, const std::string& path, size_t n) {
    const Place* factors = log_.place_of(path + ".factors");
    if (factors && coupler.factors.size() != n)
      log_.fault(*factors, path + ".factors",
                 fmt::format("expected {} factors, one per joint, found {}", n, coupler.factors.size()));
    if (factors)
      for (const double f : coupler.factors) require(path + ".factors", f, f != 0, "must not be 0");
    const Place* words = log_.place_of(path + ".coordinates");
    if (words && coupler.coordinates.size() != n)
      log_.fault(*words, path + ".coordinates",
                 fmt::format("expected {} words, one per joint, found {}", n, coupler.coordinates.size()));
  }

  void check_coupler_joints(const Coupler& coupler, const std::string& path, const std::string& kind) {
    if (log_.is_faulty(path + ".coordinates")) return;
    std::map<std::pair<std::string, JointCoordinate>, int> used;
    for (size_t i = 0; i < coupler.joints.size(); ++i) {
      JointCoordinate wanted = i < coupler.coordinates.size() ? coupler.coordinates[i] : JointCoordinate::automatic;
      if (coupler.type == CouplerType::gear) wanted = JointCoordinate::angle;
      if (coupler.type == CouplerType::rack_and_pinion)
        wanted = i == 0 ? JointCoordinate::angle : JointCoordinate::translation;
      const std::string item = fmt::format("{}.joints[{}]", path, i);
      const auto found = find_coordinate(coupler.joints[i], wanted, coupler.joints[i].place, item, item, item, kind);
      if (found && ++used[{coupler.joints[i].name, *found}] > 1)
        log_.fault(coupler.joints[i].place, item,
                   fmt::format("the {} of '{}' is there twice", name_of(*found), coupler.joints[i].name));
    }
  }

  void check_stop(const JointStop& stop, const std::string& path) {
    check_coordinate(stop.joint, stop.coordinate, stop.place, path, "joint stop");
    if (!given(path + ".lower") && !given(path + ".upper"))
      log_.fault(stop.place, path, "has no effect; give lower or upper");
    require(path + ".stiffness", stop.stiffness, stop.stiffness > 0, "must be > 0");
    require(path + ".damping", stop.damping, stop.damping >= 0, "must be >= 0");
    require(path + ".depth", stop.depth, stop.depth > 0, "must be > 0");
    if (stop.lower && stop.upper)
      require(path + ".upper", *stop.upper, *stop.upper > *stop.lower,
              fmt::format("must be > lower, which is {}", stop.lower->value));
  }

  void check_bushing(const Bushing& b, const std::string& path) {
    const std::vector<std::pair<std::string, const Vector3d*>> values{
        {".stiffness", &b.stiffness},
        {".rotational_stiffness", &b.rotational_stiffness},
        {".damping", &b.damping},
        {".rotational_damping", &b.rotational_damping}};
    bool effect = given(path + ".force") || given(path + ".torque");
    for (const auto& [key, value] : values) {
      effect = effect || given(path + key);
      require(path + key, value->minCoeff(), value->minCoeff() >= 0, "must be >= 0");
    }
    if (!effect) log_.fault(b.place, path, "has no effect; give stiffness or damping");
  }

  void check_beam(const BeamForce& b, const std::string& path) {
    const auto positive = [&](const char* key, double value) { require(path + key, value, value > 0, "must be > 0"); };
    positive(".youngs_modulus", b.youngs_modulus), positive(".shear_modulus", b.shear_modulus),
        positive(".area", b.area);
    positive(".Ixx", b.Ixx), positive(".Iyy", b.Iyy), positive(".Izz", b.Izz);
    if (b.length) positive(".length", *b.length);
    require(path + ".asy", b.asy, b.asy >= 0, "must be >= 0");
    require(path + ".asz", b.asz, b.asz >= 0, "must be >= 0");
    require(path + ".damping_ratio", b.damping_ratio, b.damping_ratio >= 0, "must be >= 0");
  }

  const Model& model_;
  ReadLog& log_;
  std::map<std::string, const Joint*> joints_;
  std::vector<std::string> curves_;
  std::map<std::pair<std::string, JointCoordinate>, std::string> moved_;
};

}  // namespace

void check_coordinates(const Model& model, ReadLog& log) { CoordinateChecker(model, log).check(); }

}  // namespace bricard::io
