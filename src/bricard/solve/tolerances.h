// SPDX-License-Identifier: Apache-2.0
#pragma once

// All numbers by which the solution of linear systems and of time steps is judged, once each.
//                                                                                  theory: docs/theory/tolerances.md
// Origin and margin of each: tests/unit/tolerance_entries.h. Lengths are per ℓ, the larger of the reference length and the
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
  double turned_by_gap = 0.02, conjugate_residual = 1e-12, sharing = 1e-9, projected_residual = 1e-10;
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

}  // namespace bricard
