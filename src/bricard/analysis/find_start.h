// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/analysis/consistent_start.h"
#include "bricard/model/model.h"
#include "bricard/system/system.h"

// Where a run of a model starts.
namespace bricard {

/// Throws ModelError with the model's file in front.
[[noreturn]] void refuse(const Model& model, const std::string& problem);

struct StartState {
  State state;
  StartReport report;
  std::string remark;  ///< on the equilibrium, if the run starts there
};

/// Positions, velocities, accelerations and multipliers that fit together; throws ModelError if there are none.
StartState find_start(const Model& model, const System& system, StartType type);

/// What the certificate says of the start.
void add_start(const StartState& start, RunReport& report);

}  // namespace bricard
