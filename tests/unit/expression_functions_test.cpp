// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <muParser.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "bricard/math/expression.h"
#include "bricard/math/spline.h"

// The functions of formulas: values from their definitions, derivatives by differences, random formulas.
namespace bricard {
namespace expression_functions_test {

constexpr MeasureSignature kMeasures[] = {{"distance", 1, 2, "distance(i, j)"}, {"dx", 1, 3, "dx(i, j, r)"}};
const std::map<std::string, double> kConstants{{"L", 2.5}};
const std::map<std::string, Table> kTables{{"rubber", {{0, 1, 2, 3, 5}, {0, 2, 3, 5, 4}}},
                                           {"few", {{0, 1, 2}, {0, 1, 4}}}};

ExpressionScope scope() {
  ExpressionScope s;
  s.constants = &kConstants;
  s.time = s.measures_allowed = true;
  s.measures = kMeasures;
  s.variables = {"u", "v", "w"};
  s.tables = &kTables;
  return s;
}

Expression parse(const std::string& text) { return Expression::parse(text, scope()); }
double value(const std::string& text, double t = 0) { return parse(text)(t); }

std::pair<int, std::string> error_of(const std::string& text, const ExpressionScope& s = scope()) {
  try {
    Expression::parse(text, s);
  } catch (const ExpressionError& error) {
    return {error.column, error.what()};
  }
  return {-1, "no error in " + text};
}

TEST(ExpressionFunctions, HaveTheValuesOfTheirDefinitions) {
  const double pi = std::numbers::pi;
  const auto cubic = [](double s) { return s * s * (3 - 2 * s); };
  const auto quintic = [](double s) { return s * s * s * (10 - 15 * s + 6 * s * s); };
  const std::pair<const char*, double> table[] = {
      {"STEP(0.3, 0, 1, 1, 3)", 1 + 2 * cubic(0.3)},
      {"STEP5(0.3, 0, 1, 1, 3)", 1 + 2 * quintic(0.3)},
      {"step5(-1, 0, 1, 1, 3)", 1},
      {"step5(2, 0, 1, 1, 3)", 3},
      {"HAVSIN(2.25, 2, -1, 3, 5)", 2 + 3 * std::sin(0.25 * pi - pi / 2)},
      {"havsin(9, 2, -1, 3, 5)", 5},
      {"POLY(3, 1, 7, -2, 0.5, 4)", 7 - 2 * 2 + 0.5 * 4 + 4 * 8},
      {"poly(3, 1, 7)", 7},
      {"CHEBY(1.5, 1, 1, 2, 3, 4)", 1 + 2 * 0.5 + 3 * (2 * 0.25 - 1) + 4 * (4 * 0.125 - 3 * 0.5)},
      {"cheby(1.5, 1, 6)", 6},
      {"FORCOS(0.1, 0, 2*pi, 1, 2, 3, 4)",
       1 + 2 * std::cos(0.2 * pi) + 3 * std::cos(0.4 * pi) + 4 * std::cos(0.6 * pi)},
      {"FORSIN(0.1, -0.25, pi, 5, 1, 2, 3)",
       5 + std::sin(0.35 * pi) + 2 * std::sin(0.7 * pi) + 3 * std::sin(1.05 * pi)},
      {"SHF(3, 1, 4, 0.5, 0.2, 7)", 4 * std::sin(0.5 * 2 - 0.2) + 7},
      {"shf(3, 1, 4, 0.5)", 4 * std::sin(1.0)},
      {"IMPACT(0.9, -2, 1, 1e3, 1.5, 30, 0.2)", 1e3 * std::pow(0.1, 1.5) + 2 * 30 * cubic(0.5)},
      {"IMPACT(1.1, -2, 1, 1e3, 1.5, 30, 0.2)", 0},
      {"IMPACT(0.9, 200, 1, 1e3, 1.5, 30, 0.2)", 0},
      {"impact(0.5, -2, 1, 1e3, 2, 30, 0.2)", 250 + 60},
      {"BISTOP(0.9, -2, 1, 3, 1e3, 1.5, 30, 0.2)", 1e3 * std::pow(0.1, 1.5) + 2 * 30 * cubic(0.5)},
      {"BISTOP(3.1, 2, 1, 3, 1e3, 1.5, 30, 0.2)", -1e3 * std::pow(0.1, 1.5) - 2 * 30 * cubic(0.5)},
      {"BISTOP(2, 2, 1, 3, 1e3, 1.5, 30, 0.2)", 0},
      {"IF(-1: 5, 6, 7)", 5},
      {"IF(0: 5, 6, 7)", 6},
      {"if(0.1, 5, 6, 7)", 7},
      {"SIGN(3, -0.1)", -3},
      {"sign(-3, 0)", 3},
      {"sign(-3)", -1},
      {"MOD(-7.5, 2)", -1.5},
      {"mod(7.5, -2)", 1.5},
      {"round(-2.5)", -3},
      {"ANINT(2.4)", 2},
      {"trunc(-2.7)", -2},
      {"cbrt(-27)", -3},
      {"hypot(3, -4)", 5},
      {"(1 < 2) + 2*(2 <= 2) + 4*(3 > 2) + 8*(1 >= 2) + 16*(1 == 1)", 23},
      {"cubic(0, few) + cubic(2, few)", 4},
      {"AKISPL(2, 0, rubber)", 3},
      {"akima(3, rubber) - akispl(3, 0, rubber, 0)", 0},
      {"Sin(pi/2) + MAX(1, 2) + Abs(-1)", 4}};
  for (const auto& [text, expected] : table)
    EXPECT_NEAR(value(text), expected, 4e-16 * std::max(1.0, 64 * std::abs(expected))) << text;
}

TEST(ExpressionFunctions, TakeDerivativesOfTables) {
  const Spline spline(kTables.at("rubber"), SplineType::cubic);
  for (const double t : {-1.0, 0.5, 2.5, 6.0}) {
    EXPECT_EQ(value("cubspl(t, 0, rubber, 1)", t), spline(t)[1]);
    EXPECT_EQ(value("cubic(t, rubber, 2)", t), spline(t)[2]);
    EXPECT_EQ(parse("cubic(t, rubber, 1)").jet(t).acceleration, spline(t)[3]);
  }
}

/// Sixth-order differences of a function of one variable.
TimeJet differences(const std::function<double(double)>& f, double h) {
  const auto odd = [&](int k) { return f(k * h) - f(-k * h); };
  const auto even = [&](int k) { return f(k * h) + f(-k * h) - 2 * f(0); };
  return {f(0), (45 * odd(1) - 9 * odd(2) + odd(3)) / (60 * h),
          (270 * even(1) - 27 * even(2) + 2 * even(3)) / (180 * h * h)};
}

/// Moves the time and all inputs along a line and compares the jet with differences.
void expect_exact_jet(const Expression& f, const std::array<double, 4>& at, const std::array<double, 4>& along,
                      double tolerance) {
  const size_t n = f.inputs().size();
  std::array<TimeJet, Expression::kMaxInputs> jets;
  std::array<double, Expression::kMaxInputs> x;
  const auto which = [&](size_t i) { return static_cast<size_t>(f.inputs()[i].function[0] - 'u' + 1); };
  for (size_t i = 0; i < n; ++i) jets[i] = {at[which(i)], along[which(i)], 0};
  const TimeJet jet = f.jet({at[0], along[0], 0}, jets.data());
  const auto on_line = [&](double s) {
    for (size_t i = 0; i < n; ++i) x[i] = at[which(i)] + s * along[which(i)];
    return f.value(at[0] + s * along[0], x.data());
  };
  const TimeJet expected = differences(on_line, 2e-3);
  const double size = 1 + std::abs(expected.value) + std::abs(expected.rate) + std::abs(expected.acceleration);
  EXPECT_NEAR(jet.value, on_line(0), 1e-14 * size) << f.text();  // fused operations round differently
  EXPECT_NEAR(jet.rate, expected.rate, tolerance * size) << f.text();
  EXPECT_NEAR(jet.acceleration, expected.acceleration, 10 * tolerance * size) << f.text();
  // the gradient is the rate along each axis
  std::array<double, Expression::kMaxInputs> gradient{};
  on_line(0);
  f.gradient(at[0], x.data(), gradient.data());
  double rate = f.jet({at[0], along[0], 0},
                      [&] {
                        for (TimeJet& j : jets) j.rate = 0;
                        return jets.data();
                      }())
                    .rate;
  for (size_t i = 0; i < n; ++i) rate += gradient[i] * along[which(i)];
  EXPECT_NEAR(rate, jet.rate, 1e-12 * size) << f.text();
}

TEST(ExpressionFunctions, HaveExactDerivativesOfAllArguments) {
  for (const char* text : {"step(t, u, v, w + 3, 2*v)",
                           "step5(t, u - 2, v, w + 3, 2*v)",
                           "havsin(t, u - 2, v, w + 3, 2*v)",
                           "poly(t, u, v, w, 3, u)",
                           "cheby(t, u, v, w, 3, u)",
                           "forcos(t, u, v, w, 3, u)",
                           "forsin(t, u, v, w, 3, u)",
                           "shf(t, u, v, w, 3, u)",
                           "impact(u, v - 3, 2 + t, 10 + w, 2.2, 3 + w, 0.9)",
                           "impact(u, v - 3, 1 + t, 10 + w, 1.5 + 0.1*t, 3 + w, 9)",
                           "bistop(u, v - 3, 2 + t, 7, 10 + w, 2.2, 3 + w, 0.9)",
                           "bistop(u, v + 3, -7, -1, 10 + w, 2.2, 3 + t, 9)",
                           "if(u - 5, v*w, 1, t)",
                           "sign(u*v, w)",
                           "mod(u*7, 2 + t)",
                           "cbrt(u*v)",
                           "hypot(u, v*t)",
                           "atan2(u, w)",
                           "cubic(u + 1.3*t, rubber)",
                           "akima(u*w, rubber)",
                           "akima(u*w, rubber, 1)",
                           "u^v",
                           "u^t*w^3",
                           "abs(u - 3*w)",
                           "min(u, 10 + w) + max(v, -t)",
                           "sqrt(u)*log(v)*log10(w)",
                           "asin(u/9) + acos(v/9) + atan(w)",
                           "tanh(u)*sinh(v) - cosh(w)/t",
                           "(u > v)*w"}) {
    SCOPED_TRACE(text);
    expect_exact_jet(parse(text), {0.7, 0.61, 0.83, 0.55}, {0.3, -0.4, 0.7, 0.2}, 1e-8);
    expect_exact_jet(parse(text), {1.1, 0.9, 1.21, 1.4}, {-0.5, 0.8, 0.1, -0.6}, 1e-8);
  }
}

/// Random formulas, with few parentheses so that precedence is tried too. All values stay moderate.
class Grammar {
 public:
  Grammar(unsigned seed, std::vector<std::string> names) : random_(seed), names_(std::move(names)) {}
  std::string sum(int depth) {
    std::string text = product(depth);
    for (int i = pick(3); i > 0; --i) text += (pick(2) ? " + " : "-") + product(depth);
    return text;
  }

