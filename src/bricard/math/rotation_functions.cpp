// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/rotation_functions.h"

#include <cmath>

namespace bricard {
namespace {

// Up to this X the ten terms kept of C₆ and C₇ reach round-off: 4¹⁰ 6!/26! = 2e-18. Beyond it the trigonometric
// functions lose at most the digits of 7!/4³.
constexpr double kSeriesEnd = 4;
constexpr int kTerms = 10;

struct InverseFactorials {
  double of_even[kTerms], of_odd[kTerms];  // (−1)ʲ/(2j + 6)!, (−1)ʲ/(2j + 7)!
  constexpr InverseFactorials() : of_even{}, of_odd{} {
    double even = 1.0 / 720;
    for (int j = 0; j < kTerms; ++j) {
      of_even[j] = even;
      of_odd[j] = even / (2 * j + 7);
      even = -of_odd[j] / (2 * j + 8);
    }
  }
};
constexpr InverseFactorials kSeries;

}  // namespace

CosineSeries::CosineSeries(double X) {
  if (X < kSeriesEnd) {
    double even = 0, odd = 0;
    for (int j = kTerms - 1; j >= 0; --j) {
      even = even * X + kSeries.of_even[j];
      odd = odd * X + kSeries.of_odd[j];
    }
    C[6] = even, C[7] = odd;
    C[5] = 1.0 / 120 - X * C[7];
    C[4] = 1.0 / 24 - X * C[6];
    C[3] = 1.0 / 6 - X * C[5];
    C[2] = 0.5 - X * C[4];
    C[1] = 1 - X * C[3];
    C[0] = 1 - X * C[2];
    return;
  }
  const double x = std::sqrt(X);
  C[0] = std::cos(x);
  C[1] = std::sin(x) / x;
  C[2] = (1 - C[0]) / X;
  C[3] = (1 - C[1]) / X;
  C[4] = (0.5 - C[2]) / X;
  C[5] = (1.0 / 6 - C[3]) / X;
  C[6] = (1.0 / 24 - C[4]) / X;
  C[7] = (1.0 / 120 - C[5]) / X;
}

//     C₁′ = −½ (C₂ − C₃),   C₂′ = −½ (C₃ − 2 C₄),   C₁″ = ¼ (C₃ − 3 C₄ + 3 C₅),   C₂″ = ¼ (C₄ − 5 C₅ + 8 C₆)
RotationMap exp_map(const CosineSeries& at_X) {
  const double* C = at_X.C;
  return {C[1],
          C[2],
          -0.5 * (C[2] - C[3]),
          -0.5 * (C[3] - 2 * C[4]),
          0.25 * (C[3] - 3 * C[4] + 3 * C[5]),
          0.25 * (C[4] - 5 * C[5] + 8 * C[6])};
}

//     C₃′ = −½ (C₄ − 3 C₅),   C₃″ = ¼ (C₅ − 7 C₆ + 15 C₇)
RotationMap tangent_map(const CosineSeries& at_X) {
  const double* C = at_X.C;
  return {-C[2],
          C[3],
          0.5 * (C[3] - 2 * C[4]),
          -0.5 * (C[4] - 3 * C[5]),
          -0.25 * (C[4] - 5 * C[5] + 8 * C[6]),
          0.25 * (C[5] - 7 * C[6] + 15 * C[7])};
}

//     h = P/C₁ at Y = X/4,   P′ = −½ (C₃ − 3 C₄ + 3 C₅),   P″ = ¼ (C₄ − 6 C₅ + 15 C₆ − 15 C₇),   C₁′ = −½ P
//     h′ = P′/C₁ + h²/2,   h″ = P″/C₁ + h P′/(2 C₁) + h h′;    g = h/4,  g′ = h′/16,  g″ = h″/64
RotationMap inverse_tangent_map(const CosineSeries& at_quarter_X) {
  const double* C = at_quarter_X.C;
  const double inverse = 1 / C[1], h = (C[2] - C[3]) * inverse;
  const double P1 = -0.5 * (C[3] - 3 * C[4] + 3 * C[5]) * inverse;
  const double P2 = 0.25 * (C[4] - 6 * C[5] + 15 * (C[6] - C[7])) * inverse;
  const double h1 = P1 + 0.5 * h * h, h2 = P2 + 0.5 * h * P1 + h * h1;
  return {0.5, 0.25 * h, 0, h1 / 16, 0, h2 / 64};
}

}  // namespace bricard
