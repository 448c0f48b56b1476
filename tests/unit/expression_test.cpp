// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace bricard {
namespace expression_test {

double value(const std::string& text) { return Expression::parse(text, {{"L", 2.5}}, false)(0); }

ExpressionError error_of(const std::string& text, bool time_allowed = false) {
  try {
    Expression::parse(text, {{"L", 2.5}}, time_allowed);
  } catch (const ExpressionError& error) {
    return error;
  }
  return {-1, "no error in " + text};
}

// Sixth order: truncation h⁶f⁽⁷⁾/140 and h⁶f⁽⁸⁾/560. For the functions below, f⁽⁸⁾ reaches 1e7; with
// this h it and round-off, 1e-16/h², stay below the tolerances.
TimeJet central_differences(const std::function<double(double)>& f, double t) {
  const double h = 5e-3;
  const auto odd = [&](int k) { return f(t + k * h) - f(t - k * h); };
  const auto even = [&](int k) { return f(t + k * h) + f(t - k * h) - 2 * f(t); };
  return {f(t), (45 * odd(1) - 9 * odd(2) + odd(3)) / (60 * h),
          (270 * even(1) - 27 * even(2) + 2 * even(3)) / (180 * h * h)};
}

TEST(Expression, FollowsTheRulesOfPrecedence) {
  EXPECT_EQ(value("1+2*3"), 7);
  EXPECT_EQ(value("(1+2)*3"), 9);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("8-4-2"), 2);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2**3**2"), 512);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("--3"), 3);
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_EQ(value("+3"), 3);
}

TEST(Expression, ReadsNumbersInEveryUsualForm) {
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value("1.5E+2"), 150);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("2."), 2);
  EXPECT_EQ(value(" 42 "), 42);
}

TEST(Expression, KnowsConstantsAndParameters) {
  EXPECT_EQ(value("180*dtor"), value("PI"));
  EXPECT_EQ(value("2*DTOR*RTOD"), 2);
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(value("e"), std::numbers::e);
  EXPECT_EQ(value("L/2"), 1.25);
}

TEST(Expression, AgreesWithTheStandardFunctions) {
  const double x = 0.3;
  const std::pair<const char*, double> table[] = {{"sin(0.3)", std::sin(x)},
                                                  {"cos(0.3)", std::cos(x)},
                                                  {"tan(0.3)", std::tan(x)},
                                                  {"asin(0.3)", std::asin(x)},
                                                  {"acos(0.3)", std::acos(x)},
                                                  {"atan(0.3)", std::atan(x)},
                                                  {"sinh(0.3)", std::sinh(x)},
                                                  {"cosh(0.3)", std::cosh(x)},
                                                  {"tanh(0.3)", std::tanh(x)},
                                                  {"exp(0.3)", std::exp(x)},
                                                  {"log(0.3)", std::log(x)},
                                                  {"log10(0.3)", std::log10(x)},
                                                  {"sqrt(0.3)", std::sqrt(x)},
                                                  {"abs(-0.3)", x},
                                                  {"floor(-0.3)", -1},
                                                  {"ceil(0.3)", 1},
                                                  {"sign(-0.3)", -1},
                                                  {"sign(0)", 0},
                                                  {"min(3, 1, 2)", 1},
                                                  {"max(1, 3)", 3},
                                                  {"mod(-1, 3)", -1},
                                                  {"mod(7, 3)", 1},
                                                  {"atan2(-1, 0.3)", std::atan2(-1, x)},
                                                  {"step(0.5, 0, 1, 1, 3)", 2},
                                                  {"step(-1, 0, 1, 1, 3)", 1},
                                                  {"step(2, 0, 1, 1, 3)", 3}};
  for (const auto& [text, expected] : table) EXPECT_EQ(value(text), expected) << text;
}

TEST(Expression, HasTheDerivativesOfItsValues) {
  for (const char* text : {"sin(2*t)",
                           "cos(t^2)",
                           "tan(t/2)",
                           "asin(t/2)",
                           "acos(t/3)",
                           "atan(2*t)",
                           "sinh(t)",
                           "cosh(t)",
                           "tanh(t)",
                           "exp(-t)",
                           "log(t)",
                           "log10(t)",
                           "sqrt(t)",
                           "abs(sin(t)-2)",
                           "t^3",
                           "t^-2",
                           "t^2.5",
                           "2^t",
                           "t^t",
                           "1/t",
                           "sin(t)/t",
                           "t*exp(t)*cos(t)",
                           "atan2(sin(t), 2*cos(t))",
                           "mod(t, 10)",
                           "min(t, t^2+5)",
                           "max(t, t^2+5)",
                           "step(t, 0.2, -1, 1.7, 4*t)",
                           "step(t^2, t/3, t, 3+t, cos(t))",
                           "(t-3)^3",
                           "-t**2"}) {
    SCOPED_TRACE(text);
    const Expression f = Expression::parse(text, {}, true);
    for (const double t : {0.6, 0.9, 1.3}) {
      const TimeJet jet = f.jet(t), expected = central_differences(f, t);
      EXPECT_NEAR(jet.rate, expected.rate, 1e-8);
      EXPECT_NEAR(jet.acceleration, expected.acceleration, 1e-7);
    }
  }
}

