// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/math/archive.h"
#include "bricard/system/follower_motion.h"

namespace bricard {

/// Everything that changes with time: a value one can copy, compare and store.
struct State {
  double t = 0;
  VectorXd q;       ///< coordinates: per body position (ground frame) and quaternion w x y z
  VectorXd v;       ///< velocities: per body ṗ (ground frame) and angular velocity (body frame); differential states
  VectorXd a;       ///< v̇
  VectorXd lambda;  ///< multipliers, all forces in N: angle equations carry the reference length
  VectorXd angles;  ///< joint angles counted over many turns, as of the last accepted step
  VectorXd inputs;  ///< what is added to the named inputs from outside and by events; 0 at the start
  /// What only events change: elements on or off, on which side of its limit a stop is, which events have happened.
  VectorXd discrete;

  void archive(Archive& x) { x(t, q, v, a, lambda, angles, inputs, discrete); }
};

/// What a step does not solve for is at its end, and in between, as it was at its beginning. Turns are counted afterwards.
inline void carry_over(const State& from, State& to) {
  to.angles = from.angles;
  to.inputs = from.inputs;
  to.discrete = from.discrete;
}

/// Pose and velocity of a frame that markers sit on (ground, rigid body, whatever follows other unknowns).
struct Frame {
  Vector3d p = Vector3d::Zero();      ///< p_WF, origin
  Matrix3d R = Matrix3d::Identity();  ///< R_WF
  Vector3d v = Vector3d::Zero();      ///< velocity of the origin, ground frame
  Vector3d w = Vector3d::Zero();      ///< angular velocity w_WF_F, frame's own axes
};

/// A State with what every element needs of it worked out once.
struct Kinematics {
  const State* state = nullptr;
  std::vector<Frame> frames;              ///< [0] is ground
  std::vector<FollowerMotion> followers;  ///< of frames that follow other unknowns, in the order of their rows
  /// If there are followers with a bias: the same with twists J v + J̇ v. Rates of constraints are linear in twists, so
  /// that G J̇ v is the difference.
  std::vector<Kinematics> pushed;

  /// v̇ of the origin (ground axes) and ω̇ (own axes) of the frame with the rows v; see System::v_of.
  Vector6d acceleration(int v) const {
    const Eigen::Index own = state->a.size();
    if (v < own) return state->a.segment<6>(v);
    return v == own ? Vector6d::Zero() : followers[(v - own) / 6 - 1].acceleration(state->a);
  }
};

}  // namespace bricard
