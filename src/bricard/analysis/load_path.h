// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bricard/analysis/check_beams.h"
#include "bricard/analysis/modes.h"
#include "bricard/analysis/simulate.h"
#include "bricard/solve/static_tolerances.h"

// Equilibria over an input p that loads depend on, through limit points and past bifurcations.
//     r(q, λ, p) = 0,  g(q) = 0,   ⟨ẏ, y − y₀⟩ = s,   y = (q, p)                    theory: docs/theory/statics.md
namespace bricard {

struct LoadPathSettings {
  int input = 0;  ///< number of p
  double from = 0, to = 1;
  /// Of s, in which p goes by 1 from end to end, and mean displacement by the model's extent.
  double largest_step = 0.05;
  int most_points = 2000;
};

/// Where the stiffness of a motion vanishes on the path.
struct CriticalPoint {
  enum class Kind { limit, bifurcation };
  Kind kind = Kind::limit;
  double value = 0;                             ///< p
  int point = 0;                                ///< number of its state in the path
  int unstable_before = 0, unstable_after = 0;  ///< motions with negative stiffness
  VectorXd motion;                              ///< that costs no force
  std::vector<std::string> moves;               ///< what it moves, most first
};

struct LoadPath {
  std::vector<State> states;  ///< along the path; p is in State::inputs
  std::vector<CriticalPoint> critical;
  std::vector<double> jumps;  ///< p where motions lost stiffness that never was zero: what follows may be another path
  bool finished = false;      ///< p reached its end
  std::string problem;        ///< plain words, if not
  long iterations = 0;        ///< linear systems solved
};

/// From an equilibrium near `start` under p = from.
LoadPath follow_load_path(const System& system, const State& start, const LoadPathSettings& settings,
                          const std::function<bool()>& cancelled = {}, const StaticTolerances& tolerances = {});

/// The same as results, whose samples are counted in the place of time; `run` has the solver, `beams` the names of nodes.
Results solve_load_path(const System& system, const State& start, const RunSettings& run,
                        const LoadPathSettings& settings, const BeamNames& beams, const SimulationHooks& hooks = {});

}  // namespace bricard
