// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/check/read_log.h"
#include "bricard/model/model.h"

namespace bricard::io {

/// What a body's own description implies: markers relative to others are brought into the body frame, rods between their
/// ends, and mass, mass centre and inertia become those of the whole body. Faults go to the log.
void complete_bodies(Model& model, ReadLog& log);

}  // namespace bricard::io
