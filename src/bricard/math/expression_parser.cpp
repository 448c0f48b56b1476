// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/expression_parser.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "bricard/math/expression_tape.h"

namespace bricard {
namespace {

constexpr int kMaxNesting = 100;      // the parser is recursive
constexpr size_t kMaxLength = 10000;  // operations, with those of the expressions that are used by name

}  // namespace

Expression ExpressionParser::parse() {
  out_.text_ = text_;
  out_.tape_.clear();
  skip_spaces();
  if (at_end()) fail(0, "the formula is empty");
  comparison();
  if (peek() == ')') fail(at_, "')' without '('");
  if (peek() == ',') fail(at_, "a decimal point is written '.', found ','");
  if (!at_end()) fail(at_, "expected an operator before '" + word_here() + "'");
  check_depth();
  out_.dimension_ = dimensions_.at(0);
  return std::move(out_);
}

void ExpressionParser::fail(size_t column, const std::string& what) const {
  throw ExpressionError(static_cast<int>(column), what);
}

void ExpressionParser::fail_unknown(size_t column, const std::string& kind, const std::string& name,
                                    std::vector<std::string> known) const {
  ExpressionError error(static_cast<int>(column), "unknown " + kind + " '" + name + "'");
  error.unknown_name = name;
  error.known_names = std::move(known);
  throw error;
}

void ExpressionParser::skip_spaces() {
  while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
}

void ExpressionParser::advance(size_t count) {
  at_ += count;
  skip_spaces();
}

// What stands at the cursor, for messages: a name, a number or one (UTF-8) character.
std::string ExpressionParser::word_here() const {
  const auto is_part = [](char c) { return is_letter(c) || is_digit(c) || c == '.'; };
  size_t end = at_;
  while (end < text_.size() && is_part(text_[end])) ++end;
  if (end == at_ && !at_end()) ++end;
  while (end < text_.size() && (text_[end] & 0xC0) == 0x80) ++end;
  return std::string(text_.substr(at_, end - at_));
}

std::string ExpressionParser::take_word() {
  size_t end = at_;
  while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
  if (end < text_.size() && text_[end] == '\'') ++end;  // x', the rate of a state
  std::string word(text_.substr(at_, end - at_));
  advance(end - at_);
  return word;
}

void ExpressionParser::nest() {
  if (++nesting_ > kMaxNesting) fail(at_, "the formula is nested too deeply");
}

void ExpressionParser::comparison() {
  nest();
  const size_t start = at_;
  sum();
  const char c = peek();
  const bool equal = peek(1) == '=';
  if (c == '<' || c == '>' || (c == '=' && equal)) {
    advance(equal ? 2 : 1);
    sum();
    if (c == '>') emit(equal ? op_greater_equal : op_greater, 2, start);
    else emit(c == '=' ? op_equal : equal ? op_less_equal : op_less, 2, start);
  }
  --nesting_;
}

void ExpressionParser::sum() {
  const size_t start = at_;
  product();
  while (peek() == '+' || peek() == '-') {
    const Op op = peek() == '+' ? op_add : op_subtract;
    advance(1);
    product();
    emit(op, 2, start);
  }
}

void ExpressionParser::product() {
  const size_t start = at_;
  signed_power();
  while (peek() == '*' || peek() == '/') {
    const Op op = peek() == '*' ? op_multiply : op_divide;
    advance(1);
    signed_power();
    emit(op, 2, start);
  }
}

void ExpressionParser::signed_power() {
  if (peek() != '+' && peek() != '-') return power();
  nest();
  const size_t start = at_;
  const bool minus = peek() == '-';
  advance(1);
  signed_power();
  if (minus) emit(op_negate, 1, start);
  --nesting_;
}

void ExpressionParser::power() {
  const size_t start = at_;
  atom();
  const size_t length = peek() == '^' ? 1 : peek() == '*' && peek(1) == '*' ? 2 : 0;
  if (length == 0) return;
  nest();
  advance(length);
  signed_power();
  emit(op_power, 2, start);
  --nesting_;
}

void ExpressionParser::atom() {
  bare_atom();
  if (is_letter(peek())) unit();
}

void ExpressionParser::bare_atom() {
  if (at_end()) fail(at_, "the formula ends where a number or name is expected");
  if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
  if (is_letter(peek())) return name();
  if (peek() != '(') fail(at_, "expected a number or name, found '" + word_here() + "'");
  const size_t open = at_;
  advance(1);
  comparison();
  close(open);
}

void ExpressionParser::close(size_t open) {
  if (at_end()) fail(open, "'(' is not closed");
  if (peek() != ')') fail(at_, "expected an operator or ')', found '" + word_here() + "'");
  advance(1);
}

void ExpressionParser::number() {
  double value = 0;
  const char* begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  const size_t length = static_cast<size_t>(end - begin);
  if (error != std::errc()) fail(at_, "'" + word_here() + "' is not a finite number");
  advance(length);
  push({op_number, 0, 0, value}, {});
}

bool ExpressionParser::is_value(const std::string& word) const {
  return (scope_.constants && scope_.constants->count(word)) || (scope_.formulas && scope_.formulas->count(word)) ||
         (scope_.quantities && scope_.quantities->count(word)) || word == "pi" || word == "e" ||
         (scope_.time && word == "t") || std::count(scope_.variables.begin(), scope_.variables.end(), word) > 0;
}

bool ExpressionParser::is_name(const std::string& word) const { return is_value(word) || is_function(word); }

void ExpressionParser::name() {
  const size_t start = at_;
  const std::string name = take_word();
  if (peek() == '(') return call(name, start);
  if (named_value(name, start)) return;
  if (name == "t" || name == "time") fail(start, "the time '" + name + "' may not be used here");
  if (is_function(name)) fail(at_, "'(' expected after the function '" + name + "'");
  if (scope_.tables && scope_.tables->count(name))
    fail(start, "'" + name + "' is a table; its value at x is cubic(x, " + name + ") or akima(x, " + name + ")");
  fail_unknown(start, "name", name, scope_.suggestions ? known_names() : std::vector<std::string>{});
}

bool ExpressionParser::named_value(const std::string& name, size_t start) {
  const auto dimension_in = [&](const std::map<std::string, Dimension>& dimensions) {
    const auto known = dimensions.find(name);
    return known == dimensions.end() ? Dimension{} : known->second;
  };
  Dimension dimension = dimension_in(scope_.units.dimensions);
  const auto push_number = [&](double value) { push({op_number, 0, 0, value}, dimension); };
  if ((name == "t" || name == "time") && scope_.time) {
    push({op_time, 0, 0, 0}, soft_time());
  } else if (std::count(scope_.variables.begin(), scope_.variables.end(), name)) {
    push_input({name, {}, static_cast<int>(start)});
    dimensions_.push_back(soft(dimension));
  } else if (scope_.quantities && scope_.quantities->count(name)) {
    push_input({name, {}, static_cast<int>(start)});
    dimensions_.push_back(soft(dimension_in(*scope_.quantities)));
  } else if (scope_.constants && scope_.constants->count(name)) {
    if (scope_.dimensions) dimension = dimension_in(*scope_.dimensions);
    push_number(scope_.constants->at(name));
  } else if (scope_.formulas && scope_.formulas->count(name)) {
    use_formula(name, scope_.formulas->at(name), start);
  } else if (name == "pi") {
    push_number(std::numbers::pi);
  } else if (name == "e") {
    push_number(std::numbers::e);
  } else {
    return adams_value(name);
  }
  return true;
}

// TIME, PI, DTOR and RTOD, in small letters too.
bool ExpressionParser::adams_value(const std::string& name) {
  const std::string word = small_letters(name);
  if (word == "time" && scope_.time) push({op_time, 0, 0, 0}, soft_time());
  else if (word == "pi") push({op_number, 0, 0, std::numbers::pi}, {});
  else if (word == "dtor") push({op_number, 0, 0, std::numbers::pi / 180}, {});
  else if (word == "rtod") push({op_number, 0, 0, 180 / std::numbers::pi}, {});
  else return false;
  return true;
}

// Its tape is copied, with inputs, splines, functions and slots renumbered. Each formula is computed once, however often
// it and others use it: the first use keeps its value in a slot.
void ExpressionParser::use_formula(const std::string& name, const Expression& formula, size_t start) {
  if (formula.uses_time() && !scope_.time) fail(start, "'" + name + "' uses the time, which may not be used here");
  if (!formula.inputs_.empty() && !scope_.measures_allowed)
    fail(start, "'" + name + "' uses measures, which may not be used here");
  if (!formula.functions_.empty() && !scope_.functions)
    fail(start, "'" + name + "' uses a function from outside, which may not be used here");
  dimensions_.push_back(formula.dimension_);
  if (formula.is_constant()) return out_.tape_.push_back(formula.tape_[0]);
  if (const auto slot = slots_.find(name); slot != slots_.end())
    return out_.tape_.push_back({op_load, 0, slot->second, 0});
  for (Expression::Instruction i : formula.tape_) {
    if (i.op == op_store) {
      share(formula.shared_[static_cast<size_t>(i.index)], start);
      continue;
    }
    if (i.op == op_load) i.index = slots_.at(formula.shared_[static_cast<size_t>(i.index)]);
    if (i.op == op_input) {
      MeasureCall input = formula.inputs_[static_cast<size_t>(i.index)];
      input.column = -1;
      push_input(input);
      continue;
    }
    if (i.op == op_spline) {
      out_.splines_.push_back(formula.splines_[static_cast<size_t>(i.index)]);
      i.index = static_cast<int>(out_.splines_.size()) - 1;
    }
    if (i.op == op_external) {
      out_.functions_.push_back(formula.functions_[static_cast<size_t>(i.index)]);
      i.index = static_cast<int>(out_.functions_.size()) - 1;
    }
    out_.tape_.push_back(i);
  }
  share(name, start);
  if (out_.tape_.size() > kMaxLength)
    fail(start, "with the expressions it uses, the formula has more than " + std::to_string(kMaxLength) +
                    " operations; make '" + name + "' a variable (section 'variables')");
}

/// The last value on the tape is that of a formula: it gets a slot or, if it has one, is taken from there.
void ExpressionParser::share(const std::string& name, size_t start) {
  std::vector<Expression::Instruction>& tape = out_.tape_;
  const auto [slot, is_new] = slots_.try_emplace(name, static_cast<int>(out_.shared_.size()));
  if (is_new) {
    if (out_.shared_.size() == kMaxSlots)
      fail(start, "the formula uses more than " + std::to_string(kMaxSlots) + " expressions; make '" + name +
                      "' a variable (section 'variables')");
    out_.shared_.push_back(name);
    return tape.push_back({op_store, 1, slot->second, 0});
  }
  size_t first = tape.size();
  for (int missing = 1; missing > 0;) missing += tape[--first].count - 1;
  tape.resize(first);
  tape.push_back({op_load, 0, slot->second, 0});
}

std::vector<std::string> ExpressionParser::known_names() const {
  std::vector<std::string> names;
  if (scope_.constants)
    for (const auto& [name, value] : *scope_.constants) names.push_back(name);
  if (scope_.formulas)
    for (const auto& [name, formula] : *scope_.formulas) names.push_back(name);
  names.insert(names.end(), {"pi", "e"});
  if (scope_.time) names.push_back("t");
  if (scope_.quantities)
    for (const auto& [name, dimension] : *scope_.quantities) names.push_back(name);
  names.insert(names.end(), scope_.variables.begin(), scope_.variables.end());
  return names;
}

// Appends an operation, or its result where all arguments are known numbers.
void ExpressionParser::emit(int op, int count, size_t start) {
  if (count > kMaxDepth) fail(start, "more than " + std::to_string(kMaxDepth) + " arguments");
  settle_dimensions(op, static_cast<size_t>(count), start);
  std::vector<Expression::Instruction>& tape = out_.tape_;
  const size_t first = tape.size() - static_cast<size_t>(count);
  std::array<double, kMaxDepth> arguments;
  for (size_t i = first; i < tape.size(); ++i) {
    if (tape[i].op != op_number) return tape.push_back({op, count, 0, 0});
    arguments[i - first] = tape[i].number;
  }
  const double value = apply(op, arguments.data(), count);
  if (!std::isfinite(value)) fail(start, "'" + part_from(start) + "' is not a finite number");
  tape.resize(first);
  tape.push_back({op_number, 0, 0, value});
}

void ExpressionParser::check_depth() const {
  int depth = 0;
  for (const Expression::Instruction& instruction : out_.tape_) {
    depth += 1 - instruction.count;
    if (depth > kMaxDepth)
      fail(0, "the formula needs more than " + std::to_string(kMaxDepth) + " intermediate values; split it");
  }
}

}  // namespace bricard
