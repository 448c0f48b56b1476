// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "bricard/system/system.h"

// Two frames of each kind there is, for elements to sit on: with unknowns of their own, of natural bodies, and following a
// frame and modal coordinates.
namespace bricard::testing {

enum class FrameKind { own, natural, modal };
const char* name_of(FrameKind kind);

/// Nodes 1 and 2, and the unknowns they follow if they do.
void add_frames(System& s, FrameKind kind);
/// Masses of the unknowns that frames follow.
void add_followed_masses(System& s, FrameKind kind);

/// A way to move: z and the multipliers' part of the unknowns, and positions on the way. Natural bodies stay rigid on it,
/// as their frames have no orthogonal axes otherwise.
struct Direction {
  VectorXd unknowns;
  std::function<VectorXd(double)> q;
};
std::vector<Direction> directions(const System& system, const State& s, FrameKind kind);

/// Makes positions, velocities and accelerations of natural bodies those of rigid motions.
void make_rigid(const System& system, FrameKind kind, State& s);

}  // namespace bricard::testing
