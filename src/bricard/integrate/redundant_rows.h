// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/solve/newton_system.h"

// Corrections of a step whose constraints depend on each other.                                theory: docs/theory/radau.md
namespace bricard {

/// That of the matrix of a step. Even: with −E in the place of the whole zero block, as `solve_redundant` wants it. Below its
/// ε, round-off times 1/ε disturbs λ; above, singular positions are soft from farther away.
inline Regularization step_regularization(bool even, const Tolerances& t) {
  return even ? Regularization{t.even_epsilon, true} : Regularization{t.position_epsilon, false};
}

// G(q) has dependent rows only where g = 0, and then only G itself: g of an iterate has a part of second order that no
// dz reaches. It would change λ by 1/ε of itself, without any force there, and by large ones where the next iterate is.
//     P (z₁, μ₁) = (r, g),   P (z₂, μ₂) = (0, −E μ₁)         −E μ₁: what the first solution leaves of g
//     z = z₁ + z₂,   μ = μ₁ − μ₂
// Both solutions have that part alike, so that it vanishes from μ; of all others, μ₂ is ε/(ε + eigenvalue) of μ₁.
/// x ← matrix⁻¹ x; `again` is scratch of the same size.
inline void solve_redundant(NewtonSystem& newton, VectorXd& x, VectorXd& again) {
  const Eigen::Index m = newton.softness().size(), n = x.size() - m;
  newton.solve(x);
  again.head(n).setZero();
  again.tail(m) = -newton.softness().cwiseProduct(x.tail(m));
  newton.solve(again);
  x.head(n) += again.head(n);
  x.tail(m) -= again.tail(m);
}

}  // namespace bricard
