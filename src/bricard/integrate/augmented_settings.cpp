// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/augmented_settings.h"

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

// The rows that vanish at a singular position have the strength σ = |δ|/ℓ one step beside it.
//
// ALi3: a correction leaves 1/(1 + κσ²) of a violation, κ = βh²α/m. It shall be a thousandth there. With much more, what
// Newton's tolerance has left becomes a velocity at the position itself; with less it grows from step to step where many
// small steps are near.
double ali3_stiffness(double sigma) { return std::clamp(1e3 / (sigma * sigma), 1e4, 1e8); }

// AHNR: α per mass. Round-off of g, times 2ξωα, goes into the momenta; it shall be small beside m v.
double ahnr_mass(double sigma) { return std::clamp(2e7 * sigma, 1e4, 1e5); }

// Next to a singular position corrections hardly shrink, and going on or cutting the step makes it worse: after some of
// them a configuration this close is taken as it is.
constexpr int kPatience = 16;
constexpr double kLost = 0.1;                                                          // per reference length
constexpr double kSlow = 0.25, kSingularViolation = 1e-7, kSingularCorrection = 1e-4;  // per reference length

}  // namespace

AugmentedParameters automatic_parameters(IntegratorType type, double m, double h, double sigma) {
  switch (type) {
    case IntegratorType::ali3: return {ali3_stiffness(sigma) * m / (0.25 * h * h), 0, 0};
    case IntegratorType::penalty_euler:
    case IntegratorType::al_euler: return {1e7 * m, 0.1 / h, 1};
    case IntegratorType::ah_euler:
    case IntegratorType::ah: return {1e9 * m, 0.1, 5 / h};
    case IntegratorType::penalty:
    case IntegratorType::al: return {1e8 * m, 0.1 / h, 1};
    case IntegratorType::ahnr: return {ahnr_mass(sigma) * m, 1, 50 / h};
    default: return {1e6 * m, 2 / h, 1};
  }
}

AugmentedParameters augmented_parameters(const System& system, const RunSettings& settings, double h, double motion) {
  AugmentedParameters p =
      automatic_parameters(settings.integrator, system.reference_mass, h, motion / system.reference_length);
  p.alpha = settings.penalty.value_or(p.alpha);
  p.omega = settings.omega.value_or(p.omega);
  p.xi = settings.xi.value_or(p.xi);
  return p;
}

AugmentedJudge::AugmentedJudge(const System& system, const RunSettings& settings)
    : tolerance_(settings.tolerance), reference_length_(system.reference_length),
      limit_(settings.passes.value_or(settings.max_iterations)), counted_(settings.passes.has_value()),
      newton_(settings.integrator == IntegratorType::alnr || settings.integrator == IntegratorType::ahnr ||
              settings.integrator == IntegratorType::ali3),
      length_of_(system) {}

void AugmentedJudge::refuse_lost(double violation, StepReport& report) const {
  if (!(violation <= kLost * reference_length_)) report.status = StepStatus::diverged;
}

bool AugmentedJudge::is_done(const VectorXd& dz, double violation, StepReport& report) {
  const double length = length_of(dz);
  if (report.iterations == 0) motion_ = std::max(motion_, length);  // a start from rest moves by its first correction
  return is_done(length, motion_, violation, report);
}

bool AugmentedJudge::is_done(double length, double motion, double violation, StepReport& report) {
  const double before = before_;
  before_ = report.correction = length;
  const int done = ++report.iterations;
  if (!std::isfinite(length)) {
    report.status = StepStatus::not_finite;
    return true;
  }
  if (counted_) return done >= limit_;
  const double round_off = 1e-15 * reference_length_;
  if (length <= std::max(round_off, tolerance_ * motion)) return true;
  const bool slow = done > 1 && length > kSlow * before;
  if (done > kPatience && slow && violation <= kSingularViolation * reference_length_ &&
      length <= kSingularCorrection * reference_length_) {
    report.singular = newton_;  // a fixed-point iteration is slow anywhere
    return true;
  }
  if (done < limit_) return false;
  report.status = StepStatus::not_converged;
  return true;
}

}  // namespace bricard
