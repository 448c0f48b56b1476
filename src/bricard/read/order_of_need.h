// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace bricard::io {

enum class Progress { waiting, running, done };

/// Definitions that use each other by name are finished after those they need, however long the chains are.
///     needed(i)          the next definition that i waits for, if there is one
///     finish(i)          all it needs is there
///     in_circle(i, j, c) i needs j, which waits for i: c from j on is the circle
/// `progress` of definitions that are known from elsewhere is `done` from the start.
template <class Needed, class Finish, class InCircle>
void in_order_of_need(std::vector<Progress>& progress, const Needed& needed, const Finish& finish,
                      const InCircle& in_circle) {
  std::vector<std::size_t> chain;
  for (std::size_t start = 0; start < progress.size(); ++start) {
    if (progress[start] != Progress::waiting) continue;
    chain.push_back(start);
    while (!chain.empty()) {
      const std::size_t i = chain.back();
      progress[i] = Progress::running;
      const std::optional<std::size_t> other = needed(i);
      if (other && progress[*other] == Progress::waiting) {
        chain.push_back(*other);
        continue;
      }
      if (other && progress[*other] == Progress::running) in_circle(i, *other, chain);
      else finish(i);
      progress[i] = Progress::done;
      chain.pop_back();
    }
  }
}

}  // namespace bricard::io
