// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/element.h"

// A force F along or across the vector between two points of two frames.   theory: docs/theory/forces.md
//     d = x_b − x_a,   residual: +F at x_b, −F at x_a,   δF = K δd + C δḋ
namespace bricard {

struct TwoPointPlace {
  int node_a, node_b;
  int v_a, v_b;
  int block_a, block_b;
  Vector3d r_a, r_b;
};

struct TwoPointKinematics {
  Vector3d d, d_dot;
};

inline TwoPointKinematics two_point_kinematics(const Kinematics& k, const TwoPointPlace& p) {
  const Frame& A = k.frames[p.node_a];
  const Frame& B = k.frames[p.node_b];
  return {B.p + B.R * p.r_b - A.p - A.R * p.r_a, B.v + B.R * B.w.cross(p.r_b) - A.v - A.R * A.w.cross(p.r_a)};
}

inline void add_two_point_force(const Kinematics& k, const TwoPointPlace& p, const Vector3d& F, Residual& r) {
  r.motion.segment<3>(p.v_a) -= F;
  r.motion.segment<3>(p.v_b) += F;
  r.motion.segment<3>(p.v_a + 3) -= p.r_a.cross(k.frames[p.node_a].R.transpose() * F);
  r.motion.segment<3>(p.v_b + 3) += p.r_b.cross(k.frames[p.node_b].R.transpose() * F);
}

/// Couplings (a,a), (b,b), (a,b).
inline void add_two_point_couplings(const TwoPointPlace& p, std::vector<Coupling>& couplings) {
  couplings.push_back({p.block_a, p.block_a});
  couplings.push_back({p.block_b, p.block_b});
  couplings.push_back({p.block_a, p.block_b});
}
inline constexpr int kTwoPointSlots = 3;

/// Adds w.q ∂/∂q + w.v ∂/∂v T⁻¹ of the force above.
void add_two_point_tangent(const Kinematics& k, const TwoPointPlace& p, const Vector3d& F, const Matrix3d& K,
                           const Matrix3d& C, const Slot* slots, Tangent& T);

}  // namespace bricard
