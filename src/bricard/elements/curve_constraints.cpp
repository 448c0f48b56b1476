// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/curve_constraints.h"

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

using CurveContact = CurveConstraints::Item;

Vector3d in_space(const Matrix3d& R, const Vector2d& x) { return R.leftCols<2>() * x; }

/// The points of the second curve seen from marker i: X(s) = o + P c(s).
struct Placement {
  Vector2d o;
  Eigen::Matrix2d P;
};

Placement placement(const Kinematics& k, const CurveContact& e) {
  const Frame& A = k.frames[e.i.node];
  const Frame& B = k.frames[e.j.node];
  const Matrix3d R_W = A.R * e.i.R;
  const Vector3d d = B.p + B.R * e.j.r - A.p - A.R * e.i.r;
  return {(R_W.transpose() * d).head<2>(), (R_W.transpose() * B.R * e.j.R).topLeftCorner<2, 2>()};
}

constexpr int kIterations = 50;
constexpr double kQuadratic = 1e-10;  // the step after one of this size would be lost in round-off

/// The sample of the second curve with the least φ. A distance changes by no more than the way that was gone, so after a
/// point that is far off the next ones need not be looked at; a coarse pass first finds what "far" means.
double deepest_sample(const Curve& first, const Curve& second, const Placement& at) {
  double s = 0, least = INFINITY;
  for (const size_t stride : {10, 1}) {
    double skip = 0;
    Vector2d before = Vector2d::Zero();
    for (size_t n = 0; n < second.sample_points().size(); n += stride) {
      const Vector2d X = at.o + at.P * second.sample_points()[n];
      if (skip > 0 && (X - before).norm() < skip) continue;
      const double value = distance_from(first, X).value;
      skip = value - least;
      before = X;
      if (value < least) least = value, s = second.sample_parameters()[n];
    }
  }
  return s;
}

/// The parameter s of the second curve with the least φ(X(s)): by samples, then by Newton's method on
///     ∂φ/∂s = n·X′ = 0,    ∂²φ/∂s² = κ (t·X′)² + n·X″
double deepest(const Curve& first, const Curve& second, const Placement& at) {
  double s = deepest_sample(first, second, at);
  const double largest = second.end() / static_cast<double>(second.sample_points().size());
  for (int k = 0; k < kIterations; ++k) {
    const Curve::Point p = second.at(s);
    const CurveDistance d = distance_from(first, at.o + at.P * p.c);
    const Vector2d X1 = at.P * p.d1;
    const double t1 = d.t.dot(X1), slope = d.n.dot(X1), curvature = d.curvature * t1 * t1 + d.n.dot(at.P * p.d2);
    const double step =
        curvature > 0 ? std::clamp(-slope / curvature, -largest, largest) : std::copysign(largest, -slope);
    s += step;
    if (curvature > 0 && std::abs(step) <= kQuadratic * second.end()) break;
  }
  return s;
}

/// Where the two touch, and how the gap changes:
///     δg = n·δX,   δδg = slide along n + κ (t·δX)² − (κ (t·τ)(t·δX) + (Q τ × n)·Δφ)²/∂²φ/∂s²
struct Contact {
  double gap, parameter;
  Vector3d r_b;           ///< the point of B, frame B
  Vector3d n, t;          ///< frame A
  double curvature;       ///< κ
  Vector3d turning;       ///< Q τ × n, frame A
  double along = 0;       ///< t·τ
  double stiffening = 0;  ///< ∂²φ/∂s² of the second curve, 0 for a point
};

Contact contact(const Kinematics& k, const CurveContact& e) {
  const Placement at = placement(k, e);
  Contact x;
  x.r_b = e.j.r;
  x.turning.setZero();
  Vector2d X = at.o;
  Curve::Point p;
  if (e.second) {
    p = e.second->at(deepest(*e.first, *e.second, at));
    X += at.P * p.c;
    x.r_b += in_space(e.j.R, p.c);
  }
  const CurveDistance d = distance_from(*e.first, X);
  x.gap = d.value - e.radius;
  x.parameter = d.s;
  x.n = in_space(e.i.R, d.n);
  x.t = in_space(e.i.R, d.t);
  x.curvature = d.curvature;
  if (e.second) {
    const Vector2d tau = at.P * p.d1;
    x.along = d.t.dot(tau);
    x.stiffening = d.curvature * x.along * x.along + d.n.dot(at.P * p.d2);
    const Matrix3d Q = k.frames[e.i.node].R.transpose() * k.frames[e.j.node].R;
    x.turning = (Q * in_space(e.j.R, p.d1)).cross(x.n);
  }
  return x;
}

/// Gradients of t·X and of ∂φ/∂s after the coordinates of both frames.
struct Slips {
  Vector6d along_a, along_b, shift_a, shift_b;
};

Slips slips(const RelativePoint& p, const Contact& x) {
  Slips s;
  s.along_a = p.gradient_a(x.t), s.along_b = p.gradient_b(x.t);
  s.shift_a = x.curvature * x.along * s.along_a, s.shift_b = x.curvature * x.along * s.along_b;
  s.shift_a.tail<3>() -= x.turning;
  s.shift_b.tail<3>() += p.Q.transpose() * x.turning;
  return s;
}

