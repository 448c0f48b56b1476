// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "bricard/elements/measures.h"
#include "bricard/math/expression.h"

namespace bricard {

/// Up to six formulas in the time, variables of their owner, measures and defined values: variables of the model and outputs of
/// controllers, which are formulas in the same. Defined values are worked out where they are used, one group after the other;
/// those of a group depend on each other and solve  w = ω(w, …).           theory: docs/theory/states.md
class MeasuredFormulas {
 public:
  static constexpr int kMaxFormulas = 6, kMaxInputs = 64, kMaxGroup = 8;
  using Values = Eigen::Matrix<double, kMaxFormulas, 1>;
  /// Derivatives of all formulas after one input per column: the variables first, then the measures.
  using Derivatives = Eigen::Matrix<double, kMaxFormulas, kMaxInputs>;

  /// Values that depend on each other, or one that does not depend on itself.
  struct Group {
    std::vector<Expression> formulas;
    std::vector<std::vector<int>> inputs;  ///< per formula, the column of each of its inputs
    std::vector<double> guess;
    bool is_loop = false;
  };

  std::vector<Expression> formulas;
  std::vector<std::vector<int>> inputs;  ///< per formula, the column of each of its inputs
  int variables = 0;
  std::vector<Measure> measures;
  std::vector<Group> groups;  ///< their values have the columns after the measures, in order

  bool sees_accelerations() const {
    for (const Measure& m : measures)
      if (m.sees_accelerations()) return true;
    return false;
  }

  Values values(const Kinematics& k, const double* of_variables = nullptr) const;
  Derivatives derivatives(const Kinematics& k, const double* of_variables = nullptr) const;
  /// Derivatives of all formulas after one input of the system.
  Values input_derivatives(const Kinematics& k, int input, const double* of_variables = nullptr) const;

  /// d(formula 0)/d(unknown) with the weights of a tangent, w.constraint for multipliers; as long as all unknowns.
  VectorXd row(const System& system, const Kinematics& k, const Weights& w, const Matrix3d* chart) const;

 private:
  /// Derivatives of the defined values, one row each, after variables and measures.
  using DefinedRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kMaxInputs, kMaxInputs>;

  int leaves() const { return variables + static_cast<int>(measures.size()); }
  void gather(const Kinematics& k, const double* of_variables, double* all) const;
  DefinedRows differentiate_groups(double t, const double* all) const;
};

}  // namespace bricard
