// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/check/read_log.h"
#include "bricard/model/model.h"

// What a model must satisfy beyond being well written. Only values that were read without fault are
// checked; faults go to the log.
namespace bricard::io {

/// Ranges of numbers: masses, inertias, dimensions, run settings, axes.
void check_values(const Model& model, ReadLog& log);

/// Names of bodies, markers and joints lead somewhere, and what they connect fits together.
void check_references(const Model& model, ReadLog& log);

/// Places that have to differ. Only for a model whose references are good.
void check_geometry(const Model& model, ReadLog& log);

/// In a planar model: revolute joints between bare bodies that do not say so turn about the normal.
void complete_plane(Model& model);
/// Gravity, bodies, joints and motions of a planar model stay in the plane. Only for a model whose references are good.
void check_plane(const Model& model, ReadLog& log);

/// Motions, couplers and forces act on coordinates that their joints have; curves and what lies on them.
void check_coordinates(const Model& model, ReadLog& log);

}  // namespace bricard::io
