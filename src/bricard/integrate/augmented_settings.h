// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/integrate/newton_control.h"
#include "bricard/model/run_settings.h"
#include "bricard/system/system.h"

namespace bricard {

/// Parameters of the augmented Lagrangian and Hamiltonian methods for a step.   theory: docs/theory/augmented_lagrangian.md
/// Rows of g are lengths, so that α is a mass in the Lagrangian and Hamiltonian methods and a stiffness in ALi3.
struct AugmentedParameters {
  double alpha = 0, omega = 0, xi = 1;
};

/// What the program chooses for bodies with the mean mass m that move by σ of the reference length in a step of h.
AugmentedParameters automatic_parameters(IntegratorType type, double m, double h, double sigma);

/// What the user gave, and for the rest values that fit the model's mass and a step of size h in which it moves by `motion`.
AugmentedParameters augmented_parameters(const System& system, const RunSettings& settings, double h, double motion);

/// When a step of these methods is done: its corrections themselves are small, or have been made as often as was asked for.
NewtonRule augmented_rule(const RunSettings& settings);
/// One that may be slow because of a singular position: where positions are off by `violation`, 0 for methods that do not look.
inline Correction augmented_correction(double length, double motion, double violation) {
  Correction c{length, motion, violation};
  c.may_be_singular = true;
  return c;
}

}  // namespace bricard
