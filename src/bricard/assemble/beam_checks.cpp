// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/beam_checks.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "bricard/assemble/beam_line.h"
#include "bricard/model/mass_properties.h"

namespace bricard::io {
namespace {

constexpr int kMostElements = 100'000;

class BeamChecker {
 public:
  BeamChecker(const FlexibleBeam& beam, const std::vector<Material>& own, ReadLog& log, const std::string& path)
      : beam_(beam), own_(own), path_(path.empty() ? "beams." + beam.name : path), log_(log) {}

  bool check() {
    check_mesh();
    check_sections();
    check_stiffness();
    check_markers();
    if (beam_.curve && !beam_.points.empty()) fault("points", "a curve is given as well; remove one of both");
    if (beam_.damping < 0) fault("damping", fmt::format("must be >= 0, found {:.6g}", beam_.damping));
    if (good_) check_line();
    return good_;
  }

 private:
  bool is_given(const std::string& key) const {
    return log_.place_of(path_ + "." + key) || log_.is_faulty(path_ + "." + key);
  }

  void fault(const std::string& key, const std::string& what) {
    good_ = false;
    const std::string path = key.empty() ? path_ : path_ + "." + key;
    if (log_.is_faulty(path)) return;
    const Place* place = log_.place_of(path);
    log_.fault(place ? *place : beam_.place, path, what);
  }

  void need_positive(const std::string& key, double value, const char* unit) {
    if (!(value > 0)) fault(key, fmt::format("must be > 0{}, found {:.6g}", unit, value));
  }

  void check_mesh() {
    if (is_given("elements") && is_given("element_size"))
      fault("element_size", "the number of elements is given as well; remove one of both");
    if (!beam_.elements && !is_given("elements") && !is_given("element_size"))
      fault("", "missing key 'elements': how many elements, as elements: 4; or element_size");
    if (beam_.elements && (*beam_.elements < 1 || *beam_.elements > kMostElements))
      fault("elements", fmt::format("must be from 1 to {}, found {}", kMostElements, *beam_.elements));
    if (beam_.element_size) need_positive("element_size", *beam_.element_size, " m");
    if (beam_.degree < 1 || beam_.degree > 3) fault("degree", fmt::format("must be 1, 2 or 3, found {}", beam_.degree));
  }

  /// Formulas at many places, the first bad one of which is told.
  void check_section(const BeamSection& s, const std::string& key) {
    if (log_.is_faulty(path_ + "." + key + ".type")) good_ = false;
    constexpr int kSteps = 256;
    if (!s.varies()) check_section_values(s, key, "");
    else
      for (int i = 0; i <= kSteps; ++i) {
        const double at = static_cast<double>(i) / kSteps;
        if (!check_section_values(s.at(at), key, fmt::format(" at s = {:.4g}", at))) return;
      }
  }

  bool check_section_values(const BeamSection& s, const std::string& key, const std::string& where) {
    const bool round = s.type == SectionType::circle || s.type == SectionType::tube;
    const bool walls = s.type == SectionType::tube || s.type == SectionType::box || s.type == SectionType::i_section;
    bool complete = true;
    const auto need = [&](const char* name, double value, const char* unit = " m") {
      if (value > 0 && std::isfinite(value)) return;
      complete = false;
      const std::string at = key + "." + name;
      if (is_given(at)) fault(at, fmt::format("must be > 0{}, found {:.6g}{}", unit, value, where));
      else if (s.type == SectionType::general)
        fault(key, fmt::format("missing key '{}': > 0{}{}", name, *unit ? ", in" : "", unit));
      else fault(key, fmt::format("the section has no area: missing key '{}', > 0, in m", name));
    };
    if (s.type == SectionType::general) {
      need("area", s.area, " m^2");
      need("Iy", s.Iy, " m^4"), need("Iz", s.Iz, " m^4"), need("J", s.J, " m^4");
      need("shear_y", s.shear_y, ""), need("shear_z", s.shear_z, "");
      return complete;
    }
    if (round) need("radius", s.radius);
    else need("width", s.width), need("height", s.height);
    if (walls) need("thickness", s.thickness);
    if (s.type == SectionType::i_section) need("flange", s.flange);
    if (!complete) return false;
    const double width = s.width, height = s.height, radius = s.radius, thickness = s.thickness;
    std::string what;
    if (s.type == SectionType::tube && thickness >= radius)
      what = fmt::format("the wall of {:.6g} m leaves no hole in a tube of radius {:.6g} m{}; type: circle has none",
                         thickness, radius, where);
    if (s.type == SectionType::box && 2 * thickness >= std::min(width, height))
      what = fmt::format("walls of {:.6g} m leave no hole in a box of {:.6g} x {:.6g} m{}; type: rectangle has none",
                         thickness, width, height, where);
    if (s.type == SectionType::i_section && (thickness > width || 2 * s.flange >= height))
      what = fmt::format("the web must be thinner than the width and both flanges than the height{}",
                         where.empty() ? "" : ", which they are not" + where);
    if (!what.empty()) fault(key, what);
    return what.empty();
  }

