// SPDX-License-Identifier: Apache-2.0
#include "cli/run_input.h"

#include <fmt/format.h>

#include <filesystem>

#include "bricard/analysis/statics.h"
#include "bricard/assemble/assemble.h"
#include "bricard/io/files.h"
#include "cli/commands.h"

namespace bricard::cli {

void check_output(const Model& model, const std::string& file) {
  std::error_code ignored;
  for (const SourceFile& source : model.sources)
    if (std::filesystem::equivalent(file, source.path, ignored))
      throw UsageError(fmt::format("{}: is a file of the model; give the results another name", file));
  io::check_writable(file);
}

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

}  // namespace bricard::cli
