// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/measured_formulas.h"
#include "bricard/model/linearization_settings.h"

namespace bricard {

/// A coordinate that the user names: a function of positions and time.
struct UserState {
  std::string name, unit;
  std::shared_ptr<const MeasuredFormulas> formula;
};

/// The states of a linearization, ready to evaluate. States of the system are to be made after this. Throws ModelError.
std::vector<UserState> bind_states(const Model& model, const std::vector<Signal>& states, System& system);

}  // namespace bricard
