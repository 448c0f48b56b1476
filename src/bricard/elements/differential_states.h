// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/measured_formulas.h"
#include "bricard/model/control.h"

// Differential equations of first order, of the user or of controllers.        theory: docs/theory/states.md
//     explicit   ẋ − A x − B u = 0         implicit   u = 0         u formulas in everything, x and ẋ included
namespace bricard {

class DifferentialStates final : public ElementBatch {
 public:
  static constexpr int kMaxSize = kMostBlockStates;
  struct Item {
    int block = -1, v = 0;  ///< unknown block; first state in State::v
    Eigen::MatrixXd A, B;   ///< states by states, states by formulas
    bool implicit = false;  ///< one state: the formula is its equation
    MeasuredFormulas u;
    std::vector<ElementSignal> signals;  ///< names of the states
    int size() const { return static_cast<int>(A.rows()); }
  };
  explicit DifferentialStates(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "differential state"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  void add_input_derivative(const Kinematics& k, int input, Residual& r) const override;
  bool is_unsymmetric() const override { return true; }
  bool sees_accelerations() const override;
  void list_signals(std::vector<ElementSignal>& signals) const override;
  void add_signals(const Kinematics& k, std::vector<double>& values) const override;

 private:
  std::vector<Item> items_;
};

}  // namespace bricard
