// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Sparse>
#include <string>

namespace bricard::io {

/// A Matrix Market file: coordinate or array, real or integer, general or symmetric; one triangle gives both. Throws FileError,
/// or ModelError with the line.
Eigen::SparseMatrix<double> read_matrix_market(const std::string& path);

}  // namespace bricard::io
