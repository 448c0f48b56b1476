// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "papers/study.h"

// Blades that bend and turn.
namespace bricard {

/// A uniform clamped blade (models/rotating_blade.yaml) against its exact frequencies.
void add_uniform_blade(const StudyContext& context, Study& study);

/// An articulated blade with 20 sections, as that of paper 003, over the speed of its rotor.
void add_articulated_blade(const StudyContext& context, Study& study);

}  // namespace bricard
