// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/midpoint.h"

namespace bricard {

// u = δ − h v_n − h²/2 a_n with v_{n+1} = 2 δ/h − v_n and a = (v_{n+1} − v_n)/h, the mean acceleration of the step.
StepReport Midpoint::try_step(double h, const State& s) {
  StepFormula& f = step_.formula;
  f.h = h;
  f.velocity = 2 / h;
  f.acceleration = 2 / (h * h);
  f.delta = h * s.v + 0.5 * h * h * s.a;
  f.v = s.v + h * s.a;
  f.a = s.a;
  StepReport report = step_.solve(s);
  if (report.status != StepStatus::accepted) return report;
  step_.finish(s, report);
  check_.look(h, step_.next(), step_.kinematics(), residual_, report);
  return report;
}

}  // namespace bricard
