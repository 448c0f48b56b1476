// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/model/model.h"
#include "bricard/system/system.h"

// Model -> System: names become indices, joints become lists of constraint primitives.
namespace bricard {

/// Throws ModelError.
System assemble(const Model& model);

/// Positions and velocities as the user wished them; not yet consistent.
State initial_wishes(const Model& model, const System& system);

/// The pose a reference `body` or `body.marker` stands for.
MarkerPose find_marker(const Model& model, const Reference& reference);

}  // namespace bricard
