// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/solve/tolerances.h"

// Where the values of Tolerances come from, and how far each may be off.            theory: docs/theory/tolerances.md
// Results stay the same if a value is multiplied or divided by its margin (of those near 1 the distance from 1), which
// tests/unit/tolerances_test.cpp tries. Some act too rarely to be tried there.
namespace bricard {

/// Where a value comes from.
enum class ToleranceOrigin {
  round_off,  ///< of double numbers, times what the operations before make of it
  theory,     ///< an order of convergence, or a rate
  measured,   ///< on models that are tests today
  scale,      ///< of what is asked, between what must be and what must not be seen
};
struct ToleranceEntry {
  double Tolerances::*value;
  const char* name;
  ToleranceOrigin origin;
  double margin;  ///< 1: not tried
  const char* meaning;
};

constexpr auto tolerance_entries() {
  using T = Tolerances;
  using enum ToleranceOrigin;
  return std::array{
      ToleranceEntry{&T::broken_pivot, "broken_pivot", round_off, 10,
                     "pivot over its diagonal entry that leaves no digit: pivoting"},
      ToleranceEntry{&T::doubtful_pivot, "doubtful_pivot", round_off, 10,
                     "pivot over its diagonal entry: one refinement"},
      ToleranceEntry{&T::redundant_pivot, "redundant_pivot", round_off, 10,
                     "|pivot|/σ of a row that depends on others"},
      ToleranceEntry{&T::usual_pivot, "usual_pivot", scale, 3,
                     "part of its usual size above which a pivot is not looked at"},
      ToleranceEntry{&T::forgetting_pivots, "forgetting_pivots", scale, 3, "of the usual size, per factorization"},
      ToleranceEntry{&T::well_placed, "well_placed", measured, 3, "|pivot|/σ above which ε refers to σ itself"},
      ToleranceEntry{&T::near_singular, "near_singular", scale, 3,
                     "rows weaker than this: a singular position may be near"},
      ToleranceEntry{&T::row_floor, "row_floor", measured, 3,
                     "part of their rows above which pivots of the geometry are kept"},
      ToleranceEntry{&T::firm_floor, "firm_floor", measured, 10, "the same where weak rows are to be kept"},
      ToleranceEntry{&T::maybe_redundant, "maybe_redundant", scale, 1, "pivots up to this may be of redundant rows"},
      ToleranceEntry{&T::clearly_redundant, "clearly_redundant", round_off, 1, "pivots up to this are"},
      ToleranceEntry{&T::dependency, "dependency", scale, 10,
                     "|Gᵀy| of a y of length 1; 1e-8 if redundant, 1e-3 if not"},
      ToleranceEntry{&T::short_probe, "short_probe", scale, 3,
                     "motion whose end tells a singular position from redundant rows"},
      ToleranceEntry{&T::long_probe, "long_probe", scale, 1.5, "motion whose end tells what is usual"},
      ToleranceEntry{&T::closed_probe, "closed_probe", round_off, 1,
                     "open joints that let no redundant row rise above round-off"},
      ToleranceEntry{&T::firm_compliance, "firm_compliance", measured, 10,
                     "rows of so many compliances keep their sign"},
      ToleranceEntry{&T::probing_compliance, "probing_compliance", measured, 10,
                     "part of it with which signs are looked at"},
      ToleranceEntry{&T::position_epsilon, "position_epsilon", measured, 10, "ε of a step, per usual pivot"},
      ToleranceEntry{&T::even_epsilon, "even_epsilon", measured, 1,
                     "ε of a step with redundant rows, per strength of a row; energy-decaying hangs on it"},
      ToleranceEntry{&T::yielding_epsilon, "yielding_epsilon", measured, 1, "the same of rows on velocities"},
      ToleranceEntry{&T::projection_epsilon, "projection_epsilon", measured, 10,
                     "ε of a projection without redundant rows"},
      ToleranceEntry{&T::projection_compliance, "projection_compliance", measured, 10, "E with them, per typical row"},
      ToleranceEntry{&T::soft_epsilon, "soft_epsilon", measured, 3,
                     "E next to a singular position, per strength of each row"},
      ToleranceEntry{&T::turned_by_gap, "turned_by_gap", scale, 3,
                     "part of velocities that open joints may turn before it is soft"},
      ToleranceEntry{&T::conjugate_residual, "conjugate_residual", round_off, 10,
                     "left by a projection, of what it corrects"},
      ToleranceEntry{&T::sharing, "sharing", scale, 10,
                     "bound of what is wrong with multipliers that could be shared otherwise"},
      ToleranceEntry{&T::projected_residual, "projected_residual", scale, 10,
                     "of ġ and motion: more asks for another solution"},
      ToleranceEntry{&T::slow_rate, "slow_rate", theory, 2, "corrections that shrink less ask for a new matrix"},
      ToleranceEntry{&T::slow_stages, "slow_stages", theory, 1.3, "the same where stages share one splitting"},
      ToleranceEntry{&T::forgetting_rates, "forgetting_rates", theory, 1.5, "exponent of a remembered rate, per step"},
      ToleranceEntry{&T::forgetting_rates_slowly, "forgetting_rates_slowly", theory, 2,
                     "the same where steps are projected"},
      ToleranceEntry{&T::usual_rate, "usual_rate", theory, 1, "rate taken for true when a correction is round-off"},
      ToleranceEntry{&T::round_off, "round_off", ToleranceOrigin::round_off, 3, "of positions"},
      ToleranceEntry{&T::noise, "noise", ToleranceOrigin::round_off, 3,
                     "what joints, chains and mass ratios make of it"},
      ToleranceEntry{&T::rate_told_from, "rate_told_from", scale, 1, "round-offs: smaller corrections tell no rate"},
      ToleranceEntry{&T::stagnant_rate, "stagnant_rate", scale, 1.5,
                     "corrections below noise that shrink less are noise"},
      ToleranceEntry{&T::stagnant_at_round_off, "stagnant_at_round_off", scale, 2, "the same below round-off"},
      ToleranceEntry{&T::newton_part, "newton_part", theory, 3,
                     "of the first correction that may be left, orders 1 and 2"},
      ToleranceEntry{&T::newton_part_high, "newton_part_high", theory, 3, "the same for higher orders"},
      ToleranceEntry{&T::unseen_part, "unseen_part", theory, 1,
                     "of round-off, what stabilized steps may leave along the motion"},
      ToleranceEntry{&T::unseen_part_high, "unseen_part_high", theory, 1, "the same for higher orders"},
      ToleranceEntry{&T::decaying_part, "decaying_part", theory, 10,
                     "of the tolerance, what energy-decaying steps may leave"},
      ToleranceEntry{&T::radau_part, "radau_part", theory, 10, "the same of Radau"},
      ToleranceEntry{&T::radau_part_of_allowed, "radau_part_of_allowed", theory, 3, "of the allowed error with rtol"},
      ToleranceEntry{&T::runaway, "runaway", scale, 10,
                     "corrections longer than so many ℓ or motions do not come back"},
      ToleranceEntry{&T::weak_among_redundant, "weak_among_redundant", measured, 3,
                     "rows among redundant ones: rates say nothing"},
      ToleranceEntry{&T::weak_row, "weak_row", measured, 10, "the same among independent ones"},
      ToleranceEntry{&T::singular_alone, "singular_alone", measured, 1,
                     "rows among independent ones: a singular position"},
      ToleranceEntry{&T::strict_violation, "strict_violation", ToleranceOrigin::round_off, 3,
                     "g that a step with weak rows may leave"},
      ToleranceEntry{&T::singular_violation, "singular_violation", measured, 1,
                     "g at which a slow step is taken as it is"},
      ToleranceEntry{&T::singular_correction, "singular_correction", measured, 1, "the same of its last correction"},
      ToleranceEntry{&T::weakest_noise, "weakest_noise", ToleranceOrigin::round_off, 10,
                     "rows of strength w multiply noise by 1/√w, to here"},
      ToleranceEntry{&T::singular_row_explicit, "singular_row_explicit", measured, 1,
                     "rows at which explicit steps may be open"},
      ToleranceEntry{&T::held_by_weak, "held_by_weak", measured, 10,
                     "part of the last correction that weak rows are open by"},
      ToleranceEntry{&T::exact_velocity, "exact_velocity", ToleranceOrigin::round_off, 3,
                     "ġ over the largest velocity that is zero"},
      ToleranceEntry{&T::contradicting_velocity, "contradicting_velocity", scale, 10,
                     "ġ left by an exact projection: refused"},
      ToleranceEntry{&T::contradicting_position, "contradicting_position", scale, 10,
                     "g left by other equations: iterated on"},
      ToleranceEntry{&T::much_of_velocity, "much_of_velocity", measured, 10,
                     "ġ that no order explains: projected from then on"},
      ToleranceEntry{&T::open_joint, "open_joint", scale, 3, "g at the end of a step that is refused"},
      ToleranceEntry{&T::slipping, "slipping", scale, 3, "ġ over the largest velocity that is refused"},
      ToleranceEntry{&T::lost_joint, "lost_joint", scale, 3, "g of an augmented method that is refused"},
  };
}

static_assert(sizeof(Tolerances) == tolerance_entries().size() * sizeof(double), "one entry per value");

}  // namespace bricard
