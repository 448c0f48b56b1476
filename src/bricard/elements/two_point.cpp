// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/two_point.h"

namespace bricard {
namespace {

using Matrix36 = Eigen::Matrix<double, 3, 6>;
using Matrix66 = Eigen::Matrix<double, 6, 6>;

}  // namespace

//     ∂d/∂(p_a, θ_a) = J_a = [−1, R_a r̃_a],   ∂d/∂(p_b, θ_b) = J_b = [1, −R_b r̃_b]
//     ∂ḋ/∂θ_a = R_a (ω_a × r_a)~,  ∂ḋ/∂θ_b = −R_b (ω_b × r_b)~,   ∂ḋ/∂v = J
//     residual J_aᵀF, J_bᵀF; its derivative JᵀδF and, from the turning levers, ∓ r̃ (RᵀF)~
void add_two_point_tangent(const Kinematics& k, const TwoPointPlace& p, const Vector3d& F, const Matrix3d& K,
                           const Matrix3d& C, const Slot* slots, Tangent& T) {
  const Frame& A = k.frames[p.node_a];
  const Frame& B = k.frames[p.node_b];
  Matrix36 J_a, J_b;
  J_a << -Matrix3d::Identity(), A.R * skew(p.r_a);
  J_b << Matrix3d::Identity(), -B.R * skew(p.r_b);

  const Matrix3d K_total = T.w.q * K + T.w.v * C;  // of the columns of positions, where T = 1
  Matrix36 E_a, E_b;                               // δF
  E_a << -K_total, T.w.q * (K * J_a.rightCols<3>() + C * A.R * skew(A.w.cross(p.r_a))) +
                       T.w.v * C * J_a.rightCols<3>() * T.chart[p.node_a];
  E_b << K_total, T.w.q * (K * J_b.rightCols<3>() - C * B.R * skew(B.w.cross(p.r_b))) +
                      T.w.v * C * J_b.rightCols<3>() * T.chart[p.node_b];

  T.add_diagonal(slots[0], 0, 0, (J_a.transpose() * E_a).eval());
  T.add_diagonal(slots[1], 0, 0, (J_b.transpose() * E_b).eval());
  T.add_pair(slots[2], 0, 0, Matrix66(J_a.transpose() * E_b), Matrix66(E_a.transpose() * J_b));
  T.add_diagonal(slots[0], 3, 3, (-T.w.q * skew(p.r_a) * skew(A.R.transpose() * F)).eval());
  T.add_diagonal(slots[1], 3, 3, (T.w.q * skew(p.r_b) * skew(B.R.transpose() * F)).eval());
}

}  // namespace bricard
