// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/assemble/beam_mesh.h"

// A beam clamped at the origin of ground with loads that grow with time, for tests of beam elements.
namespace bricard::testing {

/// Straight along x, the same section everywhere.
BeamLine straight_line(double length, const Matrix6d& stiffness, const Matrix6d& mass = Matrix6d::Identity());
/// C = diag(EA, GA_y, GA_z, GJ, EI_y, EI_z)
Matrix6d diagonal(double EA, double GAy, double GAz, double GJ, double EIy, double EIz);

/// In ground axes, whatever the end does; times t.
struct EndLoad {
  Vector3d force, moment;
};
inline EndLoad end_force(double x, double y, double z) { return {{x, y, z}, Vector3d::Zero()}; }
inline EndLoad end_moment(double x, double y, double z) { return {Vector3d::Zero(), {x, y, z}}; }

struct Cantilever {
  System system;
  std::vector<int> nodes;  ///< [0] is ground
  State state;             ///< unstrained at first

  Cantilever(const BeamLine& line, const BeamMesh& mesh, const EndLoad& load,
             const Vector3d& gravity = Vector3d::Zero());
  const FrameNode& end() const { return system.nodes()[nodes.back()]; }
  Vector3d end_position() const { return state.q.segment<3>(end().q); }
  Matrix3d end_axes() const { return quaternion_at(state.q, end().q + 3).toRotationMatrix(); }
  Kinematics kinematics() const;
  /// Newton's method for r = 0 at rest and each time 1/n, 2/n, … 1. Returns the number of corrections, −1 if it failed.
  int solve(int load_steps);
};

}  // namespace bricard::testing
