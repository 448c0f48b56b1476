// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/measured_formulas.h"
#include "bricard/elements/velocity_rows.h"

// Conditions on velocities by a formula that is linear in them.             theory: docs/theory/nonholonomic.md
//     y = ℓ f(t, m₁, m₂, …) = 0,   mᵢ measures of positions and velocities;  ℓ makes an angular velocity a velocity
namespace bricard {

class VelocityConstraints final : public ElementBatch {
 public:
  struct Item {
    VelocityPlace place;
    MeasuredFormulas formula;  ///< one
    double factor = 1;         ///< ℓ
    ElementSignal signal;      ///< its multiplier: the force, in N, or the torque
  };
  VelocityConstraints(const System& system, std::vector<Item> items);

  const char* kind() const override { return "velocity constraint"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  void add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const override;
  void add_input_derivative(const Kinematics& k, int input, Residual& r) const override;
  bool is_unsymmetric() const override { return true; }
  bool has_power() const override { return true; }
  double power(const Kinematics& k) const override;
  void list_signals(std::vector<ElementSignal>& signals) const override;
  void add_signals(const Kinematics& k, std::vector<double>& values) const override;

  /// What an input of a formula is.
  enum class Seen { velocity, position, input, other };
  static Seen kind_of(MeasureQuantity quantity, int component);
  /// Why a formula cannot be a condition on velocities; "" if it can. One kind for each of its inputs.
  static std::string fault_of(const Expression& formula, const std::vector<Seen>& kinds);
  /// The same for a formula that is bound to a system.
  static std::string fault_of(const MeasuredFormulas& measured);

 private:
  std::vector<Item> items_;
  std::vector<std::vector<std::array<int, 3>>>
      columns_;  ///< per item and measure, first columns of its frames; −1: ground
};

}  // namespace bricard
