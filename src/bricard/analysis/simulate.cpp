// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/simulate.h"

#include "bricard/analysis/simulation.h"

namespace bricard {

Results simulate(const System& system, const State& start, const RunSettings& settings, const SimulationHooks& hooks) {
  Simulation simulation(system, start, settings, hooks);
  while (simulation.step()) {
  }
  return simulation.finish();
}

}  // namespace bricard
