// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/rotation_functions.h"

#include <gtest/gtest.h>

// Exp, T and T⁻¹ with their derivatives, next to rotation.h and to differences.
namespace bricard::testing {
namespace rotation_functions_test {

RotationMap map_of(int kind, const Vector3d& psi) {
  const double X = psi.squaredNorm();
  if (kind == 0) return exp_map(CosineSeries(X));
  return kind == 1 ? tangent_map(CosineSeries(X)) : inverse_tangent_map(CosineSeries(X / 4));
}

class RotationMaps : public ::testing::TestWithParam<double> {};  // |ψ|

TEST_P(RotationMaps, AreExpAndItsTangentOperators) {
  const Vector3d psi = GetParam() * Vector3d(2, -1, 2) / 3, x{0.3, -0.7, 1.1};
  const Matrix3d expected[] = {exp_rotation(psi).toRotationMatrix(), tangent_operator(psi),
                               tangent_operator_inverse(psi)};
  for (int kind = 0; kind < 3; ++kind) {
    const RotationMap F = map_of(kind, psi);
    EXPECT_LT((F.matrix(psi) - expected[kind]).norm(), 3e-15 * expected[kind].norm()) << kind;
    EXPECT_LT((F.apply(psi, x) - expected[kind] * x).norm(), 3e-15 * expected[kind].norm()) << kind;
    EXPECT_LT((F.transposed().matrix(psi) - expected[kind].transpose()).norm(), 3e-15 * expected[kind].norm()) << kind;
  }
}

TEST_P(RotationMaps, HaveExactDerivatives) {
  const Vector3d psi = GetParam() * Vector3d(2, -1, 2) / 3, x{0.3, -0.7, 1.1}, n{-0.4, 0.9, 0.2};
  const double h = 1e-3;  // fourth-order differences: truncation 1e-12, times what T⁻¹ grows with towards 2π
  for (int kind = 0; kind < 3; ++kind)
    for (int i = 0; i < 3; ++i) {
      const auto at = [&](double t) { return Vector3d(psi + t * Vector3d::Unit(i)); };
      const auto value = [&](double t) { return map_of(kind, at(t)).apply(at(t), x); };
      const auto slope = [&](double t) { return Vector3d(map_of(kind, at(t)).derivative(at(t), x).transpose() * n); };
      const auto difference = [&](const auto& f) {
        return Vector3d((8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h));
      };
      const RotationMap F = map_of(kind, psi);
      EXPECT_LT((F.derivative(psi, x).col(i) - difference(value)).norm(), 1e-10) << kind;
      EXPECT_LT((F.hessian(psi, n, x).col(i) - difference(slope)).norm(), 1e-10) << kind;
    }
}

// 2: where the series ends; 4: where that of T⁻¹ does
INSTANTIATE_TEST_SUITE_P(Angles, RotationMaps, ::testing::Values(0.0, 1e-9, 1e-4, 0.3, 1.9, 2.1, 3.1, 4.1));

}  // namespace rotation_functions_test
}  // namespace bricard::testing
