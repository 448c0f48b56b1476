// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/model/model.h"
#include "bricard/results/results.h"
#include "bricard/system/system.h"

// From what the user wished to a state that satisfies g = 0, ġ = 0, g̈ = 0 and the equations of motion,
// moving masses as little as possible.                                      theory: docs/theory/start.md
namespace bricard {

/// Joints are closed, and as closed as they will be where round-off or a singular position stops progress: |g| per ℓ_r.
inline constexpr double kClosedJoint = 1e-12, kNearlyClosedJoint = 1e-9;

/// How far a joint or motion is from being satisfied.
struct JointGap {
  std::string name;     ///< as in messages: joint 'A', motion 'drive'
  double distance = 0;  ///< m
  double angle = 0;     ///< rad
};

struct StartReport {
  bool assembled = false;
  std::string problem;  ///< why no run can start here, in plain words that name joints, gaps and motions; "" if one can
  int iterations = 0;
  double largest_move = 0;     ///< of a body's mass centre, m
  std::string most_moved;      ///< its name
  double velocity_change = 0;  ///< largest change of a velocity component
  int redundant_constraints = 0;
  int degrees_of_freedom = 0;
  double weakest = 1;                     ///< of the equations that count, as ConstraintRank has it
  std::vector<std::string> aligned;       ///< which axes were turned, in words
  std::vector<std::string> turned_round;  ///< joints that are closed with axes against each other, in words
  std::vector<BodyMove> moves;            ///< bodies whose wishes were changed
  std::vector<JointGap> guess;            ///< joints that were open, widest first
  std::vector<JointGap> open;             ///< joints that could not be closed
};

/// On success s is consistent; otherwise it holds the closest configuration found.
StartReport consistent_start(const System& system, SolverType solver, State& s);

/// The same; bodies that are `fixed` keep their poses and others move less the larger their `weight`.
StartReport consistent_start(const Model& model, const System& system, SolverType solver, State& s);

/// Positions only: moves s.q until g(t, q) = 0. `report` gets assembled, problem, iterations, guess and open.
void assemble_positions(const System& system, SolverType solver, State& s, StartReport& report);

/// The joints and motions that are open by more than `tolerance` reference lengths (or radians) at s, widest first.
std::vector<JointGap> find_gaps(const System& system, const State& s, double tolerance);

/// `joint 'A' by 2 mm and 1.3°, joint …`, at most five of them.
std::string gap_text(const std::vector<JointGap>& gaps);

/// Least squares in the masses: what the way from one configuration to another costs, as a length.
double distance_between(const System& system, const State& from, const State& to);

}  // namespace bricard
