// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/solid_elements.h"

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

constexpr std::array<SolidKind, 9> kKinds = {{{"C3D4", SolidShape::tet4, 4},
                                              {"C3D6", SolidShape::wedge6, 6},
                                              {"C3D8", SolidShape::hex8, 8},
                                              {"C3D8R", SolidShape::hex8, 8},
                                              {"C3D8I", SolidShape::hex8, 8, true},
                                              {"C3D10", SolidShape::tet10, 10},
                                              {"C3D15", SolidShape::wedge15, 15},
                                              {"C3D20", SolidShape::hex20, 20},
                                              {"C3D20R", SolidShape::hex20, 20}}};

/// A value and its derivatives by ξ.
struct Jet {
  double value = 0;
  Vector3d slope = Vector3d::Zero();
};
Jet operator+(const Jet& a, const Jet& b) { return {a.value + b.value, a.slope + b.slope}; }
Jet operator-(const Jet& a, const Jet& b) { return {a.value - b.value, a.slope - b.slope}; }
Jet operator*(const Jet& a, const Jet& b) { return {a.value * b.value, a.value * b.slope + b.value * a.slope}; }
Jet operator*(double a, const Jet& b) { return {a * b.value, a * b.slope}; }
Jet operator+(double a, const Jet& b) { return {a + b.value, b.slope}; }
Jet operator-(double a, const Jet& b) { return {a - b.value, -b.slope}; }

using Edges = std::vector<std::array<int, 2>>;

/// Nodes between corners follow the corners, in this order.
const Edges kTetEdges = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
const Edges kWedgeEdges = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
const Edges kHexEdges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                         {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

enum class Family { tet, wedge, hex };
Family family_of(SolidShape shape) {
  if (shape == SolidShape::tet4 || shape == SolidShape::tet10) return Family::tet;
  return shape == SolidShape::wedge6 || shape == SolidShape::wedge15 ? Family::wedge : Family::hex;
}
bool is_quadratic(SolidShape shape) {
  return shape == SolidShape::tet10 || shape == SolidShape::wedge15 || shape == SolidShape::hex20;
}
const Edges& edges_of(Family family) {
  return family == Family::tet ? kTetEdges : family == Family::wedge ? kWedgeEdges : kHexEdges;
}

Eigen::Matrix3Xd corners_of(Family family) {
  Eigen::Matrix3Xd corners;
  if (family == Family::tet) {
    corners.resize(3, 4);
    corners << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;
  } else if (family == Family::wedge) {
    corners.resize(3, 6);
    corners << 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, -1, -1, -1, 1, 1, 1;
  } else {
    corners.resize(3, 8);
    corners << -1, 1, 1, -1, -1, 1, 1, -1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1, -1, -1, 1, 1, 1, 1;
  }
  return corners;
}

/// N of tetrahedra: L_i, or L_i (2 L_i − 1) and 4 L_i L_j.
void tet_shapes(bool quadratic, const std::array<Jet, 4>& L, std::vector<Jet>& N) {
  for (const Jet& corner : L) N.push_back(quadratic ? corner * (2 * corner - Jet{1, Vector3d::Zero()}) : corner);
  if (!quadratic) return;
  for (const auto& [i, j] : kTetEdges) N.push_back(4 * (L[i] * L[j]));
}

/// N of wedges: ½ L_i (1 ± ζ); quadratic: ½ L_i (1 ± ζ) (2 L_i − 1 − (1 ∓ ζ)), 2 L_i L_j (1 ± ζ), L_i (1 − ζ²).
void wedge_shapes(bool quadratic, const std::array<Jet, 3>& L, const Jet& zeta, std::vector<Jet>& N) {
  for (const double side : {-1.0, 1.0})
    for (const Jet& corner : L) {
      const Jet linear = 0.5 * (corner * (1 + side * zeta));
      N.push_back(quadratic ? linear * (2 * corner + side * zeta - Jet{2, Vector3d::Zero()}) : linear);
    }
  if (!quadratic) return;
  for (const double side : {-1.0, 1.0})
    for (int i = 0; i < 3; ++i) N.push_back(2 * (L[i] * L[(i + 1) % 3] * (1 + side * zeta)));
  for (const Jet& corner : L) N.push_back(corner * (1 - zeta * zeta));
}

/// N of hexahedra at node (a, b, c): ⅛ (1 + aξ)(1 + bη)(1 + cζ); quadratic: that times aξ + bη + cζ − 2, and
/// ¼ (1 − ξ²)(1 + bη)(1 + cζ) of a node with a = 0.
void hex_shapes(bool quadratic, const std::array<Jet, 3>& xi, std::vector<Jet>& N) {
  const Eigen::Matrix3Xd nodes = node_places(quadratic ? SolidShape::hex20 : SolidShape::hex8);
  for (int i = 0; i < nodes.cols(); ++i) {
    Jet product{0.125, Vector3d::Zero()}, sum{-2, Vector3d::Zero()};
    for (int a = 0; a < 3; ++a) {
      const double at = nodes(a, i);
      product = at == 0 ? 2 * (product * (1 - xi[a] * xi[a])) : product * (1 + at * xi[a]);
      sum = sum + at * xi[a];
    }
    N.push_back(quadratic && i < 8 ? product * sum : product);
  }
}

std::vector<SolidPoint> points_of(SolidShape shape) {
  std::vector<SolidPoint> points;
  const double g = 1 / std::sqrt(3.0);
  switch (family_of(shape)) {
    case Family::tet:
      if (shape == SolidShape::tet4) return {{Vector3d::Constant(0.25), 1.0 / 6}};
      for (int i = 0; i < 4; ++i) {
        const double b = (5 - std::sqrt(5.0)) / 20;
        Vector3d place = Vector3d::Constant(b);
        if (i < 3) place[i] = 1 - 3 * b;
        points.push_back({place, 1.0 / 24});
      }
      break;
    case Family::wedge:
      for (const double zeta : {-g, g})
        for (int i = 0; i < 3; ++i) {
          Vector3d place(1.0 / 6, 1.0 / 6, zeta);
          if (i < 2) place[i] = 2.0 / 3;
          points.push_back({place, 1.0 / 6});
        }
      break;
    case Family::hex:
      for (const double x : {-g, g})
        for (const double y : {-g, g})
          for (const double z : {-g, g}) points.push_back({{x, y, z}, 1});
      break;
  }
  return points;
}

/// Polynomials with as many coefficients as there are points.
Eigen::RowVectorXd polynomial(SolidShape shape, const Vector3d& p) {
  const double x = p[0], y = p[1], z = p[2];
  Eigen::RowVectorXd terms;
  if (shape == SolidShape::tet4) terms = Eigen::RowVectorXd::Ones(1);
  else if (shape == SolidShape::tet10) terms = Eigen::RowVector4d(1, x, y, z);
  else if (family_of(shape) == Family::wedge) terms = (Eigen::RowVectorXd(6) << 1, x, y, z, x * z, y * z).finished();
  else terms = (Eigen::RowVectorXd(8) << 1, x, y, z, x * y, y * z, z * x, x * y * z).finished();
  return terms;
}

std::vector<std::vector<int>> faces_of(SolidShape shape) {
  static const std::vector<std::vector<int>> kTet = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  static const std::vector<std::vector<int>> kWedge = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
  static const std::vector<std::vector<int>> kHex = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                                     {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  const Family family = family_of(shape);
  std::vector<std::vector<int>> faces = family == Family::tet ? kTet : family == Family::wedge ? kWedge : kHex;
  if (!is_quadratic(shape)) return faces;
  const Edges& edges = edges_of(family);
  const int corners = static_cast<int>(corners_of(family).cols());
  for (auto& face : faces) {
    const std::size_t n = face.size();
    for (std::size_t i = 0; i < n; ++i) {
      const int a = face[i], b = face[(i + 1) % n];
      const auto edge = std::find_if(edges.begin(), edges.end(), [&](const auto& e) {
        return (e[0] == a && e[1] == b) || (e[0] == b && e[1] == a);
      });
      face.push_back(corners + static_cast<int>(edge - edges.begin()));
    }
  }
  return faces;
}

SolidForm make_form(SolidShape shape) {
  SolidForm form{points_of(shape), {}, {}, {}, faces_of(shape)};
  const Eigen::Matrix3Xd nodes = node_places(shape);
  const auto count = static_cast<Eigen::Index>(form.points.size());
  Eigen::MatrixXd at_points(count, count), at_nodes(nodes.cols(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const SolidShapes shapes = shapes_at(shape, form.points[i].place);
    form.values.push_back(shapes.values);
    form.derivatives.push_back(shapes.derivatives);
    at_points.row(i) = polynomial(shape, form.points[i].place);
  }
  for (Eigen::Index i = 0; i < nodes.cols(); ++i) at_nodes.row(i) = polynomial(shape, nodes.col(i));
  form.to_nodes = at_nodes * at_points.inverse();
  return form;
}

}  // namespace

const SolidKind* solid_kind(std::string_view name) {
  const auto found =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const SolidKind& kind) { return kind.name == name; });
  return found == kKinds.end() ? nullptr : &*found;
}

