// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/solid_mesh.h"

#include <algorithm>
#include <array>
#include <memory>

namespace bricard {
namespace {

using Stress = Eigen::Matrix<double, 6, 1>;
using Triplets = std::vector<Eigen::Triplet<double>>;

/// ∂N/∂x, one row per node, and det(∂x/∂ξ) at a point of integration.
struct Gradient {
  Eigen::MatrixX3d N_x;
  double det = 0;
};

Gradient gradient_at(const SolidMesh& mesh, const SolidElement& element, std::size_t point) {
  const Eigen::MatrixX3d& N_xi = form_of(element.kind->shape).derivatives[point];
  Matrix3d x_xi = Matrix3d::Zero();
  for (std::size_t i = 0; i < element.nodes.size(); ++i)
    x_xi += mesh.nodes.col(element.nodes[i]) * N_xi.row(static_cast<Eigen::Index>(i));
  return {N_xi * x_xi.inverse(), x_xi.determinant()};
}

/// σ = C ε, ε with full shear angles: xx, yy, zz, xy, yz, zx.
Eigen::Matrix<double, 6, 6> elasticity(const SolidMaterial& material) {
  const double shear = material.youngs_modulus / (2 * (1 + material.poisson));
  const double lambda = 2 * shear * material.poisson / (1 - 2 * material.poisson);
  Eigen::Matrix<double, 6, 6> C = Eigen::Matrix<double, 6, 6>::Zero();
  C.topLeftCorner<3, 3>().setConstant(lambda);
  for (int i = 0; i < 3; ++i) C(i, i) += 2 * shear, C(3 + i, 3 + i) = shear;
  return C;
}

/// ε = Σ B_i u_i
Eigen::Matrix<double, 6, 3> strain_of_node(const Eigen::RowVector3d& slope) {
  Eigen::Matrix<double, 6, 3> B = Eigen::Matrix<double, 6, 3>::Zero();
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3;
    B(a, a) = slope[a];
    B(3 + a, a) = slope[b];
    B(3 + a, b) = slope[a];
  }
  return B;
}

/// Faces that belong to one element only, as indices of nodes.
std::vector<std::vector<int>> outer_faces(const SolidMesh& mesh) {
  struct Face {
    std::array<int, 4> corners;  ///< sorted
    int element, face;
    bool operator<(const Face& other) const { return corners < other.corners; }
  };
  std::vector<Face> faces;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const auto& of_shape = form_of(mesh.elements[e].kind->shape).faces;
    for (std::size_t f = 0; f < of_shape.size(); ++f) {
      const bool triangle = of_shape[f].size() % 3 == 0;
      Face face{{-1, -1, -1, -1}, static_cast<int>(e), static_cast<int>(f)};
      for (int i = 0; i < (triangle ? 3 : 4); ++i) face.corners[i] = mesh.elements[e].nodes[of_shape[f][i]];
      std::sort(face.corners.begin(), face.corners.end());
      faces.push_back(face);
    }
  }
  std::stable_sort(faces.begin(), faces.end());
  std::vector<const Face*> single;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i + 1;
    while (end < faces.size() && faces[end].corners == faces[i].corners) ++end;
    if (end == i + 1) single.push_back(&faces[i]);
    i = end;
  }
  std::sort(single.begin(), single.end(), [](const Face* a, const Face* b) {
    return std::pair(a->element, a->face) < std::pair(b->element, b->face);
  });
  std::vector<std::vector<int>> outer;
  for (const Face* face : single) {
    const SolidElement& element = mesh.elements[face->element];
    std::vector<int> nodes;
    for (const int i : form_of(element.kind->shape).faces[face->face]) nodes.push_back(element.nodes[i]);
    outer.push_back(std::move(nodes));
  }
  return outer;
}

/// Triangles of a face; nodes between corners are corners of some.
std::vector<std::array<int, 3>> triangles_of(const std::vector<int>& f) {
  switch (f.size()) {
    case 3: return {{f[0], f[1], f[2]}};
    case 4: return {{f[0], f[1], f[2]}, {f[0], f[2], f[3]}};
    case 6: return {{f[0], f[3], f[5]}, {f[3], f[1], f[4]}, {f[5], f[4], f[2]}, {f[3], f[4], f[5]}};
    default:
      return {{f[0], f[4], f[7]}, {f[4], f[1], f[5]}, {f[5], f[2], f[6]},
              {f[6], f[3], f[7]}, {f[4], f[5], f[6]}, {f[4], f[6], f[7]}};
  }
}

