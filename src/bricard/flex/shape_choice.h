// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/model/reduced_part.h"

// What a mechanism makes of a part: which of its shapes it takes, and how long they are.    theory: docs/theory/modal_bodies.md
namespace bricard {

/// Those shapes alone, times factors.
ReducedPart with_shapes(const ReducedPart& part, const std::vector<int>& kept, const VectorXd& factors);

/// Modal masses become the mass of the part: modal coordinates are lengths.
ReducedPart with_lengths(const ReducedPart& part);

/// 2 ζ ω m of each shape; one ratio for all, or one for each.
Eigen::MatrixXd modal_damping(const ReducedPart& part, const std::vector<double>& ratios);

}  // namespace bricard