 private:
  int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  std::string product(int depth) {
    std::string text = atom(depth);
    for (int i = pick(2); i > 0; --i) text += pick(2) ? "*" + atom(depth) : "/(2 + sin(" + atom(depth) + "))";
    return text;
  }
  std::string atom(int depth) {
    if (depth == 0 || pick(5) == 0)
      return pick(3) ? names_[pick(static_cast<int>(names_.size()))] : std::to_string(1 + pick(9)) + ".25";
    const std::string x = "(" + sum(depth - 1) + ")", y = "(" + sum(depth - 1) + ")";
    switch (pick(13)) {
      case 0: return "sin" + x;
      case 1: return "cos" + x;
      case 2: return "atan" + x;
      case 3: return "exp(sin" + x + ")";
      case 4: return "sqrt(1 + " + x + "^2)";
      case 5: return "tanh" + x;
      case 6: return "asin(sin" + x + "/2)";
      case 7: return "log10(2 + cos" + x + ")";
      case 8: return "atan2(" + x + ", 2 + cos" + y + ")";
      case 9: return "(2 + sin" + x + ")^cos" + y;
      case 10: return "tan(sin" + x + ")";
      case 11: return "cos" + x + "^3";
      default: return x;
    }
  }
  std::mt19937 random_;
  std::vector<std::string> names_;
};

TEST(RandomExpressions, HaveExactDerivatives) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const Expression f = parse(Grammar(seed, {"t", "u", "v", "w", "L"}).sum(2));
    const double x = 0.3 + 0.001 * seed;
    expect_exact_jet(f, {x, 1 - x, 0.4 + x, 0.2}, {0.1, -0.07, 0.05, 0.12}, 2e-7);
  }
}

