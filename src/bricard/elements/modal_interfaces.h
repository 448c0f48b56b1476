// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/model/reduced_part.h"
#include "bricard/system/follower.h"

// Interfaces of flexible bodies, which follow the frame B of their body and its modal coordinates η.
//                                                                             theory: docs/theory/modal_bodies.md
//     p = p_B + R_B s,   s = x + φ η + ½ ηᵀχ η,        R = R_B Q,   Q = A Exp(θ),   θ = Aᵀψ η
//     ṗ = ṗ_B + R_B (ω_B × s + s_η η̇),                 ω = Qᵀω_B + T(θ) θ̇
namespace bricard {

class ModalInterfaces final : public FollowerBatch {
 public:
  struct Item {
    int node, body;    ///< the interface, the frame B
    int block, modes;  ///< of B, of η
    int q_modes, v_modes;
    Vector3d position;
    Matrix3d axes;
    Eigen::Matrix3Xd translation;
    Eigen::Matrix3Xd rotation;   ///< Aᵀψ
    Eigen::MatrixXd shortening;  ///< χ_x, χ_y, χ_z stacked; 0×0 if there is none

    Item(int own_node, int body_node, int body_block, int modes_block, int q, int v, const PartInterface& at);
  };
  explicit ModalInterfaces(std::vector<Item> items);

  const char* kind() const override { return "interface"; }
  const std::vector<Follower>& followers() const override { return followers_; }
  void update(const State& s, std::vector<Frame>& frames) const override;
  void jacobian(const Kinematics& k, int i, Eigen::Ref<Matrix6Xd> J) const override;
  void gradient(const Kinematics& k, int i, const Eigen::Ref<const VectorXd>& x,
                Eigen::Ref<Matrix6Xd> V) const override;
  bool curvature(const Kinematics& k, int i, const Vector6d& f, Eigen::Ref<Eigen::MatrixXd> C) const override;
  bool has_bias() const override { return true; }
  void bias_gradient(const Kinematics& k, int i, Eigen::Ref<Matrix6Xd> Q) const override;

 private:
  std::vector<Item> items_;
  std::vector<Follower> followers_;
};

}  // namespace bricard
