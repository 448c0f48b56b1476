// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/analysis/simulate.h"
#include "bricard/solve/projection.h"

namespace bricard {

/// Stores states at the output times and keeps the books of energy.
class Recorder {
 public:
  Recorder(const System& system, const RunSettings& settings, const State& start,
           const SimulationHooks& hooks);

  /// Stores what is due between two neighbouring states.
  void after_step(const State& before, const State& after);

  /// The next time that is to be stored; that of the end if all are.
  double next_time() const { return next_ < times_.size() ? times_[next_].t : times_.back().t; }

  /// The last state of a run that stopped early.
  void store_last(const State& s);

  /// Samples and energies of the certificate.
  void hand_over(Results& results);

  /// The same of a run that goes on after `now`, which becomes the last sample.
  void copy(const State& now, Results& results);

  /// With energies and violations.
  Sample sample(const State& s);

 private:
  struct Time {
    double t;
    bool requested;
  };
  double power_at(const State& s);
  State between(const State& before, const State& after, double t);
  void make_consistent(State& s);
  void watch_rotations(const State& s);
  void store(const State& s, bool requested);
  void add_certificate(Results& results) const;

  const System& system_;
  Kinematics kinematics_;
  Residual residual_;
  VectorXd rate_, bias_;
  bool has_power_;
  // with a tolerance, steps are long and states between them are made consistent
  std::unique_ptr<NewtonSystem> newton_;
  std::unique_ptr<Projection> projection_;
  VectorXd bump_;        // of the step that begins at bump_at_
  double bump_at_ = NAN;
  double power_ = 0, work_ = 0;
  std::vector<Time> times_;
  size_t next_ = 0;
  std::vector<Sample> samples_;
  struct Rotation {
    Vector3d phi = Vector3d::Zero();  ///< as it was before the step
    bool reported = false;
  };
  std::vector<Rotation> rotations_;  ///< of System::rotations
  std::vector<std::string> remarks_;
};

}  // namespace bricard