TEST(RandomExpressions, HaveTheValuesThatMuParserGives) {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    const std::string text = Grammar(seed, {"t", "L"}).sum(3);
    double t = 0.1 + 0.01 * seed, L = 2.5;
    mu::Parser parser;
    parser.DefineVar("t", &t);
    parser.DefineVar("L", &L);
    parser.SetExpr(text);
    const double expected = parser.Eval();
    EXPECT_NEAR(value(text, t), expected, 1e-12 * std::max(1.0, std::abs(expected))) << text;
  }
}

TEST(ExpressionInputs, AreListedOnceInTheOrderOfTheText) {
  const Expression f = parse("distance(crank.tip, ground.O)^2 + DX( left rod.B ) - distance(crank.tip,ground.O)*u");
  ASSERT_EQ(f.inputs().size(), 3u);
  EXPECT_EQ(f.inputs()[0].function, "distance");
  EXPECT_EQ(f.inputs()[0].arguments, (std::vector<std::string>{"crank.tip", "ground.O"}));
  EXPECT_EQ(f.inputs()[1].function, "dx");
  EXPECT_EQ(f.inputs()[1].arguments, (std::vector<std::string>{"left rod.B"}));
  EXPECT_EQ(f.inputs()[1].column, 34);
  EXPECT_EQ(f.inputs()[2].arguments.size(), 0u);
  const double x[] = {3, 5, 2};
  EXPECT_EQ(f.value(0, x), 9 + 5 - 6);
  EXPECT_FALSE(f.uses_time());
}

