// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/assemble/markers.h"

namespace bricard {

/// m_r, ℓ_r, k_r and d_r of a system whose joints are known.               theory: docs/theory/newton_system.md
void set_reference_values(const Named& named, System& system);

}  // namespace bricard
