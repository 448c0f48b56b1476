// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bricard/flex/part_integrals.h"
#include "bricard/read/finite_elements.h"

namespace bricard::io {
namespace {

[[noreturn]] void refuse_matrix(const std::string& file, const std::string& what) {
  throw ModelError({Fault{{}, file + ": " + what}});
}

std::string unknown_name(Eigen::Index unknown) {
  return fmt::format("{} of the {}. node", "xyz"[unknown % 3], unknown / 3 + 1);
}

/// Files keep 14 digits or so of each entry.
constexpr double kSame = 1e-10;

/// The largest entry of A − Aᵀ beside the diagonal, and where it is.
void check_symmetry(const SparseMatrix& A, const std::string& file) {
  const SparseMatrix T = A.transpose(), difference = A - T;
  const VectorXd diagonal = A.diagonal().cwiseAbs();
  for (Eigen::Index j = 0; j < difference.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(difference, j); entry; ++entry)
      if (!(std::abs(entry.value()) <= kSame * std::sqrt(diagonal[entry.row()] * diagonal[j])))
        refuse_matrix(
            file, fmt::format("the matrix is not symmetric: entries ({0}, {1}) and ({1}, {0}) are {2:.9g} and {3:.9g}",
                              entry.row() + 1, j + 1, A.coeff(entry.row(), j), A.coeff(j, entry.row())));
}

}  // namespace

void set_mass(const SparseMatrix& M, const std::string& file, Structure& structure) {
  const Eigen::Index n = 3 * structure.nodes.cols(), nodes = structure.nodes.cols();
  if (M.rows() != n || M.cols() != n)
    refuse_matrix(
        file, fmt::format("the mass matrix has {} rows, and three for each of {} nodes are {}", M.rows(), nodes, n));
  check_symmetry(M, file);
  const VectorXd diagonal = M.diagonal();
  if (!(diagonal.maxCoeff() > 0)) refuse_matrix(file, "the part has no mass: is a density missing?");
  std::vector<Eigen::Triplet<double>> weights;
  for (Eigen::Index j = 0; j < n; ++j)
    for (SparseMatrix::InnerIterator entry(M, j); entry; ++entry) {
      const Eigen::Index i = entry.row(), a = i % 3, b = j % 3;
      if (a == 0 && b == 0) weights.emplace_back(static_cast<int>(i / 3), static_cast<int>(j / 3), entry.value());
      const double expected = a == b ? M.coeff(i - a, j - b) : 0;
      if (!(std::abs(entry.value() - expected) <= kSame * std::sqrt(std::abs(diagonal[i] * diagonal[j]))))
        refuse_matrix(
            file,
            fmt::format(
                "the mass matrix does not treat x, y and z alike, as that of solids does: the entry of {} and {} is "
                "{:.6g} instead of {:.6g}. Lumped rotations and shells are not taken",
                unknown_name(i), unknown_name(j), entry.value(), expected));
    }
  structure.weights.resize(nodes, nodes);
  structure.weights.setFromTriplets(weights.begin(), weights.end());
  structure.points = structure.nodes;
  structure.displacement.resize(n, n);
  structure.displacement.setIdentity();
}

void check_stiffness(const Structure& structure, const std::string& file) {
  const SparseMatrix& K = structure.stiffness;
  const Eigen::Index n = 3 * structure.nodes.cols();
  if (K.rows() != n || K.cols() != n)
    refuse_matrix(file, fmt::format("the stiffness matrix has {} rows, and three for each of {} nodes are {}", K.rows(),
                                    structure.nodes.cols(), n));
  check_symmetry(K, file);
  const VectorXd diagonal = K.diagonal();
  Eigen::Index least = 0;
  if (!(diagonal.minCoeff(&least) > 0)) refuse_matrix(file, fmt::format("{} has no stiffness", unknown_name(least)));
  // Entries, rounded in the file, times displacements: turns about the middle, so that coordinates do not matter.
  const Vector3d middle = structure.nodes.rowwise().mean();
  Eigen::MatrixXd rigid = rigid_motions(structure);
  rigid.rightCols(3) += rigid.leftCols(3) * skew(middle);
  const Eigen::MatrixXd forces = K * rigid, size = K.cwiseAbs() * rigid.cwiseAbs();
  const double worst = forces.cwiseAbs().cwiseQuotient(size.cwiseMax(1e-300)).maxCoeff();
  if (worst > 1e-8)
    refuse_matrix(
        file,
        fmt::format(
            "motions of the whole part are resisted ({:.1e} of its stiffness): supports or springs to ground are in "
            "the matrix, or nodes are not where it has them",
            worst));
}

}  // namespace bricard::io
