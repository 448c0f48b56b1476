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

Matrix6d section_stiffness(const SectionConstants& c, double youngs_modulus, double poissons_ratio);
/// Per unit of length.
Matrix6d section_mass(const SectionConstants& c, double density);

}  // namespace bricard
