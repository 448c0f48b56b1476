// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bricard/model/model.h"

// Model files (YAML) -> Model.                                          format: docs/model_file.md
namespace bricard::io {

/// Values for parameters that replace those of the file; they measure what the file's do.
using Overrides = std::vector<std::pair<std::string, Quantity>>;

/// Reads a model file and checks it: names, references, ranges. Throws ModelError with all faults.
Model read_model(const std::string& path, const Overrides& overrides = {});

/// The same for a text at hand; `path` is for messages, the default name and included files. `functions` may be called
/// wherever measures may be used.
Model read_model_text(const std::string& text, const std::string& path, const Overrides& overrides = {},
                      const ExternalFunctions& functions = {});

/// A map of run settings, as in the section `run`, on top of `settings`; checked like those of a file. Throws ModelError,
/// whose faults have no place.
RunSettings read_run_settings(const std::string& text, RunSettings settings);

}  // namespace bricard::io
