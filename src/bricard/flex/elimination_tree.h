// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Sparse>
#include <cstddef>
#include <vector>

// In which order a symmetric matrix is factorized, and where its factor has entries.
//   1. Unknowns with the same neighbours, as those of a node, become one vertex.
//   2. Nested dissection orders the vertices of each connected part.                          METIS: [KarypisKumar1998]
//   3. The elimination tree: parent(j) = first row below the diagonal in column j of L.                       [Liu1990]
//   4. Children join their parents where few zeros have to be stored for it: supernodes.            [AshcraftGrimes1989]
//   5. Children come in the order that needs the least memory for what waits for the parents.                  [Liu1986]
namespace bricard {

struct EliminationTree {
  std::vector<int> order;     ///< unknown at each position
  std::vector<int> position;  ///< of each unknown

  // Supernodes, each after its children. Positions first[s] … first[s+1] − 1 are its columns.
  std::vector<int> first, parent;
  std::vector<std::size_t> rows_start;  ///< rows[rows_start[s]] …: positions of its rows below its columns, sorted
  std::vector<int> rows;
  std::vector<std::size_t> panel_start;  ///< of its entries, as they are stored

  double entries = 0;     ///< of the factor
  double operations = 0;  ///< to make it
  double waiting = 0;     ///< entries of fronts that are there at the same time, at most

  int supernodes() const { return static_cast<int>(parent.size()); }
  int columns(int s) const { return first[s + 1] - first[s]; }
  int below(int s) const { return static_cast<int>(rows_start[s + 1] - rows_start[s]); }
};

/// Of matrices with entries where `pattern` has some, in both triangles.
EliminationTree elimination_tree(const Eigen::SparseMatrix<double>& pattern);

}  // namespace bricard
