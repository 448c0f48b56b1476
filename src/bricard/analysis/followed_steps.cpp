// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/followed_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bricard {

void follow(const RunSettings& settings, const SimulationHooks& hooks, const FollowedSteps& steps, Recorder& recorder,
            RunReport& report, State& s) {
  const double start = s.t, end = start + settings.duration, rest = 1e-9 * settings.step;
  State before = s;
  int halvings = 0;
  while (end - s.t > rest && report.stopped_because.empty()) {
    const double goal = recorder.next_time(), whole = std::min(goal - s.t, settings.step);
    const bool reaches = halvings == 0 && goal - s.t <= settings.step + rest;
    const double target = reaches ? goal : s.t + std::ldexp(whole, -halvings);
    before = s;
    if (!steps.advance(target, s)) {
      s = before;
      ++report.halved_steps;
      if (++halvings > steps.most_halvings) report.stopped_because = steps.why_not(s, target);
      continue;
    }
    if (halvings > 0) --halvings;
    ++report.steps;
    recorder.after_step(before, s);
    if (hooks.progress) hooks.progress({s.t - start, settings.duration, report.steps, report.iterations});
    if (hooks.cancelled && hooks.cancelled()) report.stopped_because = fmt::format("interrupted at t = {:.6g} s", s.t);
  }
}

}  // namespace bricard
