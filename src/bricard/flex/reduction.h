// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/flex/structure.h"
#include "bricard/flex/work_watch.h"

// The reduction of large parts, with what a user wants to know of it.             theory: docs/theory/flexible_parts.md
namespace bricard {

struct ReductionWork {
  /// > 0: of the modes with interfaces held, only as many as move this share of the mass in each direction, if `modes` are enough.
  double effective_mass = 0;
  WorkWatch watch;
};

/// Modes of the structure itself, with its interfaces: all held, or none.
struct StructureModes {
  VectorXd held;  ///< rad/s
  /// Shares of the part's mass along x, y, z, and of its moments of inertia about its mass centre, that the held modes move.
  Eigen::Matrix<double, Eigen::Dynamic, 6> effective;
  int kept = 0;  ///< of the held ones
};

ReducedPart reduce(const Structure& structure, const std::vector<InterfaceNodes>& interfaces, const Reduction& wanted,
                   const ReductionWork& work, StructureModes& modes);

/// Frequencies of the whole structure with its interfaces, nothing held; without the six motions of the whole part. rad/s
VectorXd free_frequencies(const Structure& structure, const std::vector<InterfaceNodes>& interfaces, int count,
                          const WorkWatch& watch);

}  // namespace bricard
