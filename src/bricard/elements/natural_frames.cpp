// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/natural_frames.h"

#include <algorithm>
#include <cmath>

namespace bricard {

// |ω|² = ½ Σ|ė_j|² ≤ 1.5 max|ė_j|²,   |ė_j| ≤ Σ_k ‖E_kj‖ |ẋ_k|;   two bodies may turn against each other
template <int d>
NaturalFrames<d>::NaturalFrames(std::vector<NaturalFrame<d>> frames) : frames_(std::move(frames)) {
  for (const NaturalFrame<d>& f : frames_) {
    Follower& follower = followers_.emplace_back();
    follower.node = f.node;
    for (const NaturalVariable& x : f.at)
      if (!x.is_fixed()) follower.blocks.push_back(x.block);
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (const auto& C : f.C) sum += C.template middleRows<3>(3 + 3 * j).norm() / std::sqrt(d);
      lever_ = std::max(lever_, 2 * std::sqrt(1.5) * std::sqrt(d) * sum);
    }
  }
}

template <int d>
void NaturalFrames<d>::update(const State& s, std::vector<Frame>& frames) const {
  for (const NaturalFrame<d>& f : frames_) {
    Eigen::Matrix<double, 12, 1> x = f.c, v = Eigen::Matrix<double, 12, 1>::Zero();
    for (int k = 0; k < f.kColumns; ++k) {
      x += f.C[k] * f.at[k].template position<d>(s);
      v += f.C[k] * f.at[k].template rate<d>(s.v);
    }
    Frame& frame = frames[f.node];
    frame.p = x.head<3>();
    frame.v = v.head<3>();
    const Matrix3d dR = Eigen::Map<const Matrix3d>(v.data() + 3);
    frame.R = Eigen::Map<const Matrix3d>(x.data() + 3);
    const auto e = [&](int i) { return frame.R.col(i); };
    frame.w = 0.5 * Vector3d(e(2).dot(dR.col(1)) - e(1).dot(dR.col(2)), e(0).dot(dR.col(2)) - e(2).dot(dR.col(0)),
                             e(1).dot(dR.col(0)) - e(0).dot(dR.col(1)));
  }
}

namespace {

//     δe₁ = θ₃e₂ − θ₂e₃ and so on:   θ₁ = ½ (e₃·δe₂ − e₂·δe₃),  …
/// Θ_k of one variable for the axes R.
template <int d>
Eigen::Matrix<double, 3, d> turn(const Eigen::Matrix<double, 12, d>& C, const Matrix3d& R) {
  const auto E = [&](int j) { return C.template middleRows<3>(3 + 3 * j); };
  Eigen::Matrix<double, 3, d> B;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    B.row(i) = 0.5 * (R.col(k).transpose() * E(j) - R.col(j).transpose() * E(k));
  }
  return B;
}

}  // namespace

template <int d>
void NaturalFrames<d>::jacobian(const Kinematics& k, int i, Eigen::Ref<Matrix6Xd> J) const {
  const NaturalFrame<d>& f = frames_[i];
  int column = 0;
  for (int c = 0; c < f.kColumns; ++c) {
    if (f.at[c].is_fixed()) continue;
    J.template block<3, d>(0, column) = f.C[c].template topRows<3>();
    J.template block<3, d>(3, column) = turn<d>(f.C[c], k.frames[f.node].R);
    column += d;
  }
}

// p is linear. ω = Σ Θ_k(R) x_k is linear in R and in x, and changes its sign when δR and Ṙ change places:
//     ∂(Σ Θ_k(R) x_k)/∂x_l = −Θ_l(Σ E_k x_k)
template <int d>
void NaturalFrames<d>::gradient(const Kinematics&, int i, const Eigen::Ref<const VectorXd>& x,
                                Eigen::Ref<Matrix6Xd> V) const {
  const NaturalFrame<d>& f = frames_[i];
  Matrix3d dR = Matrix3d::Zero();
  int column = 0;
  for (int c = 0; c < f.kColumns; ++c) {
    if (f.at[c].is_fixed()) continue;
    const Eigen::Matrix<double, 9, 1> rate = f.C[c].template bottomRows<9>() * x.template segment<d>(column);
    dR += Eigen::Map<const Matrix3d>(rate.data());
    column += d;
  }
  V.template topRows<3>().setZero();
  column = 0;
  for (int c = 0; c < f.kColumns; ++c) {
    if (f.at[c].is_fixed()) continue;
    V.template block<3, d>(3, column) = -turn<d>(f.C[c], dR);
    column += d;
  }
}

template class NaturalFrames<2>;
template class NaturalFrames<3>;

}  // namespace bricard
