// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/beam_line.h"

#include <algorithm>
#include <cmath>

#include "bricard/assemble/beam_sections.h"
#include "bricard/assemble/markers.h"
#include "bricard/model/mass_properties.h"

namespace bricard {
namespace {

constexpr double kSamePlace = 1e-9;                                        // of s, as a part of the beam
constexpr const char *kLoad = "_load", *kFollowerLoad = "_follower_load";  // after the name of a node

/// A curve with its derivative, both functions of u.
struct SpaceCurve {
  std::function<Vector3d(double)> value, slope;
  std::vector<double> knots;  ///< u between which it is smooth, from its start to its end
};

/// A natural cubic spline through points; u grows by their distances.
SpaceCurve spline_through(const std::vector<Vector3d>& points) {
  const int n = static_cast<int>(points.size());
  std::vector<double> u{0};
  for (int i = 1; i < n; ++i) u.push_back(u.back() + (points[i] - points[i - 1]).norm());
  Eigen::MatrixXd A = Eigen::MatrixXd::Identity(n, n), b = Eigen::MatrixXd::Zero(n, 3);
  for (int i = 1; i + 1 < n; ++i) {
    const double before = u[i] - u[i - 1], after = u[i + 1] - u[i];
    A(i, i - 1) = before / 6, A(i, i) = (before + after) / 3, A(i, i + 1) = after / 6;
    b.row(i) = ((points[i + 1] - points[i]) / after - (points[i] - points[i - 1]) / before).transpose();
  }
  const Eigen::MatrixXd bend = A.partialPivLu().solve(b);
  const auto span_of = [u](double x) {
    return static_cast<int>(std::upper_bound(u.begin() + 1, u.end() - 1, x) - u.begin()) - 1;
  };
  SpaceCurve curve;
  curve.knots = u;
  curve.value = [=](double x) {
    const int i = span_of(x);
    const double h = u[i + 1] - u[i], q = (x - u[i]) / h, p = 1 - q;
    return Vector3d(p * points[i] + q * points[i + 1] +
                    h * h / 6 * ((p * p * p - p) * bend.row(i) + (q * q * q - q) * bend.row(i + 1)).transpose());
  };
  curve.slope = [=](double x) {
    const int i = span_of(x);
    const double h = u[i + 1] - u[i], q = (x - u[i]) / h, p = 1 - q;
    return Vector3d((points[i + 1] - points[i]) / h +
                    h / 6 * ((1 - 3 * p * p) * bend.row(i) + (3 * q * q - 1) * bend.row(i + 1)).transpose());
  };
  return curve;
}

/// Three formulas in s from 0 to 1, which is u.
SpaceCurve curve_of(const BeamCurve& formulas) {
  constexpr int kSpans = 16;  // in which formulas are smooth enough to be integrated
  const auto jets = [formulas](double u) {
    const TimeJet s{u, 1, 0};
    std::array<TimeJet, 3> x;
    for (int i = 0; i < 3; ++i) x[i] = formulas.position[i].jet(TimeJet{}, &s);
    return x;
  };
  SpaceCurve curve;
  for (int i = 0; i <= kSpans; ++i) curve.knots.push_back(static_cast<double>(i) / kSpans);
  curve.value = [jets](double u) {
    const auto x = jets(u);
    return Vector3d(x[0].value, x[1].value, x[2].value);
  };
  curve.slope = [jets](double u) {
    const auto x = jets(u);
    return Vector3d(x[0].rate, x[1].rate, x[2].rate);
  };
  return curve;
}

/// A curve by its length.
class CurveByLength {
 public:
  explicit CurveByLength(SpaceCurve curve) : curve_(std::move(curve)) {
    for (size_t i = 0; i + 1 < curve_.knots.size(); ++i)
      for (int part = 0; part < kParts; ++part)
        u_.push_back(curve_.knots[i] + (curve_.knots[i + 1] - curve_.knots[i]) * part / kParts);
    u_.push_back(curve_.knots.back());
    length_.push_back(0);
    for (size_t i = 0; i + 1 < u_.size(); ++i) length_.push_back(length_.back() + way(u_[i], u_[i + 1]));
  }

  double length() const { return length_.back(); }

  /// Position and unit tangent at length s.
  std::pair<Vector3d, Vector3d> at(double s) const {
    const auto next = std::upper_bound(length_.begin() + 1, length_.end() - 1, s);
    const size_t part = static_cast<size_t>(next - length_.begin()) - 1;
    double u = u_[part] + (u_[part + 1] - u_[part]) * (s - length_[part]) / (length_[part + 1] - length_[part]);
    for (int k = 0; k < 5; ++k) u -= (length_[part] + way(u_[part], u) - s) / curve_.slope(u).norm();
    return {curve_.value(u), curve_.slope(u).normalized()};
  }

