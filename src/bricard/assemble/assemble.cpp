// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/assemble.h"

#include "bricard/assemble/beam_line.h"
#include "bricard/assemble/contacts.h"
#include "bricard/assemble/control.h"
#include "bricard/assemble/coordinates.h"
#include "bricard/assemble/events.h"
#include "bricard/assemble/flexible_bodies.h"
#include "bricard/assemble/forces.h"
#include "bricard/assemble/joints.h"
#include "bricard/assemble/reference_values.h"
#include "bricard/assemble/start_checks.h"
#include "bricard/assemble/variant.h"
#include "bricard/elements/rigid_bodies.h"
#include "bricard/system/assertion.h"

namespace bricard {
namespace {

void add_motion(const Named& named, const Motion& motion, const Kinematics& wishes, System& system, Parts& parts) {
  const Coordinate c = motion.between ? marker_coordinate(system, named.marker((*motion.between)[0]),
                                                          named.marker((*motion.between)[1]), motion.coordinate)
                                      : joint_coordinate(system, named.joint(motion.joint), motion.coordinate);
  const int multipliers = system.add_multipliers(1);
  system.motions.push_back({motion.name, c.joint, system.row_of(multipliers), 1});
  const MotionFunction target = motion_function(motion, value_at(wishes, c), named.model.run.duration);
  parts.coordinates.push_back({multipliers,
                               0,
                               system.row_of(multipliers),
                               1,
                               {c, {}, {}},
                               {1, 0, 0},
                               target,
                               {motion.name + (c.turns() ? ".torque" : ".force"), "", ""}});
}

/// A joint or a motion that events switch.
void add_switched_rows(Parts& parts, const SwitchInfo& info, System& system) {
  auto batches = make_batches(parts, system.reference_length);
  if (batches.empty()) return;
  for (size_t b = 0; b < system.blocks().size(); ++b)
    if (const int block = static_cast<int>(b); system.blocks()[b].multiplier && system.row_of(block) == info.first_row)
      return system.add(
          std::make_unique<SwitchedElements>(std::move(batches), info.index, block, info.rows, system.reference_mass));
}

/// Joints, couplers, motions, forces and what is recorded, between frames that are in the system already.
void add_elements(const Named& named, const std::vector<JointRows>& rows, Parts& parts, System& system) {
  const Model& model = named.model;
  const SwitchTable switches(model, system);
  std::vector<Parts> switched(system.switches.size());  // what events switch stays apart
  const auto parts_of = [&](int number) -> Parts& { return number < 0 ? parts : switched[number]; };
  const auto rows_of = [&](int number, const auto& element) {
    if (number >= 0) system.switches[number].first_row = element.first_row, system.switches[number].rows = element.rows;
  };
  for (size_t j = 0; j < rows.size(); ++j) {
    const int number = switches.find(SwitchedKind::joint, model.joints[j].name);
    add_joint(named, model.joints[j], rows[j], system, parts_of(number));
    rows_of(number, system.joints.back());
  }
  State wishes_of_all;
  const Kinematics wishes = wished_frames(model, system, wishes_of_all);
  for (const Coupler& c : model.couplers) {
    std::vector<int> joints;
    for (const Reference& joint : c.joints) joints.push_back(named.joint(joint));
    parts.coordinates.push_back(coupler_row(c, joints, wishes, system));
    system.equations.push_back({EquationInfo::Kind::coupler, c.name, name_of(c.type), parts.coordinates.back().row, 1});
  }
  for (const Motion& motion : model.motions) {
    const int number = switches.find(SwitchedKind::motion, motion.name);
    add_motion(named, motion, wishes, system, parts_of(number));
    rows_of(number, system.motions.back());
  }
  add_velocity_rows(model, system);
  add_beams(named, system);
  set_reference_values(named, system);
  for (auto& batch : make_batches(parts, system.reference_length)) system.add(std::move(batch));
  for (size_t i = 0; i < switched.size(); ++i) add_switched_rows(switched[i], system.switches[i], system);
  FormulaBinder binder(
      system, [&](const Reference& r) { return named.marker(r); }, [&](const Reference& r) { return named.joint(r); });
  define_names(model, binder);
  add_forces(named, switches, system, binder);
  add_differential_equations(model, system, binder);
  add_velocity_constraints(model, system, binder);
  for (const Signal& s : model.signals)
    system.signals.push_back(
        std::make_shared<const MeasuredFormulas>(binder.bind({s.value}, {}, s.place, "signals." + s.name)));
  add_events(model, switches, system, binder);
  for (const Point& point : model.points) system.points.push_back(named.marker(point.marker));
}

}  // namespace

AlignedJoints find_alignment(const Model& model, double angle) { return align_joints(Named(model), angle); }

MarkerPose find_marker(const Model& model, const Reference& reference) { return Named(model).marker(reference); }

System assemble(const Model& model) {
  check_if_built(model);
  return assemble_variant(model);
}

System assemble_variant(const Model& model) {
  const Named named(model);
  System system;
  std::vector<RigidBodies::Item> bodies;
  for (const int n : named.frames.bodies()) {
    const FrameRow& b = named.frames[n];
    const int node = system.add_frame(b.name);
    BRICARD_ASSERT(node == n);
    if (!b.part) bodies.push_back({node, system.nodes()[node].v, system.nodes()[node].block, b.mass, b.inertia});
  }
  add_flexible_unknowns(named.frames, system);
  add_inputs_and_states(model, system);
  add_contact_states(model, system);
  system.add(std::make_unique<RigidBodies>(std::move(bodies), model.gravity));
  add_flexible_bodies(named.frames, model.gravity, system);
  Parts parts;
  if (model.plane != Plane::none)
    for (const int node : named.frames.bodies()) add_plane(named, node, system, parts);
  add_elements(named, joint_rows(named), parts, system);
  return system;
}

void add_between_frames(const Model& model, const std::vector<JointRows>& rows, System& system) {
  Parts parts;
  add_elements(Named(model), rows, parts, system);
}

State initial_wishes(const Model& model, const System& system) {
  State s;
  wished_frames(model, system, s);
  return s;
}

Kinematics wished_frames(const Model& model, const System& system, State& s) {
  s = system.make_state();
  const Named named(model);
  const FrameTable& frames = named.frames;
  for (int n = 0; n < frames.size(); ++n) {
    const FrameNode& node = system.nodes()[n];
    if (node.block < 0) continue;
    s.q.segment<3>(node.q) = frames[n].start.p;
    store_quaternion(s.q, node.q + 3, frames[n].orientation);
    s.v.segment<3>(node.v) = frames[n].velocity;
    s.v.segment<3>(node.v + 3) = frames[n].spin;
  }
  for (const StateInfo& x : system.states) s.v[x.v] = x.start, s.a[x.v] = x.start_rate;
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  for (int n = 0; n < frames.size(); ++n)
    if (system.nodes()[n].follower >= 0)
      k.frames[n] = {frames[n].start.p, frames[n].start.R, frames[n].velocity, frames[n].spin};
  system.track_angles(k, VectorXd::Zero(s.angles.size()), s.angles);
  return k;
}

}  // namespace bricard
