// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/rigid_bodies.h"

namespace bricard {

void RigidBodies::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& b : items_) couplings.push_back({b.block, b.block});
}

void RigidBodies::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& b : items_) {
    const Vector3d& w = k.frames[b.node].w;
    const Vector6d a = k.acceleration(b.v);
    r.motion.segment<3>(b.v) += b.mass * (a.head<3>() - gravity_);
    r.motion.segment<3>(b.v + 3) += b.J * a.tail<3>() + w.cross(b.J * w);
  }
}

//     ∂(ω × Jω)/∂ω = ω̃ J − (Jω)~
void RigidBodies::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slot = T.slots;
  for (const Item& b : items_) {
    const Vector3d& w = k.frames[b.node].w;
    const Matrix3d gyroscopic = skew(w) * b.J - skew(b.J * w);
    double* at = T.lower + slot->offset;
    for (int i = 0; i < 3; ++i) at[i * (1 + slot->stride)] += T.w.a * b.mass;
    const Matrix3d K = (T.w.a * b.J + T.w.v * gyroscopic) * T.chart[b.node];
    T.add_diagonal(*slot++, 3, 3, K);
  }
}

double RigidBodies::kinetic_energy(const Kinematics& k) const {
  double sum = 0;
  for (const Item& b : items_) {
    const Frame& f = k.frames[b.node];
    sum += 0.5 * b.mass * f.v.squaredNorm() + 0.5 * f.w.dot(b.J * f.w);
  }
  return sum;
}

double RigidBodies::potential_energy(const Kinematics& k) const {
  double sum = 0;
  for (const Item& b : items_) sum -= b.mass * gravity_.dot(k.frames[b.node].p);
  return sum;
}

}  // namespace bricard
