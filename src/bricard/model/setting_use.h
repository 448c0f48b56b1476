// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/model/run_settings.h"

// Which method looks at which of the RunSettings: one table for model files and command lines. A setting that the method
// of a run does not look at is refused; it would be ignored in silence.
namespace bricard {

struct SettingUse {
  const char* setting;
  enum { only_by, all_but } who;
  std::vector<IntegratorType> methods;

  bool used_by(IntegratorType type) const;
};

/// Settings that are not listed are used by all methods.
const std::vector<SettingUse>& setting_uses();

/// "" if the run looks at the setting; else that it does not, who does, and what its method does use.
std::string why_unused(const RunSettings& run, const std::string& setting);

}  // namespace bricard
