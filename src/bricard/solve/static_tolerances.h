// SPDX-License-Identifier: Apache-2.0
#pragma once

// All numbers by which equilibria are looked for and judged, once each.               theory: docs/theory/statics.md
// Origin and margin of each: tests/unit/static_tolerance_entries.h.
namespace bricard {

struct StaticTolerances {
  // what may be left: of forces relative to those that balance each other, of |g| per reference length
  double balance = 1e-11, nearly_balanced = 1e-8;
  // ... and in parts of what the rounding of coordinates and reactions makes of the forces, where that is more
  double round_offs = 8;
  // Newton's method: corrections per extent or rad
  double settled = 1e-9, largest_correction = 0.2;
  double smallest_load_step = 1.0 / 256;
  // relaxation: turns in rad or moves per distance between bodies of one step, and gaps per ℓ
  double largest_turn = 0.5, largest_gap = 0.2;
  double kick = 0.05;      // reference lengths or rad, out of an unstable equilibrium
  double neutral = 1e-12;  // stiffness relative to the largest
};

}  // namespace bricard
