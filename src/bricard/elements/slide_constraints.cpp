// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/slide_constraints.h"

namespace bricard {
namespace {

Vector3d point_in_a(const Frame& A, const Frame& B, const Vector3d& r_b) {
  return A.R.transpose() * (B.p + B.R * r_b - A.p);
}

}  // namespace

SlideConstraints::SlideConstraints(std::vector<Item> items) : items_(std::move(items)) {
  for (const Item& e : items_) driven_ = driven_ || !e.offset.is_constant();
}

void SlideConstraints::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& e : items_) add_constraint_couplings(e.place, couplings);
}

//     Gᵀλ with F = Σ λ a (frame A):  p_b: R_a F,  p_a: −R_a F,  θ_a: F × D,  θ_b: r_b × QᵀF
void SlideConstraints::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& e : items_) {
    const Frame& A = k.frames[e.place.node_a];
    const Frame& B = k.frames[e.place.node_b];
    const Vector3d D = point_in_a(A, B, e.r_b);
    const double c = e.offset(k.state->t);
    Vector3d F = Vector3d::Zero();
    for (int i = 0; i < e.rows; ++i) {
      const double g = e.a[i].dot(D - e.r_a) - c;
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

//     δD = R_aᵀ(δp_b − δp_a) + D̃ δθ_a − Q r̃_b δθ_b
//     δ(R_a F) = −R_a F̃ δθ_a,   δ(F × D) = F̃ δD,   δ(r_b × QᵀF) = r̃_b ((QᵀF)~ δθ_b − QᵀF̃ δθ_a)
void SlideConstraints::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slot = T.slots;
  const double penalty = T.w.q != 0 ? T.w.penalty / T.w.q : 0;
  for (const Item& e : items_) {
    const ConstraintSlots slots(slot);
    slot += kConstraintSlots;
    const Frame& A = k.frames[e.place.node_a];
    const Frame& B = k.frames[e.place.node_b];
    const Vector3d D = point_in_a(A, B, e.r_b);
    const Matrix3d Q = A.R.transpose() * B.R;
    const double c = e.offset(k.state->t);
    Vector3d F = Vector3d::Zero();
    for (int i = 0; i < e.rows; ++i) {
      const Vector3d& a = e.a[i];
      F += (k.state->lambda[e.place.row + i] + penalty * (a.dot(D - e.r_a) - c)) * a;
      Eigen::Matrix<double, 1, 6> G_a, G_b;
      const Vector3d a_W = A.R * a;
      G_a << -a_W.transpose(), a.cross(D).transpose();
      G_b << a_W.transpose(), e.r_b.cross(Q.transpose() * a).transpose();
      add_constraint_jacobian(T, slots, e.place.offset + i, G_a, G_b);
    }
    const Matrix3d RF = T.w.q * A.R * skew(F);
    const Matrix3d Fr = T.w.q * skew(F) * Q * skew(e.r_b);
    // rows of A: (p_a, θ_a): R_a F̃;  (θ_a, p_a): −F̃ R_aᵀ;  (θ_a, θ_a): F̃ D̃
    T.add_diagonal(slots.aa, 0, 3, RF);
    T.add_diagonal(slots.aa, 3, 0, RF.transpose().eval());
    T.add_diagonal(slots.aa, 3, 3, (T.w.q * skew(F) * skew(D)).eval());
    T.add_diagonal(slots.bb, 3, 3, (T.w.q * skew(e.r_b) * skew(Q.transpose() * F)).eval());
    // pairs (a, b): (θ_a, p_b): F̃ R_aᵀ with (p_b, θ_a): −R_a F̃;  (θ_a, θ_b): −F̃ Q r̃_b with (θ_b, θ_a): −r̃_b QᵀF̃
    T.add_symmetric(slots.ab, 3, 0, (-RF.transpose()).eval());
    T.add_symmetric(slots.ab, 3, 3, (-Fr).eval());
  }
}

//     Ḋ = R_aᵀ(ẋ_b − v_a) − ω_a × D,   D̈ = R_aᵀ(ẍ_b − v̇_a) − ω̇_a × D − 2 ω_a × Ḋ − ω_a × (ω_a × D)
void SlideConstraints::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  for (const Item& e : items_) {
    const Frame& A = k.frames[e.place.node_a];
    const Frame& B = k.frames[e.place.node_b];
    const Vector3d D = point_in_a(A, B, e.r_b);
    const Vector3d u_b = B.w.cross(e.r_b);
    const Vector3d D_dot = A.R.transpose() * (B.v + B.R * u_b - A.v) - A.w.cross(D);
    const Vector3d D_bias = A.R.transpose() * (B.R * B.w.cross(u_b)) - 2 * A.w.cross(D_dot) - A.w.cross(A.w.cross(D));
    const TimeJet c = e.offset.jet(k.state->t);
    for (int i = 0; i < e.rows; ++i) {
      rate[e.place.row + i] += e.a[i].dot(D_dot) - c.rate;
      bias[e.place.row + i] += e.a[i].dot(D_bias) - c.acceleration;
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

// As for every moving constraint: λ ∂g/∂t, and ∂g/∂t = −ċ.
double SlideConstraints::power(const Kinematics& k) const {
  double sum = 0;
  for (const Item& e : items_)
    for (int i = 0; i < e.rows; ++i)
      sum -= k.state->lambda[e.place.row + i] * e.offset.jet(k.state->t).rate;
  return sum;
}

}  // namespace bricard
