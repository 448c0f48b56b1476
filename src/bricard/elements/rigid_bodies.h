// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/element.h"

// Rigid bodies in a uniform gravity field.                              theory: docs/theory/rigid_body.md
//     r_p = m (v̇ − g),    r_θ = J ω̇ + ω × J ω      (ω, J in body axes, about the centre of mass)
namespace bricard {

class RigidBodies final : public ElementBatch {
 public:
  struct Item {
    int node, v, block;
    double mass;
    Matrix3d J;
  };

  RigidBodies(std::vector<Item> items, const Vector3d& gravity) : items_(std::move(items)), gravity_(gravity) {}

  const char* kind() const override { return "rigid body"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  bool has_inertia() const override { return true; }
  double kinetic_energy(const Kinematics& k) const override;
  double potential_energy(const Kinematics& k) const override;

 private:
  std::vector<Item> items_;
  Vector3d gravity_;
};

}  // namespace bricard
