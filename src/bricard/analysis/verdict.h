// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "bricard/model/run_settings.h"
#include "bricard/results/results.h"

// What was measured on a run while it went on, and what it says about the results.    theory: docs/theory/certificate.md
namespace bricard {

/// The largest value that was seen of something, and when; not a number if one was none.
struct Largest {
  double value = 0, time = 0;
  void see(double x, double t) {
    if (std::isnan(value) || x <= value) return;
    value = x;
    time = t;
  }
  void archive(Archive& x) { x(value, time); }
};

/// Samples so near to singular positions that accelerations and reactions hang on round-off of the positions.
struct SoftSamples {
  long count = 0;
  double from = 0, to = 0, residual = 0;  ///< times of the first and the last; the largest of index 1, relative
  void see(double of_sample, double t) {
    if (count++ == 0) from = t;
    to = t;
    residual = std::max(residual, of_sample);
  }
  void archive(Archive& x) { x(count, from, to, residual); }
};

struct RunMeasures {
  double start_energy = 0;
  double most_kinetic = 0, least_potential = HUGE_VAL, most_potential = -HUGE_VAL;
  double throughput = 0;                                     ///< ∫ Σ |power| dt, over the kinds of elements
  Largest defect;                                            ///< |T + V − E₀ − work|
  Largest unexplained;                                       ///< the same without what the work may be off by
  double work_variance = 0;                                  ///< the sum of the squared uncertainties of all steps
  Largest position, velocity;                                ///< |g|, |ġ|
  Largest motion, acceleration;                              ///< residuals of index 1, relative
  Largest velocity_apart, motion_apart, acceleration_apart;  ///< the same away from singular positions
  long looks = 0, looks_apart = 0;
  SoftSamples soft;
  Largest turn;               ///< of a body in one step, rad
  double position_error = 0;  ///< of fixed steps, estimated
  double speed = 0;           ///< largest velocity, rotations times ℓ_r

  void see_energy(double t, double kinetic, double potential, double work, double uncertainty);
  /// What the work may be off by. Where the power is smooth errors of one step are taken back by the next, where it jumps they
  /// do not know of each other.
  double work_uncertainty() const { return std::sqrt(work_variance); }
  /// max T + (max V − min V) + throughput: does not depend on where V is zero.
  double turned_over() const { return most_kinetic + (most_potential - least_potential) + throughput; }
  /// The same, but never so small that round-off of T and V would matter.
  double energy_scale() const;

  void archive(Archive& x) {
    x(start_energy, most_kinetic, least_potential, most_potential, throughput, defect, unexplained, work_variance);
    x(position, velocity, motion, acceleration, velocity_apart, motion_apart, acceleration_apart, looks, looks_apart);
    x(soft, turn, position_error, speed);
  }
};

/// Above this part of the energy turned over a defect makes a run doubtful.
double energy_limit(const RunSettings& settings);

/// Above this, in m, the sum of what all fixed steps are off by makes it so.
double position_limit(const System& system);

/// Why the results of a run are not to be trusted; nothing if they are.
std::vector<Doubt> find_doubts(const System& system, const RunSettings& settings, const RunMeasures& measures,
                               const RunReport& report);

}  // namespace bricard
