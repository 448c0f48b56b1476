// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

// Eigen's functions of small dense matrices, witnesses of studies and tests. They are here because each of them takes
// seconds to compile wherever it stands.
namespace bricard::dense {

struct Eigensystem {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;  ///< in columns
};

/// A x = λ x
Eigensystem eigensystem(const Eigen::MatrixXcd& A);

struct Vibrations {
  Eigen::VectorXd squares;  ///< ω², ascending
  Eigen::MatrixXd shapes;   ///< in columns, xᵀ M x = 1
};

/// K x = ω² M x, both symmetric, M positive definite
Vibrations vibrations(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);

/// exp A
Eigen::MatrixXd exponential(const Eigen::MatrixXd& A);

}  // namespace bricard::dense
