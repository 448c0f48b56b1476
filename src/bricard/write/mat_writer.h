// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/write/npz_writer.h"

namespace bricard::io {

/// A file of MATLAB, version 5; texts are cell arrays of char. Throws FileError.
void write_mat(const ArrayArchive& archive, const std::string& path);

}  // namespace bricard::io
