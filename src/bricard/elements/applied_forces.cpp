// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/applied_forces.h"

namespace bricard {
namespace {

Vector3d value(const std::array<Expression, 3>& formulas, double t) {
  return {formulas[0](t), formulas[1](t), formulas[2](t)};
}

/// Force and torque at the point, in body axes.
struct BodyLoad {
  Vector3d force, torque;
};

BodyLoad body_load(const Kinematics& k, const AppliedForces::Item& e) {
  const Vector3d F = value(e.force, k.state->t), M = value(e.torque, k.state->t);
  if (e.follows) return {e.R_marker * F, e.R_marker * M};
  const Matrix3d& R = k.frames[e.node].R;
  return {R.transpose() * F, R.transpose() * M};
}

}  // namespace

void AppliedForces::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& e : items_) couplings.push_back({e.block, e.block});
}

void AppliedForces::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& e : items_) {
    const BodyLoad load = body_load(k, e);
    r.motion.segment<3>(e.v) -= k.frames[e.node].R * load.force;
    r.motion.segment<3>(e.v + 3) -= e.r.cross(load.force) + load.torque;
  }
}

// Fixed in ground: ∂(RᵀF)/∂θ = (RᵀF)~.   Following the body: ∂(R F)/∂θ = −R F̃.
void AppliedForces::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slot = T.slots;
  for (const Item& e : items_) {
    const BodyLoad load = body_load(k, e);
    if (e.follows) {
      T.add_diagonal(*slot++, 0, 3, (T.w.q * k.frames[e.node].R * skew(load.force)).eval());
    } else {
      T.add_diagonal(*slot++, 3, 3, (-T.w.q * (skew(e.r) * skew(load.force) + skew(load.torque))).eval());
    }
  }
}

double AppliedForces::power(const Kinematics& k) const {
  double sum = 0;
  for (const Item& e : items_) {
    const Frame& f = k.frames[e.node];
    const BodyLoad load = body_load(k, e);
    sum += load.force.dot(f.R.transpose() * f.v + f.w.cross(e.r)) + load.torque.dot(f.w);
  }
  return sum;
}

}  // namespace bricard
