// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/assemble/alignment.h"
#include "bricard/model/model.h"
#include "bricard/system/system.h"

// Model -> System: names become indices, joints become lists of constraint primitives.
namespace bricard {

/// Throws ModelError.
System assemble(const Model& model);

struct JointRows;

/// Adds all elements but the bodies' inertia and what holds them in the plane to a system with its frames, inputs and states;
/// joints with the rows that are given.
void add_between_frames(const Model& model, const std::vector<JointRows>& rows, System& system);

/// Positions and velocities as the user wished them; not yet consistent. Unknowns that frames follow are left at zero.
State initial_wishes(const Model& model, const System& system);

/// All frames as the user wished them, whatever unknowns they have; `s` becomes the state behind them.
Kinematics wished_frames(const Model& model, const System& system, State& s);

/// What alignment within `angle` does; with that of `model.align` systems are assembled.
AlignedJoints find_alignment(const Model& model, double angle);

/// The pose a reference `body` or `body.marker` stands for.
MarkerPose find_marker(const Model& model, const Reference& reference);

}  // namespace bricard