TEST(ExpressionInputs, OfFormulasUsedByNameAreShared) {
  const std::map<std::string, Expression> formulas{{"gap", parse("distance(a, b) - L")},
                                                   {"late", parse("akima(t, rubber)")}};
  ExpressionScope s = scope();
  s.formulas = &formulas;
  const Expression f = Expression::parse("gap^2 + distance(a, b) + late", s);
  ASSERT_EQ(f.inputs().size(), 1u);
  EXPECT_EQ(f.inputs()[0].column, -1);
  const double x[] = {4};
  EXPECT_EQ(f.value(2, x), 1.5 * 1.5 + 4 + 3);
  s.time = false;
  EXPECT_EQ(error_of("1 + late", s).second, "'late' uses the time, which may not be used here");
  s.measures_allowed = false;
  EXPECT_EQ(error_of("1 + gap", s),
            (std::pair<int, std::string>{4, "'gap' uses measures, which may not be used here"}));
}

TEST(ExpressionInputs, SaysWhatIsWrongAndWhere) {
  const std::tuple<const char*, int, const char*> table[] = {
      {"2*distance()", 2, "the measure 'distance' takes 1 or 2 arguments, distance(i, j), found 0"},
      {"dx(a, b, c, d)", 0, "the measure 'dx' takes 1 to 3 arguments, dx(i, j, r), found 4"},
      {"distance(a, b", 8, "'(' is not closed"},
      {"distance(a, sin(2))", 15, "the arguments of 'distance' are names of markers or joints"},
      {"distance(a,, b)", 11, "expected the name of a marker or joint"},
      {"step5(t, 0, 1)", 0, "the function 'step5' takes 5 arguments, step5(x, x0, h0, x1, h1), found 3"},
      {"poly(t, 0)", 0, "the function 'poly' takes at least 3 arguments, poly(x, x0, a0, a1, ...), found 2"},
      {"1+havsin(t, 2, 0, 1, 1)", 2, "havsin(x, x0, h0, x1, h1) needs x0 < x1"},
      {"impact(t, 1, 0, 5, 2, 1, 0)", 0, "impact(x, rate of x, x1, k, e, c, d) needs d > 0"},
      {"akima(t, ruber)", 9, "unknown table 'ruber'"},
      {"2*rubber", 2, "'rubber' is a table; its value at x is cubic(x, rubber) or akima(x, rubber)"},
      {"akima(t, few)", 9, "Akima's spline needs at least 4 points; the table 'few' has 3"},
      {"cubic(t, few, 3)", 14, "the order of derivative must be 0, 1 or 2"},
      {"cubspl(t, 1, few, 0)", 10, "tables have one variable; the second one must be 0"},
      {"cubic(t)", 0, "the function 'cubic' is written cubic(x, table) or cubic(x, table, order)"},
      {"distanz(a, b)", 0, "unknown function 'distanz'"}};
  for (const auto& [text, column, message] : table)
    EXPECT_EQ(error_of(text), (std::pair<int, std::string>{column, message})) << text;
  ExpressionScope numbers = scope();
  numbers.time = numbers.measures_allowed = false;
  EXPECT_EQ(error_of("1 + dx(a)", numbers).second, "the measure 'dx' may not be used here");
}

TEST(ExpressionInputs, AreLimited) {
  std::string text = "0";
  for (int i = 0; i < 65; ++i) text += "+distance(m" + std::to_string(i) + ")";
  EXPECT_EQ(error_of(text).second, "the formula uses more than 64 different measures; split it");
}

}  // namespace expression_functions_test
}  // namespace bricard
