// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bricard/flex/structure.h"
#include "bricard/flex/work_watch.h"
#include "bricard/read/calculix_deck.h"

// Parts of finite elements, before they are reduced.                            theory: docs/theory/finite_elements.md
namespace bricard::io {

struct ElementPart {
  Structure structure;
  std::vector<int> numbers;                      ///< of the nodes in the file
  std::map<std::string, std::vector<int>> sets;  ///< of nodes, by names in capitals; indices
  std::vector<std::string> remarks;
};

/// A mesh, with K and M made by CalculiX (`ccx`), which is run in a temporary folder. Throws FileError, ModelError.
ElementPart read_calculix_part(const std::string& deck, const MeshOptions& options, const WorkWatch& watch = {});

/// The neutral way: K and M as Matrix Market files, three unknowns for each node in the order of a table of nodes, whose lines are
///     number, x, y, z [, names of sets with blanks between them]
/// Throws FileError, ModelError.
ElementPart read_matrix_part(const std::string& stiffness, const std::string& mass, const std::string& nodes,
                             const FileUnits& units, const WorkWatch& watch = {});

/// W, D and points from nodes and a mass matrix; throws ModelError if it is not of the form W ⊗ 1₃, or nothing has mass.
void set_mass(const SparseMatrix& M, const std::string& file, Structure& structure);

/// Throws ModelError if K is not symmetric, or if forces come of motions of the whole part.
void check_stiffness(const Structure& structure, const std::string& file);

}  // namespace bricard::io
