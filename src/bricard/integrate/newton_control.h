// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/integrate/integrator.h"
#include "bricard/integrate/step_length.h"
#include "bricard/solve/tolerances.h"

// Which correction of a step is the last one, and when a new matrix is made, for all methods that iterate.
//                                                                                 theory: docs/theory/newton_control.md
// Corrections that shrink by a rate ρ leave d ρ/(1 − ρ) after one of length d. The iteration ends
//   - where this is small beside the motion of the step, and beside the first correction, which is about as large as the
//     error of the formula; or d itself, where a rate tells nothing,
//   - at round-off,
//   - next to a singular position, where it is slow and going on, cutting the step or failing all make it worse,
//   - without success: after too many corrections, or if one of them leads far away.
namespace bricard {

/// What the methods differ in.
struct NewtonRule {
  int iterations = 20;         ///< at most
  bool counted = false;        ///< exactly so many
  double of_motion = 0;        ///< what may be left, relative to the motion of the step,
  double of_first = HUGE_VAL;  ///< and relative to the first correction
  double always = 0;           ///< may be left in any case, as a length
  /// The same in parts of the round-off of positions. The constraints do not see an error along the motion: those of n
  /// steps add up to n^1.5 times one, which formulas of high order notice after some hundred steps.
  double unseen = HUGE_VAL;
  /// The rate of earlier steps is believed at the first correction, with the curvature that the second one has shown.
  bool remembers = false, curved = false;
  bool trusts_rates = true;  ///< else corrections themselves must be small
  /// Several vectors settle one after the other, not evenly: the slower of two rates counts, and there are three
  /// corrections at least. Their round-off adds up.
  bool staged = false;
  /// Velocities take an error of the increments divided by h: round-off alone is no reason to stop before nothing shrinks.
  bool to_the_end = false;
  /// Corrections at the level of noise: the second one is the last, or those that do not shrink any more are counted.
  bool ends_at_noise = false;
  bool is_newton = true;                                ///< slow convergence tells of a singular position
  int singular_iteration = Limits::singular_iteration;  ///< see Limits
};

/// What one correction was like.
struct Correction {
  double length = 0;       ///< its largest component
  double motion = 0;       ///< of the step so far
  double violation = 0;    ///< |g| before it
  double open = 0;         ///< what it leaves of g because other equations contradict it
  double weakest_row = 1;  ///< of the constraints, as far as a method wants to be careful with weak ones
  bool redundant = false;
  bool may_be_singular = false;  ///< slow convergence may be due to a singular position
};

class NewtonControl {
 public:
  NewtonControl(const System& system, const NewtonRule& rule, const Tolerances& tolerances);

  void start() { memory_ = {}; }
  /// Before the first correction of a step of h from s, with constraint rows of this strength.
  void begin(double h, const State& s, double weakest_row = 1);
  /// Whether the next correction is to be made with a new matrix.
  bool wants_matrix() const;
  /// Whether this was the last correction. Fills in the report, also if the step has failed.
  bool is_last(const Correction& c, StepReport& report);
  /// Positions that are off by so much at the end of a step will not come back.
  void refuse_lost(double violation, StepReport& report) const;

  double length_of(const VectorXd& dz) const { return length_of_(dz); }
  /// Rows weaker than this tell of a singular position. Only mechanisms with redundant joints have weak rows long before.
  double singular_row(bool redundant) const { return redundant ? t_.weak_among_redundant : t_.singular_alone; }

  /// The rates of late as they are now, and back to them.
  void save() { saved_ = memory_; }
  void restore() { memory_ = saved_; }
  void archive(Archive& x) { x(memory_.rate, memory_.curvature); }
  std::size_t bytes() const { return length_of_.bytes(); }

 private:
  bool is_lost(double length, StepReport& report) const;
  void measure_rate(const Correction& c);
  double expected_rate(double first, bool redundant);
  void remember(double rate);
  bool is_noise(const Correction& c);
  bool is_converged(const Correction& c);
  bool is_singular(const Correction& c) const;

  const System& system_;
  NewtonRule rule_;
  Tolerances t_;
  StepLength length_of_;
  double h_ = 0;
  const State* start_ = nullptr;
  double size_ = 0, round_off_ = 0, noise_ = 0;  // of positions
  int k_ = 0;                                    // corrections made
  double first_ = 0, before_ = 0;                // corrections
  double rate_ = 1, earlier_ = 1;                // of the last two
  int stagnant_ = 0;
  struct Memory {
    double rate = 1;              // as last seen
    double curvature = HUGE_VAL;  // the same per length of the first correction
  };
  Memory memory_, saved_;
};

}  // namespace bricard
