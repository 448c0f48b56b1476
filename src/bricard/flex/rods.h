// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "bricard/flex/structure.h"
#include "bricard/model/beam.h"

// Straight rods with a constant section, or several of them in a row.                    theory: docs/theory/flexible_parts.md
//     u, θ of a section = shapes that are exact under forces at the ends of an element × u, θ of its two nodes
//     K = ∫ Bᵀ C B dx,    M = Σ over slices at Gauss' points,    K_g = ∫ N (v′ᵀv′ + w′ᵀw′) dx
namespace bricard {

/// Stiffness and mass of a section, in its axes, whose x runs along the rod.
struct RodSection {
  double EA = 0, GA_y = 0, GA_z = 0;  ///< GA with the shear factor; of no matter without shear
  double GJ = 0, EI_y = 0, EI_z = 0;
  double mass = 0;                          ///< per length
  Matrix3d inertia = Matrix3d::Zero();      ///< per length, about the mass centre, which is on the rod
  Vector3d mass_center = Vector3d::Zero();  ///< beside it

  /// From the 6×6 matrices of a section of a beam (assemble/beam_sections.h); couplings of the stiffness are not taken.
  static RodSection from(const Matrix6d& stiffness, const Matrix6d& mass);
};

struct Rod {
  enum class Theory { euler_bernoulli, timoshenko };
  std::string name, source;
  std::vector<Vector3d> corners;   ///< from start to end, two at least; markers inside are corners, too
  std::optional<Vector3d> z_axis;  ///< what z of sections is nearest to; [0, 0, 1], of rods along it [0, 1, 0]
  RodSection section;
  Theory theory = Theory::timoshenko;
  int elements = 8;  ///< from corner to corner

  /// The node at a corner.
  int node(int corner) const { return corner * elements; }
};

/// Axes of the section after a corner, x along the rod, in those of the part.
Matrix3d rod_axes(const Rod& rod, size_t corner);

Structure rod_structure(const Rod& rod);

}  // namespace bricard
