// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/integrate/integrator.h"
#include "bricard/integrate/step_length.h"

// No step ends far off its constraints.                                     theory: docs/theory/step_control.md
//     |g| ≤ max(rtol, 1e-6) ℓ,    |ġ| ≤ 1e-2 |v| + 1e-12 ℓ/h        ℓ = the larger of ℓ_r and the largest coordinate
namespace bricard {

class ConstraintCheck {
 public:
  ConstraintCheck(const System& system, const RunSettings& settings, const Tolerances& tolerances);

  /// Measures |g| and |ġ| at the end s of a step of h, to which k belongs, and refuses the step if one is too large.
  /// `r` is scratch.
  void look(double h, const State& s, const Kinematics& k, Residual& r, StepReport& report);

 private:
  const System& system_;
  StepLength length_of_;
  double far_, slipping_, noise_;
  bool velocities_;  // are to be kept, too
  VectorXd rate_, bias_;
};

}  // namespace bricard