std::vector<std::string_view> solid_kind_names() {
  std::vector<std::string_view> names;
  for (const SolidKind& kind : kKinds) names.push_back(kind.name);
  return names;
}

Eigen::Matrix3Xd node_places(SolidShape shape) {
  const Family family = family_of(shape);
  Eigen::Matrix3Xd places = corners_of(family);
  if (!is_quadratic(shape)) return places;
  const Edges& edges = edges_of(family);
  const Eigen::Index corners = places.cols();
  places.conservativeResize(3, corners + static_cast<Eigen::Index>(edges.size()));
  for (std::size_t i = 0; i < edges.size(); ++i)
    places.col(corners + static_cast<Eigen::Index>(i)) = (places.col(edges[i][0]) + places.col(edges[i][1])) / 2;
  return places;
}

SolidShapes shapes_at(SolidShape shape, const Vector3d& place) {
  std::array<Jet, 3> xi;
  for (int a = 0; a < 3; ++a) xi[a] = {place[a], Vector3d::Unit(a)};
  const bool quadratic = is_quadratic(shape);
  std::vector<Jet> N;
  switch (family_of(shape)) {
    case Family::tet: tet_shapes(quadratic, {1 - (xi[0] + xi[1] + xi[2]), xi[0], xi[1], xi[2]}, N); break;
    case Family::wedge: wedge_shapes(quadratic, {1 - (xi[0] + xi[1]), xi[0], xi[1]}, xi[2], N); break;
    case Family::hex: hex_shapes(quadratic, xi, N); break;
  }
  const auto count = static_cast<Eigen::Index>(N.size());
  SolidShapes shapes{Eigen::VectorXd(count), Eigen::MatrixX3d(count, 3)};
  for (Eigen::Index i = 0; i < count; ++i) {
    shapes.values[i] = N[i].value;
    shapes.derivatives.row(i) = N[i].slope;
  }
  return shapes;
}

const SolidForm& form_of(SolidShape shape) {
  static const std::array<SolidForm, 6> forms = {make_form(SolidShape::tet4),   make_form(SolidShape::tet10),
                                                 make_form(SolidShape::wedge6), make_form(SolidShape::wedge15),
                                                 make_form(SolidShape::hex8),   make_form(SolidShape::hex20)};
  return forms[static_cast<std::size_t>(shape)];
}

}  // namespace bricard
