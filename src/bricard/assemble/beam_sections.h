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

/// A named point on the rim of a section: the corners of rectangles, boxes and I sections, +y+z, -y+z, …; the poles of circles and
/// tubes, +y, +z, …; none of general sections.
struct SectionPoint {
  std::string name;
  double y = 0, z = 0;
};
std::vector<SectionPoint> section_points(const BeamSection& section);

/// σ = N/A + M_y z/I_y − M_z y/I_z,   from σ = (N, V_y, V_z, M_x, M_y, M_z)
double normal_stress(const SectionConstants& c, const SectionPoint& at, const Vector6d& force);

/// At the poles of a circle or tube, along the rim in the sense of a turn about x: exact for Saint-Venant's problem [Love1927],
///     τ = M_x a/J + V_t ((1 + 2ν) a² + (3 + 2ν) b²)/(4 (1 + ν) I),   a, b outer and inner radius, V_t the shear force along τ
double pole_shear_stress(const BeamSection& section, const SectionConstants& c, double poissons_ratio,
                         const SectionPoint& at, const Vector6d& force);

Matrix6d section_stiffness(const SectionConstants& c, double youngs_modulus, double poissons_ratio);
/// Per unit of length.
Matrix6d section_mass(const SectionConstants& c, double density);

}  // namespace bricard
