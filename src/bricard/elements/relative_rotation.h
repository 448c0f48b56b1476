// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "bricard/system/element.h"

// Scalar functions of the rotation between two frames, Q = R_aᵀ R_b.    theory: docs/theory/joints.md
// Everything is expressed in frame A. With Δφ = Q δθ_b − δθ_a:
//     δg = −nᵀ Δφ,    δn = H Δφ
// so that g acts with n on A and −Qᵀn on B, and
//     ∂n/∂θ_a = −H,  ∂n/∂θ_b = H Q,  ∂(−Qᵀn)/∂θ_a = Qᵀ(ñ + H),  ∂(−Qᵀn)/∂θ_b = −Qᵀ(ñ + H) Q
namespace bricard {

struct RotationFunction {
  double value;
  Vector3d n;
  Matrix3d H;
};

/// g = aᵀ b with a fixed in A, b (given in A) fixed in B:   n = a × b,  H = (a·b) 1 − b aᵀ
inline RotationFunction dot_product(const Vector3d& a, const Vector3d& b) {
  const double value = a.dot(b);
  return {value, a.cross(b), value * Matrix3d::Identity() - b * a.transpose()};
}

/// g = atan2(y·b, x·b): the angle of b about x × y from x, exact also when b leaves the plane.
///     n = (c u − s w)/ρ²,  c = x·b,  s = y·b,  u = y × b,  w = x × b,  ρ² = c² + s²
///     H = (w uᵀ − u wᵀ − b (c y − s x)ᵀ + 2 n (c w + s u)ᵀ)/ρ²
inline RotationFunction angle(const Vector3d& x, const Vector3d& y, const Vector3d& b) {
  const double c = x.dot(b), s = y.dot(b), rho2 = c * c + s * s;
  const Vector3d u = y.cross(b), w = x.cross(b);
  const Vector3d n = (c * u - s * w) / rho2;
  const Matrix3d H =
      (w * u.transpose() - u * w.transpose() - b * (c * y - s * x).transpose() + 2 * n * (c * w + s * u).transpose()) /
      rho2;
  return {std::atan2(s, c), n, H};
}

/// The derivative of the torques n on A and −Qᵀn on B with δn = H Δφ, both times their force; slots aa, bb, ab. Where
/// positions do not move it is nothing.
inline void add_rotation_stiffness(const Vector3d& n, const Matrix3d& H, const Matrix3d& Q, const Slot& aa,
                                   const Slot& bb, const Slot& ab, Tangent& T) {
  if (T.w.q == 0) return;
  const Matrix3d HQ = T.w.q * H * Q;                          // block (a, b)
  const Matrix3d NQ = T.w.q * (H.transpose() - skew(n)) * Q;  // block (b, a), transposed
  T.add_diagonal(aa, 3, 3, (-T.w.q * H).eval());
  T.add_diagonal(bb, 3, 3, (-NQ.transpose() * Q).eval());
  T.add_pair(ab, 3, 3, HQ, NQ);
}

}  // namespace bricard
