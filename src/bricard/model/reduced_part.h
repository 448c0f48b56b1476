// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bricard/math/rotation.h"

// A flexible part as a mechanism knows it: a frame B that moves, and a few shapes that deform it.
//                                                                             theory: docs/theory/modal_bodies.md
//     a point at x of the part is at      p_B + R_B (x + φ(x) η),      φ = [φ₁ … φ_r],  η: modal coordinates, r of them
//     axes that sit there have turned by  R_B Exp(ψ(x) η)
// Points are those of the undeformed part in the axes of B. Where shapes come from (rods, beams, finite elements) does
// not matter to what is made of them.
namespace bricard {

/// ∫ over the mass of the part: all that the kinetic energy of the reduced part needs, without approximation.
struct PartInertia {
  double mass = 0;
  Vector3d first = Vector3d::Zero();   ///< ∫ x dm
  Matrix3d second = Matrix3d::Zero();  ///< ∫ x xᵀ dm
  Eigen::Matrix3Xd shapes;             ///< ∫ φ dm, 3×r
  /// ∫ x_a φ_b dm, one row of r shapes for each (a, b), in the row 3 a + b: 9×r.
  Eigen::Matrix<double, 9, Eigen::Dynamic> points_shapes;
  /// ∫ φ_aᵀ φ_b dm for a ≤ b in the order xx, xy, xz, yy, yz, zz, each r×r; (b, a) is the transpose.
  std::array<Eigen::MatrixXd, 6> shapes_shapes;
};

/// A place of the part that markers sit on.
struct PartInterface {
  std::string name;
  Vector3d position = Vector3d::Zero();
  Matrix3d axes = Matrix3d::Identity();
  Eigen::Matrix3Xd translation;  ///< φ there, 3×r
  Eigen::Matrix3Xd rotation;     ///< ψ there, 3×r
  /// χ there, one r×r symmetric matrix for each direction: it is at x + φ η + ½ ηᵀχ η. Empty if that is not known.
  std::array<Eigen::MatrixXd, 3> shortening;
};

/// What pictures and stress results show. Displacement of point i is rows 3 i … 3 i + 2 of `shapes`.
struct PartSurface {
  Eigen::Matrix3Xd points;                    ///< undeformed
  std::vector<std::array<int, 3>> triangles;  ///< outward normals, counter-clockwise
  std::vector<std::array<int, 2>> lines;      ///< of rods and beams
  Eigen::MatrixXf shapes;                     ///< 3·points × r
  /// Stress of each shape, xx, yy, zz, xy, yz, zx: 6·points × r; empty if it is not known. Stress is linear in η.
  Eigen::MatrixXf stresses;
};

/// What points move besides, in second order: shortening under bending, s = x + φ η + ½ ηᵀχ η. Of χ only the integrals with
/// the undeformed part matter, each r×r and symmetric:
///     X_ab = ∫ x_b χ_a dm  in the place 3 a + b,      Y_a = ∫ χ_a dm
/// By virtual work they are what stresses do to the stiffness: under the accelerations E x + a of the points of the part,
/// which is held at its frame, it becomes K + Σ E_ab X_ab + Σ a_a Y_a.
struct PartStiffening {
  std::array<Eigen::MatrixXd, 9> X;
  std::array<Eigen::MatrixXd, 3> Y;
};

struct ReducedPart {
  std::string name, source;         ///< source: what it was made from, in words
  std::vector<double> frequencies;  ///< rad/s, of the part alone in its shapes
  PartInertia inertia;
  Eigen::MatrixXd stiffness;  ///< r×r, symmetric
  Eigen::MatrixXd damping;    ///< r×r, or empty
  std::optional<PartStiffening> stiffening;
  std::vector<PartInterface> interfaces;
  PartSurface surface;

  int shapes() const { return static_cast<int>(stiffness.rows()); }
};

}  // namespace bricard
