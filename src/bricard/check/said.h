// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/check/read_log.h"
#include "bricard/model/model.h"

// What a program said that built a model: every value that is not the usual one.
namespace bricard::io {

/// The log that a reader would have made, with the faults of names. Masses and inertias have no usual value.
ReadLog said_in(const Model& model);
ReadLog said_in(const RunSettings& run);

/// Why an element cannot have this name; "" if it can.
std::string fault_of_name(const std::string& name);

}  // namespace bricard::io
