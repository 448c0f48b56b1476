// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/analysis/check_model.h"

namespace bricard {

/// Joint types that remove redundant equations, each tried by assembling the changed model at s:
/// degrees of freedom stay, equations go. Joints with motions or springs of their own keep their
/// type. One entry, or none if nothing helps or the model is too large to try.
std::vector<Remedy> find_remedies(const Model& model, const State& s, const Dependencies& dependencies);

}  // namespace bricard
