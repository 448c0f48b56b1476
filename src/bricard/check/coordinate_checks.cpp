// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "bricard/check/checker.h"
#include "bricard/check/model_checks.h"

// Motions and couplers, and the curves of joints.
namespace bricard::io {
namespace {

class CurveChecker : Checker {
 public:
  using Checker::Checker;

  void check(const CurveShape& curve, const std::string& path) {
    const char* formula = nullptr;  // the first of its keys
    for (const char* key : {"range", "y", "x"})
      if (given(path + "." + key)) formula = key;
    need_one(path, curve.place, {"points", "radius", "half_axes", formula ? formula : "x"});
    if (formula) check_curve_formula(curve, path);
    check_ranges(curve, path);
    if (curve.radius) refuse(path, "closed", "a circle is closed; remove this key");
    if (curve.half_axes) refuse(path, "closed", "an ellipse is closed; remove this key");
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

 private:
  void check_curve_formula(const CurveShape& curve, const std::string& path) {
    need(path, curve.place, "x", "a formula in u, in m");
    need(path, curve.place, "y", "a formula in u, in m");
    need(path, curve.place, "range", "from where to where u runs, as [0, 2*pi]");
    if (!curve.x || !curve.y || !curve.range) return;
    const auto [first, last] = *curve.range;
    if (!(last > first))
      return require(false, path + ".range", last, fmt::format("must be > {}, where u begins", first));
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
};

class CoordinateChecker : Checker {
 public:
  using Checker::Checker;

  void check(const Motion& motion, const std::string& path) {
    need_one(path, motion.place, {"joint", "between"});
    if (motion.between) check_between(*motion.between, path + ".between", "motion");
    need_one(path, motion.place, {"displacement", "velocity", "acceleration"});
    if (motion.displacement) check_formula(*motion.displacement, path + ".displacement", "", true);
    if (motion.velocity) check_formula(*motion.velocity, path + ".velocity");
    if (motion.acceleration) check_formula(*motion.acceleration, path + ".acceleration");
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

  void check(const Coupler& coupler, const std::string& path) {
    if (!log_.place_of(path + ".type") || !log_.place_of(path + ".joints")) return;
    const bool gear = coupler.type == CouplerType::gear, rack = coupler.type == CouplerType::rack_and_pinion;
    const bool any = coupler.type == CouplerType::coupler;
    const std::string kind = name_of(coupler.type), none = "has no meaning for a " + kind;
    check_ranges(coupler, path);
    const size_t n = coupler.joints.size();
    if (n < 2 || n > (any ? 3u : 2u))
      log_.fault(*log_.place_of(path + ".joints"), path + ".joints",
                 fmt::format("a {} couples {} joints, found {}", kind, any ? "two or three" : "two", n));
    if (gear) need_one(path, coupler.place, {"ratio", "teeth"});
    else refuse(path, "ratio", none), refuse(path, "teeth", none), refuse(path, "internal", none);
    if (coupler.ratio)
      refuse(path, "internal", "counts only with teeth; the sign of ratio says whether they turn alike");
    if (rack) need(path, coupler.place, "radius", "of the pinion, in m");
    else refuse(path, "radius", none);
    if (any) need(path, coupler.place, "factors", "one factor per joint");
    else refuse(path, "factors", none), refuse(path, "coordinates", none);
    check_coupler_lists(coupler, path, n);
    check_coupler_joints(coupler, path, kind);
  }

 private:
  void check_coupler_lists(const Coupler& coupler, const std::string& path, size_t n) {
    const Place* factors = log_.place_of(path + ".factors");
    if (factors && coupler.factors.size() != n)
      log_.fault(*factors, path + ".factors",
                 fmt::format("expected {} factors, one per joint, found {}", n, coupler.factors.size()));
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

  std::map<std::pair<std::string, JointCoordinate>, std::string> moved_;
};

}  // namespace

void check_coordinates(const Model& model, ReadLog& log) {
  CurveChecker curves(model, log);
  CoordinateChecker coordinates(model, log);
  for (const CurveShape& curve : model.curves) curves.check(curve, "curves." + curve.name);
  for (const Coupler& coupler : model.couplers) coordinates.check(coupler, "couplers." + coupler.name);
  for (const Motion& motion : model.motions) coordinates.check(motion, "motions." + motion.name);
}

}  // namespace bricard::io
