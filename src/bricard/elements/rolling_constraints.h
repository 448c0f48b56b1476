// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/velocity_rows.h"
#include "bricard/system/system.h"

// A wheel that rolls on a plane without slip, and a blade that does not slide sideways.  theory: docs/theory/nonholonomic.md
// P is a point of body B that meets body A, at ρ from the origin of B and at σ from that of A:
//     y = d·(v_b + ω_b × ρ − v_a − ω_a × σ)
// Blade: P is fixed on B and d is an axis of B. Wheel: P is the lowest point of its rim over the plane of A,
//     ρ = c − R u − τ n,   u = (n − (n·a) a)/|…|,   g = n·(P − o) = 0
// with centre c, axle a, radius R and half thickness τ of the rim, normal n of the plane, and d two directions in it. R = 0 is
// a ball.
namespace bricard {

class RollingConstraints final : public ElementBatch {
 public:
  struct Item {
    VelocityPlace place;
    MarkerPose a, b;  ///< z of a is the normal; z of b is the axle, or points across the blade
    bool wheel = false;
    double radius = 0, tube_radius = 0;
    std::vector<Vector3d> directions;  ///< of the velocity rows: a wheel's in body A, a blade's in body B
    std::string name;                  ///< of the joint
  };
  explicit RollingConstraints(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "rolling constraint"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  void add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const override;
  void add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const override;
  std::unique_ptr<ElementBatch> part_of_joint(int joint) const override;
  bool is_unsymmetric() const override { return true; }
  void list_signals(std::vector<ElementSignal>& signals) const override;
  void add_signals(const Kinematics& k, std::vector<double>& values) const override;

 private:
  std::vector<Item> items_;
};

}  // namespace bricard
