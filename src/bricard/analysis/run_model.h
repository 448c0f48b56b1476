// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/analysis/find_start.h"
#include "bricard/analysis/load_path.h"
#include "bricard/analysis/simulate.h"

// What is done with a model, the same for the command, Python and C++:
//     model -> assemble -> start_of -> run -> Results
namespace bricard {

enum class Analysis { dynamics, kinematics, equilibrium, equilibria };

/// Where the analysis begins. Throws ModelError for what cannot be done, in the words of `check`.
StartState start_of(const Model& model, const System& system, Analysis analysis);

/// The analysis with the settings of the model; its certificate tells of the start as well.
Results run(const Model& model, const System& system, const StartState& start, Analysis analysis,
            const SimulationHooks& hooks = {});

/// The same along a path of equilibria; the start is that of Analysis::equilibrium.
Results run_path(const Model& model, const System& system, const StartState& start, const LoadPathSettings& path,
                 const SimulationHooks& hooks = {});

}  // namespace bricard
