// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/system.h"

// "Problem II" of [Bauchau2009, eqs. (28), (29)]: a pendulum in the plane without gravity whose root angle φ is an
// algebraic coordinate of its own, with a spring on it. Written by hand against the interface of the program's
// elements.
//     m q̈ + Bᵀλ = 0,   k φ + C₂,φ λ₂ = 0,   C = (qᵀq − ℓ², q₁ cos φ + q₂ sin φ) = 0
// The motion is  φ = φ₀ cos(ω t),  ω² = k/(m ℓ²),  q = ℓ (sin φ, −cos φ).
namespace bricard::root_spring {

struct Pendulum {
  double mass = 1, stiffness = 10, length = 1;  // of the paper
};

class RootSpringPendulum final : public ElementBatch {
 public:
  /// `block` and `multipliers` are unknown blocks; the coordinates are the first of the system.
  RootSpringPendulum(const Pendulum& p, int block, int multipliers) : p_(p), block_(block), multipliers_(multipliers) {}

  const char* kind() const override { return "pendulum with root spring"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  void add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const override;
  double kinetic_energy(const Kinematics& k) const override;
  double potential_energy(const Kinematics& k) const override;

 private:
  Pendulum p_;
  int block_, multipliers_;
};

/// Reference mass and stiffness of eq. (6).
enum class Reference {
  norms,    ///< ‖M‖∞ = m, ‖K‖∞ = k
  averages  ///< mean of the diagonals over (q₁, q₂, φ): 2m/3, k/3
};
System make_system(const Pendulum& p, Reference reference);

/// The exact state at t of the motion that starts at rest at φ₀.
State exact_state(const System& system, const Pendulum& p, double start_angle, double t);

}  // namespace bricard::root_spring
