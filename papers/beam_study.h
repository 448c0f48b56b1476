// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "papers/study.h"

// The parts of the study `beams` (papers/beams.cpp).
namespace bricard::beam_study {

/// Equilibria (papers/beam_statics.cpp).
void study_statics(const StudyContext& context, Study& study);
/// Motions (papers/beam_motions.cpp).
void study_motions(const StudyContext& context, Study& study);
/// Mechanisms (papers/beam_mechanisms.cpp).
void study_mechanisms(Study& study);
/// What turns: a shaft through its critical speed and a blade (papers/beam_rotors.cpp).
void study_rotors(Study& study);

}  // namespace bricard::beam_study
