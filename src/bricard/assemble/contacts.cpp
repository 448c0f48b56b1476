// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bricard/assemble/beam_line.h"
#include "bricard/assemble/beam_mesh.h"
#include "bricard/assemble/joints.h"
#include "bricard/elements/one_sided.h"

namespace bricard {
namespace {

/// A point of the first end: where its shape sits in the marker.
struct PointPlace {
  ShapePair pair;
  Vector3d offset = Vector3d::Zero();
};

/// A row of this for each type of contact: the points at which its shapes can touch.
std::vector<PointPlace> point_places(const Contact& c) {
  const Vector3d half_axis(0, 0, 0.5 * c.length.value_or(0));
  switch (c.type) {
    case ContactType::sphere_on_plane:
    case ContactType::beam_on_plane: return {{ShapePair::sphere_on_plane}};
    case ContactType::sphere_on_sphere: return {{ShapePair::sphere_on_sphere}};
    case ContactType::capsule_on_plane:
      return {{ShapePair::sphere_on_plane, -half_axis}, {ShapePair::sphere_on_plane, half_axis}};
    case ContactType::disc_on_plane: return {{ShapePair::disc_on_plane}};
    case ContactType::cylinder_on_plane:
      return {{ShapePair::disc_on_plane, -half_axis}, {ShapePair::disc_on_plane, half_axis}};
    case ContactType::sphere_on_curve: return {{ShapePair::sphere_on_curve}};
    case ContactType::box_on_plane: break;
  }
  std::vector<PointPlace> corners;
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5})
      for (const double z : {-0.5, 0.5})
        corners.push_back({ShapePair::sphere_on_plane, c.size->cwiseProduct(Vector3d(x, y, z))});
  return corners;
}

/// The bodies that are nodes of a beam.
std::vector<std::string> nodes_of(const Model& model, const Reference& beam) {
  std::vector<std::string> nodes;
  for (const FlexibleBeam& b : model.flexible_beams) {
    if (b.name != beam.name) continue;
    const size_t count = beam_mesh(b, beam_line(b).length).nodes().size();
    for (size_t i = 0; i < count; ++i) nodes.push_back(b.node_name(i));
  }
  return nodes;
}

size_t points_of(const Model& model, const Contact& c) {
  const size_t places = point_places(c).size();
  return c.type == ContactType::beam_on_plane ? places * nodes_of(model, c.between[0]).size() : places;
}

FrictionLaw friction_of(const Contact& c) {
  FrictionLaw f;
  f.sliding = c.friction_coefficient, f.sticking = c.static_coefficient.value_or(c.friction_coefficient);
  f.stribeck_speed = c.stribeck_speed, f.stribeck_exponent = c.stribeck_exponent;
  f.slip_speed = c.slip_speed.value_or(0), f.bristles = c.bristle_stiffness.value_or(0);
  f.damping = c.bristle_damping, f.viscous = c.viscous_friction;
  return f;
}

//     k = 4/3 E* √R,   1/R = 1/R₁ + 1/R₂
double hertz_stiffness(const Contact& c) {
  const double curvature = 1 / *c.radius + (c.second_radius ? 1 / *c.second_radius : 0);
  return 4.0 / 3 * *c.contact_modulus / std::sqrt(curvature);
}

std::string state_name(const std::string& contact, size_t point, size_t points, int axis) {
  return points == 1 ? fmt::format("{}.z{}", contact, axis + 1)
                     : fmt::format("{}.{}.z{}", contact, point + 1, axis + 1);
}

}  // namespace

void add_contact_states(const Model& model, System& system) {
  for (const Contact& c : model.contacts) {
    if (!c.has_bristles()) continue;
    const FrictionLaw friction = friction_of(c);
    const size_t points = points_of(model, c);
    for (size_t i = 0; i < points; ++i) {
      std::vector<StateInfo> bristles;
      for (int axis = 0; axis < 3; ++axis) {
        StateInfo& z = bristles.emplace_back(StateInfo{state_name(c.name, i, points, axis), "m"});
        z.scale = friction.sticking / friction.bristles;
      }
      system.add_states(bristles);
    }
  }
}

std::vector<Contacts::Item> contact_points(const Named& named, const System& system, const Contact& c) {
  Contacts::Item e;
  e.a = named.marker(c.between[1]);
  e.v_a = system.v_of(e.a.node), e.block_a = system.block_of(e.a.node);
  e.radius = c.radius.value_or(0), e.second_radius = c.second_radius.value_or(c.tube_radius.value_or(0));
  e.curve = find_curve(named.model, c.curve);
  e.stiffness = c.stiffness.value_or(0), e.dissipation = c.dissipation;
  if (c.contact_modulus) e.stiffness = hertz_stiffness(c), e.exponent = 1.5;
  if (c.restitution) e.dissipation = dissipation_of(*c.restitution) / *c.impact_speed;
  e.friction = friction_of(c);
  e.name = c.name;
  std::vector<MarkerPose> carriers;
  if (c.type == ContactType::beam_on_plane)
    for (const std::string& node : nodes_of(named.model, c.between[0]))
      carriers.push_back(named.marker({node, c.between[0].place}));
  else carriers.push_back(named.marker(c.between[0]));
  std::vector<Contacts::Item> points;
  for (const MarkerPose& carrier : carriers)
    for (const PointPlace& place : point_places(c)) {
      e.pair = place.pair;
      e.b = carrier;
      e.b.r += carrier.R * place.offset;
      e.v_b = system.v_of(e.b.node), e.block_b = system.block_of(e.b.node);
      points.push_back(e);
    }
  return points;
}

void number_contact(std::vector<Contacts::Item>& points, System& system) {
  for (size_t i = 0; i < points.size(); ++i) {
    Contacts::Item& e = points[i];
    e.side = system.add_discrete(one_sided::kByPosition);
    if (!e.has_bristles()) continue;
    const std::string first = state_name(e.name, i, points.size(), 0);
    const auto z =
        std::find_if(system.states.begin(), system.states.end(), [&](const StateInfo& x) { return x.name == first; });
    e.states = z->v, e.state_block = z->block;
  }
}

double contact_stiffness(const Contact& c) {
  if (c.stiffness) return *c.stiffness;
  return c.contact_modulus ? 1.5 * hertz_stiffness(c) * std::sqrt(0.01 * *c.radius) : 0;
}

void check_overlap(const Contact& c, const std::vector<Contacts::Item>& points, const Kinematics& start,
                   double length) {
  double deepest = 0;
  for (const Contacts::Item& e : points) deepest = std::max(deepest, -contact_gap(e, start));
  const double most = c.radius ? *c.radius : c.size ? 0.5 * c.size->minCoeff() : 0.1 * length;
  if (deepest < most) return;
  throw ModelError(
      {{c.place, fmt::format("contacts.{}: overlaps by {:.4g} m at the start; '{}' must be on the side of z "
                             "of '{}', or outside of its curve, less than {:.4g} m deep",
                             c.name, deepest, c.between[0].name, c.between[1].name, most)}});
}

}  // namespace bricard
