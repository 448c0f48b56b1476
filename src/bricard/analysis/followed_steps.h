// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "bricard/analysis/recorder.h"

namespace bricard {

/// Analyses that find one state after the other in which the past has no part: kinematics, a sequence of equilibria.
struct FollowedSteps {
  int most_halvings = 12;
  std::function<bool(double t, State& s)> advance;               ///< whether s could be taken to the time t
  std::function<std::string(const State& s, double t)> why_not;  ///< for a state that cannot be taken there
};

/// From s to the end of the run. Steps end at samples, and are halved where no state is found.
void follow(const RunSettings& settings, const SimulationHooks& hooks, const FollowedSteps& steps, Recorder& recorder,
            RunReport& report, State& s);

}  // namespace bricard
