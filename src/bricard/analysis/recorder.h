// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "bricard/analysis/equation_check.h"
#include "bricard/analysis/output_times.h"
#include "bricard/analysis/simulate.h"
#include "bricard/analysis/verdict.h"
#include "bricard/analysis/work_integral.h"
#include "bricard/solve/projection.h"

namespace bricard {

/// Whether samples are stored as the steps left them, or with velocities, accelerations and multipliers that belong to their
/// positions.                                                               theory: docs/theory/certificate.md
/// Those of equilibria stand still, whatever motions prescribe.
enum class Samples { as_they_are, consistent, standing };

/// Stores states at the output times, keeps the books of energy and measures how well the equations are satisfied.
class Recorder {
 public:
  Recorder(const System& system, const RunSettings& settings, const State& start, const SimulationHooks& hooks,
           Samples samples = Samples::as_they_are);

  /// Stores what is due between two neighbouring states. Next to a singular position equations may have larger residuals.
  void after_step(const State& before, const State& after, bool near_singular = false);

  /// The next time that is to be stored; that of the end if all are.
  double next_time() const { return times_.is_over() ? times_.end() : times_.next().t; }

  /// The last state of a run that stopped early.
  void store_last(const State& s);

  /// Hands on what was stored since the last time. Only the last sample and those that were asked for by time stay.
  void hand_on(const std::function<void(const Sample&)>& sink);

  /// Samples, and energies and violations of the certificate.
  void hand_over(Results& results);

  /// The same of a run that goes on after `now`, which becomes the last sample.
  void copy(const State& now, Results& results);

  /// The state at the end of a step, with energies and violations.
  Sample sample(const State& s) { return improved(made_of(s)); }

  RunMeasures& measures() { return measures_; }
  const RunMeasures& measures() const { return measures_; }

  /// Positions and velocities between the ends of a step.
  State dense(const State& before, const State& after, double t);
  /// Velocities, accelerations and multipliers that belong to the positions of s, whose round-off is this where
  /// a singular position is near.
  void make_consistent(State& s, double round_off = 0);
  /// An event changed the state into s, at the time of the last step's end, and the energy by so much.
  void after_event(const State& s, double energy);
  void forget_constraints() { projection_.reset(), newton_.reset(); }
  /// Of s: kinetic and potential.
  double energy(const State& s);
  /// What it has stored and knows after a step.
  void archive(Archive& x);

 private:
  struct Power {
    double sum = 0, gross = 0;  ///< of all kinds of elements, and of their sizes
  };
  struct WorkWithin {  ///< the step at work, up to the last sample in it
    PowerHistory power;
    double work, variance;
  };
  Sample made_of(const State& s);
  Sample improved(const Sample& end);
  Sample between(const State& before, const Sample& end, double t, WorkWithin& within);
  bool is_resolved(const State& before, const State& after, State& s);
  double largest(const VectorXd& motion) const;
  void add_energies(Sample& sample);
  void see(const Sample& end);
  void see_turn(double h, const State& s);
  void see_error(const State& before, const State& after, const State& good);
  void see_residuals(const EquationResiduals& residuals, double t);
  Power power_at(const State& s);
  void add_work(const State& before, const State& after);
  Work work_within(const State& before, const State& after, double power_after, double wanted);
  void watch_rotations(const State& s);
  void make_projection();
  void add_certificate(Results& results) const;

  const System& system_;
  RunSettings settings_;
  Samples mode_;
  Kinematics kinematics_;
  Residual residual_;
  VectorXd rate_, bias_, lengths_;
  EquationCheck check_;
  std::unique_ptr<NewtonSystem> newton_;  // of the projection, which is made when it is needed
  std::unique_ptr<Projection> projection_;
  bool rows_known_ = false;    // which are redundant
  VectorXd given_velocities_;  // before they are projected
  VectorXd bump_;              // of the step from bump_at_ to bump_end_
  double bump_at_ = NAN, bump_end_ = NAN;
  State made_;

  bool has_power_;
  PowerHistory power_;
  double gross_power_ = 0, work_ = 0;
  PowerHistory power_before_;  // and work as they were before the last step
  double work_before_ = 0, variance_before_ = 0;
  RunMeasures measures_;
  bool near_singular_ = false;
  int steps_not_seen_ = 0;
  double look_at_;  // the next time at which energies are to be looked at, whatever is stored

  OutputTimes times_;
  std::vector<Sample> samples_;
  size_t handed_on_ = 0;  ///< of them, to a sink
  struct Rotation {
    Vector3d phi = Vector3d::Zero();  ///< as it was before the step
    bool reported = false;
    void archive(Archive& x) { x(phi, reported); }
  };
  std::vector<Rotation> rotations_;  ///< of System::rotations
  std::vector<std::string> remarks_;
};

}  // namespace bricard
