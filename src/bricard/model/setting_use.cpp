// SPDX-License-Identifier: Apache-2.0
#include "bricard/model/setting_use.h"

#include <algorithm>

namespace bricard {
namespace {

/// a, b and c
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  return text;
}

std::string users(const SettingUse& use) {
  std::vector<std::string> names;
  for (const IntegratorType type : use.methods) names.push_back(std::string("'") + name_of(type) + "'");
  if (use.who == SettingUse::only_by) return "only " + listed(names) + (names.size() > 1 ? " do" : " does");
  return "all but " + listed(names) + " do";
}

std::string uses_of(IntegratorType type) {
  std::vector<std::string> names;
  for (const SettingUse& use : setting_uses())
    if (use.used_by(type)) names.push_back(use.setting);
  return listed(names);
}

}  // namespace

bool SettingUse::used_by(IntegratorType type) const {
  const bool named = std::find(methods.begin(), methods.end(), type) != methods.end();
  return named == (who == only_by);
}

const std::vector<SettingUse>& setting_uses() {
  using enum IntegratorType;
  using Methods = std::vector<IntegratorType>;
  static const Methods stabilized_by_penalty{penalty_euler, al_euler, ah_euler, penalty, al, ah, alnr, ahnr};
  static const auto with = [](Methods some, const Methods& more) {
    some.insert(some.end(), more.begin(), more.end());
    return some;
  };
  static const Methods augmented = with(stabilized_by_penalty, {ali3});
  static const std::vector<SettingUse> uses{
      {"alpha", SettingUse::only_by, {hht, hht_add, hht_si2}},
      {"rho_infinity", SettingUse::only_by, {generalized_alpha}},
      {"beta", SettingUse::only_by, {newmark}},
      {"gamma", SettingUse::only_by, {newmark}},
      {"b", SettingUse::only_by, {hht_add}},
      {"order", SettingUse::only_by, {bdf}},
      {"penalty", SettingUse::only_by, augmented},
      {"omega", SettingUse::only_by, stabilized_by_penalty},
      {"xi", SettingUse::only_by, stabilized_by_penalty},
      {"passes", SettingUse::only_by, augmented},
      {"rtol", SettingUse::all_but, with({midpoint, energy_decaying, rk4}, augmented)},
      {"projection", SettingUse::all_but, with({rk4, dopri}, augmented)},  // these always project
      {"tolerance", SettingUse::all_but, {rk4, dopri}},                    // these do not iterate
      {"max_iterations", SettingUse::all_but, {rk4, dopri}},
      {"scaling", SettingUse::all_but, with({rk4, dopri}, augmented)},
      {"augmentation", SettingUse::all_but, with({energy_decaying, hht_add, rk4, dopri}, augmented)},
      {"singular_refinement", SettingUse::all_but, {ah_euler, ah, ahnr}}};  // whose momenta lose by it
  return uses;
}

std::string why_unused(const RunSettings& run, const std::string& setting) {
  if (setting == "atol" || setting == "hmin" || setting == "hmax")
    return run.rtol ? "" : "has a meaning only with rtol, a tolerance instead of a step";
  if (setting == "singular_refinement" && run.rtol) return "has a meaning only with a step; with rtol the error rules";
  for (const SettingUse& use : setting_uses()) {
    if (use.setting != setting || use.used_by(run.integrator)) continue;
    const std::string method = std::string("'") + name_of(run.integrator) + "'";
    const std::string others = uses_of(run.integrator);
    return "the integrator " + method + " does not use this, " + users(use) +
           (others.empty() ? "" : "; " + method + " uses " + others);
  }
  return "";
}

}  // namespace bricard
