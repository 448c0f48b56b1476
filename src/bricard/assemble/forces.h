// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/assemble/events.h"
#include "bricard/assemble/formula_binding.h"
#include "bricard/assemble/markers.h"

namespace bricard {

/// All forces of the model. All joints must be in the system already.
void add_forces(const Named& named, const SwitchTable& switches, System& system, FormulaBinder& binder);

}  // namespace bricard
