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

constexpr int kTerms = 40;  // of series that fall as exp(−nπ/2) or faster
constexpr double kCatalan = 0.915965594177219015;

/// Stresses in the middle of a side per torque and per shear force along it.
struct SideStress {
  double from_axis, torsion, flexure;
};

// At the poles of a ring, outer radius a, inner b:  τ = M_x a/J + V ((1 + 2ν) a² + (3 + 2ν) b²)/(4 (1 + ν) I)     [Love1927]
SideStress at_pole(const BeamSection& s, const SectionConstants& c, double nu) {
  const double a = s.radius, b = s.type == SectionType::tube ? s.radius - s.thickness : 0;
  return {a, a / c.J, ((1 + 2 * nu) * a * a + (3 + 2 * nu) * b * b) / (4 * (1 + nu) * c.Iy)};
}

SideStress at_side(double width, double height, double I, double J, double nu) {
  return {width / 2, torsion_at_side(width / 2, height / 2) / J, flexure_at_side(width / 2, height / 2, nu) / I};
}

// Bredt's flow and what balances the bending of one half, 2 t q = V S/I.
SideStress at_wall(double width, double height, double t, double I) {
  const double inner = height - 2 * t, half = (width * height * height - (width - 2 * t) * inner * inner) / 8;
  return {width / 2, 1 / (2 * (width - t) * (height - t) * t), half / (I * 2 * t)};
}

SideStress stress_at_y(const BeamSection& s, const SectionConstants& c, double nu) {
  if (s.type == SectionType::rectangle) return at_side(s.width, s.height, c.Iy, c.J, nu);
  if (s.type == SectionType::box) return at_wall(s.width, s.height, s.thickness, c.Iy);
  if (s.type != SectionType::i_section) return at_pole(s, c, nu);
  // of a thin open wall τ = M_x t/J; the web carries what balances the bending of one half
  const double web = s.thickness, reach = s.height / 2 - s.flange;
  const double half = s.width * s.flange * (s.height - s.flange) / 2 + web * reach * reach / 2;
  return {web / 2, web / c.J, half / (c.Iy * web)};
}

SideStress stress_at_z(const BeamSection& s, const SectionConstants& c, double nu) {
  if (s.type == SectionType::rectangle) return at_side(s.height, s.width, c.Iz, c.J, nu);
  if (s.type == SectionType::box) return at_wall(s.height, s.width, s.thickness, c.Iz);
  if (s.type != SectionType::i_section) return at_pole(s, c, nu);
  return {s.height / 2, s.flange / c.J, s.width * s.width / (8 * c.Iz)};
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

// r = d/a; of both sums the one that ends at once; n odd, signs alternate, K is Catalan's number:
//     2a − 16a/π² Σ 1/(n² cosh(nπ r/2)) = 16d/π² (K − Σ ± (1 − tanh(nπ/2r))/n²)
double torsion_at_side(double a, double d) {
  double sum = 0, sign = 1;
  for (int n = 1; n < kTerms; n += 2, sign = -sign)
    sum += (a <= d ? 1 / std::cosh(n * pi * d / (2 * a)) : sign * (1 - std::tanh(n * pi * a / (2 * d)))) / (n * n);
  return a <= d ? 2 * a - 16 * a / (pi * pi) * sum : 16 * d / (pi * pi) * (kCatalan - sum);
}

//     d²/2 + ν/(1 + ν) a² F,    F = 1/3 − 2/π² Σ 1/(n² cosh(nπ r)) = 8r/π² (K + Σ ± (coth(nπ/2r) − 1)/n²) − r²/2
// with all n in the first sum, odd ones in the second.
double flexure_at_side(double a, double d, double nu) {
  const double r = d / a;
  double sum = 0, sign = 1;
  if (r >= 1)
    for (int n = 1; n < kTerms; ++n) sum += 1 / (n * n * std::cosh(n * pi * r));
  else
    for (int n = 1; n < kTerms; n += 2, sign = -sign) sum += sign * (1 / std::tanh(n * pi / (2 * r)) - 1) / (n * n);
  const double F = r >= 1 ? 1.0 / 3 - 2 / (pi * pi) * sum : 8 * r / (pi * pi) * (kCatalan + sum) - r * r / 2;
  return d * d / 2 + nu / (1 + nu) * a * a * F;
}

std::vector<SectionPoint> section_points(const BeamSection& s, const SectionConstants& c, double nu) {
  if (s.type == SectionType::general) return {};
  const SideStress y = stress_at_y(s, c, nu), z = stress_at_z(s, c, nu);
  std::vector<SectionPoint> points;
  const auto add = [&](const char* name, double at_y, double at_z) -> Vector6d& {
    points.push_back({name, at_y, at_z});
    points.back().normal << 1 / c.A, 0, 0, 0, at_z / c.Iy, -at_y / c.Iz;
    return points.back().shear;
  };
  if (s.type != SectionType::circle && s.type != SectionType::tube) {  // free of shear: their sides are
    const double w = s.width / 2, h = s.height / 2;
    add("+y+z", w, h), add("-y+z", -w, h), add("-y-z", -w, -h), add("+y-z", w, -h);
  }
  add("+y", y.from_axis, 0) << 0, 0, y.flexure, y.torsion, 0, 0;
  add("+z", 0, z.from_axis) << 0, -z.flexure, 0, z.torsion, 0, 0;
  add("-y", -y.from_axis, 0) << 0, 0, -y.flexure, y.torsion, 0, 0;
  add("-z", 0, -z.from_axis) << 0, z.flexure, 0, z.torsion, 0, 0;
  return points;
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
