// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/forces.h"

#include "bricard/assemble/coordinates.h"
#include "bricard/elements/applied_forces.h"
#include "bricard/elements/one_sided.h"
#include "bricard/elements/spring_dampers.h"
#include "bricard/elements/torsion_springs.h"

namespace bricard {
namespace {

/// One number for each of a list of forces, −1 if nothing switches it.
template <class Force>
void add_numbers(const SwitchTable& switches, const std::vector<Force>& forces, std::vector<int>& numbers) {
  for (const Force& f : forces) numbers.push_back(switches.find(SwitchedKind::force, f.name));
}

void add_joint_forces(const Named& named, const SwitchTable& switches, System& system, FormulaBinder& binder) {
  std::vector<JointForces::Item> items;
  std::vector<int> numbers;
  add_numbers(switches, named.model.joint_springs, numbers);
  add_numbers(switches, named.model.joint_stops, numbers);
  add_numbers(switches, named.model.motors, numbers);
  const auto coordinate_of = [&](const auto& e) {
    return joint_coordinate(system, named.joint(e.joint), e.coordinate);
  };
  for (const JointSpring& s : named.model.joint_springs) items.push_back(joint_force(coordinate_of(s), s));
  for (const JointStop& s : named.model.joint_stops) {
    items.push_back(joint_force(coordinate_of(s), s));
    items.back().sides = system.add_discrete(one_sided::kByPosition);  // of its lower limit, and
    system.add_discrete(one_sided::kByPosition);                       // of its upper one
    items.back().owner = "joint-stop '" + s.name + "'";
  }
  for (const Motor& m : named.model.motors)
    items.push_back(joint_force(coordinate_of(m), m,
                                std::make_shared<const MeasuredFormulas>(
                                    binder.bind_force({m.force.formula}, {}, m.place, "forces." + m.name))));
  add_switched<JointForces>(system, std::move(items), numbers);
}

/// Whether it minds how its markers are turned.
bool uses_rotation(const Fields::Item& e) {
  const auto in_rotation = [](const Matrix6d& A) {
    return !A.bottomRows<3>().isZero(0) || !A.rightCols<3>().isZero(0);
  };
  return in_rotation(e.stiffness) || in_rotation(e.damping) || !e.preload.tail<3>().isZero(0);
}

void add_fields(const Named& named, const SwitchTable& switches, System& system) {
  const Model& model = named.model;
  std::vector<Fields::Item> items;
  std::vector<int> numbers;
  add_numbers(switches, model.bushings, numbers);
  add_numbers(switches, model.fields, numbers);
  add_numbers(switches, model.beams, numbers);
  const auto make_item = [&](const auto& e, const std::optional<Vector3d>& at) {
    std::array<MarkerPose, 2> m;
    for (int n = 0; n < 2; ++n)
      m[n] = at ? named.frames.marker_at(named.node(e.between[n]), {*at, Matrix3d::Identity()})
                : named.marker(e.between[n]);
    items.push_back(field_item(system, m[0], m[1], e.name));
  };
  for (const Bushing& b : model.bushings) make_item(b, b.at), set_bushing(b, items.back());
  for (const FieldForce& f : model.fields) {
    make_item(f, f.at);
    items.back().stiffness = f.stiffness, items.back().damping = f.damping;
    items.back().free_position = f.free_position, items.back().preload = f.preload;
  }
  for (const BeamForce& b : model.beams) {
    make_item(b, {});
    const MarkerPose &i = items.back().i, &j = items.back().j;
    const double length = b.length.value_or(named.frames.start_distance(i, j));
    if (!(length > 0))
      throw ModelError(
          {{b.place, "forces." + b.name + ": the two ends coincide at the start; give the beam's length"}});
    set_beam(b, length, items.back());
  }
  for (const Fields::Item& e : items)
    if (uses_rotation(e)) system.rotations.push_back({e.i, e.j, "forces." + e.name});
  add_switched<Fields>(system, std::move(items), numbers);
}

AppliedForces::Body body_of(const System& system, int node) { return {node, system.v_of(node), system.block_of(node)}; }

AppliedForces::Item applied_force(const Named& named, const System& system, const AppliedForce& f,
                                  FormulaBinder& binder) {
  const MarkerPose m = named.marker(f.on);
  AppliedForces::Item item;
  item.on = body_of(system, m.node);
  item.r = m.r;
  const MarkerPose axes = f.frame.name == "body" ? m : named.marker(f.frame);
  item.axes = body_of(system, axes.node);
  item.R_axes = axes.R;
  if (!f.reaction.name.empty()) item.reaction = body_of(system, named.marker(f.reaction).node);
  item.components = binder.bind_force({f.force[0], f.force[1], f.force[2], f.torque[0], f.torque[1], f.torque[2]}, {},
                                      f.place, "forces." + f.name);
  item.name = f.name;
  return item;
}

/// A law in a variable of its spring and the rate of it; results show its value.
std::shared_ptr<const MeasuredFormulas> bind_law(const Expression& law, const std::string& variable, const Place& place,
                                                 const std::string& name, System& system, FormulaBinder& binder) {
  auto bound =
      std::make_shared<const MeasuredFormulas>(binder.bind_force({law}, {variable, "rate"}, place, "forces." + name));
  system.laws[name] = bound;
  return bound;
}

void add_springs(const Named& named, const SwitchTable& switches, System& system, FormulaBinder& binder) {
  std::vector<SpringDampers::Item> springs;
  std::vector<int> numbers;
  add_numbers(switches, named.model.springs, numbers);
  for (const SpringDamper& s : named.model.springs) {
    const MarkerPose i = named.marker(s.between[0]), j = named.marker(s.between[1]);
    const double length = named.frames.start_distance(i, j);
    const double free_length = s.free_length.value_or(length);
    if (length == 0 && (free_length > 0 || s.preload != 0 || s.law))
      throw ModelError({{s.place, "forces." + s.name +
                                      ": the two ends coincide at the start, so the force has no direction; "
                                      "move one end or set free_length: 0"}});
    springs.push_back({two_point_place(system, i, j), s.stiffness, s.damping, free_length, s.preload});
    if (s.law) springs.back().law = bind_law(s.law->formula, "length", s.place, s.name, system, binder);
    if (s.acts == SpringAction::both) continue;
    springs.back().direction = s.acts == SpringAction::pull ? 1 : -1;
    springs.back().side = system.add_discrete(one_sided::kByPosition);
    springs.back().owner = "spring-damper '" + s.name + "'";
  }
  add_switched<SpringDampers>(system, std::move(springs), numbers);
}

void add_torsion_springs(const Named& named, const SwitchTable& switches, System& system, FormulaBinder& binder) {
  std::vector<TorsionSprings::Item> torsion;
  std::vector<int> numbers;
  add_numbers(switches, named.model.torsion_springs, numbers);
  for (const TorsionSpring& s : named.model.torsion_springs) {
    const Coordinate c = joint_coordinate(system, named.joint(s.joint), JointCoordinate::angle);
    torsion.push_back({c.i.node, c.j.node, c.v_a, c.v_b, c.block_a, c.block_b, c.i.R.col(0), c.i.R.col(1), c.j.R.col(0),
                       c.angle_index, s.stiffness, s.damping, s.free_angle});
    if (s.law) torsion.back().law = bind_law(s.law->formula, "angle", s.place, s.name, system, binder);
  }
  add_switched<TorsionSprings>(system, std::move(torsion), numbers);
}

}  // namespace

void add_forces(const Named& named, const SwitchTable& switches, System& system, FormulaBinder& binder) {
  add_springs(named, switches, system, binder);
  add_torsion_springs(named, switches, system, binder);
  std::vector<AppliedForces::Item> applied;
  std::vector<int> numbers;
  add_numbers(switches, named.model.forces, numbers);
  for (const AppliedForce& f : named.model.forces) applied.push_back(applied_force(named, system, f, binder));
  add_switched<AppliedForces>(system, std::move(applied), numbers);
  add_joint_forces(named, switches, system, binder);
  add_fields(named, switches, system);
}

}  // namespace bricard
