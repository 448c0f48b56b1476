// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/write/result_file.h"

namespace bricard::io {

/// Reads what write_result_file wrote. Throws FileError.
ResultFile read_result_file(const std::string& path);

}  // namespace bricard::io
