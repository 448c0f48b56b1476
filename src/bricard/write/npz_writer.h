// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <string>
#include <utility>
#include <vector>

namespace bricard::io {

/// Matrices and lists of texts, by name.
struct ArrayArchive {
  std::vector<std::pair<std::string, Eigen::MatrixXd>> matrices;
  std::vector<std::pair<std::string, std::vector<std::string>>> texts;
};

/// As numpy.load reads it: a zip archive of .npy files, not compressed.
std::string npz_bytes(const ArrayArchive& archive);

}  // namespace bricard::io
