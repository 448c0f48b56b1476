// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/model/run_settings.h"
#include "bricard/system/system.h"

// From what the user wished to a state that satisfies g = 0, ġ = 0, g̈ = 0 and the equations of motion,
// moving masses as little as possible.                                      theory: docs/theory/start.md
namespace bricard {

struct StartReport {
  bool assembled = false;
  std::string problem;         ///< plain words naming joint and remaining gap, if not assembled
  int iterations = 0;
  double largest_move = 0;     ///< of a body's mass centre, m
  std::string most_moved;      ///< its name
  double velocity_change = 0;  ///< largest change of a velocity component
  int redundant_constraints = 0;
  int degrees_of_freedom = 0;
};

/// On success s is consistent; otherwise it holds the closest configuration found.
StartReport consistent_start(const System& system, SolverType solver, State& s);

}  // namespace bricard
