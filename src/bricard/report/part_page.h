// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/model/reduced_part.h"
#include "bricard/results/report.h"

namespace bricard::io {

/// A report page with the modes of the part, moving, in front. Self-contained.
std::string part_page(const ReducedPart& part, const Report& report);

}  // namespace bricard::io
