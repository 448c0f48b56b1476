// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/flex/structure.h"
#include "bricard/model/beam.h"
#include "bricard/model/flexible.h"

// Reduced parts of what models say in a few words.                                       theory: docs/theory/flexible_parts.md
namespace bricard {

/// The lowest shapes, as many as are wanted and none above the limit, with the damping ζ that is wanted: D = diag(2 ζ ω).
/// Throws ModelError if ratios are fewer than shapes.
ReducedPart choose_shapes(ReducedPart part, const ModeChoice& choice);

/// A rod in the axes of its body, with `start`, `end` and its markers as interfaces. Its values are good.
ReducedPart reduced_rod(const std::string& name, const FlexibleRod& rod, const ModeChoice& choice);

/// A beam in the axes of ground, from its start, with its ends and markers as interfaces. Its values are good.
ReducedPart reduced_beam(const FlexibleBeam& beam, const ModeChoice& choice);

}  // namespace bricard
