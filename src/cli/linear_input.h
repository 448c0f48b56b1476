// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bricard/analysis/linearize.h"
#include "bricard/analysis/operating_point.h"
#include "bricard/read/linearization_reader.h"
#include "cli/command_line.h"

// What all commands about small motions ask for: the model, the state and the coordinates.
namespace bricard::cli {

struct LinearInput {
  std::string model, point = "given", time, reference;
  std::vector<std::string> parameters, states, inputs, outputs;
  bool quiet = false;

  void add_options(Command& command, bool with_signals);

  /// The model with what was given here in the place of the file's. Throws ModelError and UsageError.
  io::LinearModel read() const;
  /// The same with a parameter at this value.
  io::LinearModel read_with(const std::string& parameter, const Quantity& value) const;
  PointType point_type() const;
  /// Of --time. Throws UsageError.
  std::optional<double> until() const;
  /// Throws ModelError if there is no such state.
  OperatingPoint find_point(const io::LinearModel& m, const System& system) const;

 private:
  io::LinearModel read_with(const io::Overrides& overrides) const;
};

/// What was chosen, left out and completed, for people.
std::string choice_text(const LinearizeReport& report, const std::vector<LinearCoordinate>& positions,
                        const std::vector<LinearCoordinate>& velocities);

/// -o of commands whose answer is a page of plots or, by the ending .h5, a result file for `view`.
struct PlotOutputs {
  std::vector<std::string> files;

  void add_option(Command& command);
  /// Throws UsageError for another ending, and if a file cannot be written.
  void check(const Model& model) const;
  /// Files with this ending, .html or .h5.
  std::vector<std::string> of(const std::string& ending) const;
};

/// Throws ModelError if there are no linear equations.
void check_linear(const Model& model, const LinearizeReport& report);

}  // namespace bricard::cli
