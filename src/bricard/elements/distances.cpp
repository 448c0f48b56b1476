// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/distances.h"

namespace bricard {
namespace {

double defect(const Vector3d& d, double L) { return (d.squaredNorm() - L * L) / (2 * L); }

}  // namespace

void Distances::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& e : items_) add_constraint_couplings(e.place, couplings);
}

void Distances::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& e : items_) {
    const Vector3d d = two_point_kinematics(k, e.points).d;
    const double g = defect(d, e.length);
    r.constraint[e.place.row] += g;
    const double lambda = k.state->lambda[e.place.row] + r.penalty * g;
    add_two_point_force(k, e.points, lambda / e.length * d, r);
  }
}

void Distances::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slot = T.slots;
  const double penalty = T.w.q != 0 ? T.w.penalty / T.w.q : 0;
  for (const Item& e : items_) {
    const Frame& A = k.frames[e.place.node_a];
    const Frame& B = k.frames[e.place.node_b];
    const Vector3d d = two_point_kinematics(k, e.points).d;
    const Vector3d n = d / e.length;
    Eigen::Matrix<double, 1, 6> G_a, G_b;
    G_a << -n.transpose(), n.transpose() * A.R * skew(e.points.r_a);
    G_b << n.transpose(), -n.transpose() * B.R * skew(e.points.r_b);
    add_constraint_jacobian(T, ConstraintSlots(slot), e.place.offset, G_a, G_b);
    const double lambda = k.state->lambda[e.place.row] + penalty * defect(d, e.length);
    add_two_point_tangent(k, e.points, lambda * n, lambda / e.length * Matrix3d::Identity(), Matrix3d::Zero(), slot, T);
    slot += kConstraintSlots;
  }
}

//     ġ = dᵀḋ/L,   g̈ − G a = (ḋᵀḋ + dᵀ(d̈ at zero acceleration))/L
void Distances::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  for (const Item& e : items_) {
    const Frame& A = k.frames[e.place.node_a];
    const Frame& B = k.frames[e.place.node_b];
    const TwoPointKinematics x = two_point_kinematics(k, e.points);
    const Vector3d centripetal = B.R * B.w.cross(B.w.cross(e.points.r_b)) - A.R * A.w.cross(A.w.cross(e.points.r_a));
    rate[e.place.row] += x.d.dot(x.d_dot) / e.length;
    bias[e.place.row] += (x.d_dot.squaredNorm() + x.d.dot(centripetal)) / e.length;
  }
}

void Distances::add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const {
  for (const Item& e : items_) {
    if (e.place.joint < 0) continue;
    const Vector3d d = two_point_kinematics(k, e.points).d;
    const Vector3d F = -k.state->lambda[e.place.row] / e.length * d;
    wrenches[e.place.joint].force += F;
    wrenches[e.place.joint].torque += (k.frames[e.place.node_b].R * e.points.r_b).cross(F);
  }
}

}  // namespace bricard
