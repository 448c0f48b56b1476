// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/measured_formulas.h"
#include "bricard/elements/two_point.h"

// Springs and dampers along the line between two points.                theory: docs/theory/forces.md
//     F = k (l − l₀) + c l̇ + F₀ + law(t, l, l̇, measures),   pulling the points together if positive
// One that only pulls acts where l > l₀ and F > 0, one that only pushes where l < l₀ and F < 0 (one_sided.h).
namespace bricard {

class SpringDampers final : public ElementBatch {
 public:
  struct Item {
    TwoPointPlace place;
    double stiffness, damping, free_length, preload;
    std::shared_ptr<const MeasuredFormulas> law = nullptr;  ///< one formula; variables length and rate
    int direction = 0;                                      ///< 1: only pulls, −1: only pushes, 0: both
    int side = -1;                                          ///< of a one-sided one, in State::discrete
    std::string owner = {};                                 ///< in messages about it
  };
  explicit SpringDampers(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "spring-damper"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  double potential_energy(const Kinematics& k) const override;
  bool has_power() const override { return true; }
  double power(const Kinematics& k) const override;
  bool is_unsymmetric() const override;
  bool sees_accelerations() const override;
  void add_input_derivative(const Kinematics& k, int input, Residual& r) const override;
  void list_roots(std::vector<std::string>& owners) const override;
  void add_roots(const Kinematics& k, double*& next) const override;
  std::string pass_root(int root, bool rising, State& s) const override;

 private:
  std::vector<Item> items_;
};

}  // namespace bricard
