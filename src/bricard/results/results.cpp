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
  // δ, δ̇ and δ̈ at the end, in the chart at the beginning; there they are 0, v and a
  VectorXd end(before.v.size()), rate(before.v.size()), bend(before.v.size());
  manifold.difference(before.q, after.q, end);
  manifold.apply_tangent_inverse(end, after.v, rate);
  manifold.apply_tangent_inverse(end, after.a, bend);
  for (const Manifold::Block& b : manifold.blocks())
    if (b.kind == Manifold::Kind::rotation)
      bend.segment<3>(b.v) +=
          tangent_inverse_derivative(end.segment<3>(b.v), after.v.segment<3>(b.v)) * rate.segment<3>(b.v);
  const double x2 = x * x, x3 = x2 * x, x4 = x3 * x, x5 = x4 * x;
  const VectorXd delta = (x - 6 * x3 + 8 * x4 - 3 * x5) * h * before.v +
                         0.5 * (x2 - 3 * x3 + 3 * x4 - x5) * h * h * before.a + (10 * x3 - 15 * x4 + 6 * x5) * end +
                         (-4 * x3 + 7 * x4 - 3 * x5) * h * rate + 0.5 * (x3 - 2 * x4 + x5) * h * h * bend;
  const VectorXd slope = (1 - 18 * x2 + 32 * x3 - 15 * x4) * before.v +
                         0.5 * (2 * x - 9 * x2 + 12 * x3 - 5 * x4) * h * before.a +
                         (30 * x2 - 60 * x3 + 30 * x4) / h * end + (-12 * x2 + 28 * x3 - 15 * x4) * rate +
                         0.5 * (3 * x2 - 8 * x3 + 5 * x4) * h * bend;
  manifold.retract(before.q, delta, s.q);
  manifold.apply_tangent(delta, slope, s.v);
  for (const StateInfo& state : system.states)  // the cubic through both ends, with their slopes
    s.v[state.v] = (1 - 3 * x2 + 2 * x3) * before.v[state.v] + (x - 2 * x2 + x3) * h * before.a[state.v] +
                   (3 * x2 - 2 * x3) * after.v[state.v] + (x3 - x2) * h * after.a[state.v];
  s.a = (1 - x) * before.a + x * after.a;
  s.lambda = (1 - x) * before.lambda + x * after.lambda;
  s.angles = (1 - x) * before.angles + x * after.angles;
  return s;
}

}  // namespace bricard
