// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/analysis/find_start.h"
#include "bricard/model/model.h"

// What commands that run a model do before they run it.
namespace bricard::cli {

/// Before hours of work: can this file be written, and would it overwrite the model?
void check_output(const Model& model, const std::string& file);

}  // namespace bricard::cli
