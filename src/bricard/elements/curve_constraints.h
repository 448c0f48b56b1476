// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "bricard/elements/constraint_rows.h"
#include "bricard/elements/relative_point.h"
#include "bricard/math/curve.h"
#include "bricard/system/system.h"

// A point, a roller or a second curve kept on a curve in the x–y plane of marker i.        theory: docs/theory/joints.md
//     g = φ(X) − ρ                 φ: distance from the curve, X: origin of marker j seen from marker i, ρ: roller radius
//     g = min over s of φ(X(s))    X(s): points of the second curve, in the x–y plane of marker j
//     g = z_i·(x_j − x_i)          second row, if the point is also held in the plane
// The parameters of the contact are found inside; no unknowns are added.
namespace bricard {

class CurveConstraints final : public ElementBatch {
 public:
  struct Item {
    ConstraintPlace place;
    MarkerPose i, j;
    std::shared_ptr<const Curve> first, second;  ///< no second: a point or roller
    double radius = 0;
    bool in_plane = false;
    std::string name;  ///< of its signals, "" if not reported
  };
  explicit CurveConstraints(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "curve constraint"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  bool sees_velocities() const override { return false; }
  void add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const override;
  void add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const override;
  std::unique_ptr<ElementBatch> part_of_joint(int joint) const override {
    return select_joint<CurveConstraints>(items_, joint);
  }
  void list_signals(std::vector<ElementSignal>& signals) const override;
  void add_signals(const Kinematics& k, std::vector<double>& values) const override;

 private:
  std::vector<Item> items_;
};

}  // namespace bricard
