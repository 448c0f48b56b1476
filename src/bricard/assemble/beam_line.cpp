// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/beam_line.h"

#include <algorithm>
#include <cmath>

#include "bricard/assemble/beam_sections.h"
#include "bricard/assemble/markers.h"
#include "bricard/model/mass_properties.h"

namespace bricard {
namespace {

constexpr double kSamePlace = 1e-9;  // of s, as a part of the beam

/// A natural cubic spline through points, by its length. u counts the points.
class SpaceCurve {
 public:
  explicit SpaceCurve(std::vector<Vector3d> points) : points_(std::move(points)) {
    const int n = static_cast<int>(points_.size());
    u_.push_back(0);
    for (int i = 1; i < n; ++i) u_.push_back(u_.back() + (points_[i] - points_[i - 1]).norm());
    Eigen::MatrixXd A = Eigen::MatrixXd::Identity(n, n), b = Eigen::MatrixXd::Zero(n, 3);
    for (int i = 1; i + 1 < n; ++i) {
      const double before = u_[i] - u_[i - 1], after = u_[i + 1] - u_[i];
      A(i, i - 1) = before / 6, A(i, i) = (before + after) / 3, A(i, i + 1) = after / 6;
      b.row(i) = ((points_[i + 1] - points_[i]) / after - (points_[i] - points_[i - 1]) / before).transpose();
    }
    bend_ = A.partialPivLu().solve(b);
    length_.push_back(0);
    for (int i = 0; i + 1 < n; ++i)
      for (int part = 0; part < kParts; ++part) {
        const double step = (u_[i + 1] - u_[i]) / kParts;
        length_.push_back(length_.back() + way(i, u_[i] + part * step, u_[i] + (part + 1) * step));
      }
  }

  double length() const { return length_.back(); }

  /// Position and unit tangent at length s.
  std::pair<Vector3d, Vector3d> at(double s) const {
    const auto next = std::upper_bound(length_.begin() + 1, length_.end() - 1, s);
    const int part = static_cast<int>(next - length_.begin()) - 1, i = part / kParts;
    const double step = (u_[i + 1] - u_[i]) / kParts, begin = u_[i] + (part % kParts) * step;
    double u = begin + step * (s - length_[part]) / (length_[part + 1] - length_[part]);
    for (int k = 0; k < 5; ++k) u -= (length_[part] + way(i, begin, u) - s) / slope(i, u).norm();
    return {value(i, u), slope(i, u).normalized()};
  }

