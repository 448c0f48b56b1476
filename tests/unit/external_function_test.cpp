// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "bricard/math/expression.h"
#include "bricard/read/model_reader.h"

namespace bricard {
namespace external_function_test {

ExternalFunctions functions() {
  ExternalFunctions all;
  const auto add = [&](const char* name, int arguments, std::function<double(std::span<const double>)> f) {
    all[name] = std::make_shared<const ExternalFunction>(ExternalFunction{arguments, arguments, std::move(f)});
  };
  add("wave", 2, [](std::span<const double> x) { return std::sin(x[0]) * std::exp(x[1]); });
  add("one", 0, [](std::span<const double>) { return 1.0; });
  return all;
}

Expression parse(const std::string& text, const std::map<std::string, Expression>* formulas = nullptr,
                 bool allowed = true) {
  const ExternalFunctions all = functions();
  ExpressionScope scope;
  scope.variables = {"x", "y"};
  scope.formulas = formulas;
  if (allowed) scope.functions = &all;
  return Expression::parse(text, scope);
}

std::string fault_of(const std::string& text, const std::map<std::string, Expression>* formulas = nullptr,
                     bool allowed = true) {
  try {
    parse(text, formulas, allowed);
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "";
}

TEST(ExternalFunction, HasTheDerivativesOfTheSameFormula) {
  const Expression outside = parse("2*wave(x*y, y)^2 + wave(y, 0)*one()"),
                   inside = parse("2*(sin(x*y)*exp(y))^2 + sin(y)");
  for (const double x : {-2.0, 0.0, 1e-4, 0.7, 30.0}) {
    const double at[] = {x, 0.3};
    double by_outside[2], by_inside[2];
    EXPECT_NEAR(outside.gradient(0, at, by_outside), inside.gradient(0, at, by_inside), 1e-14);
    // differences: ε^(2/3) of the third derivative times the square of the argument
    for (const int i : {0, 1}) EXPECT_NEAR(by_outside[i], by_inside[i], 1e-7 * (1 + std::abs(by_inside[i])));
  }
}

TEST(ExternalFunction, IsCalledAnewEachTime) {
  int calls = 0;
  ExternalFunctions all;
  all["count"] = std::make_shared<const ExternalFunction>(
      ExternalFunction{1, 1, [&](std::span<const double>) { return ++calls; }});
  ExpressionScope scope;
  scope.functions = &all;
  const Expression formula = Expression::parse("count(2)", scope);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(formula(0), 1);
  EXPECT_EQ(formula(0), 2);
  EXPECT_FALSE(formula.is_constant());
}

TEST(ExternalFunction, IsKeptByFormulasThatAreUsedByName) {
  const std::map<std::string, Expression> formulas{{"a", parse("wave(0.5, 0)")}, {"b", parse("one() + wave(0, 2)")}};
  EXPECT_NEAR(parse("one()*a + b", &formulas)(0), std::sin(0.5) + 1, 1e-15);
  EXPECT_EQ(fault_of("2*a", &formulas, false), "'a' uses a function from outside, which may not be used here");
}

TEST(ExternalFunction, IsRefusedWithTheWrongNumberOfArguments) {
  EXPECT_EQ(fault_of("wave(x)"), "the function 'wave' takes 2 arguments, found 1");
  EXPECT_EQ(fault_of("one(x)"), "the function 'one' takes 0 arguments, found 1");
  EXPECT_EQ(fault_of("wave(x, y)", nullptr, false), "unknown function 'wave'");
}

TEST(ExternalFunction, TakesNumbersInTheUnitsOfTheFile) {
  const char* text = "units: {length: mm}\n"
                     "bodies: {stone: {mass: 1, inertia: [1, 1, 1]}}\n"
                     "signals: {x: {value: 'wave(dx(stone), 0)'}}\n";
  const Model model = io::read_model_text(text, "units.yaml", {}, functions());
  const double x = 0.002;  // m: 2 in the file's units
  EXPECT_NEAR(model.signals[0].value.value(0, &x), std::sin(2.0), 1e-14);
}

TEST(ExternalFunction, MayNotHaveTheNameOfAnotherFunction) {
  ExternalFunctions all;
  for (const char* name : {"cos", "distance", "Impact"}) all[name] = functions().at("one");
  try {
    io::read_model_text("bodies: {stone: {mass: 1, inertia: [1, 1, 1]}}\n", "names.yaml", {}, all);
    FAIL();
  } catch (const ModelError& error) {
    ASSERT_EQ(error.faults().size(), 3u);
    EXPECT_EQ(error.faults()[1].message,
              "function 'cos': formulas have a function of this name already; choose another one");
  }
}

TEST(RunSettingsText, IsCheckedLikeAFile) {
  const RunSettings changed = io::read_run_settings("{step: 2 ms, integrator: bdf, order: 3}", {});
  EXPECT_EQ(changed.step, 2e-3);
  EXPECT_EQ(changed.order, 3);
  try {
    io::read_run_settings("step: -1\nalpha: 1\ndurations: 3\n", {});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "run.step = -1: must be > 0\nrun.alpha = 1: must be from -1/3 to 0\n"
                               "run: unknown key 'durations'; did you mean 'duration'?");
  }
}

}  // namespace external_function_test
}  // namespace bricard
