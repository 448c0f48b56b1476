// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/constraint_rows.h"
#include "bricard/elements/two_point.h"

// Two points kept at a distance L (a massless rod with ball ends).       theory: docs/theory/joints.md
//     g = (dᵀd − L²)/(2L),    G = dᵀJ/L
namespace bricard {

class Distances final : public ElementBatch {
 public:
  struct Item {
    ConstraintPlace place;
    TwoPointPlace points;
    double length;
  };
  explicit Distances(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "distance"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  bool sees_velocities() const override { return false; }
  void add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const override;
  void add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const override;
  std::unique_ptr<ElementBatch> part_of_joint(int joint) const override {
    return select_joint<Distances>(items_, joint);
  }

 private:
  std::vector<Item> items_;
};

}  // namespace bricard
