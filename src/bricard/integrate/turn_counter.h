// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/system.h"

namespace bricard {

/// Counts the turns of joint angles from step to step. Where no element looks at them it is enough that State::angles are
/// within half a turn of the truth, which is told from the velocities.
class TurnCounter {
 public:
  explicit TurnCounter(const System& system)
      : system_(system), rates_(VectorXd::Zero(system.make_state().angles.size())) {}

  /// After a step of h; k belongs to `after`.
  void count(double h, const State& before, Kinematics& k, State& after) {
    if (rates_.size() == 0) return;
    unseen_ += h * system_.fastest_turn(after);
    if (unseen_ < kEnough) return;
    unseen_ = 0;
    system_.complete(after, k);
    system_.angle_rates(k, rates_);
    rates_ = before.angles + h * rates_;
    system_.track_angles(k, rates_, after.angles);
  }

  void save() { saved_ = unseen_; }
  void restore() { unseen_ = saved_; }
  void archive(Archive& x) { x(unseen_); }

 private:
  static constexpr double kEnough = 2;  // rad

  const System& system_;
  VectorXd rates_;
  double unseen_ = 0, saved_ = 0;  // at most this much since the last count
};

}  // namespace bricard
