// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/fields.h"

#include "bricard/elements/relative_rotation.h"

namespace bricard {
namespace {

using FieldForce = Fields::Item;
using Matrix6d = Fields::Matrix6d;

/// ξ, ξ̇ and f, and what their derivatives need. Δφ is in axes of A, w in axes of marker i:
///     φ̇ = T(φ)⁻ᵀ w,   w = R_iᵀ(Q ω_b − ω_a);      the torque that belongs to f_φ is τ = T(φ)⁻¹ f_φ
struct Pose {
  RelativePoint p;
  Matrix3d S;               ///< T(φ)⁻¹
  Vector3d w, w_b, torque;  ///< w;  Q ω_b, frame A;  τ, axes of marker i
  Vector6d xi, rate, f;

  Pose(const Kinematics& k, const FieldForce& e) : p(k.frames[e.i.node], k.frames[e.j.node], e.j.r) {
    const Vector3d phi = log_rotation(Quaterniond(Matrix3d(e.i.R.transpose() * p.Q * e.j.R)));
    S = tangent_operator_inverse(phi);
    w_b = p.Q * k.frames[e.j.node].w;
    w = e.i.R.transpose() * (w_b - p.w_a);
    xi << e.i.R.transpose() * (p.D - e.i.r), phi;
    rate << e.i.R.transpose() * p.rate, S.transpose() * w;
    f = e.preload - e.stiffness * (xi - e.free_position) - e.damping * rate;
    torque = S * f.tail<3>();
  }
  Vector3d phi() const { return xi.tail<3>(); }
};

/// δξ = J_a (δp_a, δθ_a) + J_b (δp_b, δθ_b).
struct Jacobian {
  Matrix6d a = Matrix6d::Zero(), b = Matrix6d::Zero();
};

Jacobian jacobian(const FieldForce& e, const Pose& x) {
  Jacobian J;
  for (int n = 0; n < 3; ++n) {
    J.a.row(n) = x.p.gradient_a(e.i.R.col(n)).transpose();
    J.b.row(n) = x.p.gradient_b(e.i.R.col(n)).transpose();
  }
  const Matrix3d of_turn = x.S.transpose() * e.i.R.transpose();  // δφ = T⁻ᵀ R_iᵀ Δφ
  J.a.bottomRightCorner<3, 3>() = -of_turn;
  J.b.bottomRightCorner<3, 3>() = of_turn * x.p.Q;
  return J;
}

/// ∂ξ̇/∂q at fixed velocities:   δφ̇ = ∂(T⁻ᵀw)/∂φ δφ + T⁻ᵀR_iᵀ(Δφ × Q ω_b)
Jacobian rate_jacobian(const FieldForce& e, const Pose& x, const Jacobian& J) {
  Jacobian D;
  for (int n = 0; n < 3; ++n) {
    D.a.row(n) = x.p.rate_gradient_a(e.i.R.col(n)).transpose();
    D.b.row(n) = x.p.rate_gradient_b(e.i.R.col(n)).transpose();
  }
  const Matrix3d of_phi = -tangent_inverse_derivative(-x.phi(), x.w);  // T(φ)ᵀ = T(−φ)
  const Matrix3d turning = -(x.S.transpose() * e.i.R.transpose() * skew(x.w_b));
  D.a.bottomRightCorner<3, 3>() = of_phi * J.a.bottomRightCorner<3, 3>() - turning;
  D.b.bottomRightCorner<3, 3>() = of_phi * J.b.bottomRightCorner<3, 3>() + turning * x.p.Q;
  return D;
}

Matrix6d in_chart(const Matrix6d& J, const Matrix3d& chart) {
  Matrix6d result = J;
  result.rightCols<3>() = J.rightCols<3>() * chart;
  return result;
}

}  // namespace

void Fields::add_couplings(std::vector<Coupling>& couplings) const {
  for (const FieldForce& e : items_) {
    couplings.push_back({e.block_a, e.block_a});
    couplings.push_back({e.block_b, e.block_b});
    couplings.push_back({e.block_a, e.block_b});
  }
}

void Fields::add_residual(const Kinematics& k, Residual& r) const {
  for (const FieldForce& e : items_) {
    const Pose x(k, e);
    const Vector3d F = e.i.R * x.f.head<3>(), M = e.i.R * x.torque;  // on B, axes of A
    r.motion.segment<6>(e.v_a) -= x.p.gradient_a(F);
    r.motion.segment<6>(e.v_b) -= x.p.gradient_b(F);
    r.motion.segment<3>(e.v_a + 3) += M;
    r.motion.segment<3>(e.v_b + 3) -= x.p.Q.transpose() * M;
  }
}

//     r = −Jᵀf,   δr = −Jᵀδf − δJᵀ f,    δf = −K δξ − C δξ̇;    τ turns by δτ = ∂(T⁻¹f)/∂φ δφ and with the frames
void Fields::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slots = T.slots;
  for (const FieldForce& e : items_) {
    const Pose x(k, e);
    const Jacobian J = jacobian(e, x), D = rate_jacobian(e, x, J);
    const Matrix6d E_a =
        T.w.q * (e.stiffness * J.a + e.damping * D.a) + T.w.v * e.damping * in_chart(J.a, T.chart[e.i.node]);
    const Matrix6d E_b =
        T.w.q * (e.stiffness * J.b + e.damping * D.b) + T.w.v * e.damping * in_chart(J.b, T.chart[e.j.node]);
    T.add_diagonal(slots[0], 0, 0, (J.a.transpose() * E_a).eval());
    T.add_diagonal(slots[1], 0, 0, (J.b.transpose() * E_b).eval());
    T.add_pair(slots[2], 0, 0, Matrix6d(J.a.transpose() * E_b), Matrix6d(E_a.transpose() * J.b));
    x.p.add_stiffness(-(e.i.R * x.f.head<3>()), slots[0], slots[1], slots[2], T);
    const Matrix3d H = e.i.R * tangent_inverse_derivative(x.phi(), x.f.tail<3>()) * x.S.transpose() * e.i.R.transpose();
    add_rotation_stiffness(e.i.R * x.torque, H, x.p.Q, slots[0], slots[1], slots[2], T);
    slots += 3;
  }
}

