// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>

#include "bricard/analysis/recorder.h"
#include "bricard/analysis/simulate.h"
#include "bricard/analysis/singularity_watch.h"
#include "bricard/integrate/integrator.h"
#include "bricard/integrate/step_control.h"

namespace bricard {

/// A run that its owner drives step by step. The system is to outlive it.
class Simulation {
 public:
  /// `start` must be consistent.
  Simulation(const System& system, const State& start, const RunSettings& settings, const SimulationHooks& hooks = {});

  /// Makes one accepted step; false: there is none, as the run is over or failed.
  bool step();

  bool is_over() const;
  const RunReport& report() const { return report_; }  ///< of what is known while it runs
  const State& state() const { return s_; }
  /// Drives an input of the system: it has this value now and, as far as its own formula is constant, from now on.
  void set_input(int input, double value) { s_.inputs[input] = value - system_.inputs[input].value(s_.t); }
  /// The present state with energies and violations.
  Sample sample() { return recorder_.sample(s_); }

  /// What was computed so far; the run may go on.
  Results results();
  /// The same without a copy; the run is over.
  Results finish();

 private:
  using Clock = std::chrono::steady_clock;
  bool fixed_step();
  bool controlled_step();
  void book(const StepReport& step);
  void complete_report(RunReport& report) const;
  void add_findings(RunReport& report) const;

  const System& system_;
  RunSettings settings_;
  SimulationHooks hooks_;
  Clock::time_point begin_;
  std::unique_ptr<Integrator> integrator_;
  Recorder recorder_;
  SingularityWatch watch_;
  std::unique_ptr<StepControl> control_;  ///< with a tolerance
  RunReport report_;
  State before_, s_;
  double start_, end_;
  double recording_ = 0;
  Clock::time_point stepping_;

  // fixed steps
  int halvings_ = 0;
  long planned_ = 1;
  bool on_grid_ = true;
};

}  // namespace bricard
