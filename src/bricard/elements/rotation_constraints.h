// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/elements/constraint_rows.h"

// Constraints on the rotation between two frames.                       theory: docs/theory/joints.md
//     g = ℓ aᵀb                 for axes a of A and b of B, one to three rows
// ℓ is the reference length: all constraints are lengths, all multipliers forces.
namespace bricard {

class AxisConstraints final : public ElementBatch {
 public:
  struct Item {
    ConstraintPlace place;
    int rows;
    std::array<Vector3d, 3> a, b;
  };
  AxisConstraints(std::vector<Item> items, double length) : items_(std::move(items)), length_(length) {}

  const char* kind() const override { return "axis constraint"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  bool sees_velocities() const override { return false; }
  void add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const override;
  void add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const override;
  std::unique_ptr<ElementBatch> part_of_joint(int joint) const override {
    return select_joint<AxisConstraints>(items_, joint, length_);
  }

 private:
  std::vector<Item> items_;
  double length_;
};

}  // namespace bricard
