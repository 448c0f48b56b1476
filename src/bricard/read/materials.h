// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/model/material.h"
#include "bricard/read/cursor.h"

namespace bricard::io {

/// The section `materials`; appends.
void read_materials(const Cursor& section, std::vector<Material>& out);

}  // namespace bricard::io
