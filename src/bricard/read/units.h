// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/model/model.h"
#include "bricard/read/cursor.h"

namespace bricard::io {

/// The section `units` of a file, {length: mm, angle: deg, mass: kg, time: ms, force: N}; SI where nothing is said.
UnitSystem read_units(const Cursor& section);

/// Motions and forces in joint coordinates are in rad or m and the like, which only their joints tell. `units` gives the
/// units of a file by its path.
void convert_coordinates(const std::map<std::string, UnitSystem>& units, Model& model, ReadLog& log);

}  // namespace bricard::io
