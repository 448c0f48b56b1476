// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/model/reduced_part.h"

namespace bricard::io {

/// Reads what write_part wrote, all or nothing. Throws FileError.
ReducedPart read_part(const std::string& path);

}  // namespace bricard::io
