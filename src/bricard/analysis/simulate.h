// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "bricard/analysis/followed_steps.h"
#include "bricard/model/integrator_kinds.h"
#include "bricard/model/model.h"
#include "bricard/results/results.h"
#include "bricard/system/system.h"

namespace bricard {

struct Progress {
  double time, duration;
  long steps, iterations;
};

/// How a caller looks on and says what it wants beyond the regular output.
struct SimulationHooks {
  std::vector<double> at;                         ///< further times to store, in any order
  std::function<bool()> cancelled;                ///< asked after every step; true stops and keeps what is there
  std::function<void(const Progress&)> progress;  ///< called now and then
  /// Takes the regular samples in the order of time, soon after they are made; results then keep only the last one and those
  /// of `at`.
  std::function<void(const Sample&)> sink = {};
  /// Takes the memory of the run, after a step at least so many seconds since it did so last and where the run is cancelled.
  std::function<void(std::string memory)> checkpoint = {};
  double checkpoint_interval = 60;
  /// A memory, of a run of the same model with the same settings and `at`: this one goes on from there as that one did, bit for
  /// bit. Throws ArchiveError if it is of another shape.
  std::string memory = {};
};

/// State -> State -> …; s must be consistent.
Results simulate(const System& system, const State& start, const RunSettings& settings,
                 const SimulationHooks& hooks = {});

/// The same of states in which the past has no part.
Results simulate(const System& system, const State& start, const RunSettings& settings, const SimulationHooks& hooks,
                 const FollowedSteps& steps);

/// The same of the bodies of a model, in the coordinates that the settings ask for. Results are those of `bodies`.
Results simulate(const Model& model, const System& bodies, const State& start, const RunSettings& settings,
                 const SimulationHooks& hooks = {});

}  // namespace bricard
