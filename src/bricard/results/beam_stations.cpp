// SPDX-License-Identifier: Apache-2.0
#include "bricard/results/beam_stations.h"

#include <cmath>

namespace bricard {
namespace {

enum Quantity {
  position,
  quaternion,
  strain,
  curvature,
  force,
  moment,
  normal_stress_at,
  shear_stress_at,
  von_mises_at
};
constexpr int kQuantities = von_mises_at + 1;

/// At x, of the polynomial through values at the Gauss' points of an element.
template <int Nodes, class Value>
Vector6d extrapolated(const BeamRule& rule, double x, const Value& value) {
  Vector6d sum = Vector6d::Zero();
  for (int p = 0; p < Nodes - 1; ++p) {
    double share = 1;
    for (int j = 0; j < Nodes - 1; ++j)
      if (j != p) share *= (x - rule.points[j]) / (rule.points[p] - rule.points[j]);
    sum += share * value(p);
  }
  return sum;
}

/// What balances σ at one section, seen at another one without a load between:  n = const,  m = m₀ − (r − r₀) × n
Vector6d carried(const Vector6d& sigma, const Frame& from, const Frame& to) {
  const Matrix3d Q = from.R.transpose() * to.R;
  const Vector3d p = from.R.transpose() * (to.p - from.p), n = sigma.head<3>(), m = sigma.tail<3>();
  Vector6d result;
  result << Q.transpose() * n, Q.transpose() * (m - p.cross(n));
  return result;
}

template <int Nodes>
Beams<Nodes> elements_of(std::vector<typename Beams<Nodes>::Item> items) {
  return Beams<Nodes>(std::move(items));
}

void append(const Vector3d& v, std::vector<double>& out) { out.insert(out.end(), v.data(), v.data() + 3); }

}  // namespace

BeamStations::BeamStations(const FlexibleBeam& beam, const Named& named, const System& system) : name_(beam.name) {
  const BeamLine line = beam_line(beam);
  const BeamMesh mesh = beam_mesh(beam, line.length);
  std::vector<int> nodes;
  for (size_t i = 0; i < mesh.nodes().size(); ++i) nodes.push_back(named.node({beam.node_name(i), beam.place}));
  BeamParts parts;
  add_beam(line.centred(), mesh, nodes, system, parts);
  if (mesh.nodes_per_element == 2) elements_ = std::make_unique<Elements>(elements_of<2>(std::move(parts.two)));
  else if (mesh.nodes_per_element == 3) elements_ = std::make_unique<Elements>(elements_of<3>(std::move(parts.three)));
  else elements_ = std::make_unique<Elements>(elements_of<4>(std::move(parts.four)));

  const double nu = material_of(beam).poissons_ratio;
  const BeamRule rule(mesh.nodes_per_element);
  const auto add = [&](double s, int element, double x, int point) {
    places_.push_back(s);
    stations_.push_back({element, x, point, line.mass_center(s), line.stiffness(s).inverse(), {}});
    if (!beam.section && beam.sections.empty()) return;
    const BeamSection section = section_at(beam, s / line.length);
    stations_.back().points = section_points(section, section_constants(section, nu), nu);
  };
  add(0, 0, 0, -1);
  for (int e = 0; e < mesh.elements(); ++e)
    for (size_t p = 0; p < rule.points.size(); ++p)
      add(mesh.ends[e] + rule.points[p] * (mesh.ends[e + 1] - mesh.ends[e]), e, rule.points[p], static_cast<int>(p));
  add(line.length, mesh.elements() - 1, 1, -1);
  values_.resize(kQuantities);
}

void BeamStations::list(std::vector<Channel>& channels) const {
  const auto add = [&](const char* name, const char* frame, std::vector<Column> columns) {
    channels.push_back({Channel::Kind::beam, name_, name, frame, std::move(columns), places_});
  };
  const auto xyz = [](const char* unit) { return std::vector<Column>{{"x", unit}, {"y", unit}, {"z", unit}}; };
  add("position", "ground", xyz("m"));
  add("quaternion_wxyz", "ground", {{"w", ""}, {"x", ""}, {"y", ""}, {"z", ""}});
  add("strain", "section", xyz(""));
  add("curvature", "section", xyz("1/m"));
  add("force", "section", xyz("N"));
  add("moment", "section", xyz("N*m"));
  if (stations_[0].points.empty()) return;
  std::vector<Column> points;
  for (const SectionPoint& point : stations_[0].points) points.push_back({point.name, "N/m^2"});
  add("normal_stress", "section", points);
  add("shear_stress", "section", points);
  add("von_mises", "section", points);
}

BeamStations::SectionForces BeamStations::forces_at(const Kinematics& k, const Station& at) const {
  return std::visit([&](const auto& elements) { return forces_at(elements, k, at); }, *elements_);
}

// An element with two nodes has one strain, and its forces are those of its middle: at the ends of the beam they are what
// balances these. Others have enough points for a polynomial.
template <int Nodes>
BeamStations::SectionForces BeamStations::forces_at(const Beams<Nodes>& elements, const Kinematics& k,
                                                    const Station& at) const {
  const auto all = [&](int p) { return elements.section(k, at.element, p).force; };
  const auto elastic = [&](int p) -> Vector6d {
    return elements.items()[at.element].points[p].stiffness * elements.section(k, at.element, p).strain;
  };
  if (at.point >= 0) return {all(at.point), elastic(at.point)};
  if constexpr (Nodes == 2) {
    const Frame middle = elements.section_frame(k, at.element, 0.5), end = elements.section_frame(k, at.element, at.x);
    return {carried(all(0), middle, end), carried(elastic(0), middle, end)};
  } else {
    const BeamRule rule(Nodes);
    return {extrapolated<Nodes>(rule, at.x, all), extrapolated<Nodes>(rule, at.x, elastic)};
  }
}

Frame BeamStations::frame_at(const Kinematics& k, const Station& at) const {
  return std::visit([&](const auto& elements) { return elements.section_frame(k, at.element, at.x); }, *elements_);
}

//     The line of the elements runs through the mass centres c:   r = r_c − R c,   M = M_c + c × N,   ε − ε₀ = C⁻¹ σ
void BeamStations::add_values(const Kinematics& k, std::vector<double>& row) {
  for (std::vector<double>& values : values_) values.clear();
  for (const Station& at : stations_) {
    const Frame frame = frame_at(k, at);
    SectionForces forces = forces_at(k, at);
    for (Vector6d* sigma : {&forces.all, &forces.elastic}) sigma->tail<3>() += at.mass_center.cross(sigma->head<3>());
    const Vector6d strains = at.flexibility * forces.elastic;
    const Quaterniond q(frame.R);
    append(frame.p - frame.R * at.mass_center, values_[position]);
    values_[quaternion].insert(values_[quaternion].end(), {q.w(), q.x(), q.y(), q.z()});
    append(strains.head<3>(), values_[strain]);
    append(strains.tail<3>(), values_[curvature]);
    append(forces.all.head<3>(), values_[force]);
    append(forces.all.tail<3>(), values_[moment]);
    for (const SectionPoint& point : at.points) {
      const double normal = point.normal.dot(forces.all), shear = point.shear.dot(forces.all);
      values_[normal_stress_at].push_back(normal);
      values_[shear_stress_at].push_back(shear);
      values_[von_mises_at].push_back(std::sqrt(normal * normal + 3 * shear * shear));
    }
  }
  for (const std::vector<double>& values : values_) row.insert(row.end(), values.begin(), values.end());
}

double BeamStations::strain_energy(const Kinematics& k) const {
  return std::visit([&](const auto& elements) { return elements.potential_energy(k); }, *elements_);
}

}  // namespace bricard