// Only the symmetric part of K has a potential.
double Fields::potential_energy(const Kinematics& k) const {
  double sum = 0;
  for (const FieldForce& e : items_) {
    const Pose x(k, e);
    const Vector6d stretch = x.xi - e.free_position;
    sum += 0.5 * stretch.dot(e.stiffness * stretch) - e.preload.dot(x.xi);
  }
  return sum;
}

double Fields::power(const Kinematics& k) const {
  double sum = 0;
  for (const FieldForce& e : items_) {
    const Pose x(k, e);
    const Matrix6d skew_part = 0.5 * (e.stiffness - e.stiffness.transpose());
    sum -= x.rate.dot(e.damping * x.rate + skew_part * (x.xi - e.free_position));
  }
  return sum;
}

bool Fields::is_unsymmetric() const {
  for (const FieldForce& e : items_)
    for (const Matrix6d* A : {&e.stiffness, &e.damping})
      if ((*A - A->transpose()).norm() > 1e-9 * A->norm()) return true;
  return false;
}

void Fields::list_signals(std::vector<ElementSignal>& signals) const {
  for (const FieldForce& e : items_) {
    if (e.name.empty()) continue;
    for (const char* axis : {"x", "y", "z"}) signals.push_back({e.name + ".force_" + axis, "N"});
    for (const char* axis : {"x", "y", "z"}) signals.push_back({e.name + ".torque_" + axis, "N*m"});
  }
}

void Fields::add_signals(const Kinematics& k, std::vector<double>& values) const {
  for (const FieldForce& e : items_) {
    if (e.name.empty()) continue;
    const Pose x(k, e);
    values.insert(values.end(), x.f.data(), x.f.data() + 3);
    values.insert(values.end(), x.torque.data(), x.torque.data() + 3);
  }
}

}  // namespace bricard
