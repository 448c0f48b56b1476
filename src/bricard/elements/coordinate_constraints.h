// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/elements/coordinate.h"
#include "bricard/math/motion_function.h"

// One row between one to three coordinates and the time.                 theory: docs/theory/joints.md
//     g = s (Σ r_k x_k − c(t))
// One coordinate with c(t) is a motion; two or three with a constant are a gear, a rack, a screw or a coupler. The factor s
// makes g a length: |s r_k| is at most the reference length for an angle, 1 for an offset, and one of them is.
namespace bricard {

class CoordinateConstraints final : public ElementBatch {
 public:
  struct Item {
    int multipliers, offset, row;  ///< unknown block, row within it and within State::lambda
    int count = 1;
    std::array<Coordinate, 3> coordinates;
    std::array<double, 3> factors{1, 0, 0};
    MotionFunction target;
    std::array<std::string, 3> signals;  ///< names of the forces in the coordinates' directions; "": not reported
    double scale = 0;                    ///< s; 0: from the reference length
  };
  CoordinateConstraints(std::vector<Item> items, double length);

  const char* kind() const override { return "coordinate constraint"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  bool sees_velocities() const override { return false; }
  void add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const override;
  void add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const override;
  std::unique_ptr<ElementBatch> part_of_joint(int joint) const override;
  bool has_power() const override { return driven_; }
  double power(const Kinematics& k) const override;
  void list_signals(std::vector<ElementSignal>& signals) const override;
  void add_signals(const Kinematics& k, std::vector<double>& values) const override;

 private:
  std::vector<Item> items_;
  bool driven_ = false;
};

}  // namespace bricard
