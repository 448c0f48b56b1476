// SPDX-License-Identifier: Apache-2.0
#include "bricard/results/report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace bricard {

Check compare(std::string name, double value, double reference, double tolerance) {
  const bool pass = std::abs(value - reference) <= tolerance;  // false for NaN
  return {std::move(name), value, reference, tolerance, pass};
}

//     p = Σ (X − X̄)(Y − Ȳ) / Σ (X − X̄)²,   X = ln x, Y = ln y
double fitted_slope(const ReportCurve& curve) {
  std::vector<double> X, Y;
  for (size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    const double x = std::log(curve.x[i]), y = std::log(curve.y[i]);  // −∞ or NaN if not positive
    if (std::isfinite(x) && std::isfinite(y)) X.push_back(x), Y.push_back(y);
  }
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (size_t i = 0; i < X.size(); ++i) mean_x += X[i] / X.size(), mean_y += Y[i] / X.size();
  for (size_t i = 0; i < X.size(); ++i) {
    xx += (X[i] - mean_x) * (X[i] - mean_x);
    xy += (X[i] - mean_x) * (Y[i] - mean_y);
  }
  return X.size() > 1 && xx > 1e-12 ? xy / xx : std::numeric_limits<double>::quiet_NaN();
}

long passed(const Report& report) {
  return std::count_if(report.checks.begin(), report.checks.end(), [](const Check& check) { return check.pass; });
}

}  // namespace bricard
