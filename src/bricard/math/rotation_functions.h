// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/math/rotation.h"

// Matrix functions of a rotation vector with their first and second derivatives.           theory: docs/theory/beams.md
//     F(ψ) = 1 + f(X) ψ̃ + g(X) ψ̃²,    X = |ψ|²
// Exp, its tangent operator T and T⁻¹ are of this kind. Their coefficients and the derivatives of these after X are sums of
//     C_k(X) = Σ_j (−X)ʲ/(2j + k)!,     C_k = 1/k! − X C_{k+2},     C_k′ = −½ (C_{k+1} − k C_{k+2})
// (C₀ = cos x, C₁ = sin x/x, C₂ = (1 − cos x)/x², C₃ = (x − sin x)/x³, …), in which nothing cancels.
namespace bricard {

/// C₀ … C₇ at X.
struct CosineSeries {
  explicit CosineSeries(double X);
  double C[8];
};

/// F at one ψ: the coefficients f and g and their derivatives after X.
struct RotationMap {
  double f, g;
  double f1, g1;
  double f2, g2;

  /// Fᵀ(ψ) = F(−ψ)
  RotationMap transposed() const { return {-f, g, -f1, g1, -f2, g2}; }

  Vector3d apply(const Vector3d& psi, const Vector3d& x) const {
    const Vector3d turned = psi.cross(x);
    return x + f * turned + g * psi.cross(turned);
  }

  Matrix3d matrix(const Vector3d& psi) const {
    Matrix3d F = f * skew(psi) + g * psi * psi.transpose();
    F.diagonal().array() += 1 - g * psi.squaredNorm();
    return F;
  }

  /// ∂(F x)/∂ψ = −f x̃ + g (ψ·x 1 + ψ xᵀ − 2 x ψᵀ) + 2 (f′ ψ̃x + g′ ψ̃²x) ψᵀ
  Matrix3d derivative(const Vector3d& psi, const Vector3d& x) const {
    const Vector3d turned = psi.cross(x), twice = psi.cross(turned);
    Matrix3d D = g * psi * x.transpose() + (2 * (f1 * turned + g1 * twice) - 2 * g * x) * psi.transpose();
    D -= f * skew(x);
    D.diagonal().array() += g * psi.dot(x);
    return D;
  }

  /// ∂²(n·F x)/∂ψ², symmetric, of n·F x = n·x + f L + g q,   L = ψ·l,  l = x × n,   q = (n·ψ)(ψ·x) − X n·x
  Matrix3d hessian(const Vector3d& psi, const Vector3d& n, const Vector3d& x) const {
    const Vector3d l = x.cross(n);
    const double nx = n.dot(x), np = n.dot(psi), px = psi.dot(x), L = psi.dot(l), q = np * px - psi.squaredNorm() * nx;
    const Vector3d dq = px * n + np * x - (2 * nx) * psi;
    const Vector3d u = 2 * (f1 * l + g1 * dq) + 2 * (L * f2 + q * g2) * psi;  // u ψᵀ + ψ uᵀ
    Matrix3d H = psi * u.transpose() + (g * n) * x.transpose();
    H += H.transpose().eval();
    H.diagonal().array() += 2 * (L * f1 + q * g1 - g * nx);
    return H;
  }
};

/// Exp(ψ):  f = C₁, g = C₂
RotationMap exp_map(const CosineSeries& at_X);

/// T(ψ):  f = −C₂, g = C₃
RotationMap tangent_map(const CosineSeries& at_X);

/// T(ψ)⁻¹:  f = ½, g = (1 − x/2 cot(x/2))/X = P/(4 C₁) with P = C₂ − C₃, both at X/4;  |ψ| < 2π
RotationMap inverse_tangent_map(const CosineSeries& at_quarter_X);

}  // namespace bricard
