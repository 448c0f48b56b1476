// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/assemble/events.h"
#include "bricard/assemble/formula_binding.h"
#include "bricard/assemble/markers.h"

namespace bricard {

/// How stiff forces are, as N/m and N s/m.
struct Resistance {
  double stiffness = 0, damping = 0;
};
/// Of all forces together. What turns counts by the square of a length. All joints must be in the system already.
Resistance total_resistance(const Named& named, const System& system, double length);

/// All forces of the model. All joints must be in the system already.
void add_forces(const Named& named, const SwitchTable& switches, System& system, FormulaBinder& binder);

}  // namespace bricard