  void check_sections() {
    const bool one = is_given("section"), several = is_given("sections");
    has_section_ = one || several;
    if (one && several) return fault("sections", "a section for the whole beam is given as well; remove one of both");
    if (beam_.section) check_section(*beam_.section, "section");
    for (size_t i = 0; i < beam_.sections.size(); ++i) {
      const BeamSection& s = beam_.sections[i];
      const std::string key = fmt::format("sections[{}]", i);
      if (s.varies())
        fault(key, "dimensions change from section to section; give numbers, or one section with formulas");
      else check_section(s, key);
      if (s.type != beam_.sections[0].type) fault(key + ".type", "all sections of a beam are of one type");
      if (s.s < 0 || s.s > 1) fault(key + ".s", fmt::format("must be from 0 (start) to 1 (end), found {:.6g}", s.s));
      if (i > 0 && s.s <= beam_.sections[i - 1].s)
        fault(key + ".s", fmt::format("must grow from section to section, found {:.6g} after {:.6g}", s.s,
                                      beam_.sections[i - 1].s));
    }
    if (several && good_ &&
        (beam_.sections.size() < 2 || beam_.sections.front().s != 0 || beam_.sections.back().s != 1))
      fault("sections", "the first section must have s: 0 and the last one s: 1");
    if (has_section_) check_material();
  }

  void check_material() {
    std::vector<std::string> names;
    const Material* found = nullptr;
    for (const auto* list : {&own_, &materials()})
      for (const Material& m : *list) {
        if (m.name == beam_.material && !found) found = &m;
        if (m.youngs_modulus > 0) names.push_back(m.name);
      }
    if (!beam_.material.empty() && !found)
      return fault("material",
                   fmt::format("unknown material '{}'{}", beam_.material, suggestion(beam_.material, names, "known")));
    if (found && found->youngs_modulus == 0 && !beam_.youngs_modulus)
      return fault("material",
                   fmt::format("'{}' has no youngs_modulus; {}", found->name,
                               found->place.line > 0 ? "give it one, with poissons_ratio, in `materials`"
                                                     : "known: " + fmt::format("{}", fmt::join(names, ", "))));
    const auto need = [&](const char* key, const std::optional<double>& value, const char* unit) {
      if (value) need_positive(key, *value, unit);
      else if (!found && !is_given(key))
        fault("", fmt::format("missing key '{}': > 0{}; or name a material, as material: steel", key, unit));
    };
    need("youngs_modulus", beam_.youngs_modulus, ", in N/m^2");
    need("density", beam_.density, ", in kg/m^3");
    if (!found && !is_given("poissons_ratio"))
      fault("", "missing key 'poissons_ratio': 0 to 0.5; or name a material, as material: steel");
    const double nu = beam_.poissons_ratio.value_or(0.3);
    if (nu < 0 || nu > 0.5) fault("poissons_ratio", fmt::format("must be from 0 to 0.5, found {:.6g}", nu));
  }

