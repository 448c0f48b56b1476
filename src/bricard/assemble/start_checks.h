// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/check/model_checks.h"

// What a model must satisfy where its bodies are at the start, and all checks of a model that was not read.
namespace bricard {
namespace io {

/// Places that have to differ. Only for a model whose references are good.
void check_geometry(const Model& model, ReadLog& log);

/// In a planar model: revolute joints between bare bodies that do not say so turn about the normal.
void complete_plane(Model& model);
/// Gravity, bodies, joints and motions of a planar model stay in the plane. Only for a model whose references are good.
void check_plane(const Model& model, ReadLog& log);

}  // namespace io

/// The checks of the reader for a model that was built by a program: the same words, without file and line. Throws
/// ModelError. A model that was read has passed them.
void check_if_built(const Model& model);

}  // namespace bricard
