// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/integrate/integrator.h"

// How large a local error is, against what is allowed.                      theory: docs/theory/step_control.md
// Each body counts twice: its displacement as a length against rtol·ℓ_r + atol, its turn as an angle against
// rtol + atol/ℓ_r. Blocks of points, vectors or modal coordinates count as lengths. A differential state counts with its integral over time, against (rtol + atol/ℓ_r) times its usual size and
// one second. The largest of all rules. So that the error at the end of a run, which falls like hᵖ, is in proportion
// to the tolerance, one step whose error falls like hᵉ may have tolerance^(e/p).
namespace bricard {

class ErrorNorm {
 public:
  ErrorNorm(const System& system, const RunSettings& settings);

  struct Value {
    double ratio = 0;  ///< error over what is allowed
    int node = 0;      ///< the body that rules; −1: coordinates that belong to none; −2 − i: state i
    bool rotation = false;
    void archive(Archive& x) { x(ratio, node, rotation); }
  };
  Value operator()(const VectorXd& error, int order, int power) const;

 private:
  const System& system_;
  double tolerance_;  // relative, per reference length or per radian
};

}  // namespace bricard
