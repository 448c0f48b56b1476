// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/generalized_alpha.h"

#include <algorithm>
#include <cmath>

namespace bricard {

AlphaCoefficients hht_coefficients(double alpha) { return {0, -alpha, 0.25 * (1 - alpha) * (1 - alpha), 0.5 - alpha}; }

AlphaCoefficients generalized_alpha_coefficients(double rho) {
  const double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
  const double gamma = 0.5 + alpha_f - alpha_m;
  return {alpha_m, alpha_f, 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma};
}

AlphaCoefficients newmark_coefficients(double beta, double gamma) { return {0, 0, beta, gamma}; }

namespace {

// All members of the family damp numerically if and only if γ > ½. Without, velocities that violate the constraints never
// decay and the multipliers of an index-3 step oscillate.
bool is_undamped(const AlphaCoefficients& c) { return c.gamma - 0.5 < 1e-3; }

// What stands before M in the matrix of a step.
double mass_factor(const AlphaCoefficients& c) { return (1 - c.alpha_m) / ((1 - c.alpha_f) * c.beta); }

// What a step leaves of a velocity that violates constraints, the positions being held: the larger root of
//     β z² + (½ + γ − 2β) z + ½ + β − γ = 0
double left_of_violation(const AlphaCoefficients& c) {
  const double half = 0.5 * (0.5 + c.gamma - 2 * c.beta) / c.beta, last = (0.5 + c.beta - c.gamma) / c.beta;
  const double inside = half * half - last;
  return inside > 0 ? std::abs(half) + std::sqrt(inside) : std::sqrt(last);
}

// Bodies that turn against each other by more than this in a step, rad, may let violations grow: from below to what was
// found for equal inertias, the worst ones (docs/theory/generalized_alpha.md). Generalized-α has a third root −ρ∞.
double turn_limit(const AlphaCoefficients& c) {
  const double rho = std::max(left_of_violation(c), 1e-3);
  return (c.alpha_m == 0 ? 1.8 * std::pow(rho, 0.6) : 1) * -std::log(rho);
}

StepMethod method_of(const AlphaCoefficients& c, bool stabilized) {
  StepMethod method{mass_factor(c), is_undamped(c), stabilized};
  if (stabilized) return method;
  method.turn_limit = turn_limit(c);
  method.watches_velocities = true;
  return method;
}

// a_n is v̇ at the time t_n + θ h.
double shift(const AlphaCoefficients& c) { return c.alpha_m - c.alpha_f; }

}  // namespace

GeneralizedAlpha::GeneralizedAlpha(const System& system, const AlphaCoefficients& coefficients, bool stabilized,
                                   const RunSettings& settings, const Tolerances& tolerances)
    : c_(coefficients), step_(system, settings, method_of(coefficients, stabilized), tolerances) {
  memory_.a.setZero(system.velocities());
  if (settings.rtol) error_.setZero(system.velocities());
}

void GeneralizedAlpha::begin(const State& s) {
  memory_.a = s.a;
  memory_.h = 0;
  step_.start(s);
}

// u = β h² (memory_.a{n+1} − a_n). When the step changes, a_n moves along to t_n + θ h.
StepReport GeneralizedAlpha::try_step(double h, const State& s) {
  if (memory_.h > 0 && h != memory_.h) memory_.a = s.a + (h / memory_.h) * (memory_.a - s.a);
  memory_.h = h;
  StepFormula& f = step_.formula;
  f.h = h;
  f.velocity = c_.gamma / (c_.beta * h);
  f.acceleration = mass_factor(c_) / (h * h);
  f.delta = h * s.v + 0.5 * h * h * memory_.a;
  f.v = s.v + h * memory_.a;
  f.a = (memory_.a - c_.alpha_f * s.a) / (1 - c_.alpha_f);
  return step_.solve(s);
}

// δ = h v + h²/2 v̇ + (β + θ/2) h³ v̈ + …, where 1/6 belongs in the place of β + θ/2, and u = β h³ v̈ + …
LocalError GeneralizedAlpha::local_error() {
  if (error_.size() == 0) return {};
  error_ = (1 + (0.5 * shift(c_) - 1.0 / 6) / c_.beta) * step_.correction();
  return {&error_, 2, 3, 0};
}

void GeneralizedAlpha::save() {
  saved_ = memory_;
  step_.save();
}

void GeneralizedAlpha::restore() {
  memory_ = saved_;
  step_.restore();
}

void GeneralizedAlpha::take_step(State& s, StepReport& report) {
  State& next = step_.next();
  const bool projected = step_.finish(s, report);
  if (report.status != StepStatus::accepted) return;
  if (projected) memory_.a = ((1 - c_.alpha_f) * next.a + c_.alpha_f * s.a - c_.alpha_m * memory_.a) / (1 - c_.alpha_m);
  else memory_.a += step_.correction() / (c_.beta * memory_.h * memory_.h);
  std::swap(s, next);
}

}  // namespace bricard
