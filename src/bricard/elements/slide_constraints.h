// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/elements/constraint_rows.h"

// A point of B held on planes fixed in A.                                theory: docs/theory/joints.md
//     g = aᵀ(D − r_a),    D = R_aᵀ(x_b − p_a)      the point seen from frame A
// One to three rows: one is a plane, two make a line.
namespace bricard {

class SlideConstraints final : public ElementBatch {
 public:
  struct Item {
    ConstraintPlace place;
    int rows;
    std::array<Vector3d, 3> a;
    Vector3d r_a, r_b;
  };
  explicit SlideConstraints(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "slide constraint"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  bool sees_velocities() const override { return false; }
  void add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const override;
  void add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const override;
  std::unique_ptr<ElementBatch> part_of_joint(int joint) const override {
    return select_joint<SlideConstraints>(items_, joint);
  }

 private:
  std::vector<Item> items_;
};

}  // namespace bricard