/// Stress at the nodes of the surface: means over their elements of what the points of integration say.
SparseMatrix surface_stress(const SolidMesh& mesh, const std::vector<int>& place, int points) {
  std::vector<int> elements_at(mesh.nodes.cols(), 0);
  for (const SolidElement& element : mesh.elements)
    for (const int node : element.nodes) ++elements_at[node];
  Triplets entries;
  for (const SolidElement& element : mesh.elements) {
    const auto on_surface = [&](int node) { return place[node] >= 0; };
    if (std::none_of(element.nodes.begin(), element.nodes.end(), on_surface)) continue;
    const SolidForm& form = form_of(element.kind->shape);
    const Eigen::Matrix<double, 6, 6> C = elasticity(mesh.materials[element.material]);
    const auto n = static_cast<Eigen::Index>(element.nodes.size());
    std::vector<Eigen::MatrixXd> at_points;  // σ from the displacements of the nodes
    for (std::size_t p = 0; p < form.points.size(); ++p) {
      const Gradient gradient = gradient_at(mesh, element, p);
      Eigen::MatrixXd S(6, 3 * n);
      for (Eigen::Index i = 0; i < n; ++i) S.middleCols<3>(3 * i) = C * strain_of_node(gradient.N_x.row(i));
      at_points.push_back(std::move(S));
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      const int node = element.nodes[i];
      if (place[node] < 0) continue;
      Eigen::MatrixXd S = Eigen::MatrixXd::Zero(6, 3 * n);
      for (std::size_t p = 0; p < at_points.size(); ++p)
        S += form.to_nodes(i, static_cast<Eigen::Index>(p)) / elements_at[node] * at_points[p];
      for (Eigen::Index j = 0; j < 3 * n; ++j)
        for (int a = 0; a < 6; ++a)
          if (S(a, j) != 0) entries.emplace_back(6 * place[node] + a, 3 * element.nodes[j / 3] + j % 3, S(a, j));
    }
  }
  SparseMatrix stress(6 * points, 3 * mesh.nodes.cols());
  stress.setFromTriplets(entries.begin(), entries.end());
  return stress;
}

}  // namespace

double volume_of(const SolidMesh& mesh, const SolidElement& element) {
  const SolidForm& form = form_of(element.kind->shape);
  double volume = 0;
  for (std::size_t p = 0; p < form.points.size(); ++p)
    volume += form.points[p].weight * gradient_at(mesh, element, p).det;
  return volume;
}

Eigen::Matrix<double, 6, Eigen::Dynamic> stresses_at_points(const SolidMesh& mesh, const VectorXd& u) {
  std::vector<Stress> stresses;
  for (const SolidElement& element : mesh.elements) {
    const Eigen::Matrix<double, 6, 6> C = elasticity(mesh.materials[element.material]);
    for (std::size_t p = 0; p < form_of(element.kind->shape).points.size(); ++p) {
      const Gradient gradient = gradient_at(mesh, element, p);
      Stress strain = Stress::Zero();
      for (std::size_t i = 0; i < element.nodes.size(); ++i)
        strain += strain_of_node(gradient.N_x.row(static_cast<Eigen::Index>(i))) * u.segment<3>(3 * element.nodes[i]);
      stresses.push_back(C * strain);
    }
  }
  Eigen::Matrix<double, 6, Eigen::Dynamic> all(6, stresses.size());
  for (std::size_t i = 0; i < stresses.size(); ++i) all.col(static_cast<Eigen::Index>(i)) = stresses[i];
  return all;
}

SparseMatrix geometric_stiffness(const SolidMesh& mesh, const VectorXd& u) {
  const Eigen::Matrix<double, 6, Eigen::Dynamic> stresses = stresses_at_points(mesh, u);
  Triplets entries;
  Eigen::Index at = 0;
  for (const SolidElement& element : mesh.elements) {
    const SolidForm& form = form_of(element.kind->shape);
    const auto n = static_cast<Eigen::Index>(element.nodes.size());
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
    for (std::size_t p = 0; p < form.points.size(); ++p, ++at) {
      const Gradient gradient = gradient_at(mesh, element, p);
      const Stress s = stresses.col(at);
      Matrix3d sigma;
      sigma << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
      K += form.points[p].weight * gradient.det * gradient.N_x * sigma * gradient.N_x.transpose();
    }
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        for (int a = 0; a < 3; ++a) entries.emplace_back(3 * element.nodes[i] + a, 3 * element.nodes[j] + a, K(i, j));
  }
  SparseMatrix K_g(3 * mesh.nodes.cols(), 3 * mesh.nodes.cols());
  K_g.setFromTriplets(entries.begin(), entries.end());
  return K_g;
}

void add_surface(const SolidMesh& mesh, Structure& structure) {
  std::vector<int> place(mesh.nodes.cols(), -1), nodes;
  for (const std::vector<int>& face : outer_faces(mesh))
    for (std::array<int, 3> triangle : triangles_of(face)) {
      for (int& corner : triangle) {
        if (place[corner] < 0) place[corner] = static_cast<int>(nodes.size()), nodes.push_back(corner);
        corner = place[corner];
      }
      structure.triangles.push_back(triangle);
    }
  const int count = static_cast<int>(nodes.size());
  structure.surface_points.resize(3, count);
  Triplets entries;
  for (int i = 0; i < count; ++i) {
    structure.surface_points.col(i) = mesh.nodes.col(nodes[i]);
    for (int a = 0; a < 3; ++a) entries.emplace_back(3 * i + a, 3 * nodes[i] + a, 1.0);
  }
  structure.surface_displacement.resize(3 * count, structure.unknowns());
  structure.surface_displacement.setFromTriplets(entries.begin(), entries.end());
  const auto has_own = [](const SolidElement& element) { return element.kind->own_strains; };
  if (std::any_of(mesh.elements.begin(), mesh.elements.end(), has_own)) return;
  structure.surface_stress = surface_stress(mesh, place, count);
  structure.geometric_stiffness = [kept = std::make_shared<SolidMesh>(mesh)](const VectorXd& u) {
    return geometric_stiffness(*kept, u);
  };
}

}  // namespace bricard
