// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "bricard/analysis/linear_equations.h"
#include "bricard/model/model.h"

// The state about which a model is linearized.                              theory: docs/theory/linearization.md
namespace bricard {

/// given: positions and velocities of the file, made consistent; equilibrium: at rest near by; steady: at rest seen
/// from the reference marker of the linearization, which motions carry along, as a rotor at constant speed.
enum class PointType { given, equilibrium, steady };

struct OperatingPoint {
  std::string problem;  ///< plain words, if there is none
  std::string remark;   ///< what it is
  State state;
};

/// With `time` the model first runs until then, with its own settings.
OperatingPoint find_operating_point(const Model& model, const System& system, PointType type,
                                    const Reference& reference, std::optional<double> time = {});

}  // namespace bricard
