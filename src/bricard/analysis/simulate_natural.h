// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/analysis/simulate.h"
#include "bricard/assemble/natural.h"
#include "bricard/model/model.h"

namespace bricard {

/// The natural system at the start of the bodies, with its own accelerations and multipliers.
State natural_start(const NaturalSystem& natural, const System& bodies, const State& start, SolverType solver);

/// A run in natural coordinates whose states are translated to those of `bodies`; `start` belongs to `bodies`, too.
/// `why_not` tells which models cannot be run so.
Results simulate_natural(const Model& model, const System& bodies, const State& start, const RunSettings& settings,
                         const SimulationHooks& hooks = {});

}  // namespace bricard
