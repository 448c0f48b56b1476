// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/check/read_log.h"
#include "bricard/model/model.h"

namespace bricard::io {

/// Settings of the run: their ranges, and whether its integrator looks at them.
void check_run(const Model& model, ReadLog& log);

}  // namespace bricard::io
