// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/model/linearization_settings.h"
#include "bricard/read/cursor.h"
#include "bricard/read/model_reader.h"

// The section `linearization` of a model file, and the same from the command line.
namespace bricard::io {

/// States: a list of formulas, which are their own names, or a map. Appends.
bool read(const Cursor& at, std::vector<Signal>& out);

/// The section itself; faults go to the log.
void read_linearization(const Cursor& section, LinearizationSettings& out);

/// That states are functions of positions, that the reference is a marker and outputs are signals. Faults go to the
/// log.
void check_linearization(const Model& model, const LinearizationSettings& settings, ReadLog& log);

/// A state from `name=formula` or a formula, which is then its own name. Throws ModelError.
Signal parse_state(const Model& model, const std::string& text);

/// A model with its section `linearization`.
struct LinearModel {
  Model model;
  LinearizationSettings settings;
};
LinearModel read_linear_model(const std::string& text, const std::string& path, const Overrides& overrides = {},
                              const ExternalFunctions& functions = {});

}  // namespace bricard::io