 private:
  static constexpr int kParts = 8;  // of a span, each integrated by Gauss' formula
  Vector3d value(int i, double u) const {
    const double h = u_[i + 1] - u_[i], b = (u - u_[i]) / h, a = 1 - b;
    return a * points_[i] + b * points_[i + 1] +
           h * h / 6 * ((a * a * a - a) * bend_.row(i) + (b * b * b - b) * bend_.row(i + 1)).transpose();
  }
  Vector3d slope(int i, double u) const {
    const double h = u_[i + 1] - u_[i], b = (u - u_[i]) / h, a = 1 - b;
    return (points_[i + 1] - points_[i]) / h +
           h / 6 * ((1 - 3 * a * a) * bend_.row(i) + (3 * b * b - 1) * bend_.row(i + 1)).transpose();
  }
  double way(int i, double from, double to) const {
    double sum = 0;
    for (int g = 0; g < 4; ++g) sum += kGaussWeights4[g] * slope(i, from + kGauss4[g] * (to - from)).norm();
    return sum * (to - from);
  }
  std::vector<Vector3d> points_;
  std::vector<double> u_, length_;
  Eigen::MatrixXd bend_;
};

/// Axes of a section: x along the beam, z nearest to the wish.
Matrix3d section_axes(const Vector3d& tangent, const Vector3d& wish, double twist) {
  Matrix3d R;
  R.col(0) = tangent;
  R.col(2) = (wish - wish.dot(tangent) * tangent).normalized();
  R.col(1) = R.col(2).cross(R.col(0));
  return R * Eigen::AngleAxisd(twist, Vector3d::UnitX()).toRotationMatrix();
}

struct Matter {
  double E, nu, density;
};

Matter matter_of(const FlexibleBeam& beam) {
  Matter m{0, 0, 0};
  for (const Material& known : materials())
    if (known.name == beam.material) m = {known.youngs_modulus, known.poissons_ratio, known.density};
  return {beam.youngs_modulus.value_or(m.E), beam.poissons_ratio.value_or(m.nu), beam.density.value_or(m.density)};
}

/// Dimensions between two sections of one kind change linearly.
BeamSection between(const BeamSection& a, const BeamSection& b, double s) {
  BeamSection c = a;
  const double x = b.s > a.s ? (s - a.s) / (b.s - a.s) : 0;
  const auto mix = [&](double BeamSection::*member) { c.*member = (1 - x) * (a.*member) + x * (b.*member); };
  for (const auto member :
       {&BeamSection::width, &BeamSection::height, &BeamSection::radius, &BeamSection::thickness, &BeamSection::flange})
    mix(member);
  return c;
}

/// The section at s from 0 to 1.
BeamSection section_at(const FlexibleBeam& beam, double s) {
  if (beam.section) return *beam.section;
  const auto& list = beam.sections;
  size_t i = 0;
  while (i + 2 < list.size() && s > list[i + 1].s) ++i;
  return between(list[i], list[std::min(i + 1, list.size() - 1)], s);
}

Shape shape_of(const FlexibleBeam& beam, double s, double length) {
  Shape shape;
  shape.color = beam.color;
  shape.type = ShapeType::box;
  if (!beam.section && beam.sections.empty()) {  // what has these stiffnesses is not known: a thin line
    shape.size = Vector3d(1, 0.01, 0.01) * length;
    return shape;
  }
  const BeamSection section = section_at(beam, s);
  shape.size = {length, section.width, section.height};
  if (section.type == SectionType::circle || section.type == SectionType::tube) {
    shape.type = section.type == SectionType::tube ? ShapeType::tube : ShapeType::cylinder;
    shape.radius = section.radius, shape.inner_radius = section.radius - section.thickness, shape.length = length;
    shape.orientation = frame_from_axis(Vector3d::UnitX());
  }
  return shape;
}

}  // namespace

BeamLine beam_line(const FlexibleBeam& beam) {
  BeamLine line;
  std::vector<Vector3d> points{beam.from.position};
  points.insert(points.end(), beam.points.begin(), beam.points.end());
  points.push_back(beam.to.position);
  const Vector3d chord = points.back() - points.front();
  const bool upright = beam.points.empty() && Vector3d::UnitZ().cross(chord).norm() < 1e-6 * chord.norm();
  const Vector3d wish = beam.z_axis.value_or(upright ? Vector3d::UnitY() : Vector3d::UnitZ());
  if (beam.points.empty()) {
    line.length = chord.norm();
    line.pose = [=, start = points.front(), tangent = Vector3d(chord.normalized()), twist = beam.twist,
                 length = line.length](double s) {
      return Pose{start + s * tangent, section_axes(tangent, wish, twist * s / length)};
    };
  } else {
    const SpaceCurve curve(points);
    line.length = curve.length();
    line.pose = [=, twist = beam.twist](double s) {
      const auto [p, tangent] = curve.at(s);
      return Pose{p, section_axes(tangent, wish, twist * s / curve.length())};
    };
  }
  if (beam.section || !beam.sections.empty()) {
    const Matter m = matter_of(beam);
    const auto constants = [beam, m, length = line.length](double s) {
      return section_constants(section_at(beam, s / length), m.nu);
    };
    line.stiffness = [=](double s) { return section_stiffness(constants(s), m.E, m.nu); };
    line.mass = [=](double s) { return section_mass(constants(s), m.density); };
  } else {
    const Matrix6d C = beam.stiffness_matrix ? *beam.stiffness_matrix : Matrix6d(beam.stiffness->asDiagonal());
    const double m = *beam.mass_per_length;
    const Matrix3d c = skew(beam.mass_center);
    Matrix6d M;
    M << m * Matrix3d::Identity(), -m * c, m * c, Matrix3d(beam.inertia_per_length->asDiagonal()) - m * c * c;
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

void expand_beam(const FlexibleBeam& beam, Model& model) {
  const BeamLine line = beam_line(beam);
  const BeamMesh mesh = beam_mesh(beam, line.length);
  const std::vector<double> nodes = mesh.nodes(), lengths = node_lengths(mesh);
  const BeamLine centred = line.centred();
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
    node.shapes = {shape_of(beam, nodes[i] / line.length, lengths[i])};
    model.bodies.push_back(node);
    if (beam.load.isZero(0)) continue;
    AppliedForce load;
    load.name = node.name + "_load";
    load.place = beam.place;
    load.on = {node.name, beam.place};
    for (int axis = 0; axis < 3; ++axis) load.force[axis] = Expression(lengths[i] * beam.load[axis]);
    model.forces.push_back(load);
  }
  const auto weld = [&](const BeamEnd& end, const char* which, size_t node) {
    if (end.marker.name.empty()) return;
    Joint joint;
    joint.name = beam.name + "_" + which;
    joint.place = beam.place;
    joint.type = JointType::fixed;
    joint.between = {end.marker, Reference{beam.node_name(node), beam.place}};
    if (!names_marker(end.marker)) joint.at = end.position;
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
