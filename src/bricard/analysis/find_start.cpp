// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/find_start.h"

#include <fmt/format.h>

#include "bricard/analysis/statics.h"
#include "bricard/assemble/assemble.h"

namespace bricard {

void refuse(const Model& model, const std::string& problem) {
  throw ModelError({{{}, fmt::format("{}: {}", model.sources[0].path, problem)}});
}

StartState find_start(const Model& model, const System& system, StartType type) {
  StartState start{initial_wishes(model, system), {}, {}};
  start.report = consistent_start(model, system, model.run.solver, start.state);
  if (!start.report.assembled) refuse(model, start.report.problem);
  if (type == StartType::equilibrium) {
    const StaticReport rest = find_equilibrium(system, model.run.solver, start.state);
    if (!rest.found) refuse(model, "run.start = static: " + rest.problem);
    start.remark = "start from " + rest.text();
    consistent_start(system, model.run.solver, start.state);
  }
  return start;
}

void add_start(const StartState& start, RunReport& report) {
  report.degrees_of_freedom = start.report.degrees_of_freedom;
  report.redundant_constraints = start.report.redundant_constraints;
  for (const BodyMove& move : start.report.moves)  // a motion gives velocities without a word
    if (move.distance > 0 || move.angle > 0) report.start_moves.push_back(move);
  if (!start.remark.empty()) report.remarks.insert(report.remarks.begin(), start.remark);
}

}  // namespace bricard
