// SPDX-License-Identifier: Apache-2.0
#include "papers/study.h"

namespace bricard {

std::vector<StudyEntry> studies() {
  return {
      {"000", "scaling of constraints and the augmented Lagrangian term", reproduce_000},
      {"001", "preconditioning of index-3 equations", reproduce_001},
      {"002", "augmented Lagrangian and Hamiltonian methods at singular positions", reproduce_002},
      {"003", "linearization of constrained mechanisms in coordinates of one's choice", reproduce_003},
      {"004", "six low-order integrators on a slider-crank and a mechanism of seven bodies", reproduce_six_integrators},
      {"iftomm", "benchmark problems of the IFToMM library and the heavy top", reproduce_iftomm},
      {"beams", "benchmark problems of flexible beams", reproduce_beams}};
}

}  // namespace bricard
