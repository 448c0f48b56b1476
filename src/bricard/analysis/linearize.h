// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/analysis/linear_equations.h"
#include "bricard/model/linearization_settings.h"

// The linearized equations as matrices, in the user's coordinates.           theory: docs/theory/linearization.md
//     ẋ = A x + B u,  y = C x + D u,   x = (S, W)
//     M̂ Ẇ + C W + K S = F u                                              [NegrutOrtiz2006, eqs. (26)–(30)]
namespace bricard {

struct NamedQuantity {
  std::string name, unit;
};

struct Linearization {
  std::vector<LinearCoordinate> positions, velocities;  ///< S and W
  std::vector<NamedQuantity> inputs, outputs;
  MatrixXd A, B, C, D;
  /// Of the velocities that have mass, all of which have positions unless there are rolling or knife-edge constraints.
  MatrixXd mass, damping, stiffness;
  MatrixXd shapes;  ///< δq of each state; velocities move nothing at once
  LinearizeReport report;

  int states() const { return static_cast<int>(positions.size() + velocities.size()); }
  /// Names of all states: those of velocities end in `'`.
  std::vector<NamedQuantity> state_names() const;
};

/// What the section `linearization` asks for. States of the system are to be made after this. Throws ModelError.
LinearizeOptions linearize_options(const Model& model, const LinearizationSettings& settings, System& system);

/// All matrices; of the settings only inputs and outputs matter here. Throws ModelError if a signal is not there.
Linearization linearize(const LinearEquations& equations, const Model& model, const LinearizationSettings& settings,
                        const System& system, const State& s);

}  // namespace bricard
