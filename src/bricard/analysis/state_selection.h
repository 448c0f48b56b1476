// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/analysis/sparse_tangent.h"

// Which coordinates describe small motions: as many of the user's as are independent, the rest coordinates of bodies.
//     J = [G; s_q]  [NegrutOrtiz2006, eqs. (21), (22)]
// Its rows are factorized by orthogonal transformations that reveal the rank; combinations of rows that vanish tell
// which user states are too many and why, columns without pivot are the coordinates that complete the set.
//                                                                            theory: docs/theory/linearization.md
namespace bricard {

struct DroppedState {
  std::string name, reason;
};

/// The outcome at one level, positions or velocities.
struct LevelChoice {
  std::vector<int> constraints;       ///< independent rows of the constraints
  std::vector<int> redundant;         ///< the others
  std::vector<int> users;             ///< candidates that were taken, in their order
  std::vector<int> columns;           ///< coordinates that complete them
  std::vector<DroppedState> dropped;  ///< candidates that were not taken
};

/// `constraints` has one row per multiplier (empty where a multiplier does not act at this level), `users` one per
/// candidate; both over coordinates all of which are lengths or turns. `excluded` are columns that are no coordinates
/// at this level.
LevelChoice choose_states(const System& system, const SparseRows& constraints, const SparseRows& users,
                          const std::vector<std::string>& names, const std::vector<int>& excluded);

}  // namespace bricard
