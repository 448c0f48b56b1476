// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/analysis/check_model.h"

namespace bricard::io {

/// The report of `bricard check --json`; angles in rad.
std::string check_json(const Model& model, const CheckReport& report);

}  // namespace bricard::io
