// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bricard/math/expression.h"
#include "bricard/model/source.h"
#include "bricard/read/model_reader.h"

// Formulas that use each other by name: each is computed once, and chains may be as long as files are.
namespace bricard {
namespace shared_formulas_test {

/// fᵢ = c₀ t + Σ cⱼ sin(f_j) + c (f_j > f_k), j and k any before it: written as text, and evaluated here with its derivative.
struct RandomFormulas {
  struct Term {
    double factor;
    int of;
  };
  std::vector<std::vector<Term>> sums;
  std::vector<std::pair<int, int>> compared;

  explicit RandomFormulas(unsigned seed, int count) {
    std::mt19937 random(seed);
    for (int i = 0; i < count; ++i) {
      std::vector<Term> sum;
      for (int n = 0; i > 0 && n < 3; ++n)
        sum.push_back({0.25 + 0.5 * static_cast<double>(random() % 1000) / 1000, static_cast<int>(random() % i)});
      sums.push_back(sum);
      compared.emplace_back(i > 0 ? random() % i : 0, i > 0 ? random() % i : 0);
    }
  }

  std::string text(int i) const {
    std::string text = "t/3";
    for (const Term& term : sums[i])
      text += " + " + std::to_string(term.factor) + "*sin(f" + std::to_string(term.of) + ")";
    if (i > 0)
      text += " + 0.125*(f" + std::to_string(compared[i].first) + " > f" + std::to_string(compared[i].second) + ")";
    return text;
  }

  std::pair<double, double> at(double t) const {
    std::vector<std::pair<double, double>> f;
    for (size_t i = 0; i < sums.size(); ++i) {
      double value = t / 3, rate = 1.0 / 3;
      for (const Term& term : sums[i]) {
        const double factor = std::stod(std::to_string(term.factor));
        value += factor * std::sin(f[term.of].first);
        rate += factor * std::cos(f[term.of].first) * f[term.of].second;
      }
      if (i > 0 && f[compared[i].first].first > f[compared[i].second].first) value += 0.125;
      f.emplace_back(value, rate);
    }
    return f.back();
  }
};

TEST(SharedFormulas, AreComputedOnceAndRight) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const int count = 2 + static_cast<int>(seed * 7 % 150);  // copied out, the longest would have 3^150 operations
    const RandomFormulas random(seed, count);
    std::map<std::string, Expression> formulas;
    ExpressionScope scope;
    scope.time = true;
    scope.formulas = &formulas;
    for (int i = 0; i < count; ++i) formulas["f" + std::to_string(i)] = Expression::parse(random.text(i), scope);
    const Expression& last = formulas["f" + std::to_string(count - 1)];
    for (const double t : {0.1, 0.7, 2.0}) {
      const auto [value, rate] = random.at(t);
      EXPECT_NEAR(last(t), value, 1e-11 * std::abs(value)) << seed;
      const TimeJet jet = last.jet(t);
      EXPECT_NEAR(jet.value, value, 1e-11 * std::abs(value)) << seed;
      EXPECT_NEAR(jet.rate, rate, 1e-8 * (1 + std::abs(rate))) << seed;
    }
  }
}

TEST(SharedFormulas, ThatGrowTooLongAreRefused) {
  std::map<std::string, Expression> formulas;
  ExpressionScope scope;
  scope.time = true;
  scope.formulas = &formulas;
  formulas["f0"] = Expression::parse("t", scope);
  std::string said;
  for (int i = 1; i < 2000 && said.empty(); ++i) try {
      formulas["f" + std::to_string(i)] = Expression::parse("f" + std::to_string(i - 1) + " + 1", scope);
    } catch (const ExpressionError& error) {
      said = error.what();
    }
  EXPECT_NE(said.find("make 'f1000' a variable"), std::string::npos) << said;
}

constexpr int kLong = 20000;

std::string chain_of_parameters(bool backwards) {
  std::string text = "parameters:\n";
  for (int i = 0; i < kLong; ++i) {
    const int other = backwards ? i + 1 : i - 1;
    const bool first = other < 0 || other == kLong;
    text += "  p" + std::to_string(i) + ": " + (first ? "1" : "p" + std::to_string(other) + " + 1") + "\n";
  }
  const std::string last = backwards ? "p0" : "p" + std::to_string(kLong - 1);
  return text + "bodies: {b: {mass: " + last + ", inertia: [1, 1, 1]}}\n";
}

TEST(SharedFormulas, ChainsOfParametersMayBeLong) {
  EXPECT_EQ(io::read_model_text(chain_of_parameters(false), "chain.yaml").bodies[0].mass, kLong);
  EXPECT_EQ(io::read_model_text(chain_of_parameters(true), "chain.yaml").bodies[0].mass, kLong);
}

TEST(SharedFormulas, ALongCircleIsSaid) {
  std::string text = "parameters:\n";
  for (int i = 0; i < kLong; ++i)
    text += "  p" + std::to_string(i) + ": p" + std::to_string((i + 1) % kLong) + " + 1\n";
  try {
    io::read_model_text(text + "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n", "circle.yaml");
    FAIL() << "a circle was read";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("needs 'p0', which needs 'p19999' in turn"), std::string::npos);
  }
}

}  // namespace shared_formulas_test
}  // namespace bricard
