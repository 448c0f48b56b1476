// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "bricard/elements/coordinate.h"
#include "bricard/elements/measured_formulas.h"

// Springs, dampers, stops and motors in a joint coordinate.              theory: docs/theory/forces.md
//     f = −k (x − x₀) − c ẋ + preload + u(t, measures) + stop,     the work f δx is done on the joint
// A stop begins at a limit. With the depth δ > 0 behind it and the speed δ̇ into it
//     p = max(0, k_s δ + c_s σ(δ/d) δ̇)         σ from 0 to 1 by a cubic: no jump at the first touch, and it never pulls
namespace bricard {

class JointForces final : public ElementBatch {
 public:
  struct Item {
    Coordinate coordinate;
    double stiffness = 0, damping = 0, free_position = 0;
    double preload = 0;
    std::shared_ptr<const MeasuredFormulas> motor = nullptr;  ///< u: one formula without variables
    double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
    double stop_stiffness = 0, stop_damping = 0, stop_depth = 1;  ///< k_s, c_s, d
    int sides = -1;          ///< of a stop: those of both limits in State::discrete, from here on
    std::string owner = {};  ///< in messages about it
    std::string signal = {};
  };
  explicit JointForces(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "joint force"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  double potential_energy(const Kinematics& k) const override;
  bool has_power() const override { return true; }
  double power(const Kinematics& k) const override;
  bool is_unsymmetric() const override;
  bool sees_accelerations() const override;
  void add_input_derivative(const Kinematics& k, int input, Residual& r) const override;
  void list_signals(std::vector<ElementSignal>& signals) const override;
  void add_signals(const Kinematics& k, std::vector<double>& values) const override;
  void list_roots(std::vector<std::string>& owners) const override;
  void add_roots(const Kinematics& k, double*& next) const override;
  std::string pass_root(int root, bool rising, State& s) const override;

 private:
  std::vector<Item> items_;
};

}  // namespace bricard
