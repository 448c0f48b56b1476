// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/mechanisms.h"
#include "reference/minimal_model.h"

// A base on a ball joint at ground carries an arm, markers in skew positions on both: the mechanism on which joints,
// motions and forces are compared with minimal coordinates.
namespace bricard::testing {

inline const Vector3d kX = Vector3d::UnitX(), kY = Vector3d::UnitY(), kZ = Vector3d::UnitZ();

Matrix3d turned(double x, double y, double z);

/// Markers `i` of the base and `j` of the arm, in the frames of their bodies; where the base is hinged.
struct ArmPlaces {
  Vector3d pivot, lever, on_base, on_arm;
  Matrix3d base_axes, arm_axes;
};
const ArmPlaces& arm_places();

/// The second formulation: ball joint, base, the pieces from marker i to marker j, arm. Coordinates of the pieces count
/// from 3.
MinimalModel minimal_arm(const std::vector<Piece>& pieces, int freedoms);

struct RandomState {
  VectorXd u, u1;
  RandomState(int n, unsigned seed);
};

/// The same mechanism for the program, with the ball joint only.
Model arm_on_base(const MinimalModel& m, const RandomState& s);
/// A joint `joint` between the markers.
Joint arm_joint(JointType type);

/// What must act on the arm at its marker, as the second formulation has it.
Wrench needed_at_marker(const MinimalModel& m, const VectorXd& u, const VectorXd& u1, const VectorXd& u2);

/// Of all joints, on the second body at the second marker.
std::vector<Wrench> reactions_of(const System& system, const State& s);

void expect_wrench(const Wrench& found, const Wrench& exact, double tolerance, const std::string& what);

/// Positions, velocities (10 times the tolerance) and accelerations (100 times) of both bodies.
void expect_alike(const State& s, const System& system, const MinimalModel& m, const VectorXd& u, const VectorXd& u1,
                  const VectorXd& u2, double tolerance);

RunSettings arm_settings(double duration, double h);

}  // namespace bricard::testing
