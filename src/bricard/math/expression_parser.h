// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/math/expression.h"
#include "bricard/math/spline.h"

namespace bricard {

struct ExpressionFunction;

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline std::string small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// Recursive descent over the text of a formula, writing its tape:
///     comparison = sum [(<|>|<=|>=|==) sum],   sum = product {(+|-) product},   product = signed {(*|/) signed},
///     signed = (+|-) signed | power,   power = atom [(^|**) signed],
///     atom = (number | name | function(comparison {, comparison}) | measure(name {, name}) | (comparison)) [unit]
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const ExpressionScope& scope) : text_(text), scope_(scope) {}
  Expression parse();
  static bool is_function(const std::string& word);

 private:
  [[noreturn]] void fail(size_t column, const std::string& what) const;
  [[noreturn]] void fail_unknown(size_t column, const std::string& kind, const std::string& name,
                                 std::vector<std::string> known) const;
  bool at_end() const { return at_ >= text_.size(); }
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void skip_spaces();
  void advance(size_t count);
  std::string word_here() const;
  std::string take_word();
  void nest();

  void comparison();
  void sum();
  void product();
  void signed_power();
  void power();
  void atom();
  void bare_atom();
  void close(size_t open);
  void number();

  void name();
  bool named_value(const std::string& name, size_t start);
  bool adams_value(const std::string& name);
  void use_formula(const std::string& name, const Expression& formula, size_t start);
  void share(const std::string& name, size_t start);
  bool is_value(const std::string& word) const;
  std::vector<std::string> known_names() const;

  // Calls: expression_calls.cpp
  void external_call(const std::string& name, const std::shared_ptr<const ExternalFunction>& function, size_t start);
  std::vector<std::string> known_functions() const;
  void call(const std::string& name, size_t start);
  std::vector<size_t> arguments(bool colon_allowed);
  void check_arguments(const ExpressionFunction& function, size_t start, const std::vector<size_t>& begins) const;
  void spline_call(const ExpressionFunction& function, size_t start);
  double literal(const std::string& what);
  void measure_call(const MeasureSignature& measure, size_t start);
  void push_input(const MeasureCall& call);

  // Units: expression_units.cpp
  void unit();
  void check_further_unit();
  void scale(size_t operand, double factor);
  void settle_dimensions(int op, size_t count, size_t start);
  void settle_table(const Table& table, double order, size_t start);
  void push(const Expression::Instruction& instruction, const Dimension& dimension);
  bool is_name(const std::string& word) const;
  std::string part_from(size_t start) const;

  void emit(int op, int count, size_t start);
  void check_depth() const;

  std::string_view text_;
  const ExpressionScope& scope_;
  size_t at_ = 0;
  int nesting_ = 0;
  Expression out_;
  std::map<std::string, int> slots_;   ///< of formulas used by their names
  std::vector<Dimension> dimensions_;  ///< of the values the tape so far leaves on the stack
};

}  // namespace bricard
