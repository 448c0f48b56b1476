// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/flex/attached.h"

// X and Y of a part: what its stresses under accelerations do to its stiffness.          theory: docs/theory/flexible_parts.md
namespace bricard {

/// `held`: rows of what is zero in all shapes, 6×n̂; reactions act there. `shapes` in û, n̂×r. The structure knows its geometric
/// stiffness.
PartStiffening part_stiffening(const Structure& structure, const AttachedUnknowns& attached, const SparseMatrix& K,
                               const Eigen::MatrixXd& held, const Eigen::MatrixXd& shapes);

}  // namespace bricard
