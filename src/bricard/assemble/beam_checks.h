// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/check/read_log.h"
#include "bricard/model/model.h"

namespace bricard::io {

/// Whether a beam, with the positions of its ends known, makes sense; faults go to the log. `own`: materials of the model, whose
/// values a beam has already. `path`: where its keys are, if it is none of the section `beams`.
bool check_beam(const FlexibleBeam& beam, const std::vector<Material>& own, ReadLog& log, const std::string& path = "");

}  // namespace bricard::io
