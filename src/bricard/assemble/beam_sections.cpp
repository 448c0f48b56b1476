// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/beam_sections.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bricard {
namespace {

constexpr double pi = std::numbers::pi;

double cube(double x) { return x * x * x; }

SectionConstants ring(double outer, double inner, double nu) {
  SectionConstants c;
  const double m = inner / outer, m2 = m * m, sum = (1 + m2) * (1 + m2);
  c.A = pi * (outer * outer - inner * inner);
  c.Iy = c.Iz = pi / 4 * (std::pow(outer, 4) - std::pow(inner, 4));
  c.J = 2 * c.Iy;
  c.shear_y = c.shear_z = 6 * (1 + nu) * sum / ((7 + 6 * nu) * sum + (20 + 12 * nu) * m2);
  return c;
}

SectionConstants rectangle(double b, double h, double nu) {
  SectionConstants c;
  c.A = b * h;
  c.Iy = b * cube(h) / 12, c.Iz = h * cube(b) / 12;
  c.J = torsion_of_rectangle(b, h);
  c.shear_y = c.shear_z = 10 * (1 + nu) / (12 + 11 * nu);
  return c;
}

// Thin walls: the shear flow of Bredt about the middle line; walls along a direction carry the shear along it.
SectionConstants box(double b, double h, double t) {
  SectionConstants c;
  const double inner_b = b - 2 * t, inner_h = h - 2 * t;
  c.A = b * h - inner_b * inner_h;
  c.Iy = (b * cube(h) - inner_b * cube(inner_h)) / 12;
  c.Iz = (h * cube(b) - inner_h * cube(inner_b)) / 12;
  c.J = 2 * t * (b - t) * (b - t) * (h - t) * (h - t) / (b + h - 2 * t);
  c.shear_y = 2 * t * b / c.A * 5 / 6, c.shear_z = 2 * t * h / c.A * 5 / 6;
  return c;
}

// The web along z carries the shear along z, the flanges that along y.
SectionConstants i_section(double b, double h, double web, double flange) {
  SectionConstants c;
  const double inner = h - 2 * flange;
  c.A = 2 * b * flange + inner * web;
  c.Iy = (b * cube(h) - (b - web) * cube(inner)) / 12;
  c.Iz = (2 * flange * cube(b) + inner * cube(web)) / 12;
  c.J = 2 * torsion_of_rectangle(b, flange) + inner * cube(web) / 3;
  c.shear_y = 5.0 / 6 * 2 * b * flange / c.A, c.shear_z = web * (h - flange) / c.A;
  return c;
}

}  // namespace

double torsion_of_rectangle(double b, double h) {
  const double a = std::max(b, h), c = std::min(b, h);
  double sum = 0;
  for (int n = 1; n < 40; n += 2) sum += std::tanh(n * pi * a / (2 * c)) / std::pow(n, 5);
  return a * cube(c) * (1.0 / 3 - 64 / std::pow(pi, 5) * c / a * sum);
}

SectionConstants section_constants(const BeamSection& s, double nu) {
  switch (s.type) {
    case SectionType::rectangle: return rectangle(s.width, s.height, nu);
    case SectionType::circle: return ring(s.radius, 0, nu);
    case SectionType::tube: return ring(s.radius, s.radius - s.thickness, nu);
    case SectionType::box: return box(s.width, s.height, s.thickness);
    case SectionType::i_section: return i_section(s.width, s.height, s.thickness, s.flange);
    case SectionType::general: return {s.area, s.Iy, s.Iz, s.J, s.shear_y, s.shear_z};
  }
  return {};
}

std::vector<SectionPoint> section_points(const BeamSection& s) {
  const double y = s.width / 2, z = s.height / 2, r = s.radius;
  switch (s.type) {
    case SectionType::circle:
    case SectionType::tube: return {{"+y", r, 0}, {"+z", 0, r}, {"-y", -r, 0}, {"-z", 0, -r}};
    case SectionType::rectangle:
    case SectionType::box:
    case SectionType::i_section: return {{"+y+z", y, z}, {"-y+z", -y, z}, {"-y-z", -y, -z}, {"+y-z", y, -z}};
    case SectionType::general: return {};
  }
  return {};
}

double normal_stress(const SectionConstants& c, const SectionPoint& at, const Vector6d& force) {
  return force[0] / c.A + force[4] * at.z / c.Iy - force[5] * at.y / c.Iz;
}

double pole_shear_stress(const BeamSection& s, const SectionConstants& c, double nu, const SectionPoint& at,
                         const Vector6d& force) {
  const double a = s.radius, b = s.type == SectionType::tube ? s.radius - s.thickness : 0;
  const double along_rim = (at.y * force[2] - at.z * force[1]) / a;  // V_t
  return force[3] * a / c.J + along_rim * ((1 + 2 * nu) * a * a + (3 + 2 * nu) * b * b) / (4 * (1 + nu) * c.Iy);
}

Matrix6d section_stiffness(const SectionConstants& c, double E, double nu) {
  const double G = E / (2 * (1 + nu));
  Vector6d C;
  C << E * c.A, G * c.A * c.shear_y, G * c.A * c.shear_z, G * c.J, E * c.Iy, E * c.Iz;
  return C.asDiagonal();
}

Matrix6d section_mass(const SectionConstants& c, double density) {
  Vector6d M;
  M << c.A, c.A, c.A, c.Iy + c.Iz, c.Iy, c.Iz;
  return Matrix6d((density * M).asDiagonal());
}

}  // namespace bricard
