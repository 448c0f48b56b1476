// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/assemble/natural.h"
#include "bricard/model/model.h"
#include "bricard/results/results.h"
#include "bricard/solve/projection.h"

namespace bricard {

/// The natural system at the start of the bodies, with its own accelerations and multipliers.
State natural_start(const NaturalSystem& natural, const System& bodies, const State& start, SolverType solver);

/// The natural coordinates of a run, and the way back: what the frames do, in the coordinates of the bodies.
class NaturalRun {
 public:
  /// `start` belongs to `bodies`, which is to outlive this. `why_not` tells which models cannot be run so.
  NaturalRun(const Model& model, const System& bodies, const State& start, const RunSettings& settings);

  const System& system() const { return natural_.system; }
  const State& start() const { return start_; }

  /// Replaces a natural state by that of the bodies, with the reactions that belong to its motion.
  void translate(Sample& sample);
  void archive(Archive& x) { x(newton_); }

 private:
  const System& bodies_;
  NaturalSystem natural_;
  State start_;
  bool has_accelerations_;  ///< the method computes them
  NewtonSystem newton_;
  Projection projection_;
  Kinematics kinematics_;
  Residual residual_;
};

}  // namespace bricard
