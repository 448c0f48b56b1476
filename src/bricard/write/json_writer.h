// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/model/model.h"
#include "bricard/results/results.h"

// The JSON texts that programs read: of `bricard run --json` and inside result files.
namespace bricard::io {

/// The run certificate.
std::string certificate_json(const RunReport& report);

/// What a viewer draws (bodies, joints, springs, points, gravity), parameters and run settings.
std::string model_json(const Model& model, const System& system);

/// {"certificate": {…}, "final": {"time", "bodies": {name: {position, quaternion_wxyz, velocity,
/// angular_velocity}}, "joints": {name: {coordinates, force, torque}}, "signals": {name: value}}};
/// with times `at` also "samples": a list of such objects, in the order of `at`, as far as the run
/// came.
std::string run_json(const Model& model, const System& system, const Results& results, const std::vector<double>& at);

}  // namespace bricard::io
