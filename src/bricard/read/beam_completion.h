// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/check/read_log.h"
#include "bricard/model/framework.h"
#include "bricard/model/model.h"

namespace bricard::io {

/// The values of a material of the model's own.
void take_material(const std::vector<Material>& own, FlexibleBeam& beam);

/// Frameworks become beams and joints; places of the ends of beams that are welded to markers, checks, and the nodes of good
/// beams among the bodies. Bodies and their markers are complete.
void complete_beams(std::vector<Framework>& frames, Model& model, ReadLog& log);

}  // namespace bricard::io
