// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "bricard/math/expression_parser.h"
#include "bricard/math/expression_tape.h"

// Functions, tables and measures in formulas: what stands before a parenthesis.
namespace bricard {

struct ExpressionFunction {
  const char* name;
  Op op;
  int least, most;              ///< number of arguments
  const char* usage = nullptr;  ///< where the order of the arguments is not obvious
};

namespace {

constexpr int kMany = kMaxDepth;

constexpr ExpressionFunction kFunctions[] = {{"sin", op_sin, 1, 1},
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

bool ExpressionParser::is_function(const std::string& word) { return find_named(kFunctions, word) != nullptr; }

std::vector<std::string> ExpressionParser::known_functions() const {
  std::vector<std::string> names;
  for (const ExpressionFunction& f : kFunctions) names.push_back(f.name);
  if (scope_.measures_allowed)
    for (const MeasureSignature& m : scope_.measures) names.push_back(m.name);
  if (scope_.functions)
    for (const auto& [name, function] : *scope_.functions) names.push_back(name);
  return names;
}

void ExpressionParser::call(const std::string& name, size_t start) {
  const ExpressionFunction* function = find_named(kFunctions, name);
  const MeasureSignature* measure = function ? nullptr : find_named(scope_.measures, name);
  if (measure) return measure_call(*measure, start);
  if (!function && scope_.functions && scope_.functions->count(name))
    return external_call(name, scope_.functions->at(name), start);
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

// Its arguments are numbers in the file's units, and so is its value. It may be another one with each call.
void ExpressionParser::external_call(const std::string& name, const std::shared_ptr<const ExternalFunction>& function,
                                     size_t start) {
  const int count = static_cast<int>(arguments(false).size());
  if (count < function->least || count > function->most)
    fail(start, "the function '" + name + "' takes " + expected_count(function->least, function->most) + ", found " +
                    std::to_string(count));
  settle_dimensions(op_external, static_cast<size_t>(count), start);
  out_.functions_.push_back(function);
  out_.tape_.push_back({op_external, count, static_cast<int>(out_.functions_.size()) - 1, 0});
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
  if (f.op == op_step || f.op == op_step5 || f.op == op_havsin) need(ordered(1, 3), "x0 < x1");
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
  if (out_.tape_.size() != before + 1 || out_.tape_.back().op != op_number)
    fail(start, what + " must be a fixed number");
  const double value = out_.tape_.back().number;
  out_.tape_.pop_back();
  dimensions_.pop_back();
  return value;
}

// cubic(x, table), cubic(x, table, order), cubspl(x, 0, table, order): the second number is Adams' second variable.
void ExpressionParser::spline_call(const ExpressionFunction& function, size_t start) {
  const size_t open = at_;
  const auto need_comma = [&] {
    if (peek() != ',') fail(start, "the function '" + std::string(function.name) + "' is written " + function.usage);
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
  settle_table(table, order, start);
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

}  // namespace bricard
