// SPDX-License-Identifier: Apache-2.0
#include "papers/dense_matrices.h"

#include <Eigen/Eigenvalues>
#include <unsupported/Eigen/MatrixFunctions>

namespace bricard::dense {

Eigensystem eigensystem(const Eigen::MatrixXcd& A) {
  const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vibrations vibrations(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(K, M);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::MatrixXd exponential(const Eigen::MatrixXd& A) { return A.exp(); }

}  // namespace bricard::dense
