// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/flex/structure.h"

// What a part is trusted for.                                                     theory: docs/theory/finite_elements.md
namespace bricard {

/// Modes of a reduced part whose interfaces are held, from the motions of the whole part and its shapes together.
struct HeldModes {
  VectorXd frequencies;  ///< rad/s
  Eigen::Matrix<double, Eigen::Dynamic, 6>
      effective;  ///< shares of mass along x, y, z and of inertia about the mass centre
};
HeldModes held_modes(const ReducedPart& part, const std::vector<int>& interfaces);

/// Mass, mass centre and inertia about it.
struct MassSummary {
  double mass = 0;
  Vector3d center = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero();
};
MassSummary mass_summary(const ReducedPart& part);
/// The same from RᵀM R of the matrices.
MassSummary mass_summary(const Structure& structure);

/// |K R| beside |K||R| of the motions R of the whole structure, at most: 0 but for round-off.
double strain_of_motion(const Structure& structure);
/// The largest entry of ∫ φ dm and ∫ x × φ dm of all shapes beside √(m r²): 0 in mean axes.
double momentum_of_shapes(const ReducedPart& part);

}  // namespace bricard
