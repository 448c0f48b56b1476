// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/system.h"

// A force, joint or motion that events switch on and off.                   theory: docs/theory/events.md
// Off, it adds nothing, and its rows of the equations read  −e dλ̂ = 0:  λ stays what it was set to when it was switched
// off, which is zero. The sparsity is that of the element switched on.
namespace bricard {

class SwitchedElements final : public ElementBatch {
 public:
  /// `parts` are the batches of this one element; `multipliers` its unknown block, −1 if it has none.
  SwitchedElements(std::vector<std::unique_ptr<ElementBatch>> parts, int index, int multipliers, int rows,
                   double reference_mass);

  const char* kind() const override { return "switched element"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  void add_constraint_forces(const Kinematics& k, Residual& r) const override;
  void add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const override;
  void add_input_derivative(const Kinematics& k, int input, Residual& r) const override;
  void add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const override;
  std::unique_ptr<ElementBatch> part_of_joint(int joint) const override;
  double kinetic_energy(const Kinematics& k) const override;
  double potential_energy(const Kinematics& k) const override;
  bool has_power() const override;
  double power(const Kinematics& k) const override;
  bool is_unsymmetric() const override;
  bool sees_accelerations() const override;
  bool sees_velocities() const override;
  bool has_inertia() const override;
  void list_signals(std::vector<ElementSignal>& signals) const override;
  void add_signals(const Kinematics& k, std::vector<double>& values) const override;
  void list_roots(std::vector<std::string>& owners) const override;
  void add_roots(const Kinematics& k, double*& next) const override;
  std::string pass_root(int root, bool rising, State& s) const override;

 private:
  bool is_on(const Kinematics& k) const { return k.state->discrete[index_] != 0; }

  std::vector<std::unique_ptr<ElementBatch>> parts_;
  std::vector<int> couplings_, roots_, signals_;  ///< how many each part has
  int index_, multipliers_, rows_;
  double reference_mass_;
};

}  // namespace bricard
