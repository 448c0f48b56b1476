// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "bricard/analysis/sparse_tangent.h"

// The rank of the constraints and how dependent rows depend on the others.        theory:
// docs/theory/check.md
//     y ∈ N  ⇔  Gᵀ y = 0
// Bodies are eliminated one after the other, those with few neighbours first: all rows that touch a
// body are rotated (Householder, with column pivoting) so that at most six of them still do; the
// others pass on to its neighbours. Rows that touch nothing any more are combinations of the rest.
// Orthogonal transformations keep what is neglected as small as it was; a chain costs time
// proportional to its length.
namespace bricard {

/// Pivots below this, of rows and columns in metres with rows of length 1, are zero.
inline constexpr double kRankTolerance = 1e-9;

struct ConstraintRank {
  int rank = 0;
  double weakest = 1;  ///< smallest pivot that counted: how near the next dependency is
  std::vector<Eigen::SparseVector<double>> null_vectors;  ///< a basis of N if wanted, m entries each
  std::vector<int>
      free_columns;  ///< coordinates that, held fixed, leave nothing free: as many as G lacks in rank, rising
};

enum class NullVectors { no, yes };
/// G has the rows of the system's multipliers, or these and further ones.
ConstraintRank find_rank(const System& system, const SparseRows& G, NullVectors wanted = NullVectors::no);

/// The same of the constraints at s, with the rows of motions or without them.
enum class MotionRows { with, without };
ConstraintRank rank_at(const System& system, const State& s, MotionRows motions = MotionRows::with,
                       NullVectors wanted = NullVectors::no);

}  // namespace bricard
