// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/analysis/check_redundancy.h"
#include "bricard/assemble/alignment.h"
#include "bricard/model/model.h"

// Why a mechanism cannot do what it is asked to, in the words of `check`, of `run` before its first step, and of a
// run that stops.
//                                                                              theory: docs/theory/start.md
namespace bricard {

/// What a motion prescribes is prescribed already by this: `motion a prescribes already`, `the joints hold fixed
/// already`.
std::string prescribed_by(const OverDrive& over);

/// Motions that contradict joints or other motions at s: in positions if these could not be assembled, else in
/// velocities or accelerations. "" if there are none.
std::string find_contradictions(const System& system, const State& s, bool assembled);

/// A motion whose displacement jumps during the run; "" if there is none.
std::string find_jumps(const Model& model);

/// Axes that are askew by more than `align`, but by so little that it is a slip of the pen, and lock what could move
/// if they were parallel or perpendicular, or keep the joints open; "" if there are none. `all` is the alignment within
/// kMostAligned, `done` was aligned, `s` is the start of the model as it is.
std::string find_askew_axes(const Model& model, const AlignedJoints& all, const std::vector<AxisTurn>& done,
                            const System& system, const State& s, bool assembled);

/// What was aligned, in words.
std::vector<std::string> alignment_remarks(const std::vector<AxisTurn>& turns);

/// "nothing can move …" if the joints leave no degree of freedom and there is no motion and no differential state;
/// else "".
std::string why_locked(const System& system, int degrees_of_freedom, double weakest);

/// Why a step from s, of up to h, is impossible: a motion jumps, or takes the joints apart. "" if that is not the
/// reason.
std::string why_motion_stops(const System& system, const State& s, double h);

}  // namespace bricard
