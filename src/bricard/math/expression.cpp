// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/expression.h"

#include <algorithm>
#include <charconv>

#include "bricard/math/expression_parser.h"
#include "bricard/math/expression_tape.h"

namespace bricard {
namespace {

// With room for the values that are used several times: most formulas have none.
template <class S, class Tape, class... Rest>
S evaluate_with_slots(size_t slots, const Tape& tape, const Rest&... rest) {
  if (slots == 0) return evaluate<S>(tape, rest..., static_cast<S*>(nullptr));
  if (slots <= kFewSlots) {
    std::array<S, kFewSlots> few;
    return evaluate<S>(tape, rest..., few.data());
  }
  std::array<S, kMaxSlots> many;
  return evaluate<S>(tape, rest..., many.data());
}

}  // namespace

Expression::Expression(double constant) : tape_{{op_number, 0, 0, constant}} {
  char buffer[32];
  text_.assign(buffer, std::to_chars(buffer, buffer + sizeof buffer, constant).ptr);
}

Expression Expression::parse(std::string_view text, const std::map<std::string, double>& constants, bool time_allowed,
                             const UnitContext& units) {
  ExpressionScope scope;
  scope.constants = &constants;
  scope.time = time_allowed;
  scope.units = units;
  return parse(text, scope);
}

Expression Expression::parse(std::string_view text, const ExpressionScope& scope) {
  return ExpressionParser(text, scope).parse();
}

Expression Expression::scaled(double factor) const {
  Expression expression = *this;
  if (factor == 1) return expression;
  if (is_constant()) expression.tape_[0].number *= factor;
  else expression.tape_.insert(expression.tape_.end(), {{op_number, 0, 0, factor}, {op_multiply, 2, 0, 0}});
  return expression;
}

Expression Expression::renamed(const std::map<std::string, std::string>& names) const {
  Expression expression = *this;
  for (MeasureCall& input : expression.inputs_)
    if (const auto found = names.find(input.function); input.arguments.empty() && found != names.end())
      input.function = found->second;
  return expression;
}

Expression Expression::with(const std::string& name, double number) const {
  const auto found = std::find_if(inputs_.begin(), inputs_.end(), [&](const MeasureCall& input) {
    return input.function == name && input.arguments.empty();
  });
  if (found == inputs_.end()) return *this;
  Expression expression = *this;
  const int gone = static_cast<int>(found - inputs_.begin());
  expression.inputs_.erase(expression.inputs_.begin() + gone);
  for (Instruction& i : expression.tape_) {
    if (i.op != op_input) continue;
    if (i.index == gone) i = {op_number, 0, 0, number};
    else if (i.index > gone) --i.index;
  }
  return expression;
}

bool Expression::has_function(const std::string& name) { return ExpressionParser::is_function(name); }

bool Expression::is_constant() const { return tape_.size() == 1 && tape_[0].op == op_number; }

bool Expression::uses_time() const {
  return std::any_of(tape_.begin(), tape_.end(), [](const Instruction& i) { return i.op == op_time; });
}

double Expression::value(double t, const double* inputs) const {
  return evaluate_with_slots<double>(shared_.size(), tape_, splines_, functions_, t, inputs);
}

TimeJet Expression::jet(const TimeJet& t, const TimeJet* inputs) const {
  return evaluate_with_slots<TimeJet>(shared_.size(), tape_, splines_, functions_, t, inputs);
}

double Expression::gradient(double t, const double* inputs, double* by_input) const {
  if (inputs_.empty()) return value(t, nullptr);
  std::array<TimeJet, kMaxInputs> x;
  const size_t n = inputs_.size();
  for (size_t i = 0; i < n; ++i) x[i].value = inputs[i];
  TimeJet y;
  for (size_t i = 0; i < n; ++i) {
    x[i].rate = 1;
    y = jet({t, 0, 0}, x.data());
    x[i].rate = 0;
    by_input[i] = y.rate;
  }
  return y.value;
}

}  // namespace bricard
