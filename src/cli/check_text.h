// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/analysis/check_model.h"

namespace bricard::cli {

/// What `bricard check` says, several lines.
std::string check_text(const Model& model, const CheckReport& report);

/// Lines on what was moved at the start; empty if nothing was.
std::string moves_text(const std::vector<BodyMove>& moves);

}  // namespace bricard::cli
