// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/system.h"

namespace bricard {

/// Up to three assembled positions near s, a little later, moved along what the constraints allow: where they leave
/// fewer degrees of freedom than s has, s is singular.
std::vector<State> find_neighbours(const System& system, const State& s, double later);

}  // namespace bricard
