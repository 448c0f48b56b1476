// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "bricard/model/reduced_part.h"
#include "bricard/system/element.h"

// Bodies that deform in a few shapes, in a uniform gravity field.                   theory: docs/theory/modal_bodies.md
//     p = p_B + R s,    s = x + φ η + ½ ηᵀχ η
// With the integrals of the part (A = Rᵀ(p̈_B − g), E = ω̇~ + ω̃ ω̃; sums over a, b):
//     c = ∫ s dm,    n_ab = ∂(∫ s_a ds_b)/∂η = D_ab + ηᵀB_ab,    B_ab = C_ab + X_ba,    N_ab = n_ab η̇,    h_c = ε_cab n_ab
//     r_p = R (m A + E c + 2 ω × ċ + c_η η̈ + η̇ᵀY η̇)
//     r_θ = c × A + J ω̇ + ω × J ω + 2 (tr N 1 − Nᵀ) ω + h η̈ + η̇ᵀΞ η̇
//     r_η = c_ηᵀ A + E_ba n_abᵀ + 2 ω_c Γ_c η̇ + M η̈ + D η̇ + K η
namespace bricard {

/// More shapes than a part in a mechanism may have: memory of a step is on the stack.
inline constexpr int kMaxShapes = 128;

/// What a step needs of a part, its integrals in the order in which they are used.
struct ModalConstants {
  explicit ModalConstants(const ReducedPart& part);

  int r;
  bool stiffens;
  double mass;
  Vector3d first;
  Matrix3d second;
  Eigen::Matrix3Xd S;        ///< ∫ φ dm
  Eigen::MatrixXd D;         ///< D_ab: r×9, in the column 3 a + b
  Eigen::MatrixXd of_eta;    ///< stacked, each r×r: Bᵀ_xx … Bᵀ_zz, K, Y_x … Y_z
  Eigen::MatrixXd of_rate;   ///< D, Γ_x … Γ_z, Ξ_x … Ξ_z, Y_x … Y_z
  Eigen::MatrixXd of_turns;  ///< Γ_x … Γ_z, Ξ_x … Ξ_z, Y_x … Y_z
  Eigen::MatrixXd M, K, damping;
  Eigen::MatrixXd tangent;  ///< a column for each r×r matrix that ∂r_η/∂η is a sum of
};

class ModalBodies final : public ElementBatch {
 public:
  struct Item {
    int node, v, block;           ///< of the frame B
    int modes, q_modes, v_modes;  ///< block of η, where it starts in q and in v
    std::shared_ptr<const ModalConstants> part;
    std::string name;
  };

  ModalBodies(std::vector<Item> items, const Vector3d& gravity);

  const char* kind() const override { return "flexible body"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  bool has_inertia() const override { return true; }
  double kinetic_energy(const Kinematics& k) const override;
  double potential_energy(const Kinematics& k) const override;
  bool has_power() const override { return damped_; }
  double power(const Kinematics& k) const override;
  /// The elastic energy of each body.
  void list_signals(std::vector<ElementSignal>& signals) const override;
  void add_signals(const Kinematics& k, std::vector<double>& values) const override;

 private:
  std::vector<Item> items_;
  Vector3d gravity_;
  bool damped_ = false;
};

}  // namespace bricard
