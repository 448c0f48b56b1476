// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/integrate/integrator.h"
#include "bricard/integrate/step_length.h"
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

/// Decides when a step of these methods is done.
class AugmentedJudge {
 public:
  AugmentedJudge(const System& system, const RunSettings& settings);

  /// Before the first correction of a step; of ALi3 with the increment from which it starts, whose length is
  /// returned.
  double begin(const VectorXd& predicted = {}) {
    before_ = 0;
    return motion_ = length_of(predicted);
  }
  /// After a correction dz, where the positions are off by `violation` (0 for methods that do not look at it): whether it
  /// was the last one. Fills in the report, also if the step has failed.
  bool is_done(const VectorXd& dz, double violation, StepReport& report);
  /// The same for a correction of this length in a step that has moved by `motion` so far.
  bool is_done(double length, double motion, double violation, StepReport& report);
  double length_of(const VectorXd& dz) const { return length_of_(dz); }
  /// Positions that are this far off will not come back.
  void refuse_lost(double violation, StepReport& report) const;

 private:
  double tolerance_, reference_length_, before_ = 0, motion_ = 0;
  int limit_;
  bool counted_;  ///< the number of corrections is given
  bool newton_;
  StepLength length_of_;
};

}  // namespace bricard