/// Adds c u uᵀ for the twelve coordinates of both frames.
void add_outer(Tangent& T, const ConstraintSlots& slots, double c, const Vector6d& u_a, const Vector6d& u_b) {
  T.add_diagonal(slots.aa, 0, 0, (c * u_a * u_a.transpose()).eval());
  T.add_diagonal(slots.bb, 0, 0, (c * u_b * u_b.transpose()).eval());
  T.add_symmetric(slots.ab, 0, 0, (c * u_a * u_b.transpose()).eval());
}

RelativePoint point_of(const Kinematics& k, const CurveContact& e, const Vector3d& r_b) {
  return {k.frames[e.i.node], k.frames[e.j.node], r_b};
}

}  // namespace

void CurveConstraints::add_couplings(std::vector<Coupling>& couplings) const {
  for (const CurveContact& e : items_) add_constraint_couplings(e.place, couplings);
}

void CurveConstraints::add_residual(const Kinematics& k, Residual& r) const {
  for (const CurveContact& e : items_) {
    const Contact x = contact(k, e);
    const RelativePoint p = point_of(k, e, x.r_b);
    r.constraint[e.place.row] += x.gap;
    Vector3d F = (k.state->lambda[e.place.row] + r.penalty * x.gap) * x.n;
    if (e.in_plane) {
      const Vector3d z = e.i.R.col(2);
      const double g = z.dot(p.D - e.i.r);
      r.constraint[e.place.row + 1] += g;
      F += (k.state->lambda[e.place.row + 1] + r.penalty * g) * z;
    }
    r.motion.segment<6>(e.place.v_a) += p.gradient_a(F);
    r.motion.segment<6>(e.place.v_b) += p.gradient_b(F);
  }
}

void CurveConstraints::add_tangent(const Kinematics& k, Tangent& T) const {
  using Row = Eigen::Matrix<double, 1, 6>;
  const Slot* slot = T.slots;
  const double penalty = T.w.q != 0 ? T.w.penalty / T.w.q : 0;
  for (const CurveContact& e : items_) {
    const ConstraintSlots slots(slot);
    slot += kConstraintSlots;
    const Contact x = contact(k, e);
    const RelativePoint p = point_of(k, e, x.r_b);
    const Slips s = slips(p, x);
    const double force = k.state->lambda[e.place.row] + penalty * x.gap;
    Vector3d F = force * x.n;
    add_constraint_jacobian(T, slots, e.place.offset, Row(p.gradient_a(x.n).transpose()),
                            Row(p.gradient_b(x.n).transpose()));
    add_outer(T, slots, T.w.q * force * x.curvature, s.along_a, s.along_b);
    if (e.second) add_outer(T, slots, -T.w.q * force / x.stiffening, s.shift_a, s.shift_b);
    if (e.in_plane) {
      const Vector3d z = e.i.R.col(2);
      F += (k.state->lambda[e.place.row + 1] + penalty * z.dot(p.D - e.i.r)) * z;
      add_constraint_jacobian(T, slots, e.place.offset + 1, Row(p.gradient_a(z).transpose()),
                              Row(p.gradient_b(z).transpose()));
    }
    p.add_stiffness(F, slots.aa, slots.bb, slots.ab, T);
  }
}

void CurveConstraints::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  for (const CurveContact& e : items_) {
    const Contact x = contact(k, e);
    const RelativePoint p = point_of(k, e, x.r_b);
    const double along = x.t.dot(p.rate);
    rate[e.place.row] += x.n.dot(p.rate);
    bias[e.place.row] += x.n.dot(p.bias) + x.curvature * along * along;
    if (e.second) {
      const Vector3d relative = p.Q * k.frames[e.j.node].w - p.w_a;
      const double shift = x.curvature * x.along * along + x.turning.dot(relative);
      bias[e.place.row] -= shift * shift / x.stiffening;
    }
    if (!e.in_plane) continue;
    rate[e.place.row + 1] += e.i.R.col(2).dot(p.rate);
    bias[e.place.row + 1] += e.i.R.col(2).dot(p.bias);
  }
}

void CurveConstraints::add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const {
  for (const CurveContact& e : items_) {
    if (e.place.joint < 0) continue;
    const Contact x = contact(k, e);
    Vector3d F = -k.state->lambda[e.place.row] * x.n;
    if (e.in_plane) F -= k.state->lambda[e.place.row + 1] * e.i.R.col(2);
    F = k.frames[e.i.node].R * F;
    wrenches[e.place.joint].force += F;
    wrenches[e.place.joint].torque += (k.frames[e.j.node].R * x.r_b).cross(F);
  }
}

void CurveConstraints::list_signals(std::vector<ElementSignal>& signals) const {
  for (const CurveContact& e : items_)
    if (!e.name.empty())
      signals.insert(signals.end(), {{e.name + ".curve_parameter", ""}, {e.name + ".normal_force", "N"}});
}

void CurveConstraints::add_signals(const Kinematics& k, std::vector<double>& values) const {
  for (const CurveContact& e : items_)
    if (!e.name.empty()) values.insert(values.end(), {contact(k, e).parameter, -k.state->lambda[e.place.row]});
}

}  // namespace bricard
