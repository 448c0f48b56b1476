// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/expression_parser.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "bricard/math/expression_tape.h"

namespace bricard {

struct ExpressionFunction {
  const char* name;
  Op op;
  int least, most;              ///< number of arguments
  const char* usage = nullptr;  ///< where the order of the arguments is not obvious
};

namespace {

constexpr int kMaxNesting = 100;  // the parser is recursive
constexpr int kMany = kMaxDepth;

constexpr ExpressionFunction kFunctions[] = {
    {"sin", op_sin, 1, 1},
    {"cos", op_cos, 1, 1},
    {"tan", op_tan, 1, 1},
    {"asin", op_asin, 1, 1},
    {"acos", op_acos, 1, 1},
    {"atan", op_atan, 1, 1},
    {"sinh", op_sinh, 1, 1},
    {"cosh", op_cosh, 1, 1},
    {"tanh", op_tanh, 1, 1},
    {"exp", op_exp, 1, 1},
    {"log", op_log, 1, 1},
    {"log10", op_log10, 1, 1},
    {"sqrt", op_sqrt, 1, 1},
    {"cbrt", op_cbrt, 1, 1},
    {"abs", op_abs, 1, 1},
    {"floor", op_floor, 1, 1},
    {"ceil", op_ceil, 1, 1},
    {"round", op_round, 1, 1},
    {"trunc", op_trunc, 1, 1},
    {"anint", op_round, 1, 1},
    {"aint", op_trunc, 1, 1},
    {"sign", op_sign, 1, 2, "sign(x) or sign(x, y)"},
    {"atan2", op_atan2, 2, 2},
    {"hypot", op_hypot, 2, 2},
    {"min", op_min, 2, kMany},
    {"max", op_max, 2, kMany},
    {"mod", op_mod, 2, 2},
    {"if", op_if, 4, 4, "if(x, negative, zero, positive)"},
    {"step", op_step, 5, 5, "step(x, x0, h0, x1, h1)"},
    {"step5", op_step5, 5, 5, "step5(x, x0, h0, x1, h1)"},
    {"havsin", op_havsin, 5, 5, "havsin(x, x0, h0, x1, h1)"},
    {"poly", op_poly, 3, kMany, "poly(x, x0, a0, a1, ...)"},
    {"cheby", op_cheby, 3, kMany, "cheby(x, x0, a0, a1, ...)"},
    {"forcos", op_forcos, 4, kMany, "forcos(x, x0, w, a0, a1, ...)"},
    {"forsin", op_forsin, 4, kMany, "forsin(x, x0, w, a0, a1, ...)"},
    {"shf", op_shf, 4, 6, "shf(x, x0, a, w, phi, b)"},
    {"impact", op_impact, 7, 7, "impact(x, rate of x, x1, k, e, c, d)"},
    {"bistop", op_bistop, 8, 8, "bistop(x, rate of x, x1, x2, k, e, c, d)"},
    {"cubic", op_spline, 2, 3, "cubic(x, table) or cubic(x, table, order)"},
    {"akima", op_spline, 2, 3, "akima(x, table) or akima(x, table, order)"},
    {"cubspl", op_spline, 2, 4, "cubspl(x, 0, table, order)"},
    {"akispl", op_spline, 2, 4, "akispl(x, 0, table, order)"}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

template <class List>
auto find_named(const List& list, const std::string& name) {
  const std::string wanted = small_letters(name);
  const auto found = std::find_if(std::begin(list), std::end(list), [&](const auto& f) { return wanted == f.name; });
  return found == std::end(list) ? nullptr : &*found;
}

std::string counted(int n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

std::string expected_count(int least, int most) {
  if (most >= kMany) return "at least " + counted(least, "argument");
  if (least == most) return counted(least, "argument");
  return std::to_string(least) + (most == least + 1 ? " or " : " to ") + counted(most, "argument");
}

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
    const size_t middle = out_.tape_.size();
    sum();
    // x > y is y < x: where both sides have derivatives, the two parts of the tape change places
    if (c == '>') {
      size_t first = middle;  // the left side is all that came since `start`, the last complete value before `middle`
      for (int missing = 1; missing > 0;) missing += out_.tape_[--first].count - 1;
      std::rotate(out_.tape_.begin() + first, out_.tape_.begin() + middle, out_.tape_.end());
      std::swap(dimensions_.back(), dimensions_[dimensions_.size() - 2]);
    }
    emit(c == '=' ? op_equal : equal ? op_less_equal : op_less, 2, start);
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

bool ExpressionParser::is_name(const std::string& word) const {
  const auto names = known_names();
  return std::count(names.begin(), names.end(), word) || find_named(kFunctions, word);
}

void ExpressionParser::name() {
  const size_t start = at_;
  const std::string name = take_word();
  if (peek() == '(') return call(name, start);
  if (named_value(name, start)) return;
  if (name == "t" || name == "time") fail(start, "the time '" + name + "' may not be used here");
  if (find_named(kFunctions, name)) fail(at_, "'(' expected after the function '" + name + "'");
  if (scope_.tables && scope_.tables->count(name))
    fail(start, "'" + name + "' is a table; its value at x is cubic(x, " + name + ") or akima(x, " + name + ")");
  fail_unknown(start, "name", name, known_names());
}

bool ExpressionParser::named_value(const std::string& name, size_t start) {
  const auto known = scope_.units.dimensions.find(name);
  const Dimension dimension = known == scope_.units.dimensions.end() ? Dimension{} : known->second;
  const auto push_number = [&](double value) { push({op_number, 0, 0, value}, dimension); };
  if ((name == "t" || name == "time") && scope_.time) {
    push({op_time, 0, 0, 0}, soft_time());
  } else if (std::count(scope_.variables.begin(), scope_.variables.end(), name)) {
    push_input({name, {}, static_cast<int>(start)});
    dimensions_.push_back(soft(dimension));
  } else if (scope_.constants && scope_.constants->count(name)) {
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

// Its tape is copied, with inputs and splines renumbered.
void ExpressionParser::use_formula(const std::string& name, const Expression& formula, size_t start) {
  if (formula.uses_time() && !scope_.time) fail(start, "'" + name + "' uses the time, which may not be used here");
  if (!formula.inputs_.empty() && !scope_.measures_allowed)
    fail(start, "'" + name + "' uses measures, which may not be used here");
  dimensions_.push_back(formula.dimension_);
  for (Expression::Instruction i : formula.tape_) {
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
    out_.tape_.push_back(i);
  }
}

std::vector<std::string> ExpressionParser::known_names() const {
  std::vector<std::string> names;
  if (scope_.constants)
    for (const auto& [name, value] : *scope_.constants) names.push_back(name);
  if (scope_.formulas)
    for (const auto& [name, formula] : *scope_.formulas) names.push_back(name);
  names.insert(names.end(), {"pi", "e"});
  if (scope_.time) names.push_back("t");
  names.insert(names.end(), scope_.variables.begin(), scope_.variables.end());
  return names;
}

std::vector<std::string> ExpressionParser::known_functions() const {
  std::vector<std::string> names;
  for (const ExpressionFunction& f : kFunctions) names.push_back(f.name);
  if (scope_.measures_allowed)
    for (const MeasureSignature& m : scope_.measures) names.push_back(m.name);
  return names;
}

void ExpressionParser::call(const std::string& name, size_t start) {
  const ExpressionFunction* function = find_named(kFunctions, name);
  const MeasureSignature* measure = function ? nullptr : find_named(scope_.measures, name);
  if (measure) return measure_call(*measure, start);
  if (!function && scope_.constants && scope_.constants->count(name))
    fail(start, "'" + name + "' is not a function; a product is written with *");
  if (!function) fail_unknown(start, "function", name, known_functions());
  if (function->op == op_spline) return spline_call(*function, start);
  const std::vector<size_t> begins = arguments(function->op == op_if);
  check_arguments(*function, start, begins);
  const int count = static_cast<int>(begins.size());
  if (function->op == op_min || function->op == op_max) {
    for (int i = 1; i < count; ++i) emit(function->op, 2, start);
  } else if (function->op == op_shf) {
    for (int i = count; i < 6; ++i) push({op_number, 0, 0, 0}, {});
    emit(op_shf, 6, start);
  } else {
    emit(function->op == op_sign && count == 2 ? op_transfer_sign : function->op, count, start);
  }
}

// Where each argument begins on the tape. IF(x: a, b, c) has a colon.
std::vector<size_t> ExpressionParser::arguments(bool colon_allowed) {
  const size_t open = at_;
  std::vector<size_t> begins;
  do {
    advance(1);
    if (peek() == ')' && begins.empty()) break;
    begins.push_back(out_.tape_.size());
    comparison();
  } while (peek() == ',' || (colon_allowed && peek() == ':' && begins.size() == 1));
  close(open);
  return begins;
}

void ExpressionParser::check_arguments(const ExpressionFunction& f, size_t start,
                                       const std::vector<size_t>& begins) const {
  const int found = static_cast<int>(begins.size());
  if (found < f.least || found > f.most)
    fail(start, "the function '" + std::string(f.name) + "' takes " + expected_count(f.least, f.most) +
                    (f.usage ? ", " + std::string(f.usage) : "") + ", found " + std::to_string(found));
  // a rule for arguments that are known numbers
  const auto known = [&](size_t n) {
    const size_t end = n + 1 < begins.size() ? begins[n + 1] : out_.tape_.size();
    return end == begins[n] + 1 && out_.tape_[begins[n]].op == op_number;
  };
  // bare numbers by the factor with which they are about to become quantities
  const auto value = [&](size_t n) { return out_.tape_[begins[n]].number; };
  const size_t first = dimensions_.size() - begins.size();
  const auto ordered = [&](size_t a, size_t b) {
    const Dimension &da = dimensions_[first + a], &db = dimensions_[first + b];
    const auto factor = [&](const Dimension& d, const Dimension& other) {
      return d.kind == Dimension::Kind::plain ? scope_.units.units.factor(other) : 1;
    };
    return !(known(a) && known(b)) || value(a) * factor(da, db) < value(b) * factor(db, da);
  };
  const auto need = [&](bool good, const char* rule) {
    if (!good) fail(start, std::string(f.usage) + " needs " + rule);
  };
  if (f.op == op_step || f.op == op_step5 || f.op == op_havsin)
    need(ordered(1, 3), "x0 < x1");
  if (f.op == op_bistop) need(ordered(2, 3), "x1 < x2");
  if (f.op == op_impact || f.op == op_bistop) {
    const size_t k = f.op == op_impact ? 3 : 4;
    need(!known(k) || value(k) >= 0, "k >= 0");
    need(!known(k + 1) || value(k + 1) > 0, "e > 0");
    need(!known(k + 2) || value(k + 2) >= 0, "c >= 0");
    need(!known(k + 3) || value(k + 3) > 0, "d > 0");
  }
}

// A number that must be known when the formula is read.
double ExpressionParser::literal(const std::string& what) {
  const size_t start = at_, before = out_.tape_.size();
  sum();
  if (out_.tape_.size() != before + 1 || out_.tape_.back().op != op_number) fail(start, what + " must be a fixed number");
  const double value = out_.tape_.back().number;
  out_.tape_.pop_back();
  dimensions_.pop_back();
  return value;
}

// cubic(x, table), cubic(x, table, order), cubspl(x, 0, table, order): the second number is Adams' second variable.
void ExpressionParser::spline_call(const ExpressionFunction& function, size_t start) {
  const size_t open = at_;
  const auto need_comma = [&] {
    if (peek() != ',')
      fail(start, "the function '" + std::string(function.name) + "' is written " + function.usage);
    advance(1);
  };
  advance(1);
  comparison();
  need_comma();
  if (!is_letter(peek())) {
    const size_t here = at_;
    if (literal("the second variable") != 0) fail(here, "tables have one variable; the second one must be 0");
    need_comma();
  }
  const size_t table_start = at_;
  const std::string name = take_word();
  std::vector<std::string> names;
  if (scope_.tables)
    for (const auto& [known, table] : *scope_.tables) names.push_back(known);
  if (!scope_.tables || !scope_.tables->count(name)) fail_unknown(table_start, "table", name, names);
  double order = 0;
  if (peek() == ',') {
    advance(1);
    const size_t here = at_;
    order = literal("the order of derivative");
    if (order != 0 && order != 1 && order != 2) fail(here, "the order of derivative must be 0, 1 or 2");
  }
  close(open);
  const bool akima = function.name[0] == 'a';
  const SplineType type = akima ? SplineType::akima : SplineType::cubic;
  const Table& table = scope_.tables->at(name);
  if (static_cast<int>(table.x.size()) < least_points(type))
    fail(table_start, std::string(akima ? "Akima's" : "a cubic") + " spline needs at least " +
                          counted(least_points(type), "point") + "; the table '" + name + "' has " +
                          std::to_string(table.x.size()));
  out_.splines_.push_back(std::make_shared<const Spline>(table, type));
  settle_dimensions(op_spline, 1, start);
  out_.tape_.push_back({op_spline, 1, static_cast<int>(out_.splines_.size()) - 1, order});
}

// The arguments are names of markers or joints and taken as they stand, up to a comma.
void ExpressionParser::measure_call(const MeasureSignature& measure, size_t start) {
  if (!scope_.measures_allowed) fail(start, "the measure '" + std::string(measure.name) + "' may not be used here");
  MeasureCall call{measure.name, {}, static_cast<int>(start)};
  const size_t open = at_;
  do {
    advance(1);
    if (peek() == ')' && call.arguments.empty()) break;
    const size_t end = std::min(text_.find_first_of(",()", at_), text_.size());
    std::string_view word = text_.substr(at_, end - at_);
    while (!word.empty() && (word.back() == ' ' || word.back() == '\t' || word.back() == '\n')) word.remove_suffix(1);
    if (word.empty() && end < text_.size()) fail(at_, "expected the name of a marker or joint");
    call.arguments.emplace_back(word);
    at_ = end;
    if (at_end()) fail(open, "'(' is not closed");
    if (peek() == '(') fail(at_, "the arguments of '" + std::string(measure.name) + "' are names of markers or joints");
  } while (peek() == ',');
  advance(1);
  const int found = static_cast<int>(call.arguments.size());
  if (found < measure.least || found > measure.most)
    fail(start, "the measure '" + std::string(measure.name) + "' takes " + expected_count(measure.least, measure.most) +
                    ", " + measure.usage + ", found " + std::to_string(found));
  push_input(call);
  dimensions_.push_back(soft(parse_unit(measure.unit)->dimension));
}

void ExpressionParser::push_input(const MeasureCall& call) {
  std::vector<MeasureCall>& inputs = out_.inputs_;
  const auto same = [&](const MeasureCall& other) {
    return other.function == call.function && other.arguments == call.arguments;
  };
  const auto found = std::find_if(inputs.begin(), inputs.end(), same);
  const int index = static_cast<int>(found - inputs.begin());
  if (index >= Expression::kMaxInputs)
    fail(call.column < 0 ? 0 : static_cast<size_t>(call.column),
         "the formula uses more than " + std::to_string(Expression::kMaxInputs) + " different measures; split it");
  if (found == inputs.end()) inputs.push_back(call);
  out_.tape_.push_back({op_input, 0, index, 0});
}

// Appends an operation, or its result where all arguments are known numbers.
void ExpressionParser::emit(int op, int count, size_t start) {
  if (count > kMaxDepth) fail(start, "more than " + counted(kMaxDepth, "argument"));
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
