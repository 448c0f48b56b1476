// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/check/read_log.h"
#include "bricard/model/model.h"

namespace bricard::io {

/// Parts of the bodies with `flexible`, from files or rods: their mass, and their interfaces as markers. Before bodies are completed.
void complete_flexible(Model& model, ReadLog& log);

/// The body that a beam with `reduce` becomes, with its welds. The beam is checked. Whether it is good.
bool reduce_beam(const FlexibleBeam& beam, Model& model, ReadLog& log);

}  // namespace bricard::io