  void check_stiffness() {
    const bool diagonal = is_given("stiffness"), full = is_given("stiffness_matrix");
    if (has_section_) {
      for (const char* key : {"stiffness", "stiffness_matrix", "mass_per_length", "inertia_per_length", "mass_center"})
        if (is_given(key)) fault(key, "the section and its material give this; remove the key or the section");
      return;
    }
    if (diagonal && full) return fault("stiffness_matrix", "the key stiffness is given as well; remove one of both");
    if (!diagonal && !full)
      return fault("", "missing key 'section': {type: rectangle, width: ..., height: ...}; or give its stiffness, "
                       "mass_per_length and inertia_per_length");
    static const char* const kNames[] = {"EA", "GA_y", "GA_z", "GJ", "EI_y", "EI_z"};
    for (int i = 0; beam_.stiffness && i < 6; ++i)
      if (!((*beam_.stiffness)[i] > 0))
        fault("stiffness", fmt::format("{} must be > 0, found {:.6g}", kNames[i], (*beam_.stiffness)[i]));
    if (beam_.stiffness_matrix) check_matrix(*beam_.stiffness_matrix);
    if (!is_given("mass_per_length")) fault("", "missing key 'mass_per_length': > 0, in kg/m");
    if (!is_given("inertia_per_length"))
      fault("", "missing key 'inertia_per_length': of the section about x, y and z, > 0, in kg*m");
    if (beam_.mass_per_length) need_positive("mass_per_length", *beam_.mass_per_length, " kg/m");
    if (beam_.inertia_per_length) check_inertia(*beam_.inertia_per_length);
  }

  void check_inertia(const Matrix3d& J) {
    if (!J.allFinite())
      return fault("inertia_per_length", "expected three or six numbers");  // one alone is for planar bodies
    for (int i = 0; i < 3; ++i)
      if (!(J(i, i) > 0))
        return fault("inertia_per_length",
                     fmt::format("the moment about {} must be > 0, found {:.6g}", "xyz"[i], J(i, i)));
    if (!(Eigen::SelfAdjointEigenSolver<Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues()[0] > 0))
      fault("inertia_per_length", "the products of inertia are too large for the moments: must be positive definite");
  }

  void check_matrix(const Matrix6d& C) {
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < i; ++j)
        if (std::abs(C(i, j) - C(j, i)) > 1e-9 * std::sqrt(std::abs(C(i, i) * C(j, j))))
          return fault("stiffness_matrix", fmt::format("must be symmetric: row {}, column {} is {:.6g}, row {}, column "
                                                       "{} is {:.6g}",
                                                       i + 1, j + 1, C(i, j), j + 1, i + 1, C(j, i)));
    for (int i = 0; i < 6; ++i)
      if (!(C(i, i) > 0))
        return fault("stiffness_matrix",
                     fmt::format("must be positive definite: row {}, column {} is {:.6g}", i + 1, i + 1, C(i, i)));
    // in units in which the diagonal is 1, the direction without energy tells the entries that are too large
    const Vector6d unit = C.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::SelfAdjointEigenSolver<Matrix6d> eigen(Matrix6d(unit.asDiagonal() * C * unit.asDiagonal()));
    if (eigen.eigenvalues()[0] > 1e-12) return;
    Vector6d weak = eigen.eigenvectors().col(0).cwiseAbs();
    Eigen::Index first = 0, second = 0;
    weak.maxCoeff(&first);
    weak[first] = 0;
    weak.maxCoeff(&second);
    fault(
        "stiffness_matrix",
        fmt::format("must be positive definite: the coupling in row {}, column {} is {:.6g}, too large for {:.6g} and "
                    "{:.6g} on the diagonal",
                    first + 1, second + 1, C(first, second), C(first, first), C(second, second)));
  }

  void check_markers() {
    for (const BeamMarker& m : beam_.markers) {
      if (m.s < 0 || m.s > 1)
        fault("markers." + m.name, fmt::format("must be from 0 (start) to 1 (end), found {:.6g}", m.s));
      if (m.name == "start" || m.name == "end")
        fault("markers." + m.name, fmt::format("every beam has a marker '{}' already", m.name));
    }
  }

  void check_points() {
    std::vector<Vector3d> all{beam_.from.position};
    all.insert(all.end(), beam_.points.begin(), beam_.points.end());
    all.push_back(beam_.to.position);
    double extent = 0;
    for (const Vector3d& p : all) extent = std::max(extent, (p - all[0]).norm());
    for (size_t i = 1; i < all.size(); ++i)
      if ((all[i] - all[i - 1]).norm() <= 1e-9 * extent || extent == 0)
        return fault(all.size() == 2 ? "to" : "points",
                     all.size() == 2
                         ? "both ends of the beam are at the same place: it has no length"
                         : fmt::format("two neighbouring points are at the same place, {}", text_of(all[i])));
  }

