// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <complex>
#include <optional>

// Eigenvalues of a matrix whose entries are known to within given errors.    theory: docs/theory/linearization.md
//   1. Entries that are smaller than their errors are taken for exact zeros: balancing would make large numbers of what
//      is round-off.
//   2. Zero eigenvalues are split off by orthogonal transformations, level by level, as long as the rest is singular to
//      within the errors: several of them in one chain (positions and velocities of what moves freely) would else
//      spoil each other by the root of round-off.                                              [GolubWilkinson1976]
//   3. The rest is LAPACK's.
//   4. Errors of eigenvalues to first order:  δs = wᴴδA x / wᴴx,  w and x the left and right eigenvectors; errors of
//      entries are independent, so that their squares add up. Zero eigenvalues stay zero in this.
namespace bricard {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

struct Eigenpairs {
  VectorXcd values;
  MatrixXcd vectors;  ///< one per column
  VectorXd errors;    ///< bounds of the errors of values
};

/// `errors`: bounds of those of the entries of A. Nothing if LAPACK's iteration does not converge.
std::optional<Eigenpairs> eigenpairs_of(MatrixXd A, MatrixXd errors);
/// Entries are exact but for their last bits.
std::optional<Eigenpairs> eigenpairs_of(const MatrixXd& A);

}  // namespace bricard
