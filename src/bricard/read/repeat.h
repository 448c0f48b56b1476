// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "bricard/read/cursor.h"

namespace bricard::io {

/// The section `repeat`: a block, or a list of blocks, each read once for every value of its variables.
class Repetitions {
 public:
  explicit Repetitions(ReadLog& log) : log_(log) {}

  /// One repetition; the scope has the values of the variables.
  using Visit = std::function<void(const Scope& scope)>;
  /// Takes the keys of a block, all but `for`, and returns what is done in each of its repetitions, if anything.
  using Begin = std::function<Visit(const Cursor& block, KeyTable& keys)>;
  void read(const Cursor& at, const Begin& begin);

  /// Whether everything could be repeated.
  bool is_complete() const { return complete_; }

 private:
  void read_block(const Cursor& at, const Begin& begin);
  bool check_variables(const Cursor& loops, const std::vector<Entry>& variables);
  void loop(const std::vector<Entry>& variables, size_t depth, const Scope& outer, const Visit& visit);
  bool is_countable(const std::vector<Entry>& variables, size_t depth, const Scope& outer);
  static std::optional<std::pair<long, long>> read_range(const Cursor& at);

  ReadLog& log_;
  double repetitions_ = 0;  ///< of all blocks so far
  long visited_ = 0;
  bool complete_ = true;
};

}  // namespace bricard::io
