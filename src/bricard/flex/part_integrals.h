// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/flex/structure.h"

// What a moving part needs to know of its mass, from points, W and D.                    theory: docs/theory/flexible_parts.md
namespace bricard {

/// Displacements of the six motions of the whole structure, n×6: along x, y, z, and turns about them at the origin.
Eigen::MatrixXd rigid_motions(const Structure& structure);

/// All integrals of the shapes, n×r.
PartInertia part_inertia(const Structure& structure, const Eigen::MatrixXd& shapes);

/// −a dm of each point in a column, and what such forces on points are on the unknowns.
Eigen::Matrix3Xd inertia_forces(const Structure& structure, const Eigen::Matrix3Xd& accelerations);
VectorXd forces_on_unknowns(const Structure& structure, const Eigen::Matrix3Xd& forces);

}  // namespace bricard
