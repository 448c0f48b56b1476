// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/measured_formulas.h"

// Torsional springs and dampers about the z axis of a marker.           theory: docs/theory/forces.md
//     M = k (θ − θ₀) + c θ̇ + law(t, θ, θ̇, measures),  turning the second body back; θ counted over many turns
namespace bricard {

class TorsionSprings final : public ElementBatch {
 public:
  struct Item {
    int node_a, node_b;
    int v_a, v_b;
    int block_a, block_b;
    Vector3d x, y;    ///< axes of the marker on A
    Vector3d b;       ///< x axis of the marker on B
    int angle_index;  ///< into State::angles, which names the turn
    double stiffness, damping, free_angle;
    std::shared_ptr<const MeasuredFormulas> law = nullptr;  ///< one formula; variables angle and rate
  };
  explicit TorsionSprings(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "torsion spring"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  double potential_energy(const Kinematics& k) const override;
  bool has_power() const override { return true; }
  double power(const Kinematics& k) const override;
  bool is_unsymmetric() const override;
  bool sees_accelerations() const override;
  void add_input_derivative(const Kinematics& k, int input, Residual& r) const override;

 private:
  std::vector<Item> items_;
};

}  // namespace bricard
