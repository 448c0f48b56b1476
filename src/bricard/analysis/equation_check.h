// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/system.h"

// How well a state satisfies the equations of index 1, whatever solved them.          theory: docs/theory/certificate.md
//     |M a + Gᵀλ − f| / F,   F = max(|M a|, |Gᵀλ|, |f|);      |G a + γ| / max(|a|, |γ|, |v|²/ℓ_r, F/m_r),   γ = g̈ − G a
// Norms are largest components, torques as forces and angles as lengths with ℓ_r. The last two are what accelerations would be
// if they did not happen to cancel: they do in a machine at rest, or one that runs evenly.
namespace bricard {

struct EquationResiduals {
  double motion = 0, acceleration = 0;
  double largest() const { return motion > acceleration ? motion : acceleration; }
};

class EquationCheck {
 public:
  explicit EquationCheck(const System& system);
  EquationResiduals operator()(const State& s);

 private:
  double force(const VectorXd& motion) const;

  const System& system_;
  VectorXd lengths_;  // of velocities; 0 for differential states, which are no motion
  State scratch_;
  Kinematics kinematics_;
  Residual residual_;
  VectorXd all_, forces_, rate_, moved_rate_, bias_, no_bias_;
};

}  // namespace bricard
