// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "papers/study.h"

namespace bricard {

Check compare(std::string name, double value, double reference, double tolerance) {
  const bool pass = std::abs(value - reference) <= tolerance;  // false for NaN
  return {std::move(name), value, reference, tolerance, pass};
}

std::vector<StudyEntry> studies() {
  return {{"iftomm", "benchmark problems of the IFToMM library and the heavy top", reproduce_iftomm}};
}

std::vector<std::string> planned_studies() {
  return {"000", "001", "002", "003", "004", "beams"};
}

}  // namespace bricard
