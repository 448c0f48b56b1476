// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/analysis/simulate.h"

// Models whose motion is prescribed entirely: positions from g(t, q) = 0, velocities and
// accelerations from its derivatives, and from the equations of motion the forces that all this
// needs (inverse dynamics). There is no error of integration; steps serve only to stay on the same
// way of assembly and to count turns.
//                                                                        theory:
//                                                                        docs/theory/kinematics.md
namespace bricard {

/// What does not follow from positions alone, or can move by itself at `start`; "" if nothing.
std::string why_no_kinematics(const System& system, const State& start);

/// `start` must be consistent and without degrees of freedom. Steps are at most settings.step long.
Results solve_kinematics(const System& system, const State& start, const RunSettings& settings,
                         const SimulationHooks& hooks = {});

}  // namespace bricard
