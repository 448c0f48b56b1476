// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/analysis/simulate.h"
#include "bricard/analysis/stability.h"
#include "bricard/solve/static_tolerances.h"

// Equilibrium: r(t, q, v = 0, a = 0, λ) = 0, g(t, q) = 0; λ are the reactions.        theory: docs/theory/statics.md
//   1. Directly, by Newton's method, if that is quick; else load stepping. What is out of balance at the start is taken
//      away and given back step by step:
//        r(q, λ) = (1 − κ) r₀,  κ = 0 … 1,   each by Newton's method with a line search; follows the path of loading.
//   2. Relaxation where this fails (no stiffness, a limit point): M z̈ = −r with implicit steps that grow, all velocities
//      taken away where forces hold back, and end as Newton's method; goes downhill, so it snaps through and finds what
//      hangs.
//   3. The smallest stiffness tells whether it is stable; an unstable equilibrium is left along this direction, by 2.
namespace bricard {

struct StaticReport {
  bool found = false;
  std::string problem;      ///< plain words, if not found
  int load_steps = 0;       ///< accepted ones; 1: directly
  double load_reached = 0;  ///< κ of the last one; < 1: the rest was left to relaxation
  int relaxation_steps = 0;
  long iterations = 0;        ///< linear systems solved
  double out_of_balance = 0;  ///< largest residual force that is left, N
  Stability stability = Stability::stable;
  std::string direction;        ///< what moves most easily: joint coordinates or bodies
  double lowest_frequency = 0;  ///< rad/s, of small motions about a stable equilibrium
  BodyMove farthest;            ///< the body that went farthest from where it was at the start; no name: none moved
  bool is_far = false;          ///< by more than half a reference length or half a radian
  std::string text() const;     ///< one line on what was found
  std::string way() const;      ///< how it was found
};

/// From positions that satisfy the constraints to an equilibrium near by, stable if there is one.
/// On failure s is the last configuration.
StaticReport find_equilibrium(const System& system, SolverType solver, State& s,
                              const StaticTolerances& tolerances = {});

/// The equilibrium at the time of `start` alone, or with `sequence` at all output times, each from
/// the one before.
Results solve_statics(const System& system, const State& start, const RunSettings& settings, bool sequence,
                      const SimulationHooks& hooks = {});

}  // namespace bricard
