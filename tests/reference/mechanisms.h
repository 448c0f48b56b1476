// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/model/model.h"
#include "bricard/system/system.h"

// Mechanisms built in code for the tests, and the few words they are built from.
namespace bricard::testing {

/// A uniform rod of 1 kg, its z axis from `from` to `to`, with the moment of inertia `axial` about
/// it.
Body rod(const std::string& name, const Vector3d& from, const Vector3d& to, double axial);

Joint joint(JointType type, const std::string& name, const std::string& first, const std::string& second,
            const Vector3d& at, const Vector3d& axis = Vector3d::UnitZ());

/// IFToMM A02: n + 1 vertical and n horizontal unit rods of 1 kg, revolutes about z, tops at speed
/// (1, 0, 0). All verticals stand at `angle` from the x axis. Singular where this is a multiple of
/// π.
Model n_four_bar(int n, double axial, double angle, double angle_rate);

/// Links of 1 m and 1 kg hanging from ground one on the other, bent by spatial revolutes with
/// turned axes.
Model chain(int links);

/// Every joint type, both kinds of motion, springs, and forces fixed in ground and on the body.
Model every_element();

/// The joints, couplers, motions and forces that act on joint coordinates or between markers.
Model every_coordinate();

/// A system with a consistent state.
struct Started {
  System system;
  State state;
};
Started start(const Model& model);

/// What results show under this name at a state.
double signal_of(const Model& model, const System& system, const State& s, const std::string& name);

}  // namespace bricard::testing
