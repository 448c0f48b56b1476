// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <Eigen/Geometry>

// Rotations as unit quaternions, their exponential chart and its tangent.     theory: docs/theory/rotation.md
//     Exp(θ) turns by |θ| about θ;   Exp(θ + dθ) = Exp(θ) Exp(T(θ) dθ + O(dθ²))
namespace bricard {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// ã with ã b = a × b.
inline Matrix3d skew(const Vector3d& a) {
  Matrix3d S;
  S << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return S;
}

/// Exp: rotation vector -> unit quaternion, accurate to round-off for every angle.
Quaterniond exp_rotation(const Vector3d& theta);

/// Log: unit quaternion -> rotation vector of length at most π; q and −q give the same.
Vector3d log_rotation(const Quaterniond& q);

/// T(θ) = 1 − (1 − cos|θ|)/|θ|² θ̃ + (|θ| − sin|θ|)/|θ|³ θ̃²
Matrix3d tangent_operator(const Vector3d& theta);

/// T(θ)⁻¹ = 1 + θ̃/2 + (1 − |θ|/2 cot(|θ|/2))/|θ|² θ̃²,   |θ| < 2π
Matrix3d tangent_operator_inverse(const Vector3d& theta);

/// ∂(T(θ)⁻¹ m)/∂θ = −m̃/2 + c (θ·m 1 + θ mᵀ − 2 m θᵀ) + 2 c′ θ̃²m θᵀ,   c as in T⁻¹, c′ = dc/d|θ|²
Matrix3d tangent_inverse_derivative(const Vector3d& theta, const Vector3d& m);

/// The rotation whose z axis is `z` and whose x axis is as near to `x_hint` as possible.
Quaterniond frame_from_axes(const Vector3d& z, const Vector3d& x_hint);

/// The rotation whose z axis is `z`; x is the global x or y axis made perpendicular, whichever is
/// farther from z.
Quaterniond frame_from_axis(const Vector3d& z);

/// An angle brought to the turn nearest to `reference`.
double nearest_turn(double angle, double reference);

}  // namespace bricard
