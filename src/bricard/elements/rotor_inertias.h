// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/coordinate.h"

// The moving part of a motor in a joint, as far as it is felt there.      theory: docs/theory/joints.md
//     T = ½ I s²,   residual I ṡ Gᵀ,   s = G v the rate of the joint's coordinate,   I = n² J_r
// A turn about z, which is fixed in both bodies of the joint: s = z_j·ω_b − z_i·ω_a, so that G is constant. A way along
// z_i: s = ẋ of the offset x, whose second rate is, with D, U and Q of relative_point.h, e = z_i and c = ω_a × e,
//     ẍ = e·P + 2 c·U + d·D,   P = R_aᵀ(ẍ_b − v̇_a),   d = (ω_a·e) ω_a − ω_a² e + ω̇_a × e
namespace bricard {

class RotorInertias final : public ElementBatch {
 public:
  struct Item {
    Coordinate coordinate;
    double inertia = 0;  ///< I
  };
  explicit RotorInertias(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "rotor inertia"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  double kinetic_energy(const Kinematics& k) const override;
  bool has_inertia() const override { return true; }

 private:
  std::vector<Item> items_;
};

}  // namespace bricard
