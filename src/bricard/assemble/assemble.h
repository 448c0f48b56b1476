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

/// All elements but the bodies' inertia and what holds them in the plane; joints with the rows that are given.
System assemble_between_frames(const Model& model, const std::vector<JointRows>& rows);

/// Positions and velocities as the user wished them; not yet consistent.
State initial_wishes(const Model& model, const System& system);

/// What alignment within `angle` does; with that of `model.align` systems are assembled.
AlignedJoints find_alignment(const Model& model, double angle);

/// The pose a reference `body` or `body.marker` stands for.
MarkerPose find_marker(const Model& model, const Reference& reference);

}  // namespace bricard
