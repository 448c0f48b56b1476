// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

// All numbers by which the solution of linear systems and of time steps is judged, once each.
//                                                                                  theory: docs/theory/tolerances.md
// A value has an origin and a margin: results stay the same if it is multiplied or divided by that (the distance from 1 for
// those near 1), which tests/unit/tolerances_test.cpp tries. Lengths are per ℓ, the larger of the reference length and the
// largest coordinate; rows are compared as FactorReport::weakest_row does, 1 as independent as usual, 0 dependent.
namespace bricard {

struct Tolerances {
  // pivots of a factorization
  double broken_pivot = 1e-15, doubtful_pivot = 1e-13;
  double redundant_pivot = 1e-10, usual_pivot = 0.05, forgetting_pivots = 0.999, well_placed = 0.1;
  // constraint rows
  double near_singular = 0.05;
  double row_floor = 1e-4, firm_floor = 1e-8, maybe_redundant = 1e-4, clearly_redundant = 1e-13, dependency = 1e-6;
  double short_probe = 1e-3, long_probe = 0.2, closed_probe = 1e-12;
  double firm_compliance = 1e4, probing_compliance = 0.01;
  // what stands in the place of the zero block
  double position_epsilon = 1e-11, even_epsilon = 1e-10, yielding_epsilon = 1e-5;
  double projection_epsilon = 1e-8, projection_compliance = 1e-8, soft_epsilon = 8e-4;
  // projections
  double turned_by_gap = 0.02, conjugate_residual = 1e-12, projected_residual = 1e-10;
  // corrections of a step: rates
  double slow_rate = 0.25, slow_stages = 0.6, forgetting_rates = 0.8, forgetting_rates_slowly = 0.95, usual_rate = 1e-4;
  // ... and when the last one was made
  double round_off = 1e-15, noise = 1e-12, rate_told_from = 10, stagnant_rate = 0.8, stagnant_at_round_off = 0.3;
  double newton_part = 1e-3, newton_part_high = 1e-5, unseen_part = 1e-2, unseen_part_high = 1e-3;
  double decaying_part = 1e-3, radau_part = 1e-6, radau_part_of_allowed = 3e-3;
  double runaway = 1000;
  // ... next to singular positions
  double weak_among_redundant = 2e-2, weak_row = 1e-11, singular_alone = 1e-6, strict_violation = 1e-13;
  double singular_violation = 1e-7, singular_correction = 1e-4, weakest_noise = 1e-10;
  double singular_row_explicit = 5e-3, held_by_weak = 0.1;
  // velocities and constraints at the end of a step
  double exact_velocity = 1e-14, contradicting_velocity = 1e-6, contradicting_position = 1e-8, much_of_velocity = 1e-2;
  double open_joint = 1e-6, slipping = 1e-2, lost_joint = 0.1;

