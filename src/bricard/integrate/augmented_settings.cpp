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

NewtonRule augmented_rule(const RunSettings& settings) {
  NewtonRule rule;
  rule.iterations = settings.passes.value_or(settings.max_iterations);
  rule.counted = settings.passes.has_value();
  rule.of_motion = settings.tolerance;
  rule.trusts_rates = false;
  rule.singular_iteration = Limits::augmented_iteration;
  rule.is_newton = settings.integrator == IntegratorType::alnr || settings.integrator == IntegratorType::ahnr ||
                   settings.integrator == IntegratorType::ali3;
  return rule;
}

}  // namespace bricard
