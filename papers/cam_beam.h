// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "papers/study.h"

// Section 5 of [BottassoBauchauCardona2007]: a driven flexible cam strikes a flexible beam (models/cam_beam_impact.yaml).
namespace bricard::cam_beam {

/// Adds checks and pictures; `quick`: the first impact only.
void study_impact(const StudyContext& context, Study& study);

}  // namespace bricard::cam_beam
