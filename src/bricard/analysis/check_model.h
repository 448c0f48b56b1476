// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/analysis/check_beams.h"
#include "bricard/analysis/check_flexible.h"
#include "bricard/analysis/check_redundancy.h"
#include "bricard/analysis/consistent_start.h"
#include "bricard/model/model.h"

// What can be said about a model before it runs.                                theory:
// docs/theory/check.md
namespace bricard {

/// A joint type that does the same with fewer equations.
struct JointChange {
  std::string joint, from, to;
};

/// Replacements that were tried: with all of them the degrees of freedom stay what they are.
struct Remedy {
  std::vector<JointChange> changes;
  int redundant_left = 0;
};

struct LoopNames {
  std::vector<std::string> bodies, joints;
};

struct LooseBodies {
  std::vector<std::string> bodies;
  bool has_forces = false;
};

/// Small motions about the position of the start, held still and let go.
struct TimeScales {
  double fastest = 0;         ///< largest natural angular frequency, rad/s; 0: none
  double slowest = 0;         ///< smallest, rad/s; 0: none
  double fastest_growth = 0;  ///< of motions that leave the start, 1/s
  double damping = 0;         ///< fastest decay by dampers, 1/s
  double turning = 0;         ///< largest angular velocity of a body at the start, rad/s
  bool moving = false;        ///< the start has velocities, which frequencies and growth leave out
  bool of_mesh = false;       ///< the fastest motions are those of elements of beams, which no run is about
  double suggested_step = 0;  ///< s; 0: nothing to go by
  double followed = 0;        ///< s of the run that were tried with it; 0: none
  std::string doubt;          ///< what is wrong with a run with it; "" if it is good as far as it was followed
};

/// Where the markers of a joint are on its two bodies, in their body frames.
struct JointPlaces {
  struct End {
    std::string body;
    Vector3d position, axis;
  };
  std::string joint;
  std::array<End, 2> ends;
};

struct CheckReport {
  std::vector<BeamSummary> beams;
  std::vector<FlexibleSummary> flexible;
  int bodies = 0;  ///< without the nodes of beams
  int joints = 0, motions = 0, velocities = 0, equations = 0;
  std::string plane;  ///< xy, yz or zx: then velocities are three per body, and equations those in the plane
  StartReport start;
  bool nearer_closure = false;  ///< the joints can also be closed with less movement than the start took

  int gruebler = 0;                    ///< velocities − equations
  int degrees_of_freedom = 0;          ///< velocities − rank at the start
  bool generic_known = false;          ///< whether a neighbouring position was found
  int generic_degrees_of_freedom = 0;  ///< there
  double weakest = 1;                  ///< 0: a position with dependent equations is very near
  Dependencies always;           ///< what depends on what in every position (or at the start, if only this is known)
  Dependencies at_start;         ///< and at the start, if this is singular
  std::vector<Remedy> remedies;  ///< one or none
  std::vector<std::string> undriven;   ///< joint coordinates and bodies that can still move, if there are motions
  std::vector<std::string> immovable;  ///< bodies that cannot move at all
  std::vector<JointPlaces> places;
  std::vector<LoopNames> loops;
  std::vector<LooseBodies> loose;
  TimeScales scales;
  std::vector<std::string> problems;  ///< why it cannot run
  std::vector<std::string> suggestions;

  bool is_locked() const { return degrees_of_freedom == 0 && motions == 0; }
  bool is_singular() const { return generic_known && generic_degrees_of_freedom < degrees_of_freedom; }
  bool can_run() const { return problems.empty(); }
};

CheckReport check_model(const Model& model);

/// Degrees of freedom by rank at a consistent state, and the joint coordinates that can still move.
struct Freedom {
  int degrees_of_freedom = 0;
  std::vector<std::string> movable;  ///< hinge.angle, or body 'x' where no joint coordinate tells
};
Freedom find_freedom(const System& system, const State& s);

}  // namespace bricard
