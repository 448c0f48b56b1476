// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/run_model.h"

#include "bricard/analysis/kinematics.h"
#include "bricard/analysis/statics.h"
#include "bricard/check/said.h"
#include "bricard/integrate/integrator.h"
#include "bricard/integrate/run_checks.h"

namespace bricard {
namespace {

void refuse_if(const Model& model, const std::string& problem, const std::string& key = "") {
  if (!problem.empty()) refuse(model, key + problem);
}

/// As assemble checks the rest of a model that was not read.
void check_run_if_built(const Model& model) {
  if (!model.sources.empty()) return;
  io::ReadLog log = io::said_in(model.run);
  io::check_run(model, log);
  log.throw_faults({});
}

Results solve(const Model& model, const System& system, const State& start, Analysis analysis,
              const SimulationHooks& hooks) {
  if (analysis == Analysis::dynamics) return simulate(model, system, start, model.run, hooks);
  RunSettings settings = model.run;
  settings.rtol.reset();  // a matter of dynamics
  if (analysis == Analysis::kinematics) return solve_kinematics(system, start, settings, hooks);
  return solve_statics(system, start, settings, analysis == Analysis::equilibria, hooks);
}

}  // namespace

StartState start_of(const Model& model, const System& system, Analysis analysis) {
  check_run_if_built(model);
  const bool dynamics = analysis == Analysis::dynamics;
  StartState start = find_start(model, system, dynamics ? model.run.start : StartType::given);
  if (dynamics) {
    refuse_locked(model, system, start);
    refuse_if(model, why_not(system, model.run), "run.integrator: ");
  }
  if (analysis == Analysis::kinematics) refuse_if(model, why_no_kinematics(system, start.state));
  return start;
}

Results run(const Model& model, const System& system, const StartState& start, Analysis analysis,
            const SimulationHooks& hooks) {
  Results results = solve(model, system, start.state, analysis, hooks);
  add_start(start, results.report);
  return results;
}

Results run_path(const Model& model, const System& system, const StartState& start, const LoadPathSettings& path,
                 const SimulationHooks& hooks) {
  RunSettings settings = model.run;
  settings.rtol.reset();  // a matter of dynamics
  Results results = solve_load_path(system, start.state, settings, path, BeamNames(model), hooks);
  add_start(start, results.report);
  return results;
}

}  // namespace bricard
