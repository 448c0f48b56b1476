// SPDX-License-Identifier: Apache-2.0
#include "bricard/model/source.h"

#include <algorithm>
#include <numeric>

namespace bricard {
namespace {

std::string list(const std::vector<Fault>& faults) {
  constexpr size_t kMost = 50;  // more are not read, and seldom have another cause
  std::string text;
  for (size_t i = 0; i < std::min(faults.size(), kMost); ++i) {
    if (!text.empty()) text += '\n';
    text += to_string(faults[i]);
  }
  if (faults.size() > kMost) text += "\nand " + std::to_string(faults.size() - kMost) + " more";
  return text;
}

// Levenshtein distance with neighbouring swaps counted as one change.
int editing_distance(const std::string& a, const std::string& b) {
  const size_t m = b.size();
  std::vector<int> before(m + 1), above(m + 1), row(m + 1);
  std::iota(above.begin(), above.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= m; ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    above = row;
  }
  return above[m];
}

}  // namespace

std::string to_string(const Fault& fault) {
  if (fault.place.line == 0) return fault.message;
  return fault.place.file + ":" + std::to_string(fault.place.line) + ":" + std::to_string(fault.place.column) + ": " +
         fault.message;
}

ModelError::ModelError(std::vector<Fault> faults) : std::runtime_error(list(faults)), faults_(std::move(faults)) {}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  int best_distance = 1 + static_cast<int>(word.size()) / 3;  // farther words are no help
  for (const std::string& candidate : candidates) {
    const int distance = editing_distance(word, candidate);
    if (distance <= best_distance && (best.empty() || distance < best_distance)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace bricard
