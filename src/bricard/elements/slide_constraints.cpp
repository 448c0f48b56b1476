// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/slide_constraints.h"

#include "bricard/elements/relative_point.h"

namespace bricard {
namespace {

Vector3d point_in_a(const Frame& A, const Frame& B, const Vector3d& r_b) {
  return A.R.transpose() * (B.p + B.R * r_b - A.p);
}

}  // namespace

void SlideConstraints::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& e : items_) add_constraint_couplings(e.place, couplings);
}

//     Gᵀλ with F = Σ λ a (frame A):  p_b: R_a F,  p_a: −R_a F,  θ_a: F × D,  θ_b: r_b × QᵀF
void SlideConstraints::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& e : items_) {
    const Frame& A = k.frames[e.place.node_a];
    const Frame& B = k.frames[e.place.node_b];
    const Vector3d D = point_in_a(A, B, e.r_b);
    Vector3d F = Vector3d::Zero();
    for (int i = 0; i < e.rows; ++i) {
      const double g = e.a[i].dot(D - e.r_a);
      r.constraint[e.place.row + i] += g;
      F += (k.state->lambda[e.place.row + i] + r.penalty * g) * e.a[i];
    }
    const Vector3d F_W = A.R * F;
    r.motion.segment<3>(e.place.v_a) -= F_W;
    r.motion.segment<3>(e.place.v_b) += F_W;
    r.motion.segment<3>(e.place.v_a + 3) += F.cross(D);
    r.motion.segment<3>(e.place.v_b + 3) += e.r_b.cross(B.R.transpose() * F_W);
  }
}

void SlideConstraints::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slot = T.slots;
  const double penalty = T.w.q != 0 ? T.w.penalty / T.w.q : 0;
  for (const Item& e : items_) {
    const ConstraintSlots slots(slot);
    slot += kConstraintSlots;
    const RelativePoint p(k.frames[e.place.node_a], k.frames[e.place.node_b], e.r_b);
    Vector3d F = Vector3d::Zero();
    for (int i = 0; i < e.rows; ++i) {
      const Vector3d& a = e.a[i];
      F += (k.state->lambda[e.place.row + i] + penalty * a.dot(p.D - e.r_a)) * a;
      const Eigen::Matrix<double, 1, 6> G_a = p.gradient_a(a).transpose(), G_b = p.gradient_b(a).transpose();
      add_constraint_jacobian(T, slots, e.place.offset + i, G_a, G_b);
    }
    p.add_stiffness(F, slots.aa, slots.bb, slots.ab, T);
  }
}

void SlideConstraints::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  for (const Item& e : items_) {
    const RelativePoint p(k.frames[e.place.node_a], k.frames[e.place.node_b], e.r_b);
    for (int i = 0; i < e.rows; ++i) {
      rate[e.place.row + i] += e.a[i].dot(p.rate);
      bias[e.place.row + i] += e.a[i].dot(p.bias);
    }
  }
}

void SlideConstraints::add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const {
  for (const Item& e : items_) {
    if (e.place.joint < 0) continue;
    Vector3d F = Vector3d::Zero();
    for (int i = 0; i < e.rows; ++i) F -= k.state->lambda[e.place.row + i] * e.a[i];
    F = k.frames[e.place.node_a].R * F;
    wrenches[e.place.joint].force += F;
    wrenches[e.place.joint].torque += (k.frames[e.place.node_b].R * e.r_b).cross(F);
  }
}

}  // namespace bricard
