// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/results/results.h"

namespace bricard::cli {

/// The run certificate for a person to read, several lines.
std::string certificate_text(const RunReport& report);

}  // namespace bricard::cli
