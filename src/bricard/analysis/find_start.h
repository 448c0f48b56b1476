// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/analysis/consistent_start.h"
#include "bricard/model/model.h"
#include "bricard/system/system.h"

// Where a run of a model starts.                                              theory: docs/theory/start.md
namespace bricard {

/// Throws ModelError with the model's file in front.
[[noreturn]] void refuse(const Model& model, const std::string& problem);

struct StartState {
  State state;
  StartReport report;
  std::string remark;  ///< on the equilibrium, if the run starts there, and on its velocities
};

/// Positions, velocities, accelerations and multipliers that fit together; throws ModelError if there are none. A start
/// from equilibrium has the velocities of the file, made to fit there; it is refused if they cannot be had.
StartState find_start(const Model& model, const System& system, StartType type);

/// Refuses a mechanism that cannot move at all, as `check` does: there is nothing to simulate.
void refuse_locked(const Model& model, const System& system, const StartState& start);

/// What the certificate says of the start.
void add_start(const StartState& start, RunReport& report);

}  // namespace bricard
