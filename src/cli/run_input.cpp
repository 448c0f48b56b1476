// SPDX-License-Identifier: Apache-2.0
#include "cli/run_input.h"

#include <fmt/format.h>

#include <filesystem>

#include "bricard/write/files.h"
#include "cli/commands.h"

namespace bricard::cli {

void check_output(const Model& model, const std::string& file) {
  std::error_code ignored;
  for (const SourceFile& source : model.sources)
    if (std::filesystem::equivalent(file, source.path, ignored))
      throw UsageError(fmt::format("{}: is a file of the model; give the results another name", file));
  io::check_writable(file);
}

}  // namespace bricard::cli
