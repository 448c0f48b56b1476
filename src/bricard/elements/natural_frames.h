// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/elements/natural_masses.h"
#include "bricard/system/follower.h"

// The frames of bodies that are described in natural coordinates.          theory: docs/theory/natural_coordinates.md
// Origin and axes are linear in the variables of a body,
//     (p, e₁, e₂, e₃) = c + Σ C_k x_k,       v = Σ P_k ẋ_k,   ω = Σ Θ_k ẋ_k,
// with Θ taken half from one and half from the other axis of each pair, so that ω̇ = Σ Θ_k ẍ_k without a further term.
namespace bricard {

/// How the frame of one body follows its variables.
template <int d>
struct NaturalFrame {
  static constexpr int kColumns = NaturalMasses<d>::kColumns;
  int node = 0;
  std::array<NaturalVariable, kColumns> at;
  std::array<Eigen::Matrix<double, 12, d>, kColumns> C;
  Eigen::Matrix<double, 12, 1> c;
};

template <int d>
class NaturalFrames final : public FollowerBatch {
 public:
  explicit NaturalFrames(std::vector<NaturalFrame<d>> frames);

  const char* kind() const override { return "natural body"; }
  const std::vector<Follower>& followers() const override { return followers_; }
  void update(const State& s, std::vector<Frame>& frames) const override;
  void jacobian(const Kinematics& k, int i, Eigen::Ref<Matrix6Xd> J) const override;
  void gradient(const Kinematics& k, int i, const Eigen::Ref<const VectorXd>& x,
                Eigen::Ref<Matrix6Xd> V) const override;
  bool has_bias() const override { return false; }
  void bias_gradient(const Kinematics&, int, Eigen::Ref<Matrix6Xd> Q) const override { Q.setZero(); }
  double fastest_turn(const State& s) const override { return lever_ * s.v.template lpNorm<Eigen::Infinity>(); }

 private:
  std::vector<NaturalFrame<d>> frames_;
  std::vector<Follower> followers_;
  double lever_ = 0;  ///< fastest relative turn per largest velocity component
};

extern template class NaturalFrames<2>;
extern template class NaturalFrames<3>;

}  // namespace bricard
