// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bricard/flex/solid_elements.h"
#include "bricard/flex/structure.h"

// A mesh of solid elements, and what follows from it besides K and M.            theory: docs/theory/finite_elements.md
namespace bricard {

struct SolidMaterial {
  std::string name;
  double youngs_modulus = 0, poisson = 0, density = 0;
};

struct SolidElement {
  const SolidKind* kind = nullptr;
  int number = 0;          ///< in the file
  int material = -1;       ///< index
  std::vector<int> nodes;  ///< indices
};

struct SolidMesh {
  Eigen::Matrix3Xd nodes;
  std::vector<int> numbers;  ///< of the nodes in the file
  std::vector<SolidElement> elements;
  std::vector<SolidMaterial> materials;
  std::map<std::string, std::vector<int>> node_sets;  ///< indices
};

/// The surface; stresses there and geometric stiffness if all elements' strains are those of their nodes.
void add_surface(const SolidMesh& mesh, Structure& structure);

/// Stresses at the points of integration of all elements under displacements u: xx, yy, zz, xy, yz, zx in columns.
Eigen::Matrix<double, 6, Eigen::Dynamic> stresses_at_points(const SolidMesh& mesh, const VectorXd& u);

/// K_g = ∫ ∂Nᵀ/∂x σ ∂N/∂x dV ⊗ 1₃
SparseMatrix geometric_stiffness(const SolidMesh& mesh, const VectorXd& u);

/// Σ weights det(∂x/∂ξ) of an element.
double volume_of(const SolidMesh& mesh, const SolidElement& element);

}  // namespace bricard
