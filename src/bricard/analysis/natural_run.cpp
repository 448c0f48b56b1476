// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/natural_run.h"

#include "bricard/model/integrator_kinds.h"

namespace bricard {

State natural_start(const NaturalSystem& natural, const System& bodies, const State& start, SolverType solver) {
  State s = natural.from_bodies(bodies, start);
  // vectors across a thin rod hardly have a mass, which a factorization without pivoting takes for dependent rows
  NewtonSystem newton(natural.system, solver == SolverType::automatic ? SolverType::klu : solver);
  Projection projection(natural.system, newton);
  Kinematics k = natural.system.make_kinematics();
  Residual r = natural.system.make_residual();
  natural.system.update(s, k);
  projection.factorize_anew(k);
  projection.accelerations(s, k, r);
  return s;
}

NaturalRun::NaturalRun(const Model& model, const System& bodies, const State& start, const RunSettings& settings)
    : bodies_(bodies), natural_(assemble_natural(model, bodies, start)),
      start_(natural_start(natural_, bodies, start, settings.solver)),
      has_accelerations_(!kind_of(settings.integrator).hamiltonian), newton_(bodies, settings.solver),
      projection_(bodies, newton_), kinematics_(bodies.make_kinematics()), residual_(bodies.make_residual()) {}

void NaturalRun::translate(Sample& sample) {
  sample.state = natural_.to_bodies(bodies_, sample.state);
  bodies_.update(sample.state, kinematics_);
  projection_.factorize_anew(kinematics_);
  has_accelerations_ ? projection_.multipliers(sample.state, kinematics_, residual_)
                     : projection_.accelerations(sample.state, kinematics_, residual_);
}

}  // namespace bricard
