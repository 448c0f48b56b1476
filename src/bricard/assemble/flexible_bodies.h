// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/assemble/frames.h"

namespace bricard {

/// Modal coordinates and interfaces of the flexible bodies, whose frames are in the system.
void add_flexible_unknowns(const FrameTable& frames, System& system);
/// Their equations, once all unknowns are there.
void add_flexible_bodies(const FrameTable& frames, const Vector3d& gravity, System& system);

}  // namespace bricard
