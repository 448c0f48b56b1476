// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/model/reduced_part.h"

// Files of reduced parts, *.flex.h5: HDF5, with a checksum behind its end.                theory: docs/theory/flexible_parts.md
namespace bricard::io {

/// Of files that this program writes, and the newest that it reads.
inline constexpr int kPartLayout = 1;

/// The whole file or what was there before. Throws FileError.
void write_part(const ReducedPart& part, const std::string& path);

}  // namespace bricard::io