 private:
  static constexpr int kParts = 8;  // of a span, each integrated by Gauss' formula
  double way(double from, double to) const {
    double sum = 0;
    for (int g = 0; g < 4; ++g) sum += kGaussWeights4[g] * curve_.slope(from + kGauss4[g] * (to - from)).norm();
    return sum * (to - from);
  }
  SpaceCurve curve_;
  std::vector<double> u_, length_;
};

/// Axes of a section: x along the beam, z nearest to the wish.
Matrix3d section_axes(const Vector3d& tangent, const Vector3d& wish, double twist) {
  Matrix3d R;
  R.col(0) = tangent;
  R.col(2) = (wish - wish.dot(tangent) * tangent).normalized();
  R.col(1) = R.col(2).cross(R.col(0));
  return R * Eigen::AngleAxisd(twist, Vector3d::UnitX()).toRotationMatrix();
}

/// Dimensions between two sections of one kind change linearly.
BeamSection between(const BeamSection& a, const BeamSection& b, double s) {
  BeamSection c = a;
  const double x = b.s > a.s ? (s - a.s) / (b.s - a.s) : 0;
  for (const auto value : BeamSection::values) c.*value = (1 - x) * (a.*value) + x * (b.*value);
  return c;
}

}  // namespace

Material material_of(const FlexibleBeam& beam) {
  Material m;
  for (const Material& known : materials())
    if (known.name == beam.material) m = known;
  m.youngs_modulus = beam.youngs_modulus.value_or(m.youngs_modulus);
  m.poissons_ratio = beam.poissons_ratio.value_or(m.poissons_ratio);
  m.density = beam.density.value_or(m.density);
  return m;
}

BeamSection section_at(const FlexibleBeam& beam, double s) {
  if (beam.section) return beam.section->at(s);
  const auto& list = beam.sections;
  size_t i = 0;
  while (i + 2 < list.size() && s > list[i + 1].s) ++i;
  return between(list[i], list[std::min(i + 1, list.size() - 1)], s);
}

BeamLine beam_line(const FlexibleBeam& beam) {
  BeamLine line;
  std::vector<Vector3d> points{beam.from.position};
  points.insert(points.end(), beam.points.begin(), beam.points.end());
  points.push_back(beam.to.position);
  const Vector3d chord = points.back() - points.front();
  const bool straight = beam.points.empty() && !beam.curve;
  const bool upright = straight && Vector3d::UnitZ().cross(chord).norm() < 1e-6 * chord.norm();
  const Vector3d wish = beam.z_axis.value_or(upright ? Vector3d::UnitY() : Vector3d::UnitZ());
  if (straight) {
    line.length = chord.norm();
    line.pose = [=, start = points.front(), tangent = Vector3d(chord.normalized()), twist = beam.twist,
                 length = line.length](double s) {
      return Pose{start + s * tangent, section_axes(tangent, wish, twist * s / length)};
    };
  } else {
    const CurveByLength curve(beam.curve ? curve_of(*beam.curve) : spline_through(points));
    line.length = curve.length();
    line.pose = [=, twist = beam.twist](double s) {
      const auto [p, tangent] = curve.at(s);
      return Pose{p, section_axes(tangent, wish, twist * s / curve.length())};
    };
  }
  if (beam.section || !beam.sections.empty()) {
    const Material m = material_of(beam);
    const auto constants = [beam, m, length = line.length](double s) {
      return section_constants(section_at(beam, s / length), m.poissons_ratio);
    };
    line.stiffness = [=](double s) { return section_stiffness(constants(s), m.youngs_modulus, m.poissons_ratio); };
    line.mass = [=](double s) { return section_mass(constants(s), m.density); };
  } else {
    const Matrix6d C = beam.stiffness_matrix ? *beam.stiffness_matrix : Matrix6d(beam.stiffness->asDiagonal());
    const double m = *beam.mass_per_length;
    const Matrix3d c = skew(beam.mass_center);
    Matrix6d M;
    M << m * Matrix3d::Identity(), -m * c, m * c, *beam.inertia_per_length - m * c * c;
    line.stiffness = [=](double) { return C; };
    line.mass = [=](double) { return M; };
  }
  line.damping = beam.damping;
  return line;
}

BeamMesh beam_mesh(const FlexibleBeam& beam, double length) {
  std::vector<double> stops{0, 1};
  for (const BeamMarker& m : beam.markers) stops.push_back(m.s);
  std::sort(stops.begin(), stops.end());
  BeamMesh mesh{beam.nodes_per_element(), {0}};
  const double wanted =
      beam.element_size ? std::ceil(length / *beam.element_size * (1 - 1e-12)) : static_cast<double>(*beam.elements);
  double last = 0;
  for (const double stop : stops) {
    if (stop - last < kSamePlace) continue;
    const int parts = std::max(1, static_cast<int>(std::lround(wanted * (stop - last))));
    for (int i = 1; i <= parts; ++i) mesh.ends.push_back(length * (last + (stop - last) * i / parts));
    last = stop;
  }
  return mesh;
}

std::vector<BeamPlace> beam_places(const FlexibleBeam& beam) {
  const BeamMesh mesh = beam_mesh(beam, 1);
  const std::vector<double> nodes = mesh.nodes();
  std::vector<BeamPlace> places{{beam.name + ".start", beam.node_name(0)},
                                {beam.name + ".end", beam.node_name(nodes.size() - 1)}};
  for (const BeamMarker& m : beam.markers) {
    const auto at = std::min_element(nodes.begin(), nodes.end(),
                                     [&](double a, double b) { return std::abs(a - m.s) < std::abs(b - m.s); });
    places.push_back({beam.name + "." + m.name, beam.node_name(static_cast<size_t>(at - nodes.begin()))});
  }
  return places;
}

std::vector<std::string> load_names(const FlexibleBeam& beam) {
  std::vector<std::string> names;
  const size_t nodes = beam.load || beam.follower_load ? beam_mesh(beam, beam_line(beam).length).nodes().size() : 0;
  for (size_t i = 0; i < nodes; ++i) {
    if (beam.load) names.push_back(beam.node_name(i) + kLoad);
    if (beam.follower_load) names.push_back(beam.node_name(i) + kFollowerLoad);
  }
  return names;
}

void expand_beam(const FlexibleBeam& beam, Model& model) {
  const BeamLine line = beam_line(beam);
  const BeamMesh mesh = beam_mesh(beam, line.length);
  const std::vector<double> nodes = mesh.nodes(), lengths = node_lengths(mesh);
  const BeamLine centred = line.centred();
  const auto add_load = [&](const std::optional<BeamLoad>& given, const char* suffix, const char* frame, size_t i) {
    if (!given) return;
    AppliedForce load;
    load.name = beam.node_name(i) + suffix;
    load.place = beam.place;
    load.on = {beam.node_name(i), beam.place};
    load.frame = {frame, beam.place};
    for (int axis = 0; axis < 3; ++axis)
      load.force[axis] = given->force[axis].with("s", nodes[i] / line.length).scaled(lengths[i]);
    model.forces.push_back(load);
  };
  for (size_t i = 0; i < nodes.size(); ++i) {
    Body node;
    const Pose pose = line.pose(nodes[i]);
    const Matrix6d M = lengths[i] * centred.mass(nodes[i]);
    node.name = beam.node_name(i);
    node.place = beam.place;
    node.mass = M(0, 0);
    node.inertia = M.bottomRightCorner<3, 3>();
    node.mass_center.position = line.mass_center(nodes[i]);
    node.position = pose.p;
    node.orientation = Quaterniond(pose.R);
    node.velocity = beam.velocity + beam.angular_velocity.cross(pose.p - beam.from.position);
    node.angular_velocity = beam.angular_velocity;
    model.bodies.push_back(node);
    add_load(beam.load, kLoad, "ground", i);
    add_load(beam.follower_load, kFollowerLoad, "body", i);
  }
  const auto weld = [&](const BeamEnd& end, const char* which, size_t node) {
    if (end.marker.name.empty()) return;
    Joint joint;
    joint.name = beam.name + "_" + which;
    joint.place = beam.place;
    joint.type = JointType::fixed;
    // With `at`, as the beam runs: the axes of the marker are not those of the section.
    joint.between = {Reference{end.body, end.marker.place}, Reference{beam.node_name(node), beam.place}};
    joint.at = end.position;
    model.joints.push_back(joint);
  };
  weld(beam.from, "start", 0);
  weld(beam.to, "end", nodes.size() - 1);
}

void add_beams(const Named& named, System& system) {
  BeamParts parts;
  for (const FlexibleBeam& beam : named.model.flexible_beams) {
    const BeamLine line = beam_line(beam).centred();
    const BeamMesh mesh = beam_mesh(beam, line.length);
    std::vector<int> nodes;
    for (size_t i = 0; i < mesh.nodes().size(); ++i) nodes.push_back(named.node({beam.node_name(i), beam.place}));
    add_beam(line, mesh, nodes, system, parts, beam.name);
  }
  add_batches(std::move(parts), system);
}

}  // namespace bricard