  /// Where a value comes from.
  enum class Origin {
    round_off,  ///< of double numbers, times what the operations before make of it
    theory,     ///< an order of convergence, or a rate
    measured,   ///< on models that are tests today
    scale,      ///< of what is asked, between what must be and what must not be seen
  };
  struct Entry {
    double Tolerances::*value;
    const char* name;
    Origin origin;
    double margin;
    const char* meaning;
  };
  static constexpr auto entries();
};

/// Mere limits: of work, not of accuracy.
struct Limits {
  static constexpr int polishing = 4;           ///< solutions for exact velocities
  static constexpr int stagnations = 3;         ///< corrections that did not shrink at the level of noise
  static constexpr int singular_iteration = 3;  ///< corrections before a slow step next to a singular position is taken
  static constexpr int augmented_iteration = 16;        ///< the same for methods that are slow anywhere
  static constexpr int iterations_with_tolerance = 20;  ///< of Radau: a shorter step is cheaper than more
  static constexpr int position_iterations = 30;        ///< of explicit methods, with a matrix of elsewhere
  static constexpr int conjugate_gradients = 60;
  static constexpr int soft_repetitions = 4;   ///< of a solution against the softness of its rows
  static constexpr int improvements = 30;      ///< of projected velocities and accelerations
  static constexpr int probe_corrections = 4;  ///< that close the joints of a probe
  static constexpr int rows_measured = 200;    ///< whose dependencies are counted by eigenvalues
  static constexpr int long_chain = 1000;  ///< bodies; more let the round-off of a correction grow with their number
};

constexpr auto Tolerances::entries() {
  using T = Tolerances;
  using enum Origin;
  return std::array{
      Entry{&T::broken_pivot, "broken_pivot", round_off, 10,
            "pivot over its diagonal entry that leaves no digit: pivoting"},
      Entry{&T::doubtful_pivot, "doubtful_pivot", round_off, 10, "pivot over its diagonal entry: one refinement"},
      Entry{&T::redundant_pivot, "redundant_pivot", round_off, 10, "|pivot|/σ of a row that depends on others"},
      Entry{&T::usual_pivot, "usual_pivot", scale, 3, "part of its usual size above which a pivot is not looked at"},
      Entry{&T::forgetting_pivots, "forgetting_pivots", scale, 3, "of the usual size, per factorization"},
      Entry{&T::well_placed, "well_placed", measured, 3, "|pivot|/σ above which ε refers to σ itself"},
      Entry{&T::near_singular, "near_singular", scale, 3, "rows weaker than this: a singular position may be near"},
      Entry{&T::row_floor, "row_floor", measured, 3, "part of their rows above which pivots of the geometry are kept"},
      Entry{&T::firm_floor, "firm_floor", measured, 10, "the same where weak rows are to be kept"},
      Entry{&T::maybe_redundant, "maybe_redundant", scale, 3, "pivots up to this may be of redundant rows"},
      Entry{&T::clearly_redundant, "clearly_redundant", round_off, 10, "pivots up to this are"},
      Entry{&T::dependency, "dependency", scale, 10, "|Gᵀy| of a y of length 1; 1e-8 if redundant, 1e-3 if not"},
      Entry{&T::short_probe, "short_probe", scale, 3, "motion whose end tells a singular position from redundant rows"},
      Entry{&T::long_probe, "long_probe", scale, 1.5, "motion whose end tells what is usual"},
      Entry{&T::closed_probe, "closed_probe", round_off, 10,
            "open joints that let no redundant row rise above round-off"},
      Entry{&T::firm_compliance, "firm_compliance", measured, 10, "rows of so many compliances keep their sign"},
      Entry{&T::probing_compliance, "probing_compliance", measured, 10, "part of it with which signs are looked at"},
      Entry{&T::position_epsilon, "position_epsilon", measured, 10, "ε of a step, per usual pivot"},
      Entry{&T::even_epsilon, "even_epsilon", measured, 10, "ε of a step with redundant rows, per strength of a row"},
      Entry{&T::yielding_epsilon, "yielding_epsilon", measured, 10, "the same of rows on velocities"},
      Entry{&T::projection_epsilon, "projection_epsilon", measured, 10, "ε of a projection without redundant rows"},
      Entry{&T::projection_compliance, "projection_compliance", measured, 10, "E with them, per typical row"},
      Entry{&T::soft_epsilon, "soft_epsilon", measured, 3, "E next to a singular position, per strength of each row"},
      Entry{&T::turned_by_gap, "turned_by_gap", scale, 3,
            "part of velocities that open joints may turn before it is soft"},
      Entry{&T::conjugate_residual, "conjugate_residual", round_off, 10, "left by a projection, of what it corrects"},
      Entry{&T::projected_residual, "projected_residual", scale, 10, "of ġ and motion: more asks for another solution"},
      Entry{&T::slow_rate, "slow_rate", theory, 2, "corrections that shrink less ask for a new matrix"},
      Entry{&T::slow_stages, "slow_stages", theory, 1.3, "the same where stages share one splitting"},
      Entry{&T::forgetting_rates, "forgetting_rates", theory, 1.5, "exponent of a remembered rate, per step"},
      Entry{&T::forgetting_rates_slowly, "forgetting_rates_slowly", theory, 2, "the same where steps are projected"},
      Entry{&T::usual_rate, "usual_rate", theory, 10, "rate taken for true when a correction is round-off"},
      Entry{&T::round_off, "round_off", Origin::round_off, 3, "of positions"},
      Entry{&T::noise, "noise", Origin::round_off, 3, "what joints, chains and mass ratios make of it"},
      Entry{&T::rate_told_from, "rate_told_from", scale, 3, "round-offs: smaller corrections tell no rate"},
      Entry{&T::stagnant_rate, "stagnant_rate", scale, 1.5, "corrections below noise that shrink less are noise"},
      Entry{&T::stagnant_at_round_off, "stagnant_at_round_off", scale, 2, "the same below round-off"},
      Entry{&T::newton_part, "newton_part", theory, 3, "of the first correction that may be left, orders 1 and 2"},
      Entry{&T::newton_part_high, "newton_part_high", theory, 3, "the same for higher orders"},
      Entry{&T::unseen_part, "unseen_part", theory, 3,
            "of round-off, what stabilized steps may leave along the motion"},
      Entry{&T::unseen_part_high, "unseen_part_high", theory, 3, "the same for higher orders"},
      Entry{&T::decaying_part, "decaying_part", theory, 10, "of the tolerance, what energy-decaying steps may leave"},
      Entry{&T::radau_part, "radau_part", theory, 10, "the same of Radau"},
      Entry{&T::radau_part_of_allowed, "radau_part_of_allowed", theory, 3, "of the allowed error with rtol"},
      Entry{&T::runaway, "runaway", scale, 10, "corrections longer than so many ℓ or motions do not come back"},
      Entry{&T::weak_among_redundant, "weak_among_redundant", measured, 3,
            "rows among redundant ones: rates say nothing"},
      Entry{&T::weak_row, "weak_row", measured, 10, "the same among independent ones"},
      Entry{&T::singular_alone, "singular_alone", measured, 10, "rows among independent ones: a singular position"},
      Entry{&T::strict_violation, "strict_violation", Origin::round_off, 3, "g that a step with weak rows may leave"},
      Entry{&T::singular_violation, "singular_violation", measured, 3, "g at which a slow step is taken as it is"},
      Entry{&T::singular_correction, "singular_correction", measured, 3, "the same of its last correction"},
      Entry{&T::weakest_noise, "weakest_noise", Origin::round_off, 10,
            "rows of strength w multiply noise by 1/√w, to here"},
      Entry{&T::singular_row_explicit, "singular_row_explicit", measured, 3,
            "rows at which explicit steps may be open"},
      Entry{&T::held_by_weak, "held_by_weak", measured, 10, "part of the last correction that weak rows are open by"},
      Entry{&T::exact_velocity, "exact_velocity", Origin::round_off, 3, "ġ over the largest velocity that is zero"},
      Entry{&T::contradicting_velocity, "contradicting_velocity", scale, 10, "ġ left by an exact projection: refused"},
      Entry{&T::contradicting_position, "contradicting_position", scale, 10, "g left by other equations: iterated on"},
      Entry{&T::much_of_velocity, "much_of_velocity", measured, 10, "ġ that no order explains: projected from then on"},
      Entry{&T::open_joint, "open_joint", scale, 3, "g at the end of a step that is refused"},
      Entry{&T::slipping, "slipping", scale, 3, "ġ over the largest velocity that is refused"},
      Entry{&T::lost_joint, "lost_joint", scale, 3, "g of an augmented method that is refused"},
  };
}

static_assert(sizeof(Tolerances) == Tolerances::entries().size() * sizeof(double), "one entry per value");

}  // namespace bricard
