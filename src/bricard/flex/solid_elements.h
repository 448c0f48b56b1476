// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "bricard/math/rotation.h"

// Shapes of solid finite elements, with nodes in the order of CalculiX.         theory: docs/theory/finite_elements.md
//     x = Σ N_i(ξ) x_i,    ∂N/∂x = ∂N/∂ξ (∂x/∂ξ)⁻¹
// Tetrahedra and wedges have their triangle in ξ ≥ 0, η ≥ 0, ξ + η ≤ 1; everything else runs from −1 to 1.
namespace bricard {

enum class SolidShape { tet4, tet10, wedge6, wedge15, hex8, hex20 };

struct SolidKind {
  std::string_view name;  ///< as CalculiX calls it
  SolidShape shape;
  int nodes;
  bool own_strains = false;  ///< strains besides those of its nodes' displacements
};

/// Those there are; null for others.
const SolidKind* solid_kind(std::string_view name);
std::vector<std::string_view> solid_kind_names();

struct SolidPoint {
  Vector3d place;     ///< ξ
  double weight = 0;  ///< of integrals over ξ
};

/// What is known of a shape, once for all elements.
struct SolidForm {
  std::vector<SolidPoint> points;             ///< of integration, where stresses are best
  std::vector<Eigen::VectorXd> values;        ///< N at the points
  std::vector<Eigen::MatrixX3d> derivatives;  ///< ∂N/∂ξ at the points
  Eigen::MatrixXd to_nodes;             ///< values at nodes from values at the points, by the polynomial through these
  std::vector<std::vector<int>> faces;  ///< corners, then nodes between them; counter-clockwise from outside
};
const SolidForm& form_of(SolidShape shape);

/// N and ∂N/∂ξ, one row per node.
struct SolidShapes {
  Eigen::VectorXd values;
  Eigen::MatrixX3d derivatives;
};
SolidShapes shapes_at(SolidShape shape, const Vector3d& place);

/// ξ of the nodes, one per column.
Eigen::Matrix3Xd node_places(SolidShape shape);

}  // namespace bricard
