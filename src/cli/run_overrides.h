// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bricard/model/run_settings.h"
#include "bricard/read/model_reader.h"
#include "cli/command_line.h"

// Values given on the command line in the place of those of the model file.
namespace bricard::cli {

/// A number or a formula of numbers, as 1/3 or 25 mm; throws UsageError naming the option.
Quantity parse_quantity(const std::string& option, const std::string& text);

/// The same in a unit; a bare number is in SI.
double parse_number(const std::string& option, const std::string& text, const char* unit);

/// `name=value` for each text.
io::Overrides parse_parameters(const std::vector<std::string>& texts);

/// `name=from:to` of --path, values as in --set.
struct PathRange {
  std::string parameter;
  Quantity from, to;
};
PathRange parse_path(const std::string& text);

/// `t1,t2,…`, each from 0 to the duration.
std::vector<double> parse_times(const std::string& text, double duration);

/// One option for each run setting: --step for step, --rho-infinity for rho_infinity …
class RunOverrides {
 public:
  RunOverrides() = default;
  /// Of fields and texts; throws UsageError if there is no such field.
  explicit RunOverrides(std::map<std::string, std::string> given);

  /// Only those of `fields`; all if there are none.
  void add_options(Command& command, const std::vector<std::string>& fields = {});

  bool gives(const std::string& field) const { return given_.count(field) > 0; }

  /// The settings with what was given, checked like those of a file. Throws UsageError.
  RunSettings apply(RunSettings settings) const;

 private:
  std::map<std::string, std::string> given_;  ///< field -> text
};

}  // namespace bricard::cli
