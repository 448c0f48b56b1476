// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/model/run_settings.h"
#include "bricard/system/system.h"
#include "reference/mechanisms.h"

// By which power of h do errors fall? In positions, velocities and multipliers.
namespace bricard::testing {

/// The exact motion at one time. Multipliers are compared as the reactions they stand for, because
/// the rows of a joint are free in sign and turn while force and torque of a joint are not.
struct Moment {
  State state;                    ///< t, q and v
  std::vector<Wrench> reactions;  ///< per joint, on its second body at its second marker, ground axes
};

/// A mechanism with its exact motion at some times, found by other means.
struct Problem {
  Started model;
  std::vector<Moment> exact;  ///< at equal distances in time, the last one at the end
};

struct Errors {
  double q = 0, v = 0, lambda = 0;
};

/// Root mean square over the times of `problem.exact` of the norms of all errors. λ counts after the first quarter: without
/// projections, formulas with little damping let it oscillate about a start that knows no a_n, until this has decayed.
Errors errors(const Problem& problem, const RunSettings& settings, int steps);

struct Orders {
  double q, v, lambda;
};

/// p with error ∝ hᵖ, over two halvings: from runs with `steps` and four times as many steps. `steps` is a multiple of
/// the number of times.
Orders observed_orders(const Problem& problem, const RunSettings& settings, int steps);

}  // namespace bricard::testing
