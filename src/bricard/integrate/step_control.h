// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "bricard/integrate/error_norm.h"

// The step that keeps the local error within the tolerance.                 theory: docs/theory/step_control.md
//     h_{n+1} = 0.9 h_n r_n^(−0.7/e) r_{n−1}^(0.4/e),   r = error over what is allowed, ∝ hᵉ             [Gustafsson1991]
namespace bricard {

/// hmin and hmax if they are not given, as parts of the duration.
inline constexpr double kSmallestOfDuration = 1e-12, kLargestOfDuration = 0.05;

class StepControl {
 public:
  StepControl(const System& system, const RunSettings& settings);

  /// The step to try at t, so that the last one ends at `end` and is no sliver.
  double propose(double t, double end);
  /// The proposal was too long to be tried.
  void shorten(double h) { tried_ = h; }
  /// Whether the attempted step is good enough; chooses the next one.
  bool accept(const LocalError& error);
  /// Newton's method failed: less than half the step.
  void failed();
  /// The motion goes on differently from here: the past says nothing about its errors.
  void restart() {
    before_ = 1;
    after_rejection_ = false;
    refused_ = floor_ = 0;
  }
  /// The step became smaller than allowed, although `step` was the proposal.
  bool underflow() const { return h_ < hmin_; }

  void archive(Archive& x) {
    x(h_, tried_, before_, after_rejection_, refused_, refused_step_, floor_, last_, rejected_, smallest_, largest_,
      rulers_);
  }

  double hmin() const { return hmin_; }
  long rejected() const { return rejected_; }
  double smallest() const { return smallest_; }
  double largest() const { return largest_; }
  /// What rules the steps most often, as "rotation of body 'rod' (61 % of the steps)".
  std::string ruling() const;
  /// What ruled the last one.
  std::string last_ruling() const;

 private:
  bool is_noise(const LocalError& error, double ratio) const;
  std::string name(int node, bool rotation) const;

  const System& system_;
  ErrorNorm norm_;
  double hmin_, hmax_;
  double h_;           // next step
  double tried_ = 0;   // the step at work
  double before_ = 1;  // ratio of the last accepted step
  bool after_rejection_ = false;
  double refused_ = 0, refused_step_ = 0;  // ratio and size of the step that was rejected last, from the present time
  double floor_ = 0;  // near a singular position: a shorter step does not make the estimate smaller
  ErrorNorm::Value last_;
  long rejected_ = 0;
  double smallest_ = HUGE_VAL, largest_ = 0;
  std::map<std::pair<int, bool>, long> rulers_;
};

}  // namespace bricard
