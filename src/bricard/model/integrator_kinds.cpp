// SPDX-License-Identifier: Apache-2.0
#include "bricard/model/integrator_kinds.h"

#include <algorithm>

namespace bricard {
namespace {

using Settings = std::vector<std::string_view>;

Settings operator+(Settings some, const Settings& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

std::vector<IntegratorKind> describe_integrators() {
  using enum IntegratorType;
  using enum IntegratorKind::Family;
  const Settings rtol{"rtol"}, newton{"tolerance", "max_iterations"}, refined{"singular_refinement"};
  const Settings step = Settings{"projection"} + newton + Settings{"scaling"}, augmentable{"augmentation"};
  const Settings index3 = step + augmentable + refined;
  const Settings penalties{"penalty", "omega", "xi", "passes"};
  return {
      {hht, "hht", {"hht-i3"}, "second order, numerical damping by alpha", implicit, Settings{"alpha"} + rtol + index3},
      {newmark,
       "newmark",
       {},
       "second order without damping; gamma > 1/2 damps, first order",
       implicit,
       Settings{"beta", "gamma"} + rtol + index3},
      {generalized_alpha,
       "generalized-alpha",
       {},
       "second order, damping by rho_infinity",
       implicit,
       Settings{"rho_infinity"} + rtol + index3},
      {midpoint, "midpoint", {}, "second order, forces of both ends averaged", implicit, index3},
      {nstiff, "nstiff", {}, "BDF of order 2", implicit, rtol + index3},
      {bdf, "bdf", {}, "BDF of order 1 to 5; with rtol of variable order", implicit, Settings{"order"} + rtol + index3},
      {radau, "radau", {"radau-iia"}, "Radau IIA with three stages, fifth order", implicit, rtol + index3, false, true},
      {radau_1, "radau-1", {"backward-euler"}, "Radau IIA with one stage, first order", implicit, rtol + index3},
      {energy_decaying,
       "energy-decaying",
       {},
       "third order without spin; energy never grows",
       implicit,
       step + refined},
      {nstiff_si2,
       "nstiff-si2",
       {},
       "BDF of order 2, velocities satisfy the constraints, too",
       implicit,
       rtol + index3},
      {hht_add,
       "hht-add",
       {},
       "HHT with the constraint forces of both ends",
       implicit,
       Settings{"alpha", "b"} + rtol + step + refined},
      {hht_si2,
       "hht-si2",
       {},
       "HHT, velocities satisfy the constraints, too",
       implicit,
       Settings{"alpha"} + rtol + index3},
      {rk4, "rk4", {}, "explicit Runge-Kutta of fourth order", explicit_, refined, false, true},
      {dopri,
       "dopri",
       {},
       "explicit Runge-Kutta of Dormand and Prince, fifth order",
       explicit_,
       rtol + refined,
       false,
       true},
      {penalty_euler, "penalty-euler", {}, "penalty, forward Euler", augmented, penalties + newton + refined},
      {al_euler, "al-euler", {}, "augmented Lagrangian, forward Euler", augmented, penalties + newton + refined},
      {ah_euler, "ah-euler", {}, "augmented Hamiltonian, forward Euler", augmented, penalties + newton, true},
      {penalty, "penalty", {}, "penalty, trapezoidal rule", augmented, penalties + newton + refined},
      {al, "al", {}, "augmented Lagrangian, trapezoidal rule", augmented, penalties + newton + refined},
      {ah, "ah", {}, "augmented Hamiltonian, trapezoidal rule", augmented, penalties + newton, true},
      {alnr, "alnr", {}, "augmented Lagrangian, Newton's method", augmented, penalties + newton + refined},
      {ahnr, "ahnr", {}, "augmented Hamiltonian, Newton's method", augmented, penalties + newton, true},
      {ali3,
       "ali3",
       {},
       "augmented Lagrangian of index 3 with projections",
       augmented,
       Settings{"penalty", "passes"} + newton + refined},
  };
}

/// a, b and c
template <class Names>
std::string listed(const Names& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + std::string(names[i]);
  return text;
}

/// "only 'hht' and 'hht-add' do", or who does not, whichever are fewer; "" if all do.
std::string users(std::string_view setting) {
  std::vector<std::string> by, not_by;
  for (const IntegratorKind& kind : integrator_kinds())
    (kind.uses(setting) ? by : not_by).push_back(std::string("'") + kind.word + "'");
  if (by.empty() || not_by.empty()) return "";
  if (by.size() <= not_by.size()) return "only " + listed(by) + (by.size() > 1 ? " do" : " does");
  return "all but " + listed(not_by) + " do";
}

}  // namespace

bool IntegratorKind::uses(std::string_view setting) const {
  return std::find(settings.begin(), settings.end(), setting) != settings.end();
}

bool IntegratorKind::owns(std::string_view setting) const {
  constexpr std::string_view kShared[] = {"rtol",    "projection",   "tolerance",          "max_iterations",
                                          "scaling", "augmentation", "singular_refinement"};
  return uses(setting) && std::find(std::begin(kShared), std::end(kShared), setting) == std::end(kShared);
}

const std::vector<IntegratorKind>& integrator_kinds() {
  static const std::vector<IntegratorKind> kinds = describe_integrators();
  return kinds;
}

const IntegratorKind& kind_of(IntegratorType type) {
  const auto is_it = [type](const IntegratorKind& kind) { return kind.type == type; };
  const auto found = std::find_if(integrator_kinds().begin(), integrator_kinds().end(), is_it);
  return found != integrator_kinds().end() ? *found : integrator_kinds().front();
}

const char* name_of(IntegratorType type) {
  return type == IntegratorType::automatic ? "automatic" : kind_of(type).word;
}

// Measured in docs/performance.md: a formula of second order pays for fixed steps, where each costs little and redundant
// joints and singular positions are passed at any size; for an error that is asked for Radau IIA takes the fewest.
IntegratorType chosen_integrator(const RunSettings& run) {
  if (run.integrator != IntegratorType::automatic) return run.integrator;
  return run.rtol ? IntegratorType::radau : IntegratorType::hht;
}

RunSettings resolved(RunSettings run) {
  run.integrator = chosen_integrator(run);
  return run;
}

bool is_augmented(IntegratorType type) { return kind_of(type).family == IntegratorKind::Family::augmented; }
bool knows_its_error(IntegratorType type) { return kind_of(type).uses("rtol"); }

SettingGroup group_of(std::string_view setting) {
  constexpr std::string_view kExpert[] = {"tolerance", "max_iterations",   "hmin",         "solver",
                                          "scaling",   "reference_length", "augmentation", "singular_refinement"};
  if (std::find(std::begin(kExpert), std::end(kExpert), setting) != std::end(kExpert)) return SettingGroup::expert;
  const auto owns = [&](const IntegratorKind& kind) { return kind.owns(setting); };
  return std::any_of(integrator_kinds().begin(), integrator_kinds().end(), owns) ? SettingGroup::method
                                                                                 : SettingGroup::everyday;
}

std::string why_unused(const RunSettings& run, const std::string& setting) {
  if (setting == "atol" || setting == "hmin" || setting == "hmax")
    return run.rtol ? "" : "has a meaning only with rtol, a tolerance instead of a step";
  if (setting == "singular_refinement" && run.rtol) return "has a meaning only with a step; with rtol the error rules";
  const IntegratorKind& kind = kind_of(chosen_integrator(run));
  const std::string others = users(setting);
  if (others.empty() || kind.uses(setting)) return "";
  const std::string method = std::string("'") + kind.word + "'";
  const std::string automatic = run.integrator == IntegratorType::automatic ? ", which the program chooses here," : "";
  return "the integrator " + method + automatic + " does not use this, " + others +
         (kind.settings.empty() ? "" : "; " + method + " uses " + listed(kind.settings));
}

}  // namespace bricard
