// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/analysis/consistent_start.h"
#include "bricard/model/model.h"
#include "bricard/system/system.h"

// What commands that run a model do before they run it.
namespace bricard::cli {

/// Before hours of work: can this file be written, and would it overwrite the model?
void check_output(const Model& model, const std::string& file);

/// Throws ModelError with the model's file in front.
[[noreturn]] void refuse(const Model& model, const std::string& problem);

struct StartState {
  State state;
  StartReport report;
  std::string remark;  ///< on the equilibrium, if the run starts there
};

/// Positions, velocities, accelerations and multipliers that fit together; throws ModelError if there are none.
StartState find_start(const Model& model, const System& system, StartType type);

}  // namespace bricard::cli
