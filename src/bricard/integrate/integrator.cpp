// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/integrator.h"

#include <fmt/format.h>

#include <algorithm>

#include "bricard/elements/measured_formulas.h"
#include "bricard/integrate/ali3.h"
#include "bricard/integrate/augmented_hamiltonian.h"
#include "bricard/integrate/augmented_lagrangian.h"
#include "bricard/integrate/bdf.h"
#include "bricard/integrate/energy_decaying.h"
#include "bricard/integrate/explicit_runge_kutta.h"
#include "bricard/integrate/generalized_alpha.h"
#include "bricard/integrate/hht_add.h"
#include "bricard/integrate/midpoint.h"
#include "bricard/integrate/radau.h"

namespace bricard {
namespace {

constexpr int kUsualOrder = 2;  // of bdf with fixed steps

// A change of the step disturbs the velocities of an index-3 formula in the directions of the constraints; with a
// tolerance they are made consistent after each step.
RunSettings with_projection(RunSettings settings) {
  if (settings.rtol && settings.projection == ProjectionMode::automatic) settings.projection = ProjectionMode::full;
  return settings;
}

/// What an event does with joints or reactions: in natural coordinates bodies share points in the place of joints.
std::string event_beyond_frames(const System& system) {
  for (const SwitchInfo& x : system.switches)
    for (const JointInfo& joint : system.joints)
      if (x.rows > 0 && joint.rows > 0 && joint.first_row == x.first_row)
        return fmt::format("{} is switched by events", x.name);
  for (const EventInfo& event : system.events)
    if (event.when->sees_accelerations())
      return fmt::format("event '{}' looks at accelerations or reactions", event.name);
  return "";
}

}  // namespace

// Two methods and the augmented ones take the forces and those of the constraints apart, which is not possible if one
// depends on the other. They know positions of the constraints and their rates, and most of them no differential states: these
// have no energy, and no part in a matrix without multipliers.
std::string why_not(const System& system, const RunSettings& settings) {
  const IntegratorType type = chosen_integrator(settings);
  const auto is_rotation = [](const Manifold::Block& b) { return b.kind == Manifold::Kind::rotation; };
  const auto& blocks = system.manifold().blocks();
  if (kind_of(type).hamiltonian && settings.coordinates != Coordinates::natural &&
      std::any_of(blocks.begin(), blocks.end(), is_rotation))
    return fmt::format("'{}' needs a constant mass matrix; use it with coordinates: natural, or take ali3",
                       name_of(type));
  if (kind_of(type).hamiltonian && !system.rotors.empty())
    return fmt::format(
        "'{}' needs a constant mass matrix, which the rotor_inertia of joint '{}' does not leave; take ali3",
        name_of(type), system.rotors[0]);
  if ((kind_of(type).hamiltonian || type == IntegratorType::energy_decaying) && !system.flexible.empty())
    return fmt::format(
        "'{}' needs a constant mass matrix, which the flexible body '{}' does not have; take hht or radau",
        name_of(type), system.flexible[0].name);
  if (settings.coordinates == Coordinates::natural && !system.flexible.empty())
    return fmt::format("'{}' is flexible, which natural coordinates cannot take; use coordinates: bodies",
                       system.flexible[0].name);
  if (settings.coordinates == Coordinates::natural)
    if (const std::string event = event_beyond_frames(system); !event.empty())
      return fmt::format("{}, which natural coordinates cannot take; use coordinates: bodies", event);
  const bool adds = type == IntegratorType::hht_add;
  if (!adds && type != IntegratorType::energy_decaying && !is_augmented(type)) return "";
  std::string what;
  if (!adds && !system.states.empty()) what = fmt::format("'{}' is a differential state", system.states[0].name);
  for (const StateInfo& x : system.states)
    if (adds && x.implicit) what = fmt::format("states.{} is an equation that is not solved for the rate", x.name);
  if (what.empty() && !system.velocity_rows().empty())
    what = fmt::format("{} is a condition on velocities", system.row_name(system.velocity_rows()[0]));
  if (what.empty() && !system.acceleration_laws.empty())
    what = fmt::format("{} depends on accelerations or reactions", system.acceleration_laws[0]);
  if (what.empty()) return "";
  return fmt::format("{}, which '{}' cannot take; use {}", what, name_of(type), adds ? "hht-si2" : "hht or radau");
}

std::unique_ptr<Integrator> make_integrator(const System& system, const RunSettings& given, const Tolerances& t) {
  const RunSettings s = with_projection(resolved(given));
  const auto alpha_family = [&](const AlphaCoefficients& c, bool stabilized) {
    return std::make_unique<GeneralizedAlpha>(system, c, stabilized, s, t);
  };
  switch (s.integrator) {
    case IntegratorType::automatic: break;  // resolved
    case IntegratorType::hht: return alpha_family(hht_coefficients(s.alpha), false);
    case IntegratorType::newmark: return alpha_family(newmark_coefficients(s.beta, s.gamma), false);
    case IntegratorType::generalized_alpha: return alpha_family(generalized_alpha_coefficients(s.rho_infinity), false);
    case IntegratorType::hht_si2: return alpha_family(hht_coefficients(s.alpha), true);
    case IntegratorType::midpoint: return std::make_unique<Midpoint>(system, s, t);
    case IntegratorType::nstiff: return std::make_unique<Bdf>(system, 2, false, s, t);
    case IntegratorType::nstiff_si2: return std::make_unique<Bdf>(system, 2, true, s, t);
    case IntegratorType::bdf:
      return std::make_unique<Bdf>(system, s.order.value_or(s.rtol ? Bdf::kMaxOrder : kUsualOrder), false, s, t);
    case IntegratorType::radau: return std::make_unique<RadauIia>(system, 3, s, t);
    case IntegratorType::radau_1: return std::make_unique<RadauIia>(system, 1, s, t);
    case IntegratorType::energy_decaying: return std::make_unique<EnergyDecaying>(system, s, t);
    case IntegratorType::hht_add: return std::make_unique<HhtAdd>(system, s, t);
    case IntegratorType::rk4: return std::make_unique<ExplicitRungeKutta>(system, rk4_tableau(), s, t);
    case IntegratorType::dopri: return std::make_unique<ExplicitRungeKutta>(system, dopri_tableau(), s, t);
    case IntegratorType::penalty_euler:
    case IntegratorType::al_euler:
    case IntegratorType::penalty:
    case IntegratorType::al:
    case IntegratorType::alnr: return std::make_unique<AugmentedLagrangian>(system, s, t);
    case IntegratorType::ah_euler:
    case IntegratorType::ah:
    case IntegratorType::ahnr: return std::make_unique<AugmentedHamiltonian>(system, s, t);
    case IntegratorType::ali3: return std::make_unique<Ali3>(system, s, t);
  }
  return nullptr;
}

}  // namespace bricard
