// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/check/read_log.h"
#include "bricard/model/model.h"

// What a model must satisfy beyond being well written. Only values that were said without fault are checked; faults go to
// the log. What depends on where things are at the start is checked by assemble/start_checks.h.
namespace bricard::io {

/// Ranges of numbers: masses, dimensions, axes, stiffnesses; keys that have no meaning.
void check_values(const Model& model, ReadLog& log);

/// Names of bodies, markers, joints and curves lead somewhere, and what they connect fits together.
void check_references(const Model& model, ReadLog& log);

/// The principal moments of a body whose mass properties are complete are those of a body.
void check_inertia(const Body& body, const std::string& path, ReadLog& log);

// Parts of the above.
void check_joint_values(const Model& model, ReadLog& log);
void check_joint_references(const Model& model, ReadLog& log);
void check_force_values(const Model& model, ReadLog& log);
void check_force_references(const Model& model, ReadLog& log);
/// States and controllers.
void check_control(const Model& model, ReadLog& log);
/// Motions, couplers and curves.
void check_coordinates(const Model& model, ReadLog& log);

}  // namespace bricard::io
