// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "bricard/math/expression.h"
#include "bricard/math/rotation.h"
#include "bricard/model/fields.h"
#include "bricard/model/force_kind.h"
#include "bricard/model/source.h"

// Contacts between shapes on two frames.                                     theory: docs/theory/contact.md
namespace bricard {

/// Which shapes: that of the first end, on that of the second one.
enum class ContactType {
  sphere_on_plane,
  sphere_on_sphere,
  capsule_on_plane,
  box_on_plane,
  disc_on_plane,
  cylinder_on_plane,
  sphere_on_curve,
  beam_on_plane
};

/// The sizes that a type of contact takes; all but those in `may` are needed.
struct ContactKind {
  ContactType type;
  const char* word;
  std::array<const char*, 3> needs{}, may{};
  constexpr bool takes(std::string_view key) const {
    for (const auto* keys : {&needs, &may})
      for (const char* k : *keys)
        if (k && key == k) return true;
    return false;
  }
};
inline constexpr ContactKind kContactKinds[] = {
    {ContactType::sphere_on_plane, "sphere-on-plane", {"radius"}},
    {ContactType::sphere_on_sphere, "sphere-on-sphere", {"radius", "second_radius"}},
    {ContactType::capsule_on_plane, "capsule-on-plane", {"radius", "length"}},
    {ContactType::box_on_plane, "box-on-plane", {"size"}},
    {ContactType::disc_on_plane, "disc-on-plane", {"radius"}, {"tube_radius"}},
    {ContactType::cylinder_on_plane, "cylinder-on-plane", {"radius", "length"}},
    {ContactType::sphere_on_curve, "sphere-on-curve", {"curve"}, {"radius"}},
    {ContactType::beam_on_plane, "beam-on-plane", {"radius"}}};
constexpr const ContactKind& kind_of(ContactType type) { return kContactKinds[static_cast<int>(type)]; }
static_assert([] {
  for (size_t i = 0; i < std::size(kContactKinds); ++i)
    if (kContactKinds[i].type != static_cast<ContactType>(i)) return false;
  return true;
}());

/// A formula in `depth`, `rate` and t.
struct ContactLaw {
  Expression formula;
};

/// Presses where the depth a > 0:  N = k aᵖ (1 + c ȧ) ≥ 0, or a formula; friction is proportional to N.
struct Contact {
  static constexpr ForceKind kind{"contact", "contact", {}, "contacts"};
  std::string name;
  Place place;
  ContactType type = ContactType::sphere_on_plane;
  std::array<Reference, 2> between;
  std::optional<double> radius = {}, second_radius = {}, tube_radius = {}, length = {};
  std::optional<Vector3d> size = {};
  std::optional<Reference> curve = {};
  std::optional<double> stiffness, contact_modulus;
  std::optional<ContactLaw> law;
  double dissipation = 0;
  std::optional<double> restitution, impact_speed;
  double friction_coefficient = 0;
  std::optional<double> static_coefficient;
  double stribeck_speed = 1e-3, stribeck_exponent = 2;
  std::optional<double> slip_speed, bristle_stiffness;
  double bristle_damping = 0, viscous_friction = 0;
  /// Whether its friction has states.
  bool has_bristles() const { return bristle_stiffness.has_value(); }
  static constexpr auto fields() {
    return std::tuple{
        required(&Contact::type, "type", "",
                 "which shapes: sphere-on-plane, sphere-on-sphere, capsule-on-plane, box-on-plane, disc-on-plane, "
                 "cylinder-on-plane, sphere-on-curve or beam-on-plane"),
        required(&Contact::between, "between", "",
                 "the two frames, body or body.marker: first that of the sphere or the like, then that of the plane z "
                 "= 0 or "
                 "the curve"),
        field(&Contact::radius, "radius", "m", "of the sphere, disc, cylinder or rounded ends, > 0", Range::positive),
        field(&Contact::second_radius, "second_radius", "m", "sphere-on-sphere: of the second one, > 0",
              Range::positive),
        field(&Contact::tube_radius, "tube_radius", "m", "disc-on-plane: of the round section of its rim; 0 if absent",
              Range::positive),
        field(&Contact::length, "length", "m", "of a cylinder or capsule along z of its marker, its middle there, > 0",
              Range::positive),
        field(&Contact::size, "size", "m", "box-on-plane: edges along x, y, z of its marker, its middle there",
              Range::positive),
        field(&Contact::curve, "curve", "", "sphere-on-curve: in the x-y plane of the second marker"),
        field(&Contact::stiffness, "stiffness", "N/m", "N = stiffness depth, > 0", Range::positive),
        field(&Contact::contact_modulus, "contact_modulus", "N/m^2",
              "after Hertz: E* with 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2, > 0; spheres only", Range::positive),
        field(&Contact::law, "law", "N", "N by a formula in depth, rate and t"),
        field(&Contact::dissipation, "dissipation", "s/m", "c of the factor 1 + c rate, >= 0", Range::not_negative),
        field(&Contact::restitution, "restitution", "", "speed after an impact over that before, > 0, <= 1; gives c",
              Range::positive),
        field(&Contact::impact_speed, "impact_speed", "m/s", "before the impact, for which restitution holds, > 0",
              Range::positive),
        field(&Contact::friction_coefficient, "friction_coefficient", "", "of sliding, >= 0", Range::not_negative),
        field(&Contact::static_coefficient, "static_coefficient", "",
              "before sliding, >= friction_coefficient, which it is if absent", Range::not_negative),
        field(&Contact::stribeck_speed, "stribeck_speed", "m/s", "at which the one turns into the other, > 0",
              Range::positive),
        field(&Contact::stribeck_exponent, "stribeck_exponent", "", "of that, > 0; 2 if absent", Range::positive),
        field(&Contact::slip_speed, "slip_speed", "m/s",
              "Coulomb's law, smooth below about this speed, > 0: it creeps; a tenth of the slowest sliding",
              Range::positive),
        field(&Contact::bristle_stiffness, "bristle_stiffness", "1/m",
              "LuGre's law, which sticks: sigma_0, force over normal force and way, > 0", Range::positive),
        field(&Contact::bristle_damping, "bristle_damping", "s/m", "LuGre: sigma_1, >= 0", Range::not_negative),
        field(&Contact::viscous_friction, "viscous_friction", "s/m", "sigma_2, force over normal force and speed, >= 0",
              Range::not_negative)};
  }
};

}  // namespace bricard
