// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Sparse>
#include <string>

#include "bricard/flex/sparse_cholesky.h"
#include "bricard/flex/work_watch.h"

// The lowest frequencies of a large part:  K φ = ω² M φ.                       theory: docs/theory/finite_elements.md
// They are the largest eigenvalues θ = 1/(ω² + σ) of (K + σ M)⁻¹ M, whose Krylov space is built by blocks, orthogonal in M, and
// restarted with the best vectors in it.                                    [GrimesLewisSimon1994], [WuSimon2000]
// Blocks, because one vector finds one of several modes with the same frequency: six of a free part, two of each bending of a
// round rod. σ > 0 where K is singular; then it is of the size of the lowest ω², so that digits are left for these.
namespace bricard {

using SparseMatrix = Eigen::SparseMatrix<double>;

struct LowestModes {
  Eigen::VectorXd frequencies;  ///< rad/s, rising; motions without strain: the first `free` of them, round-off of zero
  Eigen::MatrixXd shapes;       ///< φᵀMφ = 1
  Eigen::VectorXd errors;       ///< |(K + σ M)⁻¹ M φ − θ φ| / θ in the norm of M
  int free = 0;
  double shift = 0;     ///< σ
  std::string problem;  ///< what was not found, in plain words

  int count() const { return static_cast<int>(frequencies.size()); }
};

enum class Support { held, free, unknown };

/// The `count` lowest, or all that there are if M has a lower rank. `unknown`: K is factorized first, and where that is singular
/// the part is free.
LowestModes lowest_modes(const SparseMatrix& K, const SparseMatrix& M, int count, Support support = Support::unknown,
                         const WorkWatch& watch = {});

/// The same of a held part with the factor of K at hand.
LowestModes lowest_modes(const SparseMatrix& K, const SparseMatrix& M, int count, const SparseCholesky& factor,
                         const WorkWatch& watch = {});

}  // namespace bricard
