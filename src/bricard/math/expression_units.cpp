// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "bricard/math/expression_parser.h"
#include "bricard/math/expression_tape.h"

// Units in formulas: what each value on the tape measures, and the factors that bring bare numbers and quantities together.
namespace bricard {
namespace {

DimensionRule rule_of(int op) {
  switch (op) {
    case op_negate:
    case op_abs: return DimensionRule::keep;
    case op_add:
    case op_subtract:
    case op_min:
    case op_max:
    case op_mod:
    case op_hypot: return DimensionRule::same;
    case op_multiply: return DimensionRule::product;
    case op_divide: return DimensionRule::quotient;
    case op_power: return DimensionRule::power;
    case op_sqrt: return DimensionRule::root;
    case op_asin:
    case op_acos:
    case op_atan: return DimensionRule::inverse;
    case op_atan2: return DimensionRule::ratio;
    case op_sign: return DimensionRule::sign;
    case op_less:
    case op_less_equal:
    case op_greater:
    case op_greater_equal:
    case op_equal: return DimensionRule::compare;
    case op_if: return DimensionRule::choice;
    case op_step:
    case op_step5:
    case op_havsin: return DimensionRule::step;
    case op_sin:
    case op_cos:
    case op_tan:
    case op_sinh:
    case op_cosh:
    case op_tanh:
    case op_exp:
    case op_log:
    case op_log10: return DimensionRule::number;
    default: return DimensionRule::file;
  }
}

}  // namespace

// A unit multiplies what stands before it. Further units after * and / belong to it.
void ExpressionParser::unit() {
  const std::string word = word_here();
  const auto product = read_unit(text_, at_);
  if (!product && is_name(word)) fail(at_, "expected an operator before '" + word + "'");
  if (!product) fail_unknown(at_, "unit", word, known_units());
  for (const std::string& factor : product->factors)
    if (is_value(factor))
      fail(at_, "'" + factor + "' is a unit and a parameter; write *(" + factor +
                    ") for the parameter, or give it another name");
  scale(0, product->unit.value);
  dimensions_.back() =
      settle(DimensionRule::product, std::array{dimensions_.back(), product->unit.dimension}, {}, scope_.units.units)
          .result;
  advance(product->end - at_);
  check_further_unit();
}

// After a unit, * and a word that means nothing is more likely a misspelt unit than a misspelt name.
void ExpressionParser::check_further_unit() {
  const size_t operator_at = at_;
  if (peek() != '*' && peek() != '/') return;
  advance(1);
  const size_t start = at_;
  while (is_letter(peek()) || (at_ > start && is_digit(peek()))) ++at_;
  const std::string word(text_.substr(start, at_ - start));
  skip_spaces();
  const bool known = word.empty() || peek() == '(' || is_name(word) || is_unit(word);
  at_ = operator_at;
  if (!known) fail_unknown(start, "unit", word, known_units());
}

void ExpressionParser::push(const Expression::Instruction& instruction, const Dimension& dimension) {
  dimensions_.push_back(dimension);
  out_.tape_.push_back(instruction);
}

// Multiplies a value on the tape by a number; 0 is the last one, 1 the one before it.
void ExpressionParser::scale(size_t operand, double factor) {
  if (factor == 1) return;
  std::vector<Expression::Instruction>& tape = out_.tape_;
  size_t begin = tape.size(), end = begin;
  for (size_t i = 0; i <= operand; ++i) {
    end = begin;
    for (int missing = 1; missing > 0;) missing += tape[--begin].count - 1;
  }
  if (end == begin + 1 && tape[begin].op == op_number) tape[begin].number *= factor;
  else
    tape.insert(tape.begin() + static_cast<std::ptrdiff_t>(end), {{op_number, 0, 0, factor}, {op_multiply, 2, 0, 0}});
}

// Gives the arguments of an operation dimensions that go together, and replaces them by that of its result.
void ExpressionParser::settle_dimensions(int op, size_t count, size_t start) {
  const size_t first = dimensions_.size() - count;
  std::optional<double> exponent;
  if (op == op_power && out_.tape_.back().op == op_number) exponent = out_.tape_.back().number;
  try {
    const Settled settled = settle(rule_of(op), std::span(dimensions_).subspan(first), exponent, scope_.units.units);
    for (size_t i = 0; i < count; ++i) scale(count - 1 - i, settled.scale[i]);
    dimensions_.resize(first + 1);
    dimensions_[first] = settled.result;
  } catch (const DimensionError& error) {
    fail(start, "'" + part_from(start) + "': " + error.what());
  }
}

// The argument in the unit of the table's x; a derivative is in that of y per x.
void ExpressionParser::settle_table(const Table& table, double order, size_t start) {
  using Kind = Dimension::Kind;
  const Dimension &x = table.x_dimension, &y = table.y_dimension;
  if (x.kind == Kind::plain) {
    settle_dimensions(op_spline, 1, start);
  } else {
    const auto factor = conversion(dimensions_.back(), x, scope_.units.units);
    if (!factor)
      fail(start,
           "'" + part_from(start) + "': the table is over " + describe(x) + ", found " + describe(dimensions_.back()));
    scale(0, *factor);
  }
  Dimension& result = dimensions_.back();
  result = y;
  if (order == 0 || x.kind == Kind::plain) return;
  result.kind = Kind::hard;
  for (size_t i = 0; i < result.power.size(); ++i) result.power[i] -= order * x.power[i];
}

std::string ExpressionParser::part_from(size_t start) const {
  std::string_view part = text_.substr(start, at_ - start);
  while (part.back() == ' ') part.remove_suffix(1);
  return std::string(part);
}

}  // namespace bricard
