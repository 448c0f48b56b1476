// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/model/run_settings.h"
#include "bricard/read/cursor.h"

namespace bricard::io {

/// The section `run`. The integrator is a word, or a map with what is its own:
///     integrator: {type: hht, alpha: -0.3}
void read_run(const Cursor& at, RunSettings& out);

}  // namespace bricard::io