  // A line that stands still has no direction, and its length does not grow.
  void check_curve() {
    const auto jet = [&](double s) {
      const TimeJet at{s, 1, 0};
      std::pair<Vector3d, Vector3d> found;
      for (int i = 0; i < 3; ++i) {
        const TimeJet x = beam_.curve->position[static_cast<size_t>(i)].jet(TimeJet{}, &at);
        found.first[i] = x.value, found.second[i] = x.rate;
      }
      return found;
    };
    constexpr int kSteps = 256;
    double fastest = 0, slowest = HUGE_VAL, where = 0;
    for (int i = 0; i <= kSteps; ++i) {
      const double s = static_cast<double>(i) / kSteps, speed = jet(s).second.norm();
      if (!jet(s).first.allFinite() || !std::isfinite(speed))
        return fault("curve", fmt::format("is not finite at s = {:.4g}", s));
      fastest = std::max(fastest, speed);
      if (speed < slowest) slowest = speed, where = s;
    }
    if (fastest == 0) return fault("curve", "does not depend on s: the beam has no length");
    if (slowest < 1e-6 * fastest)
      return fault("curve", fmt::format("stands still at s = {:.4g}; it must run on everywhere", where));
    for (const auto& [key, end, s] : {std::tuple{"from", &beam_.from, 0.0}, std::tuple{"to", &beam_.to, 1.0}})
      if (const Vector3d p = jet(s).first; is_given(key) && (p - end->position).norm() > 1e-6 * fastest)
        fault(key, fmt::format("is at {}, and the curve at {} for s = {}; both must be the same place",
                               text_of(end->position), text_of(p), s));
  }

  void check_line() {
    if (beam_.curve) check_curve();
    else check_points();
    if (!good_) return;
    const BeamLine line = beam_line(beam_);
    const std::vector<double> nodes = beam_mesh(beam_, line.length).nodes();
    std::vector<Vector3d> places;
    for (const double s : nodes) {
      const Pose pose = line.pose(s);
      places.push_back(pose.p);
      if (!pose.R.allFinite() || std::abs(pose.R.determinant() - 1) > 1e-9)
        return fault("z_axis", fmt::format("the beam runs along the direction of its z_axis at s = {:.4g}; give z_axis "
                                           "another direction",
                                           s / line.length));
    }
    if (beam_.curve || !beam_.points.empty()) check_crossing(nodes, places, line.length);
  }

  // The ends may meet: that is a ring.
  void check_crossing(const std::vector<double>& nodes, const std::vector<Vector3d>& places, double length) {
    std::vector<size_t> order(nodes.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return places[a].x() < places[b].x(); });
    for (size_t i = 0; i < order.size(); ++i)
      for (size_t j = i + 1; j < order.size() && places[order[j]].x() - places[order[i]].x() < 1e-9 * length; ++j) {
        const size_t a = std::min(order[i], order[j]), b = std::max(order[i], order[j]);
        if ((places[a] - places[b]).norm() > 1e-9 * length || b - a == nodes.size() - 1) continue;
        return fault(beam_.curve ? "curve" : "points",
                     fmt::format("the beam crosses itself at a node, {}: at s = {:.4g} and s = {:.4g}; if it is joined "
                                 "there, make it two beams, else move one of its points",
                                 text_of(places[a]), nodes[a] / length, nodes[b] / length));
      }
  }

  /// Without the round-off of formulas.
  static std::string text_of(const Vector3d& p) {
    const auto clean = [](double x) { return std::abs(x) < 1e-12 ? 0 : x; };
    return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", clean(p.x()), clean(p.y()), clean(p.z()));
  }

  const FlexibleBeam& beam_;
  const std::vector<Material>& own_;
  std::string path_;
  ReadLog& log_;
  bool good_ = true, has_section_ = false;
};

}  // namespace

bool check_beam(const FlexibleBeam& beam, const std::vector<Material>& own, ReadLog& log, const std::string& path) {
  return BeamChecker(beam, own, log, path).check();
}

}  // namespace bricard::io
