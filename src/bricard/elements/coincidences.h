// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/constraint_rows.h"

// Two points kept together, three rows in ground axes.                  theory: docs/theory/joints.md
//     g = x_b − x_a,    x = p + R r
namespace bricard {

class Coincidences final : public ElementBatch {
 public:
  struct Item {
    ConstraintPlace place;
    Vector3d r_a, r_b;
  };
  explicit Coincidences(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "coincidence"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  bool sees_velocities() const override { return false; }
  void add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const override;
  void add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const override;
  std::unique_ptr<ElementBatch> part_of_joint(int joint) const override {
    return select_joint<Coincidences>(items_, joint);
  }

 private:
  std::vector<Item> items_;
};

}  // namespace bricard
