// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "bricard/flex/attached.h"
#include "bricard/flex/sparse_cholesky.h"

// What stresses do to the stiffness of a part, by virtual work.                          theory: docs/theory/flexible_parts.md
//     forces f, held in equilibrium where shapes are zero  →  u₀ = K⁻¹f  →  Φᵀ (K_g(u₀) + K_l(f)) Φ
// f = −(E x + a) dm gives X and Y; a force at an interface gives −χ there.
namespace bricard {

class StressStiffness {
 public:
  /// `held`: rows of what is zero in all shapes, 6×n̂; reactions act there, in mean axes on the mass. `shapes` in û, n̂×r. The
  /// structure knows its geometric stiffness. All must live as long as this.
  StressStiffness(const Structure& structure, const AttachedUnknowns& attached, const SparseMatrix& K,
                  const Eigen::MatrixXd& held, bool mean_axes, const Eigen::MatrixXd& shapes);

  PartStiffening of_accelerations() const;
  /// χ_x, χ_y, χ_z there.
  std::array<Eigen::MatrixXd, 3> shortening(int interface) const;

 private:
  /// ΔK, r×r, of forces on û and on the points.
  Eigen::MatrixXd of(const VectorXd& on_unknowns, Eigen::Matrix3Xd on_points) const;

  const Structure& structure_;
  const AttachedUnknowns& attached_;
  const Eigen::MatrixXd& held_;
  bool mean_axes_;
  Eigen::MatrixXd shapes_;  ///< in u
  Eigen::FullPivLU<Eigen::MatrixXd> reactions_;
  std::vector<int> free_;  ///< unknowns without six that a motion of the whole part moves independently
  std::unique_ptr<SparseCholesky> solver_;
};

}  // namespace bricard
