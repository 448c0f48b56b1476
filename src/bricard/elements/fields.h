// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/relative_point.h"
#include "bricard/system/system.h"

// Force and torque between two markers from their relative pose: bushing, field, beam.    theory: docs/theory/forces.md
//     ξ = (d, φ):   d = R_iᵀ(x_j − x_i),   R_iᵀR_j = Exp(φ)
//     f = −K (ξ − ξ₀) − C ξ̇ + f₀,     the work f·δξ is done on the marker j
namespace bricard {

class Fields final : public ElementBatch {
 public:
  using Matrix6d = Eigen::Matrix<double, 6, 6>;
  struct Item {
    MarkerPose i, j;
    int v_a, v_b, block_a, block_b;
    Matrix6d stiffness, damping;
    Vector6d free_position, preload;
    std::string name;  ///< of its signals, "" if not reported
  };
  explicit Fields(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "field"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  double potential_energy(const Kinematics& k) const override;
  bool has_power() const override { return true; }
  double power(const Kinematics& k) const override;
  bool is_unsymmetric() const override;
  void list_signals(std::vector<ElementSignal>& signals) const override;
  void add_signals(const Kinematics& k, std::vector<double>& values) const override;

 private:
  std::vector<Item> items_;
};

}  // namespace bricard
