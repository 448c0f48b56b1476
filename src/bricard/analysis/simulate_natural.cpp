// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/simulate_natural.h"

#include "bricard/model/integrator_kinds.h"
#include "bricard/solve/projection.h"

namespace bricard {
namespace {

/// Gives states of the bodies the reactions that belong to their motion.
class Reactions {
 public:
  Reactions(const System& bodies, SolverType solver)
      : bodies_(bodies), newton_(bodies, solver), projection_(bodies, newton_, {}),
        kinematics_(bodies.make_kinematics()), residual_(bodies.make_residual()) {}

  void add_to(State& s, bool with_accelerations) {
    bodies_.update(s, kinematics_);
    projection_.factorize_anew(kinematics_);
    with_accelerations ? projection_.accelerations(s, kinematics_, residual_)
                       : projection_.multipliers(s, kinematics_, residual_);
  }

 private:
  const System& bodies_;
  NewtonSystem newton_;
  Projection projection_;
  Kinematics kinematics_;
  Residual residual_;
};

}  // namespace

State natural_start(const NaturalSystem& natural, const System& bodies, const State& start, SolverType solver) {
  State s = natural.from_bodies(bodies, start);
  // vectors across a thin rod hardly have a mass, which a factorization without pivoting takes for dependent rows
  Reactions(natural.system, solver == SolverType::automatic ? SolverType::klu : solver).add_to(s, true);
  return s;
}

Results simulate_natural(const Model& model, const System& bodies, const State& start, const RunSettings& settings,
                         const SimulationHooks& hooks) {
  const NaturalSystem natural = assemble_natural(model, bodies, start);
  Results results = simulate(natural.system, natural_start(natural, bodies, start, settings.solver), settings, hooks);
  Reactions reactions(bodies, settings.solver);
  for (Sample& sample : results.samples) {
    sample.state = natural.to_bodies(bodies, sample.state);
    reactions.add_to(sample.state, kind_of(settings.integrator).hamiltonian);
  }
  return results;
}

}  // namespace bricard
