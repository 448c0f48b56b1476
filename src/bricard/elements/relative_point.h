// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/element.h"

// A point of B seen from frame A, and what follows from it along a direction a fixed in A.   theory: docs/theory/joints.md
//     D = R_aᵀ(x_b − p_a),   Ḋ = U − ω_a × D,   U = R_aᵀ(ẋ_b − v_a),   Q = R_aᵀR_b
//     δD = R_aᵀ(δp_b − δp_a) + D̃ δθ_a − Q r̃_b δθ_b
namespace bricard {

using Vector6d = Eigen::Matrix<double, 6, 1>;

struct RelativePoint {
  const Matrix3d* R_a;
  Matrix3d Q;
  Vector3d r_b, D;
  Vector3d w_a, u_b;  ///< ω_a;  ω_b × r_b, frame B
  Vector3d U, rate;   ///< U, Ḋ
  Vector3d bias;      ///< D̈ at zero accelerations

  RelativePoint(const Frame& A, const Frame& B, const Vector3d& r) : R_a(&A.R), r_b(r), w_a(A.w) {
    Q = A.R.transpose() * B.R;
    D = A.R.transpose() * (B.p + B.R * r - A.p);
    u_b = B.w.cross(r);
    U = A.R.transpose() * (B.v - A.v) + Q * u_b;
    rate = U - w_a.cross(D);
    bias = Q * B.w.cross(u_b) - 2 * w_a.cross(rate) - w_a.cross(w_a.cross(D));
  }

  /// ∂(a·D)/∂(p, θ) of both frames.
  Vector6d gradient_a(const Vector3d& a) const {
    Vector6d G;
    G << -(*R_a * a), a.cross(D);
    return G;
  }
  Vector6d gradient_b(const Vector3d& a) const {
    Vector6d G;
    G << *R_a * a, r_b.cross(Q.transpose() * a);
    return G;
  }

  /// ∂(a·Ḋ)/∂(p, θ) at fixed velocities: the gradient along ω_a × a and what turns with the frames.
  Vector6d rate_gradient_a(const Vector3d& a) const {
    Vector6d G = gradient_a(w_a.cross(a));
    G.tail<3>() += a.cross(U);
    return G;
  }
  Vector6d rate_gradient_b(const Vector3d& a) const {
    Vector6d G = gradient_b(w_a.cross(a));
    G.tail<3>() += u_b.cross(Q.transpose() * a);
    return G;
  }

  /// The geometric stiffness of the forces Gᵀ with F = Σ λ a, frame A; slots aa, bb, ab.
  ///     δ(R_a F) = −R_a F̃ δθ_a,   δ(F × D) = F̃ δD,   δ(r_b × QᵀF) = r̃_b ((QᵀF)~ δθ_b − QᵀF̃ δθ_a)
  void add_stiffness(const Vector3d& F, const Slot& aa, const Slot& bb, const Slot& ab, Tangent& T) const {
    const Matrix3d RF = T.w.q * *R_a * skew(F);
    T.add_diagonal(aa, 0, 3, RF);
    T.add_diagonal(aa, 3, 0, RF.transpose().eval());
    T.add_diagonal(aa, 3, 3, (T.w.q * skew(F) * skew(D)).eval());
    T.add_diagonal(bb, 3, 3, (T.w.q * skew(r_b) * skew(Q.transpose() * F)).eval());
    T.add_symmetric(ab, 3, 0, (-RF.transpose()).eval());
    T.add_symmetric(ab, 3, 3, (-T.w.q * skew(F) * Q * skew(r_b)).eval());
  }
};

}  // namespace bricard
