// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/rotor_inertias.h"

namespace bricard {
namespace {

using Rotor = RotorInertias::Item;

/// s, ṡ, and what ṡ moves with: positions, velocities and accelerations of one frame.
struct Rates {
  struct OfFrame {
    Vector6d q = Vector6d::Zero(), v = Vector6d::Zero(), G = Vector6d::Zero();
  };
  double rate = 0, acceleration = 0;
  OfFrame a, b;
};

Rates of_turn(const Kinematics& k, const Coordinate& c) {
  Rates x;
  x.a.G << Vector3d::Zero(), -c.i.R.col(2);
  x.b.G << Vector3d::Zero(), c.j.R.col(2);
  x.rate = x.a.G.tail<3>().dot(k.frames[c.i.node].w) + x.b.G.tail<3>().dot(k.frames[c.j.node].w);
  x.acceleration = x.a.G.dot(k.acceleration(c.v_a)) + x.b.G.dot(k.acceleration(c.v_b));
  return x;
}

/// ∂(y·(ω × (ω × x)))/∂ω
Vector3d centripetal(const Vector3d& w, const Vector3d& x, const Vector3d& y) {
  return x * w.dot(y) + y * w.dot(x) - 2 * w * x.dot(y);
}

// δ(e·P) = (e × P)·δθ_a + (X × Qᵀe)·δθ_b,  X = ω̇_b × r + ω_b × (ω_b × r),   and the same with U for P, u_b for X.
Rates of_way(const Kinematics& k, const Coordinate& c) {
  const Frame &A = k.frames[c.i.node], &B = k.frames[c.j.node];
  const Vector6d a_a = k.acceleration(c.v_a), a_b = k.acceleration(c.v_b);
  const RelativePoint p(A, B, c.j.r);
  const Vector3d e = c.i.R.col(c.axis), n = A.w.cross(e), e_b = p.Q.transpose() * e, n_b = p.Q.transpose() * n;
  const Vector3d X = a_b.tail<3>().cross(p.r_b) + B.w.cross(p.u_b);
  const Vector3d P = A.R.transpose() * (a_b.head<3>() - a_a.head<3>()) + p.Q * X;
  const Vector3d d = A.w.dot(e) * A.w - A.w.squaredNorm() * e + a_a.tail<3>().cross(e);
  Rates x;
  x.rate = e.dot(p.rate);
  x.acceleration = e.dot(P) + 2 * n.dot(p.U) + d.dot(p.D);
  x.a.G = p.gradient_a(e), x.b.G = p.gradient_b(e);
  x.a.v << -2 * (A.R * n), 2 * e.cross(p.U) + centripetal(A.w, p.D, e);
  x.b.v << 2 * (A.R * n), 2 * p.r_b.cross(n_b) + centripetal(B.w, p.r_b, e_b);
  x.a.q = p.gradient_a(d), x.b.q = p.gradient_b(d);
  x.a.q.tail<3>() += e.cross(P) + 2 * n.cross(p.U);
  x.b.q.tail<3>() += X.cross(e_b) + 2 * p.u_b.cross(n_b);
  return x;
}

Rates evaluate_rates(const Kinematics& k, const Coordinate& c) { return c.turns() ? of_turn(k, c) : of_way(k, c); }

/// How ṡ moves with the unknown of a Newton system.
Vector6d row_of(const Rates::OfFrame& x, const Weights& w, const Matrix3d& chart) {
  Vector6d in_chart = w.v * x.v + w.a * x.G;
  in_chart.tail<3>() = (chart.transpose() * in_chart.tail<3>()).eval();
  return w.q * x.q + in_chart;
}

}  // namespace

void RotorInertias::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Rotor& e : items_) add_coordinate_couplings(e.coordinate, couplings);
}

void RotorInertias::add_residual(const Kinematics& k, Residual& r) const {
  for (const Rotor& e : items_) {
    const Rates x = evaluate_rates(k, e.coordinate);
    r.motion.segment<6>(e.coordinate.v_a) += e.inertia * x.acceleration * x.a.G;
    r.motion.segment<6>(e.coordinate.v_b) += e.inertia * x.acceleration * x.b.G;
  }
}

void RotorInertias::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slots = T.slots;
  for (const Rotor& e : items_) {
    const Coordinate& c = e.coordinate;
    const Rates x = evaluate_rates(k, c);
    const Vector6d E_a = e.inertia * row_of(x.a, T.w, T.chart[c.i.node]);
    const Vector6d E_b = e.inertia * row_of(x.b, T.w, T.chart[c.j.node]);
    T.add_diagonal(slots[0], 0, 0, (x.a.G * E_a.transpose()).eval());
    T.add_diagonal(slots[1], 0, 0, (x.b.G * E_b.transpose()).eval());
    T.add_pair(slots[2], 0, 0, (x.a.G * E_b.transpose()).eval(), (E_a * x.b.G.transpose()).eval());
    if (!c.turns()) add_coordinate_stiffness(k, c, e.inertia * x.acceleration, slots, T);
    slots += kCoordinateSlots;
  }
}

double RotorInertias::kinetic_energy(const Kinematics& k) const {
  double sum = 0;
  for (const Rotor& e : items_) {
    const double rate = evaluate_rates(k, e.coordinate).rate;
    sum += 0.5 * e.inertia * rate * rate;
  }
  return sum;
}

}  // namespace bricard
