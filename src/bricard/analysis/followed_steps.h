// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "bricard/integrate/integrator.h"

namespace bricard {

/// Analyses that find one state after the other in which the past has no part: kinematics, a sequence of equilibria.
struct FollowedSteps {
  int most_halvings = 12;
  bool stands_still = false;                                     ///< velocities are none, whatever motions prescribe
  std::function<StepReport(double t, State& s)> advance;         ///< takes s to the time t; accepted: it could be
  std::function<std::string(const State& s, double t)> why_not;  ///< for a state that cannot be taken there
};

/// The same as a method that a Simulation can drive.
class FollowedMethod final : public Integrator {
 public:
  explicit FollowedMethod(std::function<StepReport(double t, State& s)> advance) : advance_(std::move(advance)) {}

  SolverCounts counts() const override { return {}; }
  std::size_t bytes() const override { return 0; }
  const char* solver_name() const override { return ""; }
  void save() override {}
  void restore() override {}
  void archive(Archive& /*x*/) override {}

 private:
  void begin(const State& s) override { next_ = s; }
  StepReport try_step(double h, const State& s) override {
    next_ = s;
    return advance_(s.t + h, next_);
  }
  void take_step(State& s, StepReport& /*report*/) override { std::swap(s, next_); }

  std::function<StepReport(double t, State& s)> advance_;
  State next_;
};

}  // namespace bricard
