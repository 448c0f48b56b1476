// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/rotation_constraints.h"

#include "bricard/elements/relative_rotation.h"

namespace bricard {
namespace {

Matrix3d rotation_from(const Kinematics& k, const ConstraintPlace& p) {
  return k.frames[p.node_a].R.transpose() * k.frames[p.node_b].R;
}

/// Σλn and ΣλH of several functions of one relative rotation.
struct RotationForce {
  Vector3d n = Vector3d::Zero();
  Matrix3d H = Matrix3d::Zero();
  void add(const RotationFunction& f, double lambda) {
    n += lambda * f.n;
    H += lambda * f.H;
  }
};

void add_row(Tangent& T, const ConstraintSlots& slots, int row, const Vector3d& n, const Matrix3d& Q) {
  if (T.w.penalty != 0) {
    Eigen::Matrix<double, 1, 6> G_a, G_b;
    G_a << 0, 0, 0, n.transpose();
    G_b << 0, 0, 0, -n.transpose() * Q;
    add_constraint_jacobian(T, slots, row, G_a, G_b);
    return;
  }
  const double s = T.w.constraint;
  T.add_symmetric(slots.la, row, 3, (s * n.transpose()).eval());
  T.add_symmetric(slots.lb, row, 3, (-s * n.transpose() * Q).eval());
}

double penalty_per_force(const Weights& w) { return w.q != 0 ? w.penalty / w.q : 0; }

}  // namespace

void AxisConstraints::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& e : items_) add_constraint_couplings(e.place, couplings);
}

void AxisConstraints::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& e : items_) {
    const Frame& A = k.frames[e.place.node_a];
    const Frame& B = k.frames[e.place.node_b];
    Vector3d n = Vector3d::Zero();  // on A, in ground axes
    for (int i = 0; i < e.rows; ++i) {
      const Vector3d a = A.R * e.a[i], b = B.R * e.b[i];
      const double g = length_ * a.dot(b);
      r.constraint[e.place.row + i] += g;
      n += length_ * (k.state->lambda[e.place.row + i] + r.penalty * g) * a.cross(b);
    }
    r.motion.segment<3>(e.place.v_a + 3) += A.R.transpose() * n;
    r.motion.segment<3>(e.place.v_b + 3) -= B.R.transpose() * n;
  }
}

void AxisConstraints::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slot = T.slots;
  const double penalty = penalty_per_force(T.w);
  for (const Item& e : items_) {
    const ConstraintSlots slots(slot);
    slot += kConstraintSlots;
    const Matrix3d Q = rotation_from(k, e.place);
    RotationForce force;
    for (int i = 0; i < e.rows; ++i) {
      const Vector3d b = Q * e.b[i];
      add_row(T, slots, e.place.offset + i, length_ * e.a[i].cross(b), Q);
      if (T.w.q == 0) continue;
      const RotationFunction f = dot_product(e.a[i], b);
      force.add(f, length_ * (k.state->lambda[e.place.row + i] + penalty * length_ * f.value));
    }
    add_rotation_stiffness(force.n, force.H, Q, slots.aa, slots.bb, slots.ab, T);
  }
}

//     d(a·b)/dt = ȧ·b + a·ḃ,   ȧ = ω_a × a;    second derivative without ω̇:  ω_a × ȧ·b + 2 ȧ·ḃ + a·(ω_b × ḃ)
void AxisConstraints::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  for (const Item& e : items_) {
    const Frame& A = k.frames[e.place.node_a];
    const Frame& B = k.frames[e.place.node_b];
    const Vector3d w_a = A.R * A.w, w_b = B.R * B.w;
    for (int i = 0; i < e.rows; ++i) {
      const Vector3d a = A.R * e.a[i], b = B.R * e.b[i], da = w_a.cross(a), db = w_b.cross(b);
      rate[e.place.row + i] += length_ * (da.dot(b) + a.dot(db));
      bias[e.place.row + i] += length_ * (w_a.cross(da).dot(b) + 2 * da.dot(db) + a.dot(w_b.cross(db)));
    }
  }
}

void AxisConstraints::add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const {
  for (const Item& e : items_) {
    if (e.place.joint < 0) continue;
    const Matrix3d& R_a = k.frames[e.place.node_a].R;
    const Matrix3d& R_b = k.frames[e.place.node_b].R;
    for (int i = 0; i < e.rows; ++i)
      wrenches[e.place.joint].torque += length_ * k.state->lambda[e.place.row + i] * (R_a * e.a[i]).cross(R_b * e.b[i]);
  }
}

}  // namespace bricard
