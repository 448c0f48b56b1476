// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/flex/structure.h"

// Mass of pieces that move as rigid bodies (slices of rods, nodes of beams) as points.    theory: docs/theory/flexible_parts.md
//     S = ∫ x xᵀ dm = ½ tr(J) 1 − J = Σ λ nnᵀ        a point of mass λ/2h² at ±h n for each λ ≠ 0, what is left of m in the middle
//     D u = u + θ × l,    l = ±h n;    a force f on it has the stiffness −∂²(f · ½ θ × (θ × l))/∂θ² = f·l 1 − ½ (f lᵀ + l fᵀ)
// m, the first moment and J are met exactly. λ is negative along x if J_x > J_y + J_z, as of a rod whose bending has no inertia.
namespace bricard {

class MassPoints {
 public:
  explicit MassPoints(int unknowns) : unknowns_(unknowns) {}

  /// `inertia` about the position, which is the mass centre, in the axes of the part. `motion`: displacement and rotation
  /// vector of the piece, 6 × as many as `columns`, the unknowns it depends on.
  void add(double mass, const Matrix3d& inertia, const Vector3d& position, const Eigen::MatrixXd& motion,
           const std::vector<int>& columns);
  /// Points, weights, displacement and lever stiffness of the structure.
  void finish(Structure& structure) const;

 private:
  void add_point(double weight, const Vector3d& position, const Vector3d& lever, const Eigen::MatrixXd& motion,
                 const std::vector<int>& columns);
  int unknowns_;
  std::vector<Vector3d> positions_;
  std::vector<double> weights_;
  std::vector<Vector3d> levers_;
  std::vector<Eigen::Triplet<double>> displacement_, turns_;
};

}  // namespace bricard
