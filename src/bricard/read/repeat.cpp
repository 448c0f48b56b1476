// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/repeat.h"

#include <fmt/format.h>

#include "bricard/read/field_reader.h"
#include "bricard/read/parameters.h"

namespace bricard::io {
namespace {

constexpr long kEnoughOfFaulty = 1000;       // where something is wrong, nobody waits for more of the same
constexpr long kMaxRepetitions = 1'000'000;  // more is a slip of the pen, and would fill the memory

}  // namespace

void Repetitions::read(const Cursor& at, const Begin& begin) {
  if (at.node.IsMap()) return read_block(at, begin);
  const auto blocks = items_of(at, "a block {for: {i: [1, n]}, ...} or a list of blocks");
  if (!blocks) complete_ = false;
  else
    for (const Cursor& block : *blocks) read_block(block, begin);
}

void Repetitions::read_block(const Cursor& at, const Begin& begin) {
  KeyTable keys(at, at.place);
  const Cursor* loops = keys.require("for", "the variables and their ranges, {i: [1, n]}");
  const Visit visit = begin(at, keys);
  const bool bad_keys = keys.report();
  const auto variables = loops ? entries_of(*loops, "a map of variables, {i: [1, n]}") : std::nullopt;
  if (bad_keys || !variables || !check_variables(*loops, *variables)) complete_ = false;
  else if (visit && is_countable(*variables, 0, *at.scope)) loop(*variables, 0, *at.scope, visit);
}

bool Repetitions::check_variables(const Cursor& loops, const std::vector<Entry>& variables) {
  bool good = !variables.empty();
  if (!good) loops.fault("no variable; expected {i: [1, n]}");
  for (const Entry& variable : variables) {
    good = check_variable_name(variable) && good;
    if (loops.scope->constants.count(variable.key) == 0) continue;
    log_.fault(variable.key_place, variable.value.path,
               "this name is already a parameter or a variable of an outer repeat");
    good = false;
  }
  return good;
}

// All repetitions are counted before the first is made, those of the innermost variable without going through them. What is
// wrong with a range is said when it is gone through.
bool Repetitions::is_countable(const std::vector<Entry>& variables, size_t depth, const Scope& outer) {
  ReadLog unheard;
  Cursor range = variables[depth].value;
  range.scope = &outer, range.log = &unheard;
  const auto bounds = read_range(range);
  if (!bounds) return true;
  repetitions_ += static_cast<double>(bounds->second) - static_cast<double>(bounds->first) + 1;
  if (repetitions_ > kMaxRepetitions) {
    variables[depth].value.fault(fmt::format("more than {} repetitions", kMaxRepetitions));
    return complete_ = false;
  }
  if (depth + 1 == variables.size()) return true;
  Scope inner = outer;
  for (long i = bounds->first; i <= bounds->second; ++i) {
    inner.constants[variables[depth].key] = static_cast<double>(i);
    if (!is_countable(variables, depth + 1, inner)) return false;
  }
  return true;
}

// One loop per variable, the first outermost; ranges may use the variables before.
void Repetitions::loop(const std::vector<Entry>& variables, size_t depth, const Scope& outer, const Visit& visit) {
  if (depth == variables.size()) return visit(outer);
  Cursor range = variables[depth].value;
  range.scope = &outer;
  const auto bounds = read_range(range);
  complete_ = complete_ && bounds;
  if (!bounds) return;
  Scope inner = outer;
  for (long i = bounds->first; i <= bounds->second; ++i) {
    if (++visited_ > kEnoughOfFaulty && !log_.findings().empty()) complete_ = false;
    if (visited_ > kEnoughOfFaulty && !complete_) return;
    inner.constants[variables[depth].key] = static_cast<double>(i);
    loop(variables, depth + 1, inner, visit);
  }
}

// [first, last], or n for [1, n]; last = first − 1 is an empty range.
std::optional<std::pair<long, long>> Repetitions::read_range(const Cursor& at) {
  std::optional<long> first = 1, last;
  if (at.node.IsSequence()) {
    const auto items = items_of(at, "a range [first, last]", 2);
    first = items ? integer_of((*items)[0]) : std::nullopt;
    last = items ? integer_of((*items)[1]) : std::nullopt;
  } else {
    last = integer_of(at);
  }
  if (first && last && *last >= *first - 1) return std::pair{*first, *last};
  if (first && last) at.fault(fmt::format("the range from {} to {} runs backwards", *first, *last));
  return {};
}

}  // namespace bricard::io
