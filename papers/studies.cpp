// SPDX-License-Identifier: Apache-2.0
#include "papers/study.h"

namespace bricard {

std::vector<StudyEntry> studies() {
  return {{"iftomm", "benchmark problems of the IFToMM library and the heavy top", reproduce_iftomm},
          {"004", "six low-order integrators on a slider-crank and a mechanism of seven bodies", reproduce_six_integrators}};
}

std::vector<std::string> planned_studies() {
  return {"000", "001", "002", "003", "beams"};
}

}  // namespace bricard
