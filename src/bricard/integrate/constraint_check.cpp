// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/constraint_check.h"

#include <algorithm>

namespace bricard {
ConstraintCheck::ConstraintCheck(const System& system, const RunSettings& settings, const Tolerances& t)
    : system_(system), length_of_(system), far_(std::max(t.open_joint, settings.rtol.value_or(0))),
      slipping_(t.slipping), noise_(t.noise), velocities_(settings.projection != ProjectionMode::none) {
  rate_.setZero(system.multipliers());
  bias_.setZero(system.multipliers());
}

// Joints open by round-off, some 1e-15 ℓ; next to a singular position, where Newton's method is stopped, by up to 1e-7
// ℓ. What cannot be closed opens by whole parts of a step. Velocities are left with up to 1e-4 of themselves by the
// soft projection at a singular position; what cannot move has ġ as large as v.
void ConstraintCheck::look(double h, const State& s, const Kinematics& k, Residual& r, StepReport& report) {
  if (rate_.size() == 0) return;
  r.penalty = r.rate = 0;
  system_.residual(k, r);
  system_.constraint_rates(k, rate_, bias_);
  report.position_violation = r.constraint.lpNorm<Eigen::Infinity>();
  report.velocity_violation = rate_.lpNorm<Eigen::Infinity>();
  const double length = std::max(system_.reference_length, s.q.lpNorm<Eigen::Infinity>());
  const double speed = length_of_(s.v);
  const bool open = !(report.position_violation <= far_ * length);
  const bool slips = !(report.velocity_violation <= slipping_ * speed + noise_ * length / h);
  if (open || (velocities_ && slips)) report.status = StepStatus::diverged;
}

}  // namespace bricard
