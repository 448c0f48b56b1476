// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/expression.h"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "bricard/math/time_jet.h"

namespace bricard {
namespace {

enum Op : int {
  op_number, op_time,
  op_negate, op_sin, op_cos, op_tan, op_asin, op_acos, op_atan, op_sinh, op_cosh, op_tanh,
  op_exp, op_log, op_log10, op_sqrt, op_abs, op_floor, op_ceil, op_sign,
  op_add, op_subtract, op_multiply, op_divide, op_power, op_atan2, op_min, op_max, op_mod,
  op_step
};

constexpr int kMaxDepth = 32;     // jets on the evaluation stack
constexpr int kMaxNesting = 100;  // of the parser, which is recursive

constexpr int argument_count(int op) {
  return op == op_step ? 5 : op >= op_add ? 2 : op >= op_negate ? 1 : 0;
}

struct Function {
  const char* name;
  Op op;
};

constexpr Function kFunctions[] = {
    {"sin", op_sin},     {"cos", op_cos},     {"tan", op_tan},     {"asin", op_asin},
    {"acos", op_acos},   {"atan", op_atan},   {"sinh", op_sinh},   {"cosh", op_cosh},
    {"tanh", op_tanh},   {"exp", op_exp},     {"log", op_log},     {"log10", op_log10},
    {"sqrt", op_sqrt},   {"abs", op_abs},     {"floor", op_floor}, {"ceil", op_ceil},
    {"sign", op_sign},   {"atan2", op_atan2}, {"min", op_min},     {"max", op_max},
    {"mod", op_mod},     {"step", op_step}};

const Function* find_function(std::string_view name) {
  for (const Function& f : kFunctions)
    if (name == f.name) return &f;
  return nullptr;
}

TimeJet apply_unary(int op, const TimeJet& x) {
  switch (op) {
    case op_negate: return -x;
    case op_sin: return sin(x);
    case op_cos: return cos(x);
    case op_tan: return tan(x);
    case op_asin: return asin(x);
    case op_acos: return acos(x);
    case op_atan: return atan(x);
    case op_sinh: return sinh(x);
    case op_cosh: return cosh(x);
    case op_tanh: return tanh(x);
    case op_exp: return exp(x);
    case op_log: return log(x);
    case op_log10: return log10(x);
    case op_sqrt: return sqrt(x);
    case op_abs: return abs(x);
    case op_floor: return {std::floor(x.value), 0, 0};
    case op_ceil: return {std::ceil(x.value), 0, 0};
    default: return {sign(x.value), 0, 0};
  }
}

TimeJet apply_binary(int op, const TimeJet& x, const TimeJet& y) {
  switch (op) {
    case op_add: return x + y;
    case op_subtract: return x - y;
    case op_multiply: return x * y;
    case op_divide: return x / y;
    case op_power: return pow(x, y);
    case op_atan2: return atan2(x, y);
    case op_min: return y.value < x.value ? y : x;
    case op_max: return y.value > x.value ? y : x;
    default: return mod(x, y);
  }
}

// The arguments start at x; the result takes the place of the first.
TimeJet apply(int op, const TimeJet* x) {
  switch (argument_count(op)) {
    case 1: return apply_unary(op, x[0]);
    case 2: return apply_binary(op, x[0], x[1]);
    default: return smooth_step(x[0], x[1], x[2], x[3], x[4]);
  }
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Recursive descent:   sum = product {(+|-) product},   product = signed {(*|/) signed},
//     signed = (+|-) signed | power,   power = atom [(^|**) signed],
//     atom = number | name | function(sum {, sum}) | (sum)
template <class Instruction>
class Parser {
 public:
  Parser(std::string_view text, const std::map<std::string, double>& constants, bool time_allowed)
      : text_(text), constants_(constants), time_allowed_(time_allowed) {}

  std::vector<Instruction> parse() {
    skip_spaces();
    if (at_end()) fail(0, "the formula is empty");
    sum();
    if (peek() == ')') fail(at_, "')' without '('");
    if (!at_end()) fail(at_, "expected an operator before '" + word_here() + "'");
    check_depth();
    return std::move(tape_);
  }

 private:
  [[noreturn]] void fail(size_t column, const std::string& what) const {
    throw ExpressionError(static_cast<int>(column), what);
  }

  [[noreturn]] void fail_unknown(size_t column, const std::string& kind, std::string_view name,
                                 std::vector<std::string> known) const {
    ExpressionError error(static_cast<int>(column),
                          "unknown " + kind + " '" + std::string(name) + "'");
    error.unknown_name = name;
    error.known_names = std::move(known);
    throw error;
  }

  bool at_end() const { return at_ >= text_.size(); }
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void skip_spaces() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }
  void advance(size_t count) {
    at_ += count;
    skip_spaces();
  }

  // What stands at the cursor, for messages: a name, a number or one (UTF-8) character.
  std::string word_here() const {
    const auto is_part = [](char c) { return is_letter(c) || is_digit(c) || c == '.'; };
    size_t end = at_;
    while (end < text_.size() && is_part(text_[end])) ++end;
    if (end == at_ && !at_end()) ++end;
    while (end < text_.size() && (text_[end] & 0xC0) == 0x80) ++end;
    return std::string(text_.substr(at_, end - at_));
  }

  void sum() {
    if (++nesting_ > kMaxNesting) fail(at_, "the formula is nested too deeply");
    const size_t start = at_;
    product();
    while (peek() == '+' || peek() == '-') {
      const Op op = peek() == '+' ? op_add : op_subtract;
      advance(1);
      product();
      emit(op, start);
    }
    --nesting_;
  }

  void product() {
    const size_t start = at_;
    signed_power();
    while (peek() == '*' || peek() == '/') {
      const Op op = peek() == '*' ? op_multiply : op_divide;
      advance(1);
      signed_power();
      emit(op, start);
    }
  }

  void signed_power() {
    if (peek() != '+' && peek() != '-') return power();
    if (++nesting_ > kMaxNesting) fail(at_, "the formula is nested too deeply");
    const size_t start = at_;
    const bool minus = peek() == '-';
    advance(1);
    signed_power();
    if (minus) emit(op_negate, start);
    --nesting_;
  }

  void power() {
    const size_t start = at_;
    atom();
    const size_t length = peek() == '^' ? 1 : peek() == '*' && peek(1) == '*' ? 2 : 0;
    if (length == 0) return;
    if (++nesting_ > kMaxNesting) fail(at_, "the formula is nested too deeply");
    advance(length);
    signed_power();
    emit(op_power, start);
    --nesting_;
  }

  void atom() {
    if (at_end()) fail(at_, "the formula ends where a number or name is expected");
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    if (is_letter(peek())) return name();
    if (peek() != '(') fail(at_, "expected a number or name, found '" + word_here() + "'");
    const size_t open = at_;
    advance(1);
    sum();
    close(open);
  }

  void close(size_t open) {
    if (at_end()) fail(open, "'(' is not closed");
    if (peek() != ')') fail(at_, "expected an operator or ')', found '" + word_here() + "'");
    advance(1);
  }

  void number() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    const size_t length = static_cast<size_t>(end - begin);
    if (error != std::errc()) fail(at_, "'" + word_here() + "' is not a finite number");
    advance(length);
    tape_.push_back({op_number, value});
  }

