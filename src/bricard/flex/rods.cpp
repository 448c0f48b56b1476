// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/rods.h"

#include <cmath>
#include <memory>

#include "bricard/assemble/beam_mesh.h"
#include "bricard/flex/mass_points.h"
#include "bricard/system/assertion.h"

namespace bricard {
namespace {

constexpr int kOfElement = 12;  // unknowns: u, θ of the first node, u, θ of the second
constexpr int kPictures = 4;    // straight lines that show an element
using ElementMatrix = Eigen::Matrix<double, kOfElement, kOfElement>;
using SectionRows = Eigen::Matrix<double, 6, kOfElement>;

/// A straight element; R: its axes in those of the part.
struct RodElement {
  int node = 0;  ///< the first of two
  double length = 0;
  Vector3d start = Vector3d::Zero();
  Matrix3d R = Matrix3d::Identity();
};

/// At a place of an element, in its axes.
struct RodShapes {
  SectionRows motion = SectionRows::Zero();                                                   ///< u, θ
  SectionRows strain = SectionRows::Zero();                                                   ///< Γ, κ
  Eigen::Matrix<double, 2, kOfElement> slope = Eigen::Matrix<double, 2, kOfElement>::Zero();  ///< v′, w′
};

// Bending in one plane with shear,   f = 12 EI/(GA L²), 0 without:
//     v = Σ N_i (v₁, θ₁, v₂, θ₂)_i,   θ = Σ G_i …,   with EI θ‴ = 0 and GA (v′ − θ) = −EI θ″         [Przemieniecki1968]
struct BendingShapes {
  std::array<double, 4> N, dN, G, dG;
};

BendingShapes bending_shapes(double f, double L, double x) {
  const double c = 1 / (1 + f), x2 = x * x, x3 = x2 * x;
  BendingShapes s;
  s.N = {c * (1 + f - f * x - 3 * x2 + 2 * x3), c * L * ((1 + f / 2) * x - (2 + f / 2) * x2 + x3),
         c * (f * x + 3 * x2 - 2 * x3), c * L * (-f / 2 * x - (1 - f / 2) * x2 + x3)};
  s.dN = {c / L * (-f - 6 * x + 6 * x2), c * (1 + f / 2 - (4 + f) * x + 3 * x2), c / L * (f + 6 * x - 6 * x2),
          c * (-f / 2 - (2 - f) * x + 3 * x2)};
  s.G = {c * 6 / L * (x2 - x), c * (1 + f - (4 + f) * x + 3 * x2), -c * 6 / L * (x2 - x), c * (-(2 - f) * x + 3 * x2)};
  s.dG = {c * 6 / (L * L) * (2 * x - 1), c / L * (6 * x - 4 - f), -c * 6 / (L * L) * (2 * x - 1),
          c / L * (6 * x - 2 + f)};
  return s;
}

RodShapes rod_shapes(const Rod& rod, double L, double x) {
  const RodSection& c = rod.section;
  const bool shear = rod.theory == Rod::Theory::timoshenko;
  RodShapes s;
  for (const int i : {0, 3}) {  // along and about x, linearly
    s.motion(i, i) = 1 - x, s.motion(i, i + 6) = x;
    s.strain(i, i) = -1 / L, s.strain(i, i + 6) = 1 / L;
  }
  const BendingShapes y = bending_shapes(shear ? 12 * c.EI_z / (c.GA_y * L * L) : 0, L, x);
  const BendingShapes z = bending_shapes(shear ? 12 * c.EI_y / (c.GA_z * L * L) : 0, L, x);
  constexpr std::array column_y{1, 5, 7, 11}, column_z{2, 4, 8, 10};
  for (size_t i = 0; i < 4; ++i) {
    const int v = column_y[i], w = column_z[i];
    const double sign = i % 2 ? -1 : 1;  // w′ = −θ_y
    s.motion(1, v) = y.N[i], s.motion(5, v) = y.G[i];
    s.motion(2, w) = sign * z.N[i], s.motion(4, w) = -sign * z.G[i];
    s.slope(0, v) = y.dN[i], s.slope(1, w) = sign * z.dN[i];
    s.strain(1, v) = y.dN[i] - y.G[i], s.strain(5, v) = y.dG[i];
    s.strain(2, w) = sign * (z.dN[i] - z.G[i]), s.strain(4, w) = -sign * z.dG[i];
  }
  return s;
}

/// From unknowns in the axes of the part to those of the element.
ElementMatrix to_element(const Matrix3d& R) {
  ElementMatrix T = ElementMatrix::Zero();
  for (int i = 0; i < 4; ++i) T.block<3, 3>(3 * i, 3 * i) = R.transpose();
  return T;
}

void add_block(const RodElement& e, const ElementMatrix& K, std::vector<Eigen::Triplet<double>>& all) {
  for (int i = 0; i < kOfElement; ++i)
    for (int j = 0; j < kOfElement; ++j)
      if (K(i, j) != 0) all.emplace_back(6 * e.node + i, 6 * e.node + j, K(i, j));
}

SparseMatrix sum_of(const std::vector<Eigen::Triplet<double>>& all, int rows, int columns) {
  SparseMatrix K(rows, columns);
  K.setFromTriplets(all.begin(), all.end());
  return K;
}

std::vector<RodElement> elements_of(const Rod& rod) {
  std::vector<RodElement> elements;
  for (size_t corner = 0; corner + 1 < rod.corners.size(); ++corner) {
    const Vector3d from = rod.corners[corner], way = rod.corners[corner + 1] - from;
    RodElement e;
    e.length = way.norm() / rod.elements;
    e.R = rod_axes(rod, corner);
    for (int i = 0; i < rod.elements; ++i) {
      e.node = static_cast<int>(elements.size());
      e.start = from + way * i / rod.elements;
      elements.push_back(e);
    }
  }
  return elements;
}

SparseMatrix rod_stiffness(const Rod& rod, const std::vector<RodElement>& elements, int n) {
  const RodSection& c = rod.section;
  const bool shear = rod.theory == Rod::Theory::timoshenko;
  Vector6d C;
  C << c.EA, shear ? c.GA_y : 0, shear ? c.GA_z : 0, c.GJ, c.EI_y, c.EI_z;
  std::vector<Eigen::Triplet<double>> all;
  for (const RodElement& e : elements) {
    ElementMatrix K = ElementMatrix::Zero();
    for (const double x : {0.5 - std::sqrt(1.0 / 12), 0.5 + std::sqrt(1.0 / 12)}) {  // strains are linear in x
      const SectionRows B = rod_shapes(rod, e.length, x).strain;
      K += 0.5 * e.length * B.transpose() * C.asDiagonal() * B;
    }
    const ElementMatrix T = to_element(e.R);
    add_block(e, T.transpose() * K * T, all);
  }
  return sum_of(all, n, n);
}

void add_rod_mass(const Rod& rod, const std::vector<RodElement>& elements, Structure& structure) {
  const RodSection& c = rod.section;
  MassPoints points(structure.unknowns());
  std::vector<int> columns(kOfElement);
  for (const RodElement& e : elements) {
    for (int i = 0; i < kOfElement; ++i) columns[static_cast<size_t>(i)] = 6 * e.node + i;
    const Vector3d lever = e.R * c.mass_center;
    for (int g = 0; g < 4; ++g) {  // exact: squares of shapes are of the sixth degree
      const double share = kGaussWeights4[g] * e.length;
      const SectionRows in_element = rod_shapes(rod, e.length, kGauss4[g]).motion * to_element(e.R);
      SectionRows motion;
      motion.bottomRows<3>() = e.R * in_element.bottomRows<3>();
      motion.topRows<3>() = e.R * in_element.topRows<3>() - skew(lever) * motion.bottomRows<3>();
      points.add(share * c.mass, share * e.R * c.inertia * e.R.transpose(),
                 e.start + e.R.col(0) * kGauss4[g] * e.length + lever, motion, columns);
    }
  }
  points.finish(structure);
}

/// N of an element is constant, for linear displacements along it.
std::function<SparseMatrix(const VectorXd&)> rod_geometric_stiffness(const Rod& rod,
                                                                     const std::vector<RodElement>& elements, int n) {
  return [rod, elements, n](const VectorXd& u) {
    std::vector<Eigen::Triplet<double>> all;
    for (const RodElement& e : elements) {
      const Vector3d stretch = u.segment<3>(6 * e.node + 6) - u.segment<3>(6 * e.node);
      const double N = rod.section.EA * e.R.col(0).dot(stretch) / e.length;
      ElementMatrix K = ElementMatrix::Zero();
      for (int g = 0; g < 4; ++g) {
        const auto slope = rod_shapes(rod, e.length, kGauss4[g]).slope;
        K += kGaussWeights4[g] * e.length * N * slope.transpose() * slope;
      }
      const ElementMatrix T = to_element(e.R);
      add_block(e, T.transpose() * K * T, all);
    }
    return sum_of(all, n, n);
  };
}

void add_rod_pictures(const Rod& rod, const std::vector<RodElement>& elements, Structure& structure) {
  const int n = static_cast<int>(elements.size()) * kPictures + 1;
  structure.surface_points.resize(3, n);
  std::vector<Eigen::Triplet<double>> all;
  for (int i = 0; i < n; ++i) {
    const RodElement& e = elements[static_cast<size_t>(std::min((i) / kPictures, (n - 2) / kPictures))];
    const double x = static_cast<double>(i - kPictures * e.node) / kPictures;
    structure.surface_points.col(i) = e.start + e.R.col(0) * x * e.length;
    const Eigen::Matrix<double, 3, kOfElement> u =
        e.R * rod_shapes(rod, e.length, x).motion.topRows<3>() * to_element(e.R);
    for (int a = 0; a < 3; ++a)
      for (int j = 0; j < kOfElement; ++j)
        if (u(a, j) != 0) all.emplace_back(3 * i + a, 6 * e.node + j, u(a, j));
    if (i > 0) structure.lines.push_back({i - 1, i});
  }
  structure.surface_displacement = sum_of(all, 3 * n, structure.unknowns());
}

}  // namespace

RodSection RodSection::from(const Matrix6d& stiffness, const Matrix6d& mass) {
  const Vector6d C = stiffness.diagonal();
  RodSection c{C[0], C[1], C[2], C[3], C[4], C[5], mass(0, 0), {}, {}};
  c.mass_center = Vector3d(mass(5, 1), mass(3, 2), mass(4, 0)) / c.mass;
  c.inertia = mass.bottomRightCorner<3, 3>() + c.mass * skew(c.mass_center) * skew(c.mass_center);
  return c;
}

Matrix3d rod_axes(const Rod& rod, size_t corner) {
  const Vector3d x = (rod.corners[corner + 1] - rod.corners[corner]).normalized();
  const bool upright = x.cross(Vector3d::UnitZ()).norm() < 1e-6;
  const Vector3d wish = rod.z_axis.value_or(upright ? Vector3d::UnitY() : Vector3d::UnitZ());
  Matrix3d R;
  R.col(0) = x;
  R.col(2) = (wish - wish.dot(x) * x).normalized();
  R.col(1) = R.col(2).cross(x);
  return R;
}

Structure rod_structure(const Rod& rod) {
  BRICARD_ASSERT(rod.corners.size() >= 2 && rod.elements >= 1);
  const std::vector<RodElement> elements = elements_of(rod);
  Structure structure;
  structure.name = rod.name, structure.source = rod.source;
  structure.turning = true;
  const int nodes = static_cast<int>(elements.size()) + 1;
  structure.nodes.resize(3, nodes);
  for (const RodElement& e : elements) structure.nodes.col(e.node) = e.start;
  structure.nodes.rightCols<1>() = rod.corners.back();
  structure.stiffness = rod_stiffness(rod, elements, 6 * nodes);
  add_rod_mass(rod, elements, structure);
  structure.geometric_stiffness = rod_geometric_stiffness(rod, elements, 6 * nodes);
  add_rod_pictures(rod, elements, structure);
  return structure;
}

}  // namespace bricard
