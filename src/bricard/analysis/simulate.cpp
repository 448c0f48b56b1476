// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/simulate.h"

#include "bricard/analysis/simulation.h"

namespace bricard {
namespace {

Results run(Simulation simulation) {
  while (simulation.step()) {
  }
  return simulation.finish();
}

}  // namespace

Results simulate(const System& system, const State& start, const RunSettings& settings, const SimulationHooks& hooks) {
  return run(Simulation(system, start, settings, hooks));
}

Results simulate(const System& system, const State& start, const RunSettings& settings, const SimulationHooks& hooks,
                 const FollowedSteps& steps) {
  return run(Simulation(system, start, settings, hooks, steps));
}

Results simulate(const Model& model, const System& bodies, const State& start, const RunSettings& settings,
                 const SimulationHooks& hooks) {
  return run(Simulation(model, bodies, start, settings, hooks));
}

}  // namespace bricard
