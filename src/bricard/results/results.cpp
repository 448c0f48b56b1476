// SPDX-License-Identifier: Apache-2.0
#include "bricard/results/results.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bricard {

namespace {

/// δ, δ̇ and δ̈ in the chart at the beginning of a step; there they are 0, v and a.
struct InChart {
  VectorXd delta, rate, bend;
};

/// Log gives the shortest turn; a long step may have made more, as the velocities at its ends tell.
void count_turns(const Manifold& manifold, const State& beginning, const State& s, VectorXd& delta) {
  for (const Manifold::Block& b : manifold.blocks()) {
    if (b.kind != Manifold::Kind::rotation) continue;
    const Vector3d turn = delta.segment<3>(b.v),
                   expected = 0.5 * (s.t - beginning.t) * (beginning.v + s.v).segment<3>(b.v);
    if (expected.squaredNorm() < 1 || turn.isZero()) continue;
    const double angle = turn.norm(), more = std::round((expected.dot(turn) / angle - angle) / (2 * std::numbers::pi));
    delta.segment<3>(b.v) *= 1 + 2 * std::numbers::pi * more / angle;
  }
}

InChart in_chart(const Manifold& manifold, const State& beginning, const State& s) {
  const Eigen::Index n = s.v.size();
  InChart c{VectorXd(n), VectorXd(n), VectorXd(n)};
  manifold.difference(beginning.q, s.q, c.delta);
  count_turns(manifold, beginning, s, c.delta);
  manifold.apply_tangent_inverse(c.delta, s.v, c.rate);
  manifold.apply_tangent_inverse(c.delta, s.a, c.bend);
  for (const Manifold::Block& b : manifold.blocks())
    if (b.kind == Manifold::Kind::rotation)
      c.bend.segment<3>(b.v) +=
          tangent_inverse_derivative(c.delta.segment<3>(b.v), s.v.segment<3>(b.v)) * c.rate.segment<3>(b.v);
  return c;
}

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::good: return "good";
    case Verdict::doubtful: return "doubtful";
    case Verdict::failed: return "failed";
  }
  return "";
}

Verdict RunReport::verdict() const {
  const bool fatal = std::any_of(doubts.begin(), doubts.end(), [](const Doubt& d) { return d.fatal; });
  if (fatal || (!finished && !running)) return Verdict::failed;
  return doubts.empty() ? Verdict::good : Verdict::doubtful;
}

VectorXd increment_defect(const System& system, const State& before, const State& after) {
  const double h = after.t - before.t;
  const InChart end = in_chart(system.manifold(), before, after);
  VectorXd defect = end.delta - 0.5 * h * (before.v + end.rate) - h * h / 12 * (before.a - end.bend);
  for (const StateInfo& state : system.states) defect[state.v] = 0;
  return defect;
}

// h² δ̈ of the polynomial of fifth degree is 3/2 h (δ̇₁ − δ̇₀) − ¼ h² (δ̈₀ + δ̈₁) in the middle, that of x³(1 − x)³ is −3/8
VectorXd interpolation_bump(const System& system, const State& before, const State& after, const State& middle) {
  const double h = after.t - before.t;
  const InChart end = in_chart(system.manifold(), before, after), m = in_chart(system.manifold(), before, middle);
  VectorXd bump = (-8.0 / 3) * h * (h * m.bend - 1.5 * (end.rate - before.v) + 0.25 * h * (before.a + end.bend));
  for (const StateInfo& state : system.states) bump[state.v] = 0;
  return bump;
}

//     δ(x) = polynomial of fifth degree with δ, δ̇ and δ̈ of both ends + bump x³(1 − x)³
//     q = q_n∘Exp(δ),   v = T(δ) δ̇
State interpolate(const System& system, const State& before, const State& after, double t, const VectorXd& bump) {
  const double h = after.t - before.t, x = (t - before.t) / h;
  const Manifold& manifold = system.manifold();
  State s = before;
  s.t = t;
  const auto [end, rate, bend] = in_chart(manifold, before, after);
  const double x2 = x * x, x3 = x2 * x, x4 = x3 * x, x5 = x4 * x;
  VectorXd delta = (x - 6 * x3 + 8 * x4 - 3 * x5) * h * before.v +
                   0.5 * (x2 - 3 * x3 + 3 * x4 - x5) * h * h * before.a + (10 * x3 - 15 * x4 + 6 * x5) * end +
                   (-4 * x3 + 7 * x4 - 3 * x5) * h * rate + 0.5 * (x3 - 2 * x4 + x5) * h * h * bend;
  VectorXd slope = (1 - 18 * x2 + 32 * x3 - 15 * x4) * before.v +
                   0.5 * (2 * x - 9 * x2 + 12 * x3 - 5 * x4) * h * before.a + (30 * x2 - 60 * x3 + 30 * x4) / h * end +
                   (-12 * x2 + 28 * x3 - 15 * x4) * rate + 0.5 * (3 * x2 - 8 * x3 + 5 * x4) * h * bend;
  if (bump.size()) {
    const double y = x * (1 - x);
    delta += y * y * y * bump;
    slope += 3 * y * y * (1 - 2 * x) / h * bump;
  }
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
