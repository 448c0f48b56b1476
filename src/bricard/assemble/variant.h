// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/model/model.h"
#include "bricard/system/system.h"

namespace bricard {

/// As assemble, for a model that the program changed on trial: its values are not checked.
System assemble_variant(const Model& model);

}  // namespace bricard
