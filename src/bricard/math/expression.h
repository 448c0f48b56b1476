// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Formulas in model files: arithmetic over parameters and, where allowed, the time t.
namespace bricard {

/// A function of time with its first two derivatives.
struct TimeJet {
  double value = 0, rate = 0, acceleration = 0;
};

struct ExpressionError : std::runtime_error {
  ExpressionError(int column_, const std::string& what) : std::runtime_error(what), column(column_) {}
  int column;  ///< 0-based offset of the offending character in the text
  std::string unknown_name;              ///< the name that means nothing here, if that is the error
  std::vector<std::string> known_names;  ///< those that could have stood in its place
};

/// A parsed formula as a tape in reverse Polish order; evaluation allocates nothing.
class Expression {
 public:
  Expression() : Expression(0.0) {}
  Expression(double constant);  // NOLINT: a number is a formula

  /// Throws ExpressionError. `time_allowed` lets the name `t` (alias `time`) stand for the time.
  static Expression parse(std::string_view text, const std::map<std::string, double>& constants,
                          bool time_allowed);

  bool is_constant() const;
  double operator()(double t) const { return jet(t).value; }
  TimeJet jet(double t) const;  ///< exact derivatives, forward mode
  const std::string& text() const { return text_; }

 private:
  struct Instruction {
    int op;
    double number;
  };
  std::string text_;
  std::vector<Instruction> tape_;
};

}  // namespace bricard
