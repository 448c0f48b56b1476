// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>

#include "bricard/math/archive.h"

// The work of dampers, motions and applied forces: the integral of their power over time, with what it may be off by.
//                                                                          theory: docs/theory/certificate.md
namespace bricard {

/// Of one step.
struct Work {
  double value = 0;
  double uncertainty = 0;
};

/// Power at the ends of steps, which every method knows well, integrated by the polynomial through the last of them
/// (Adams and Moulton's formula for steps of any length):                            [HairerNorsettWanner1993, section III.5]
///     ∫ P dt = Σ_k P[t_n, …, t_{n−k}] ∫ (t − t_n)…(t − t_{n−k+1}) dt          over the last step
/// With equal steps the term k is γ_k h ∇ᵏP. Terms are taken as long as h |∇ᵏP| does not exceed all of lower degree. If none
/// does, the last h |∇ᵏP| is the uncertainty, of sixth order in h; where the power jumps the largest, which is all of the jump.
class PowerHistory {
 public:
  PowerHistory(double t, double power);

  /// The work of the step that ends at t with this power.
  Work work_until(double t, double power) const;
  /// That step is over.
  void add(double t, double power);
  /// Whether all past values are there that it can make use of.
  bool is_complete() const { return known_ == kMost; }
  double t() const { return time_[0]; }
  double power() const { return power_[0]; }
  void archive(Archive& x) { x(known_, time_, power_); }

 private:
  static constexpr int kMost = 5;  // past values that are kept
  int known_ = 1;
  std::array<double, kMost> time_{}, power_{};  // the last first
};

/// The same by Lobatto's rule of five points, of order 8, from the power at any time of a step; Simpson's on three of its
/// points tells how well. Intervals are halved, `depth` times at most, until they agree within `wanted`.
Work integrate_power(const std::function<double(double)>& power, double begin, double end, double power_begin,
                     double power_end, double wanted, int depth);

}  // namespace bricard
