// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/section_masses.h"

namespace bricard {

void SectionMasses::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& e : items_) couplings.push_back({e.block, e.block});
}

void SectionMasses::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& e : items_) {
    const Frame& f = k.frames[e.node];
    const Vector6d a = k.acceleration(e.v);
    const Vector3d free = a.head<3>() - gravity_, alpha = a.tail<3>();
    const Vector3d u = alpha.cross(e.c) + f.w.cross(f.w.cross(e.c));
    r.motion.segment<3>(e.v) += e.mass * (free + f.R * u);
    r.motion.segment<3>(e.v + 3) += e.J * alpha + f.w.cross(e.J * f.w) + e.mass * e.c.cross(f.R.transpose() * free);
  }
}

//     δ(R u) = −R ũ δθ,   δ(Rᵀx) = (Rᵀx)~ δθ,   ∂(ω × (ω × c))/∂ω = −(ω × c)~ − ω̃ c̃
void SectionMasses::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slot = T.slots;
  for (const Item& e : items_) {
    const Frame& f = k.frames[e.node];
    const Vector6d a = k.acceleration(e.v);
    const Vector3d free = f.R.transpose() * (a.head<3>() - gravity_), alpha = a.tail<3>();
    const Vector3d u = alpha.cross(e.c) + f.w.cross(f.w.cross(e.c));
    const Matrix3d C = skew(e.c), &chart = T.chart[e.node];
    const Matrix3d by_spin = -skew(f.w.cross(e.c)) - skew(f.w) * C;
    const Matrix3d gyroscopic = skew(f.w) * e.J - skew(e.J * f.w);
    T.add_diagonal(*slot, 0, 0, Matrix3d(T.w.a * e.mass * Matrix3d::Identity()));
    T.add_diagonal(*slot, 0, 3, Matrix3d(e.mass * f.R * ((T.w.v * by_spin - T.w.a * C) * chart - T.w.q * skew(u))));
    T.add_diagonal(*slot, 3, 0, Matrix3d(T.w.a * e.mass * C * f.R.transpose()));
    T.add_diagonal(*slot++, 3, 3,
                   Matrix3d((T.w.a * e.J + T.w.v * gyroscopic) * chart + T.w.q * e.mass * C * skew(free)));
  }
}

double SectionMasses::kinetic_energy(const Kinematics& k) const {
  double sum = 0;
  for (const Item& e : items_) {
    const Frame& f = k.frames[e.node];
    sum += e.mass * f.v.dot(0.5 * f.v + f.R * f.w.cross(e.c)) + 0.5 * f.w.dot(e.J * f.w);
  }
  return sum;
}

double SectionMasses::potential_energy(const Kinematics& k) const {
  double sum = 0;
  for (const Item& e : items_) sum -= e.mass * gravity_.dot(k.frames[e.node].p + k.frames[e.node].R * e.c);
  return sum;
}

}  // namespace bricard
