// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "bricard/system/state.h"

// Frames without unknowns of their own: their motion follows from that of other unknowns.   docs/architecture.md, Followers
//     pose = F(q),   twist = J(q) v,   rate of the twist = J v̇ + J̇ v
// q are the unknowns of some blocks: points and vectors, modal coordinates, frames R³ × SO(3). The twist is the velocity of
// the origin in ground axes and the angular velocity in the frame's own axes, as for all frames, and variations of a rotation
// are turns in its own axes. Elements never learn of it: they write forces and tangents for frames, and System and
// TangentAssembly take them to the unknowns:
//     r = Jᵀ f,     ∂r/∂q = Jᵀ ∂f/∂q J + Jᵀ ∂f/∂(twist) ∂(J v)/∂q + ∂(Jᵀ f)/∂q
namespace bricard {

/// Unknown blocks from here on do not exist: they stand for the followers, in the couplings of elements.
inline constexpr int kFirstFollowerBlock = 1 << 28;

/// A frame that follows the unknowns of these blocks, each of which is named once.
struct Follower {
  int node = 0;
  std::vector<int> blocks;
};

/// All followers of one kind.
class FollowerBatch {
 public:
  virtual ~FollowerBatch() = default;

  /// What it is called in messages and tests.
  virtual const char* kind() const = 0;
  virtual const std::vector<Follower>& followers() const = 0;

  /// Sets poses and twists of its frames. Those with unknowns of their own are there already.
  virtual void update(const State& s, std::vector<Frame>& frames) const = 0;

  /// J of follower i; columns in the order of its blocks. k.frames are up to date.
  virtual void jacobian(const Kinematics& k, int i, Eigen::Ref<Matrix6Xd> J) const = 0;

  /// V = ∂(J x)/∂q with x held fixed. It tells J̇ v = V(v) v, and ∂(Jᵀf)/∂q row by row as fᵀ V(e_j).
  virtual void gradient(const Kinematics& k, int i, const Eigen::Ref<const VectorXd>& x,
                        Eigen::Ref<Matrix6Xd> V) const = 0;

  /// C = ∂(Jᵀf)/∂q with f held fixed, if it has a quicker way to it than row by row; else false.
  virtual bool curvature(const Kinematics& /*k*/, int /*i*/, const Vector6d& /*f*/,
                         Eigen::Ref<Eigen::MatrixXd> /*C*/) const {
    return false;
  }

  /// Whether J̇ v is not always zero, and ∂(J̇ v)/∂q with v held fixed; the latter is for elements that see accelerations.
  virtual bool has_bias() const = 0;
  virtual void bias_gradient(const Kinematics& k, int i, Eigen::Ref<Matrix6Xd> Q) const = 0;

  /// No frame turns faster against another than this, in rad/s.
  virtual double fastest_turn(const State&) const { return std::numeric_limits<double>::infinity(); }
};

/// A follower as a part of the system.
struct FollowerPlace {
  struct Part {
    int block, first, size, column;
    int node;  ///< of the frame whose unknowns they are; −1: a vector
  };
  const FollowerBatch* kind = nullptr;
  int index = 0;  ///< in its batch
  int node = 0;
  std::vector<Part> parts;
  int columns = 0;

  bool has_rotations() const {
    for (const Part& p : parts)
      if (p.node >= 0) return true;
    return false;
  }
};

}  // namespace bricard
