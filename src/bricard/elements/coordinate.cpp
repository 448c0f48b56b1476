// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/coordinate.h"

namespace bricard {
namespace {

RotationFunction rotation_function(const Coordinate& c, const Matrix3d& Q) {
  if (c.kind == Coordinate::Kind::angle) return angle(c.i.R.col(0), c.i.R.col(1), Q * c.j.R.col(0));
  const RotationFunction f = dot_product(c.i.R.col(0), Q * c.j.R.col(1)),
                         g = dot_product(c.i.R.col(1), Q * c.j.R.col(0));
  return {0.5 * (f.value - g.value), 0.5 * (f.n - g.n), 0.5 * (f.H - g.H)};
}

// With Δω = Q ω_b − ω_a:   ẋ = −n·Δω,   ∂ẋ/∂φ = m = −(HᵀΔω + Q ω_b × n)
CoordinateState of_rotation(const Frame& A, const Frame& B, const Coordinate& c) {
  const Matrix3d Q = A.R.transpose() * B.R;
  const RotationFunction f = rotation_function(c, Q);
  const Vector3d w_b = Q * B.w, relative = w_b - A.w;
  const Vector3d m = -(f.H.transpose() * relative + w_b.cross(f.n));
  CoordinateState x;
  x.value = f.value;
  x.rate = -f.n.dot(relative);
  x.bias = -relative.dot(f.H * relative) - f.n.dot(relative.cross(A.w));
  x.G_a << Vector3d::Zero(), f.n;
  x.G_b << Vector3d::Zero(), -(Q.transpose() * f.n);
  x.D_a << Vector3d::Zero(), -m;
  x.D_b << Vector3d::Zero(), Q.transpose() * m;
  return x;
}

CoordinateState of_offset(const Frame& A, const Frame& B, const Coordinate& c) {
  const RelativePoint p(A, B, c.j.r);
  const Vector3d a = c.i.R.col(c.axis);
  CoordinateState x;
  x.value = a.dot(p.D - c.i.r);
  x.rate = a.dot(p.rate);
  x.bias = a.dot(p.bias);
  x.G_a = p.gradient_a(a), x.G_b = p.gradient_b(a);
  x.D_a = p.rate_gradient_a(a), x.D_b = p.rate_gradient_b(a);
  return x;
}

/// A row of derivatives after velocities as one after the chart's δ.
Vector6d in_chart(const Vector6d& G, const Matrix3d& chart) {
  Vector6d result = G;
  result.tail<3>() = chart.transpose() * G.tail<3>();
  return result;
}

}  // namespace

Coordinate make_coordinate(const System& system, Coordinate::Kind kind, const MarkerPose& i, const MarkerPose& j) {
  Coordinate c;
  c.kind = kind;
  c.i = i, c.j = j;
  c.v_a = system.v_of(i.node), c.v_b = system.v_of(j.node);
  c.block_a = system.block_of(i.node), c.block_b = system.block_of(j.node);
  return c;
}

CoordinateState evaluate(const Kinematics& k, const Coordinate& c) {
  const Frame& A = k.frames[c.i.node];
  const Frame& B = k.frames[c.j.node];
  return c.turns() ? of_rotation(A, B, c) : of_offset(A, B, c);
}

void add_coordinate_stiffness(const Kinematics& k, const Coordinate& c, double f, const Slot* slots, Tangent& T) {
  const Frame& A = k.frames[c.i.node];
  const Frame& B = k.frames[c.j.node];
  if (!c.turns()) {
    RelativePoint(A, B, c.j.r).add_stiffness(f * c.i.R.col(c.axis), slots[0], slots[1], slots[2], T);
    return;
  }
  const Matrix3d Q = A.R.transpose() * B.R;
  const RotationFunction g = rotation_function(c, Q);
  add_rotation_stiffness(f * g.n, f * g.H, Q, slots[0], slots[1], slots[2], T);
}

void add_coordinate_tangent(const Kinematics& k, const Coordinate& c, const CoordinateState& x, double f, double f_x,
                            double f_v, const Slot* slots, Tangent& T) {
  const Vector6d E_a = T.w.q * (f_x * x.G_a + f_v * x.D_a) + T.w.v * f_v * in_chart(x.G_a, T.chart[c.i.node]);
  const Vector6d E_b = T.w.q * (f_x * x.G_b + f_v * x.D_b) + T.w.v * f_v * in_chart(x.G_b, T.chart[c.j.node]);
  T.add_diagonal(slots[0], 0, 0, (x.G_a * E_a.transpose()).eval());
  T.add_diagonal(slots[1], 0, 0, (x.G_b * E_b.transpose()).eval());
  T.add_pair(slots[2], 0, 0, (x.G_a * E_b.transpose()).eval(), (E_a * x.G_b.transpose()).eval());
  add_coordinate_stiffness(k, c, f, slots, T);
}

void add_coordinate_reaction(const Kinematics& k, const Coordinate& c, const CoordinateState& x, double f,
                             std::vector<Wrench>& wrenches) {
  if (c.joint < 0) return;
  wrenches[c.joint].force -= f * x.G_b.head<3>();
  wrenches[c.joint].torque -= f * (k.frames[c.j.node].R * x.G_b.tail<3>());
}

}  // namespace bricard
