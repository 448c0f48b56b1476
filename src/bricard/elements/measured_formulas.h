// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/measures.h"
#include "bricard/math/expression.h"

namespace bricard {

/// Up to six formulas in the time, variables of their owner and measures.
class MeasuredFormulas {
 public:
  static constexpr int kMaxFormulas = 6, kMaxInputs = 32;
  using Values = Eigen::Matrix<double, kMaxFormulas, 1>;
  /// Derivatives of all formulas after one input per column: the variables first, then the measures.
  using Derivatives = Eigen::Matrix<double, kMaxFormulas, kMaxInputs>;

  std::vector<Expression> formulas;
  std::vector<std::vector<int>> inputs;  ///< per formula, the column of each of its inputs
  int variables = 0;
  std::vector<Measure> measures;

  bool sees_accelerations() const {
    for (const Measure& m : measures)
      if (m.sees_accelerations()) return true;
    return false;
  }

  Values values(const Kinematics& k, const double* of_variables = nullptr) const;
  Derivatives derivatives(const Kinematics& k, const double* of_variables = nullptr) const;

 private:
  void gather(const Kinematics& k, const double* of_variables, double* all) const;
};

}  // namespace bricard
