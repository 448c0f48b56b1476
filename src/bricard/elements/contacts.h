// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/measured_formulas.h"
#include "bricard/math/curve.h"

// Contacts at points, with friction.                                        theory: docs/theory/contact.md
//     N = k aᵖ (1 + c ȧ) ≥ 0   where the depth a = −g > 0,   or by a formula
//     Coulomb   F = −μ(v) N v/√(v² + v_e²)
//     LuGre     F = −N (σ₀ z + σ₁ ż + σ₂ v),   ż = v − σ₀ |v|/μ(v) z,   z = 0 while open
//     μ(v) = μ_k + (μ_s − μ_k) exp(−(|v|/v_s)^γ)
// On or off is in State::discrete and changes at events (one_sided.h): within a step all of it is smooth.
namespace bricard {

enum class ShapePair { sphere_on_plane, sphere_on_sphere, disc_on_plane, sphere_on_curve };

/// μ_k, μ_s, …, the last three over the normal force.
struct FrictionLaw {
  double sliding = 0, sticking = 0, stribeck_speed = 1, stribeck_exponent = 2;
  double slip_speed = 0;                          ///< v_e; of Coulomb's law
  double bristles = 0, damping = 0, viscous = 0;  ///< σ₀ > 0: LuGre; σ₁; σ₂
};

class Contacts final : public ElementBatch {
 public:
  /// Two shapes that touch at one point. A has the plane, curve or first sphere.
  struct Item {
    ShapePair pair = ShapePair::sphere_on_plane;
    MarkerPose a, b;
    int v_a, v_b;
    int block_a, block_b;
    double radius = 0, second_radius = 0;
    std::shared_ptr<const Curve> curve = nullptr;
    double stiffness = 0, exponent = 1, dissipation = 0;    ///< k, p, c
    std::shared_ptr<const MeasuredFormulas> law = nullptr;  ///< one formula without measures; variables depth and rate
    FrictionLaw friction = {};
    int states = -1, state_block = -1;  ///< z, three rows of State::v, in the axes of A's marker
    int side = -1;                      ///< in State::discrete
    int contact = 0;                    ///< points of one contact are neighbours and have its number
    std::string name = {};              ///< of the contact
    bool has_bristles() const { return friction.bristles > 0; }
  };
  explicit Contacts(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "contact"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  double potential_energy(const Kinematics& k) const override;
  bool has_power() const override { return true; }
  double power(const Kinematics& k) const override;
  bool is_unsymmetric() const override;
  void list_signals(std::vector<ElementSignal>& signals) const override;
  void add_signals(const Kinematics& k, std::vector<double>& values) const override;
  void list_roots(std::vector<std::string>& owners) const override;
  void add_roots(const Kinematics& k, double*& next) const override;
  std::string pass_root(int root, bool rising, State& s) const override;

 private:
  std::vector<Item> items_;
};

/// The gap of a contact point where its frames are.
double contact_gap(const Contacts::Item& item, const Kinematics& k);

/// x = c v₀ for which a body that arrives with the speed v₀ leaves with e v₀, whatever k and p are:
///     x − ln(1 + x) = −e x − ln(1 − e x)
double dissipation_of(double restitution);

}  // namespace bricard
