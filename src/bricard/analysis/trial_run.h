// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/system.h"

// What step a motion asks for, measured: the run is followed with a coarse tolerance.     theory: docs/theory/check.md
namespace bricard {

/// The step that resolves all but the shortest tenth of the steps of such a run, s; 0: it could not be followed.
double measure_step(const System& system, const State& start, double duration);

}  // namespace bricard
