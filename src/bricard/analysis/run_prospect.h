// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "bricard/model/run_settings.h"
#include "bricard/system/system.h"

// Whether a run with a tolerance can come to its end.                       theory: docs/theory/step_control.md
namespace bricard {

/// Looks at how far the run gets while the number of its steps doubles. Each time twice as far: usual. Less each time, or the
/// same: the steps become shorter as fast as they are made, as in a motion that grows exponentially or faster.
class RunProspect {
 public:
  RunProspect(const System& system, const RunSettings& settings, const State& start);

  /// Why the run will not come to its end, "" while it may. After `steps` accepted steps, the last one of size h.
  std::string trouble(long steps, double h, const State& s, double end);

  void archive(Archive& x) { x(times_, largest_step_); }

 private:
  std::string far_away(const State& s, double farthest, const char* why) const;

  const System& system_;
  double farthest_;  ///< m, where positions have no digits left for the tolerance
  double beyond_;    ///< m, where nothing of the model is
  double largest_step_ = 0;
  std::array<double, 4> times_;  ///< at the last numbers of steps that were powers of two, the latest first
};

}  // namespace bricard
