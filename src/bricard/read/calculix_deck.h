// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bricard/flex/solid_mesh.h"
#include "bricard/model/material.h"

// Meshes in the format of CalculiX and Abaqus: nodes, solid elements, sets, linear elastic materials. Loads and steps are left
// aside; what would change stiffness or mass and is not known is refused.
namespace bricard::io {

/// Units of numbers in a file, in SI.
struct FileUnits {
  std::string name;
  double length = 1, mass = 1;  ///< m, kg; time is in seconds
  double stress() const { return mass / length; }
  double density() const { return mass / (length * length * length); }
};

/// "m": m, kg, s; "mm": mm, t, s, hence N and MPa; "in": in, lbf s²/in, s, hence lbf and psi. Throws ModelError.
FileUnits file_units(const std::string& name);

struct MeshOptions {
  std::optional<FileUnits> units;    ///< SI if nothing is said; then absurd numbers are refused
  std::optional<Material> material;  ///< of all elements that have none
};

struct MeshFile {
  SolidMesh mesh;                    ///< in SI
  std::vector<std::string> remarks;  ///< what was left aside
};

/// Throws FileError or ModelError.
MeshFile read_calculix_deck(const std::string& path, const MeshOptions& options);

}  // namespace bricard::io
