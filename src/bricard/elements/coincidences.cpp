// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/coincidences.h"

namespace bricard {

void Coincidences::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& e : items_) add_constraint_couplings(e.place, couplings);
}

//     Gᵀλ:  p_b: λ,  θ_b: r_b × R_bᵀλ,  p_a: −λ,  θ_a: −r_a × R_aᵀλ
void Coincidences::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& e : items_) {
    const Frame& A = k.frames[e.place.node_a];
    const Frame& B = k.frames[e.place.node_b];
    const Vector3d g = B.p + B.R * e.r_b - A.p - A.R * e.r_a;
    const Vector3d F = k.state->lambda.segment<3>(e.place.row) + r.penalty * g;
    r.constraint.segment<3>(e.place.row) += g;
    r.motion.segment<3>(e.place.v_a) -= F;
    r.motion.segment<3>(e.place.v_b) += F;
    r.motion.segment<3>(e.place.v_a + 3) -= e.r_a.cross(A.R.transpose() * F);
    r.motion.segment<3>(e.place.v_b + 3) += e.r_b.cross(B.R.transpose() * F);
  }
}

//     G = [−1, R_a r̃_a, 1, −R_b r̃_b],   ∂(r × RᵀF)/∂θ = r̃ (RᵀF)~
void Coincidences::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slot = T.slots;
  const double s = T.w.constraint;
  for (const Item& e : items_) {
    const ConstraintSlots slots(slot);
    slot += kConstraintSlots;
    const Frame& A = k.frames[e.place.node_a];
    const Frame& B = k.frames[e.place.node_b];
    const Matrix3d G_ta = A.R * skew(e.r_a);
    const Matrix3d G_tb = -(B.R * skew(e.r_b));
    Vector3d F = k.state->lambda.segment<3>(e.place.row);
    if (T.w.penalty != 0) {
      Eigen::Matrix<double, 3, 6> G_a, G_b;
      G_a << -Matrix3d::Identity(), G_ta;
      G_b << Matrix3d::Identity(), G_tb;
      add_constraint_jacobian(T, slots, e.place.offset, G_a, G_b);
      if (T.w.q != 0) F += T.w.penalty / T.w.q * (B.p + B.R * e.r_b - A.p - A.R * e.r_a);
    } else {
      T.add_identity(slots.la, e.place.offset, 0, -s);
      T.add_identity(slots.lb, e.place.offset, 0, s);
      T.add_symmetric(slots.la, e.place.offset, 3, (s * G_ta).eval());
      T.add_symmetric(slots.lb, e.place.offset, 3, (s * G_tb).eval());
    }
    if (T.w.q == 0) continue;
    T.add_diagonal(slots.aa, 3, 3, (-T.w.q * skew(e.r_a) * skew(A.R.transpose() * F)).eval());
    T.add_diagonal(slots.bb, 3, 3, (T.w.q * skew(e.r_b) * skew(B.R.transpose() * F)).eval());
  }
}

void Coincidences::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  for (const Item& e : items_) {
    const Frame& A = k.frames[e.place.node_a];
    const Frame& B = k.frames[e.place.node_b];
    const Vector3d u_a = A.w.cross(e.r_a), u_b = B.w.cross(e.r_b);
    rate.segment<3>(e.place.row) += B.v + B.R * u_b - A.v - A.R * u_a;
    bias.segment<3>(e.place.row) += B.R * B.w.cross(u_b) - A.R * A.w.cross(u_a);
  }
}

void Coincidences::add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const {
  for (const Item& e : items_) {
    if (e.place.joint < 0) continue;
    const Vector3d F = -k.state->lambda.segment<3>(e.place.row);
    wrenches[e.place.joint].force += F;
    wrenches[e.place.joint].torque += (k.frames[e.place.node_b].R * e.r_b).cross(F);
  }
}

}  // namespace bricard
