// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/solve/static_tolerances.h"
#include "unit/tolerance_entries.h"

// Where the values of StaticTolerances come from, and how far each may be off.         theory: docs/theory/statics.md
// Results stay the same if a value is multiplied or divided by its margin, which static_tolerances_test.cpp tries.
namespace bricard {

struct StaticToleranceEntry {
  double StaticTolerances::*value;
  const char* name;
  ToleranceOrigin origin;
  double margin;
  const char* meaning;
};

constexpr auto static_tolerance_entries() {
  using T = StaticTolerances;
  using enum ToleranceOrigin;
  return std::array{
      StaticToleranceEntry{&T::balance, "balance", round_off, 10, "left of forces, of gaps per ℓ: the search ends"},
      StaticToleranceEntry{&T::nearly_balanced, "nearly_balanced", round_off, 10, "accepted where nothing gets better"},
      StaticToleranceEntry{&T::round_offs, "round_offs", round_off, 3, "of coordinates, seen in the forces"},
      StaticToleranceEntry{&T::settled, "settled", theory, 10, "correction whose square is round-off"},
      StaticToleranceEntry{&T::largest_correction, "largest_correction", scale, 1.5,
                           "per extent or rad; more is a jump"},
      StaticToleranceEntry{&T::smallest_load_step, "smallest_load_step", scale, 4, "of the load; then relaxation"},
      StaticToleranceEntry{&T::largest_turn, "largest_turn", scale, 1.5, "of a step of relaxation"},
      StaticToleranceEntry{&T::largest_gap, "largest_gap", scale, 3, "of joints after it, per ℓ"},
      StaticToleranceEntry{&T::kick, "kick", scale, 3, "out of an unstable equilibrium, per ℓ or rad"},
      StaticToleranceEntry{&T::neutral, "neutral", round_off, 10, "stiffness per largest that is none"},
  };
}

static_assert(sizeof(StaticTolerances) == static_tolerance_entries().size() * sizeof(double), "one entry per value");

}  // namespace bricard
