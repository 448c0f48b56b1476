// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/flex/structure.h"
#include "bricard/model/beam.h"

// A beam of a model about its undeformed shape, as a structure.                          theory: docs/theory/flexible_parts.md
//     K = ∂r/∂q of its elements,   mass: that of its nodes,   K_g(u): ∂r/∂q with the stresses C ε(u) in the undeformed shape, less K
namespace bricard {

/// In the axes of ground, from the start of the beam. Its ends have their positions and its values are good.
Structure beam_structure(const FlexibleBeam& beam);

/// `start`, `end` and its markers, with the axes of the sections there.
std::vector<InterfaceNodes> beam_interfaces(const FlexibleBeam& beam);

}  // namespace bricard
