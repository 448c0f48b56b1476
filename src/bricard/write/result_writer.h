// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/results/results.h"
#include "bricard/write/result_file.h"

// Results -> HDF5.
//   /                  attributes bricard_version, model_file, model_text, model_sha256 and, as
//                      JSON text, certificate
//   /model             JSON text: what a viewer draws, parameters, run settings
//   /time              n
//   /bodies/<name>/    position, quaternion_wxyz, velocity, angular_velocity, acceleration,
//                      angular_acceleration: n×3 (n×4)
//   /joints/<name>/    coordinates, force, torque
//   /signals/<name>    n
//   /modes/            of `bricard modes`: eigenvalues k×2 (real, imaginary), frequencies k, dampings k, labels (text, a
//                      line each), bodies/<name>/displacement and rotation: k×3×2 (real, imaginary), ground axes
//   /campbell/         of `bricard campbell`: values n (attributes parameter, units, is_speed), frequencies and dampings k×n,
//                      labels
//   /responses/        of `bricard frequency`: frequencies n, magnitudes and phases k×n, names and units (text, a line each)
// Each array has the attributes units, frame (of vectors) and columns (comma-separated).
namespace bricard::io {

ResultFile make_result_file(const Model& model, const System& system, const Results& results);

/// Throws FileError; an earlier file of this name then remains as it was.
void write_result_file(const ResultFile& file, const std::string& path);

/// Version of the HDF5 library in use.
std::string hdf5_version();

}  // namespace bricard::io
