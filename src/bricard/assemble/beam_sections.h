// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/model/beam.h"

// Stiffness and mass of cross-sections.                                                   theory: docs/theory/beams.md
namespace bricard {

/// Area, second moments about y and z, Saint-Venant's torsion constant, shear factors.
struct SectionConstants {
  double A = 0, Iy = 0, Iz = 0, J = 0, shear_y = 0, shear_z = 0;
};

/// `poissons_ratio` is in the shear factors [Cowper1966].
SectionConstants section_constants(const BeamSection& section, double poissons_ratio);

/// Of b × h:  J = a c³ (1/3 − 64/π⁵ c/a Σ tanh(nπ a/2c)/n⁵ over odd n),   a ≥ c                    [TimoshenkoGoodier1970]
double torsion_of_rectangle(double b, double h);

/// In the middle of those sides of a rectangle that are a away from its centre and 2 d long: τ J/M_x of torsion, and τ I/V of a
/// shear force along them; exact for Saint-Venant's problems                                          [TimoshenkoGoodier1970]
double torsion_at_side(double a, double d);
double flexure_at_side(double a, double d, double poissons_ratio);

/// A named point on the rim of a section, with its stresses per section force (N, V_y, V_z, M_x, M_y, M_z).
///     σ = N/A + M_y z/I_y − M_z y/I_z,      τ along the rim, in the sense of a turn about x
/// The corners of rectangles, boxes and I sections, +y+z, -y+z, …, and the middle of their sides, +y, +z, … (of an I those of web
/// and flanges); the poles of circles and tubes, +y, +z, …; none of general sections.
struct SectionPoint {
  std::string name;
  double y = 0, z = 0;
  Vector6d normal = Vector6d::Zero(), shear = Vector6d::Zero();
};
std::vector<SectionPoint> section_points(const BeamSection& section, const SectionConstants& c, double poissons_ratio);

Matrix6d section_stiffness(const SectionConstants& c, double youngs_modulus, double poissons_ratio);
/// Per unit of length.
Matrix6d section_mass(const SectionConstants& c, double density);

}  // namespace bricard
