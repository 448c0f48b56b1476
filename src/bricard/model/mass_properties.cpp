// SPDX-License-Identifier: Apache-2.0
#include "bricard/model/mass_properties.h"

#include <cmath>
#include <numbers>

namespace bricard {
namespace {

using std::numbers::pi;

// A solid of density 1 about its z axis, from z = −l/2 to l/2, its radius r(z) linear between the ends:
//     V = ∫ π r²,   V c = ∫ π r² z,   I_zz = ∫ π r⁴/2,   I_xx = ∫ π (r⁴/4 + r² z²)   about the middle of the axis.
// The integrands are polynomials of degree four, so that Gauss' three points are exact.
MassProperties frustum(double lower, double upper, double length) {
  const double node = std::sqrt(0.6);
  double volume = 0, moment = 0, axial = 0, transverse = 0;
  for (int i = -1; i <= 1; ++i) {
    const double weight = (i == 0 ? 8.0 : 5.0) / 18 * length * pi, x = i * node;
    const double z = x * length / 2, r = (lower * (1 - x) + upper * (1 + x)) / 2, r2 = r * r;
    volume += weight * r2;
    moment += weight * r2 * z;
    axial += weight * r2 * r2 / 2;
    transverse += weight * (r2 * r2 / 4 + r2 * z * z);
  }
  const Vector3d center(0, 0, moment / volume);
  const Matrix3d about_middle = Vector3d(transverse, transverse, axial).asDiagonal();
  return {volume, center, about_middle - steiner(volume, center)};
}

MassProperties box(const Vector3d& size) {
  const double volume = size.prod();
  const Vector3d s2 = size.cwiseAbs2();
  return {volume, Vector3d::Zero(), (volume / 12 * (Vector3d::Constant(s2.sum()) - s2)).asDiagonal()};
}

MassProperties sphere(double radius) {
  const double volume = 4 * pi / 3 * radius * radius * radius;
  return {volume, Vector3d::Zero(), 0.4 * volume * radius * radius * Matrix3d::Identity()};
}

MassProperties tube(double outer, double inner, double length) {
  const MassProperties full = frustum(outer, outer, length), hole = frustum(inner, inner, length);
  return {full.mass - hole.mass, Vector3d::Zero(), full.inertia - hole.inertia};
}

MassProperties of_density_one(const Shape& s) {
  switch (s.type) {
    case ShapeType::box: return box(s.size);
    case ShapeType::sphere: return sphere(s.radius);
    case ShapeType::tube: return tube(s.radius, s.inner_radius, s.length);
    case ShapeType::cone: return frustum(s.radius, s.top_radius, s.length);
    case ShapeType::cylinder:
    case ShapeType::rod: return frustum(s.radius, s.radius, s.length);
  }
  return {};
}

}  // namespace

Matrix3d steiner(double mass, const Vector3d& d) {
  return mass * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
}

MassProperties operator+(const MassProperties& a, const MassProperties& b) {
  MassProperties sum;
  sum.mass = a.mass + b.mass;
  if (sum.mass == 0) return a;
  sum.center = (a.mass * a.center + b.mass * b.center) / sum.mass;
  sum.inertia = a.inertia + steiner(a.mass, a.center - sum.center) + b.inertia + steiner(b.mass, b.center - sum.center);
  return sum;
}

MassProperties mass_properties(const Shape& shape) {
  MassProperties p = of_density_one(shape);
  const double density = shape.mass ? *shape.mass / p.mass : shape.density ? shape.density->value : 0;
  const Matrix3d R = shape.orientation.toRotationMatrix();
  return {density * p.mass, shape.position + R * p.center, density * R * p.inertia * R.transpose()};
}

const std::vector<Material>& materials() {
  static const std::vector<Material> list{{"steel", 7850, 210e9, 0.3},
                                          {"stainless-steel", 7900, 193e9, 0.3},
                                          {"cast-iron", 7200, 110e9, 0.26},
                                          {"aluminium", 2700, 70e9, 0.33},
                                          {"aluminum", 2700, 70e9, 0.33},
                                          {"magnesium", 1740, 45e9, 0.29},
                                          {"titanium", 4500, 110e9, 0.34},
                                          {"copper", 8960, 120e9, 0.34},
                                          {"brass", 8500, 100e9, 0.34},
                                          {"bronze", 8800, 110e9, 0.34},
                                          {"lead", 11340, 16e9, 0.44},
                                          {"tungsten", 19300, 400e9, 0.28},
                                          {"concrete", 2400, 30e9, 0.2},
                                          {"glass", 2500, 70e9, 0.22},
                                          {"nylon", 1150, 2.7e9, 0.4},
                                          {"acetal", 1410, 2.8e9, 0.37},
                                          {"abs", 1050, 2.3e9, 0.37},
                                          {"polyethylene", 950, 1e9, 0.42},
                                          {"rubber", 1100, 5e6, 0.49},
                                          {"oak", 750},
                                          {"water", 1000}};
  return list;
}

}  // namespace bricard
