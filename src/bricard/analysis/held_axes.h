// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bricard/system/system.h"

// Equations of joints ask for sines of angles to vanish, zᵢ·xⱼ = zᵢ·yⱼ = 0 for a hinge: they hold for axes that point
// against each other as well.
namespace bricard {

/// The angle between what a joint holds together, rad: the z axes of its markers, or all three of their axes. None for
/// joints that do neither.
std::optional<double> held_angle(const JointInfo& joint, const Kinematics& k);

/// Joints that are closed at s the other way round, in words.
std::vector<std::string> joints_turned_round(const System& system, const State& s);

}  // namespace bricard
