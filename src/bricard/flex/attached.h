// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "bricard/flex/structure.h"

// The unknowns of a structure whose interfaces move as frames.                           theory: docs/theory/flexible_parts.md
namespace bricard {

/// u = T û: nodes of rigid interfaces follow the six unknowns that their interface has in û.
struct AttachedUnknowns {
  SparseMatrix T;                              ///< n × n̂
  std::vector<std::array<int, 6>> interfaces;  ///< where in û the displacement and rotation vector of each one are
  Eigen::MatrixXd rigid;                       ///< motions of the whole structure in û, n̂×6
};

/// Throws ModelError if interfaces are not what they should be.
AttachedUnknowns attach_interfaces(const Structure& structure, const std::vector<InterfaceNodes>& interfaces);

/// Rows and columns of a matrix, both in rising order.
SparseMatrix part_of(const SparseMatrix& A, const std::vector<int>& rows, const std::vector<int>& columns);

}  // namespace bricard