TEST(Expression, HasFiniteDerivativesOfPowersAtZero) {
  const TimeJet square = Expression::parse("t^2", {}, true).jet(0);
  EXPECT_EQ(square.rate, 0);
  EXPECT_EQ(square.acceleration, 2);
  const TimeJet line = Expression::parse("t^1 + sqrt(0*4)", {}, true).jet(0);
  EXPECT_EQ(line.rate, 1);
  EXPECT_EQ(line.acceleration, 0);
}

TEST(Expression, IsConstantWithoutTime) {
  EXPECT_TRUE(Expression().is_constant());
  EXPECT_TRUE(Expression::parse("2*sin(L)^2", {{"L", 1}}, true).is_constant());
  EXPECT_FALSE(Expression::parse("2*t", {}, true).is_constant());
  EXPECT_EQ(Expression(0.25).text(), "0.25");
  EXPECT_EQ(Expression::parse("2*time", {}, true).text(), "2*time");
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
  const std::tuple<const char*, int, const char*> table[] = {
      {"", 0, "the formula is empty"},
      {"  ", 0, "the formula is empty"},
      {"1+", 2, "the formula ends where a number or name is expected"},
      {"2*(3+1", 2, "'(' is not closed"},
      {"(1+2))", 5, "')' without '('"},
      {"1 2", 2, "expected an operator before '2'"},
      {"2pi", 1, "expected an operator before 'pi'"},
      {"1 + * 2", 4, "expected a number or name, found '*'"},
      {"3 − 1", 2, "expected an operator before '−'"},
      {"1 + x_1", 4, "unknown name 'x_1'"},
      {"1+sni(3)", 2, "unknown function 'sni'"},
      {"2*L(3)", 2, "'L' is not a function; a product is written with *"},
      {"sin", 3, "'(' expected after the function 'sin'"},
      {"1+sin()", 2, "the function 'sin' takes 1 argument, found 0"},
      {"atan2(1)", 0, "the function 'atan2' takes 2 arguments, found 1"},
      {"min(1)", 0, "the function 'min' takes at least 2 arguments, found 1"},
      {"sin(1;2)", 5, "expected an operator or ')', found ';'"},
      {"step(1, 2, 0, 2, 1)", 0, "step(x, x0, h0, x1, h1) needs x0 < x1"},
      {"2*t", 2, "the time 't' may not be used here"},
      {"1+1/0", 2, "'1/0' is not a finite number"},
      {"2*sqrt(L - 3) + 1", 2, "'sqrt(L - 3)' is not a finite number"},
      {"1e999", 0, "'1e999' is not a finite number"}};
  for (const auto& [text, column, message] : table) {
    EXPECT_EQ(error_of(text).column, column) << text;
    EXPECT_STREQ(error_of(text).what(), message) << text;
  }
}

TEST(Expression, NamesWhatCouldHaveStoodForAnUnknownName) {
  const ExpressionError name = error_of("M*2", true);
  EXPECT_EQ(name.unknown_name, "M");
  EXPECT_EQ(name.known_names, (std::vector<std::string>{"L", "pi", "e", "t"}));
  EXPECT_EQ(error_of("sni(1)").known_names.front(), "sin");
  EXPECT_EQ(error_of("1+").unknown_name, "");
}

TEST(Expression, RefusesWhatItCouldNotEvaluateInItsStack) {
  std::string nested = "t", shallow = "t";
  for (int i = 0; i < 70; ++i) nested = "t+(" + nested + ")";
  for (int i = 0; i < 4000; ++i) shallow += "+t";
  EXPECT_STREQ(error_of(nested, true).what(), "the formula needs more than 64 intermediate values; split it");
  EXPECT_STREQ(error_of(std::string(100000, '(') + "1").what(), "the formula is nested too deeply");
  EXPECT_STREQ(error_of(std::string(100000, '-') + "1").what(), "the formula is nested too deeply");
  EXPECT_EQ(Expression::parse(shallow, {}, true)(1), 4001);
}

}  // namespace expression_test
}  // namespace bricard
