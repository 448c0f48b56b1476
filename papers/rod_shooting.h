// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "bricard/system/state.h"

// Statics of a clamped rod as a boundary value problem, solved by shooting: knows nothing of elements.
//     r′ = R Γ,   R′ = R κ̃,   m′ = −r′ × n,   n = n_L + ∫ₛᴸ q,     (Γ, κ) = (Γ₀, κ₀) + C⁻¹ (Rᵀn, Rᵀm)
namespace bricard::rod_shooting {

struct ClampedRod {
  using Matrix6d = Eigen::Matrix<double, 6, 6>;
  double length = 1;
  std::function<Vector6d(double)> unstrained;                    ///< (Γ₀, κ₀) at s
  std::function<Matrix6d(double)> flexibility;                   ///< C⁻¹ at s
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();  ///< dead loads at the end, ground axes
  Vector3d load = Vector3d::Zero();                              ///< dead, per unit of length
};

struct RodEnd {
  Vector3d p;
  Matrix3d R;
  Vector3d root_moment;
};

/// Loads are applied in `load_steps` equal parts. Throws std::runtime_error if a part of them has no solution near the one before.
RodEnd shoot(const ClampedRod& rod, int steps, int load_steps = 1);

}  // namespace bricard::rod_shooting
