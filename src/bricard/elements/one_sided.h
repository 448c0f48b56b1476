// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// Forces that act behind a limit only and never pull back: stops, one-sided springs.   theory: docs/theory/events.md
//     p = max(0, p*)  where the depth δ > 0,   else 0
// In a run the side is in State::discrete and changes at events alone, at which δ or p* passes through zero: within a step
// the force is p* or nothing, and smooth. Elsewhere (statics, small motions) positions and velocities decide.
namespace bricard::one_sided {

inline constexpr double kByPosition = -1, kOff = 0, kPressing = 1, kReleased = 2;  ///< behind the limit without force
inline constexpr int kRoots = 2;                                                   ///< δ and p*

/// Whether the potential of the force counts, acting or not.
inline bool is_behind(double side, double depth) { return side == kByPosition ? depth > 0 : side != kOff; }

inline bool presses(double side, double depth, double pressure) {
  return side == kByPosition ? depth > 0 && pressure > 0 : side == kPressing;
}

/// p* as a root function: it means nothing in front of the limit.
inline double pressure_root(double side, double depth, double pressure) {
  return is_behind(side, depth) ? pressure : -1;
}

/// The side after a root has changed its sign, and what happened.
inline std::string pass_root(int root, bool rising, double& side) {
  const double before = side;
  if (root == 0) side = !rising ? kOff : before == kReleased ? kReleased : kPressing;
  else if (before != kOff) side = rising ? kPressing : kReleased;
  if (side == before) return "";
  if (side == kOff) return "leaves";
  if (side == kReleased) return "lets go";
  return before == kReleased ? "acts again" : "touches";
}

}  // namespace bricard::one_sided
