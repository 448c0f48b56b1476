// SPDX-License-Identifier: Apache-2.0
#include "bricard/results/results.h"

namespace bricard {

//     δ(τ) = Hermite cubic with δ(0) = 0, δ'(0) = h v_n, δ(1) = Log(q_n⁻¹ q_{n+1}), δ'(1) = h T⁻¹ v_{n+1}
//     q = q_n∘Exp(δ(τ)),   v = T(δ) δ'(τ)/h
State interpolate(const System& system, const State& before, const State& after, double t) {
  const double h = after.t - before.t, x = (t - before.t) / h;
  const Manifold& manifold = system.manifold();
  State s = before;
  s.t = t;
  VectorXd end(before.v.size()), end_rate(before.v.size());
  manifold.difference(before.q, after.q, end);
  manifold.apply_tangent_inverse(end, after.v, end_rate);
  const double x2 = x * x, x3 = x2 * x;
  const VectorXd delta = (x3 - 2 * x2 + x) * h * before.v + (3 * x2 - 2 * x3) * end + (x3 - x2) * h * end_rate;
  const VectorXd slope =
      (3 * x2 - 4 * x + 1) * before.v + (6 * x - 6 * x2) / h * end + (3 * x2 - 2 * x) * end_rate;
  manifold.retract(before.q, delta, s.q);
  manifold.apply_tangent(delta, slope, s.v);
  s.a = (1 - x) * before.a + x * after.a;
  s.lambda = (1 - x) * before.lambda + x * after.lambda;
  s.angles = (1 - x) * before.angles + x * after.angles;
  return s;
}

}  // namespace bricard
