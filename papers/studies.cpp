// SPDX-License-Identifier: Apache-2.0
#include "papers/study.h"

namespace bricard {

std::vector<StudyEntry> studies() {
  return {{"iftomm", "benchmark problems of the IFToMM library and the heavy top", reproduce_iftomm}};
}

std::vector<std::string> planned_studies() {
  return {"000", "001", "002", "003", "004", "beams"};
}

}  // namespace bricard
