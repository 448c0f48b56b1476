// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/math/expression.h"
#include "bricard/system/element.h"

// Forces and torques on a body as functions of time.                    theory: docs/theory/forces.md
namespace bricard {

class AppliedForces final : public ElementBatch {
 public:
  struct Item {
    int node, v, block;
    Vector3d r;            ///< where it acts, in the body frame
    bool follows;          ///< components in the axes of the marker instead of ground
    Matrix3d R_marker;     ///< axes of the marker in the body frame
    std::array<Expression, 3> force, torque;
  };
  explicit AppliedForces(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "applied force"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  bool has_power() const override { return true; }
  double power(const Kinematics& k) const override;

 private:
  std::vector<Item> items_;
};

}  // namespace bricard
