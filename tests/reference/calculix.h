// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/read/external_program.h"

// Meshes by gmsh and answers by CalculiX, for tests.
namespace bricard {

/// gmsh's words for a box with groups of nodes `left` (x = 0) and `right`, and its elements.
struct BoxMesh {
  std::string size = "0.3, 0.03, 0.02";
  double step = 0.012;
  int order = 2;
  std::string more = {};  ///< gmsh's words for something else than tetrahedra
};

/// Writes part.inp in the folder: nodes, solid elements, their surfaces, sets. False, and a failed test, without gmsh.
bool mesh_with_gmsh(const io::TemporaryFolder& folder, const std::string& geometry, const std::string& name = "part");
std::string box(const BoxMesh& mesh);

/// The lines of a deck without its elements of surfaces, all solids in the set ALL, and steel.
std::string steel_deck(const std::string& mesh);
inline constexpr const char* kSteel =
    "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850\n*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n";

/// Runs a deck and returns what CalculiX prints in its .dat file.
std::string run_calculix(const io::TemporaryFolder& folder, const std::string& deck, const std::string& name = "job");

/// ω² of a *FREQUENCY step, or factors of a *BUCKLE step.
std::vector<double> calculix_eigenvalues(const std::string& dat);

/// One block of values at nodes of the last .frd file: DISP (3) or STRESS (6: xx, yy, zz, xy, yz, zx); rows of number, values.
std::vector<std::vector<double>> calculix_results(const io::TemporaryFolder& folder, const std::string& block,
                                                  int values, const std::string& name = "job");

}  // namespace bricard
