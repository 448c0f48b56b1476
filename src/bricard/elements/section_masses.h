// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/element.h"

// Masses whose centre is at c of a frame, in a uniform gravity field: nodes of beams whose sections are not balanced.
//     r_p = m (v̇ + R u − g),  u = ω̇ × c + ω × (ω × c),      r_θ = J ω̇ + ω × J ω + m c × Rᵀ(v̇ − g)
// J is about the frame's origin, c and J in its axes.                                      theory: docs/theory/beams.md
namespace bricard {

class SectionMasses final : public ElementBatch {
 public:
  struct Item {
    int node, v, block;
    double mass;
    Vector3d c;
    Matrix3d J;
  };

  SectionMasses(std::vector<Item> items, const Vector3d& gravity) : items_(std::move(items)), gravity_(gravity) {}

  const char* kind() const override { return "section mass"; }
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
