// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>

#include "bricard/analysis/event_watch.h"
#include "bricard/analysis/followed_steps.h"
#include "bricard/analysis/look_ahead.h"
#include "bricard/analysis/natural_run.h"
#include "bricard/analysis/recorder.h"
#include "bricard/analysis/run_prospect.h"
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
  /// Of the bodies of a model, in the coordinates that the settings ask for; samples and results are those of `bodies`.
  Simulation(const Model& model, const System& bodies, const State& start, const RunSettings& settings,
             const SimulationHooks& hooks = {});
  /// Of states in which the past has no part. Steps end at samples, too; there are no events, and no doubts of the motion.
  Simulation(const System& system, const State& start, const RunSettings& settings, const SimulationHooks& hooks,
             const FollowedSteps& steps);

  /// Makes one accepted step; false: there is none, as the run is over or failed.
  bool step();

  bool is_over() const;
  const RunReport& report() const { return report_; }  ///< of what is known while it runs
  const State& state() const { return s_; }            ///< in the coordinates of the run
  /// Drives an input of the system: it has this value now and, as far as its own formula is constant, from now on.
  void set_input(int input, double value) { s_.inputs[input] = value - system_.inputs[input].value(s_.t); }
  /// The present state with energies and violations.
  Sample sample();

  /// What was computed so far; the run may go on.
  Results results();
  /// The same without a copy; the run is over.
  Results finish();

 private:
  using Clock = std::chrono::steady_clock;
  Simulation(std::unique_ptr<NaturalRun> natural, const System& system, const State& start, const RunSettings& settings,
             const SimulationHooks& hooks, const FollowedSteps& steps);
  bool is_followed() const { return static_cast<bool>(followed_.advance); }
  bool fixed_step();
  bool shorten(double& target) const;
  bool controlled_step();
  void look_around();
  void archive(Archive& x);
  void book(const StepReport& step);

  // simulation_events.cpp
  enum class StepEnd { whole, at_event, at_its_beginning, failed };
  StepEnd find_event(double h, StepReport& step);
  bool retry(double h, StepReport& step);
  void forget_event();
  bool step_to(const RootPlace& place, StepReport& step);
  void pass_events(std::vector<int> roots);
  bool switch_constraints(const VectorXd& before);
  void restart(bool constraints);
  bool is_chattering(int at_once);
  double shortly() const;  ///< a time in which little happens

  void complete_report(RunReport& report) const;
  void add_findings(RunReport& report) const;
  void translate(std::vector<Sample>& samples);
  void hand_on_samples();

  std::unique_ptr<NaturalRun> natural_;  ///< null: the run is in the coordinates of its system
  const System& system_;
  RunSettings settings_;
  SimulationHooks hooks_;
  FollowedSteps followed_;  ///< without `advance`: steps are those of an integrator
  Clock::time_point begin_;
  std::unique_ptr<Integrator> integrator_;
  Recorder recorder_;
  SingularityWatch watch_;
  std::unique_ptr<StepControl> control_;  ///< with a tolerance
  std::unique_ptr<LookAhead> ahead_;
  int order_ = 1;  ///< of the formula of the last step
  std::unique_ptr<RunProspect> prospect_;
  RunReport report_;
  State before_, s_;
  double start_, end_;
  double recording_ = 0, watching_ = 0, writing_ = 0;  ///< s
  double stepping_before_ = 0;                         ///< s, of the run that this one goes on with
  Clock::time_point stepping_, checkpoint_;

  // fixed steps
  int halvings_ = 0;
  long planned_ = 1;
  bool on_grid_ = true;

  std::unique_ptr<EventWatch> events_;  ///< null: there are none
  std::vector<int> due_;                ///< roots that pass at the end of the step that was just made
  std::vector<int> passed_;             ///< events at the time passed_at_
  double passed_at_ = NAN;
  SolverCounts linear_before_;  ///< of integrators before the present one
};

}  // namespace bricard
