// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/natural_variable.h"
#include "bricard/model/model.h"
#include "bricard/system/system.h"

// A model in natural coordinates: points and vectors that bodies share at their joints, a constant mass matrix.
//                                                             theory: docs/theory/natural_coordinates.md
namespace bricard {

/// Where a point (from the mass centre) or a vector of a body is, in the axes of its frame.
struct BodyFixed {
  int node;
  Vector3d local;
};

/// A variable as a part of the model.
struct NaturalPoint {
  bool is_vector = false;
  std::vector<BodyFixed> members;  ///< all bodies that share it
  NaturalVariable place;
};

struct NaturalSystem {
  System system;
  std::vector<NaturalPoint> variables;
  Eigen::Matrix<double, 3, Eigen::Dynamic> axes;  ///< of the variables' space: of the plane, or three

  /// The same motion: positions, velocities and accelerations of the variables. Multipliers are zero.
  State from_bodies(const System& bodies, const State& s) const;
  /// And back.
  State to_bodies(const System& bodies, const State& natural) const;
};

/// `bodies` is the same model with six coordinates for each body and `start` its consistent start.
/// The model must have no differential states, no conditions on velocities and no forces that see accelerations.
NaturalSystem assemble_natural(const Model& model, const System& bodies, const State& start);

}  // namespace bricard
