// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bricard/math/external_function.h"
#include "bricard/math/units.h"

// Formulas in model files: arithmetic over parameters and, where allowed, the time t, variables of the place where the
// formula stands and measures of the motion. Derivatives are exact, by forward mode.     theory: docs/theory/expressions.md
namespace bricard {

class Spline;
struct Table;

/// A function of time (or along any line) with its first two derivatives.
struct TimeJet {
  double value = 0, rate = 0, acceleration = 0;
};

struct ExpressionError : std::runtime_error {
  ExpressionError(int column_, const std::string& what) : std::runtime_error(what), column(column_) {}
  int column;                            ///< 0-based offset of the offending character in the text
  std::string unknown_name;              ///< the name that means nothing here, if that is the error
  std::vector<std::string> known_names;  ///< those that could have stood in its place
};

/// `distance(crank.tip, ground.hook)`, or a variable: then there are no arguments. Who owns the formula knows what it is.
struct MeasureCall {
  std::string function;  ///< in small letters
  std::vector<std::string> arguments;
  int column;  ///< of the function's name in the text; −1: comes from a formula that is used by its name
};

/// A function whose arguments are names, for the parser.
struct MeasureSignature {
  const char* name;
  int least, most;    ///< number of arguments
  const char* usage;  ///< as in distance(i, j)
  const char* unit = "";
};

class Expression;

/// What the names in a formula mean.
struct ExpressionScope {
  const std::map<std::string, double>* constants = nullptr;
  bool time = false;  ///< whether `t` (alias `time`) may be used
  bool measures_allowed = false;
  std::span<const MeasureSignature> measures{};
  std::vector<std::string> variables{};  ///< further names, which become inputs without arguments
  const std::map<std::string, Expression>* formulas = nullptr;
  const std::map<std::string, Table>* tables = nullptr;
  const ExternalFunctions* functions = nullptr;
  UnitContext units{};                                           ///< of bare numbers; dimensions of names
  const std::map<std::string, Dimension>* dimensions = nullptr;  ///< of the constants, where they are many
  const std::map<std::string, Dimension>* quantities = nullptr;  ///< further names, which become inputs as variables do
  bool suggestions = true;                                       ///< whether an error lists the names that are known
};

/// A parsed formula as a tape in reverse Polish order; evaluation allocates nothing.
class Expression {
 public:
  static constexpr int kMaxInputs = 64;

  Expression() : Expression(0.0) {}
  Expression(double constant);  // NOLINT: a number is a formula

  /// Throws ExpressionError. `time_allowed` lets the name `t` (alias `time`) stand for the time.
  /// A number may have a unit, as in `2*width + 5 mm`; bare numbers are in the units of the context.
  static Expression parse(std::string_view text, const std::map<std::string, double>& constants, bool time_allowed,
                          const UnitContext& units = {});
  static Expression parse(std::string_view text, const ExpressionScope& scope);

  /// Whether formulas have a function of this name of their own.
  static bool has_function(const std::string& name);

  bool is_constant() const;
  bool uses_time() const;
  const std::string& text() const { return text_; }
  const Dimension& dimension() const { return dimension_; }  ///< of the value
  Expression scaled(double factor) const;
  /// With other names for inputs without arguments.
  Expression renamed(const std::map<std::string, std::string>& names) const;
  /// With a number in the place of an input without arguments.
  Expression with(const std::string& name, double number) const;

  /// The measures and variables it depends on, each once. Their values come in this order.
  const std::vector<MeasureCall>& inputs() const { return inputs_; }

  // Without inputs.
  double operator()(double t) const { return value(t, nullptr); }
  TimeJet jet(double t) const { return jet({t, 1, 0}, nullptr); }

  // With inputs.
  double value(double t, const double* inputs) const;
  /// Along a line on which the time and each input move as given; second derivatives too.
  TimeJet jet(const TimeJet& t, const TimeJet* inputs) const;
  /// Returns the value and fills the derivative after each input.
  double gradient(double t, const double* inputs, double* by_input) const;

  struct Instruction {
    int op;
    int count;      ///< of arguments
    int index;      ///< of an input, of a spline, of an external function, of a slot
    double number;  ///< a number; the order of derivative of a spline
  };

 private:
  friend class ExpressionParser;
  std::string text_;
  Dimension dimension_;
  std::vector<Instruction> tape_;
  std::vector<std::string> shared_;  ///< by slot: the formula whose value is kept in it
  std::vector<MeasureCall> inputs_;
  std::vector<std::shared_ptr<const Spline>> splines_;
  std::vector<std::shared_ptr<const ExternalFunction>> functions_;
};

}  // namespace bricard
