// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bricard/model/run_settings.h"

// One description per integrator: words, help, traits and the settings it looks at. Reader, schema, command line, checks,
// advice and tests walk this list; integrate/integrator.cpp makes the method itself.
namespace bricard {

struct IntegratorKind {
  enum class Family { implicit, explicit_, augmented };  ///< augmented: penalty terms and multiplier updates

  IntegratorType type;
  const char* word;
  std::vector<const char*> aliases;
  const char* help;
  Family family;
  /// Those of the RunSettings that not all methods look at. One that the method of a run does not look at is refused; it
  /// would be ignored in silence.
  std::vector<std::string_view> settings;
  bool hamiltonian = false;     ///< needs a constant mass matrix; has no accelerations at the end of a step
  bool far_apart_ends = false;  ///< steps are so long that their ends tell too little of what is between them

  bool uses(std::string_view setting) const;
  /// Whether a setting belongs to this method and its like alone, as alpha to hht: it may stand under the method.
  bool owns(std::string_view setting) const;
};

/// All that a user can choose; `automatic` is not among them.
const std::vector<IntegratorKind>& integrator_kinds();
const IntegratorKind& kind_of(IntegratorType type);  ///< of `automatic`: that of a run with a step
const char* name_of(IntegratorType type);

/// What `automatic` stands for: with a step the default of second order, with a tolerance the method that pays for it.
IntegratorType chosen_integrator(const RunSettings& run);
/// The settings with a method in the place of `automatic`.
RunSettings resolved(RunSettings run);

bool is_augmented(IntegratorType type);
/// Whether the method estimates its local error, so that a tolerance can choose the steps.
bool knows_its_error(IntegratorType type);

/// Who has a use for a setting: everyone, the user of one method, or who knows better than the program.
enum class SettingGroup { everyday, method, expert };
SettingGroup group_of(std::string_view setting);

/// "" if the run looks at the setting; else that it does not, who does, and what its method does use.
std::string why_unused(const RunSettings& run, const std::string& setting);

}  // namespace bricard
