// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/measured_formulas.h"

// Forces and torques on a body by formulas in the time and in measures.   theory: docs/theory/forces.md
// Components in the axes of any marker; equal and opposite on a second body, at the same point, if wanted.
namespace bricard {

class AppliedForces final : public ElementBatch {
 public:
  struct Body {
    int node = 0, v = 0, block = -1;
  };
  struct Item {
    Body on;
    Vector3d r;                              ///< where it acts, in the body frame
    Body axes;                               ///< whose axes the components refer to; ground by default
    Matrix3d R_axes = Matrix3d::Identity();  ///< of the marker in that frame
    MeasuredFormulas components;             ///< three of force, three of torque
    Body reaction;                           ///< on which the opposite acts; ground: nowhere
    std::string name{};                      ///< of its signals; none if empty
  };
  explicit AppliedForces(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "applied force"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  bool has_power() const override { return true; }
  double power(const Kinematics& k) const override;
  bool is_unsymmetric() const override;
  bool sees_accelerations() const override;
  void add_input_derivative(const Kinematics& k, int input, Residual& r) const override;
  void list_signals(std::vector<ElementSignal>& signals) const override;
  void add_signals(const Kinematics& k, std::vector<double>& values) const override;

 private:
  std::vector<Item> items_;
};

}  // namespace bricard