  void name() {
    const size_t start = at_;
    size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::string name(text_.substr(start, end - start));
    advance(end - start);
    if (peek() == '(') return call(name, start);
    const auto constant = constants_.find(name);
    const bool time = name == "t" || name == "time";
    if (time && time_allowed_) tape_.push_back({op_time, 0});
    else if (constant != constants_.end()) tape_.push_back({op_number, constant->second});
    else if (name == "pi") tape_.push_back({op_number, std::numbers::pi});
    else if (name == "e") tape_.push_back({op_number, std::numbers::e});
    else if (time) fail(start, "the time '" + name + "' may not be used here");
    else if (find_function(name)) fail(at_, "'(' expected after the function '" + name + "'");
    else fail_unknown(start, "name", name, known_names());
  }

  std::vector<std::string> known_names() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : constants_) names.push_back(name);
    names.insert(names.end(), {"pi", "e"});
    if (time_allowed_) names.push_back("t");
    return names;
  }

  void call(const std::string& name, size_t start) {
    const Function* function = find_function(name);
    if (!function && constants_.count(name))
      fail(start, "'" + name + "' is not a function; a product is written with *");
    if (!function) {
      std::vector<std::string> names;
      for (const Function& f : kFunctions) names.push_back(f.name);
      fail_unknown(start, "function", name, names);
    }
    const size_t open = at_;
    std::vector<size_t> begins;  // of the arguments, on the tape
    do {
      advance(1);
      if (peek() == ')' && begins.empty()) break;
      begins.push_back(tape_.size());
      sum();
    } while (peek() == ',');
    close(open);
    check_arguments(*function, start, begins);
    const bool any_number = function->op == op_min || function->op == op_max;
    const size_t times = any_number ? begins.size() - 1 : 1;
    for (size_t i = 0; i < times; ++i) emit(function->op, start);
  }

  void check_arguments(const Function& function, size_t start, const std::vector<size_t>& begins) {
    const int expected = argument_count(function.op), found = static_cast<int>(begins.size());
    const bool any_number = function.op == op_min || function.op == op_max;
    if (any_number ? found < 2 : found != expected)
      fail(start, "the function '" + std::string(function.name) + "' takes " +
                      (any_number ? "at least " : "") + std::to_string(expected) +
                      (expected == 1 ? " argument" : " arguments") + ", found " +
                      std::to_string(found));
    if (function.op != op_step) return;
    const bool known = begins[2] == begins[1] + 1 && begins[4] == begins[3] + 1 &&
                       tape_[begins[1]].op == op_number && tape_[begins[3]].op == op_number;
    if (known && tape_[begins[1]].number >= tape_[begins[3]].number)
      fail(start, "step(x, x0, h0, x1, h1) needs x0 < x1");
  }

  // Appends an operation, or its result where all arguments are known numbers.
  void emit(Op op, size_t start) {
    const size_t count = static_cast<size_t>(argument_count(op)), first = tape_.size() - count;
    std::array<TimeJet, 5> arguments;
    for (size_t i = 0; i < count; ++i) {
      if (tape_[first + i].op != op_number) return tape_.push_back({op, 0});
      arguments[i].value = tape_[first + i].number;
    }
    const double value = apply(op, arguments.data()).value;
    if (!std::isfinite(value)) {
      std::string_view part = text_.substr(start, at_ - start);
      while (part.back() == ' ') part.remove_suffix(1);
      fail(start, "'" + std::string(part) + "' is not a finite number");
    }
    tape_.resize(first);
    tape_.push_back({op_number, value});
  }

  void check_depth() const {
    int depth = 0;
    for (const Instruction& instruction : tape_) {
      depth += 1 - argument_count(instruction.op);
      if (depth > kMaxDepth)
        fail(0, "the formula needs more than " + std::to_string(kMaxDepth) +
                    " intermediate values; split it");
    }
  }

  std::string_view text_;
  const std::map<std::string, double>& constants_;
  bool time_allowed_;
  size_t at_ = 0;
  int nesting_ = 0;
  std::vector<Instruction> tape_;
};

}  // namespace

Expression::Expression(double constant) : tape_{{op_number, constant}} {
  char buffer[32];
  text_.assign(buffer, std::to_chars(buffer, buffer + sizeof buffer, constant).ptr);
}

Expression Expression::parse(std::string_view text, const std::map<std::string, double>& constants,
                             bool time_allowed) {
  Expression expression;
  expression.tape_ = Parser<Instruction>(text, constants, time_allowed).parse();
  expression.text_ = text;
  return expression;
}

bool Expression::is_constant() const { return tape_.size() == 1 && tape_[0].op == op_number; }

TimeJet Expression::jet(double t) const {
  std::array<TimeJet, kMaxDepth> stack;
  size_t top = 0;
  for (const Instruction& instruction : tape_) {
    if (instruction.op == op_number) {
      stack[top++] = {instruction.number, 0, 0};
    } else if (instruction.op == op_time) {
      stack[top++] = {t, 1, 0};
    } else {
      top -= static_cast<size_t>(argument_count(instruction.op));
      stack[top] = apply(instruction.op, &stack[top]);
      ++top;
    }
  }
  return stack[0];
}

}  // namespace bricard
