// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "bricard/math/expression.h"

// The measures that formulas may use: what they are called and what they mean.
namespace bricard {

enum class MeasureQuantity {
  position,              ///< x_i − x_j
  velocity,              ///< ẋ_i − ẋ_j
  angular_velocity,      ///< ω_i − ω_j
  acceleration,          ///< ẍ_i − ẍ_j
  angular_acceleration,  ///< ω̇_i − ω̇_j
  distance_rate,         ///< d|x_i − x_j|/dt
  angle,                 ///< of an axis of i about an axis of j, counted over many turns
  rotation_vector,       ///< φ with Exp(φ) = R_jᵀR_i
  translation_rate,      ///< d/dt of (x_i − x_j)·z_j
  force,
  torque,  ///< reaction of a joint on its second body, at its second marker
  state,
  state_rate,  ///< a differential state x and ẋ; they go by their own names
  input        ///< a value from outside
};

inline constexpr int kMagnitude = 3;  ///< in the place of a component

struct MeasureName {
  MeasureSignature signature;
  MeasureQuantity quantity;
  int component;                ///< 0, 1, 2 along or about x, y, z; kMagnitude
  bool of_joint;                ///< the first argument is a joint; the others are markers
  const char* coordinate = "";  ///< of the joint, if the measure is one of its coordinates or the rate of one
};

/// All of them; an alias, which is the name that Adams uses, follows its own name.
std::span<const MeasureName> measure_names();
/// For the parser.
std::span<const MeasureSignature> measure_signatures();
/// In small letters; null if there is none.
const MeasureName* find_measure(const std::string& name);

}  // namespace bricard
