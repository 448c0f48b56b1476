// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/system/system.h"

// What step a motion asks for, measured: the run is followed with a coarse tolerance.     theory: docs/theory/check.md
namespace bricard {

/// The step that resolves all but the shortest tenth of the steps of such a run, s; 0: it could not be followed.
double measure_step(const System& system, const State& start, double duration);

/// A step with which the run itself is good, as far as it was followed.
struct ConfirmedStep {
  double step = 0;      ///< s; not above the first guess
  double followed = 0;  ///< s of the run
  std::string doubt;    ///< why no step was found that is good; "" if one was
};
ConfirmedStep confirm_step(const System& system, const State& start, double duration, double guess);

}  // namespace bricard
