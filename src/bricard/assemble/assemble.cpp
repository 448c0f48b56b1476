// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/assemble.h"

#include <algorithm>
#include <cmath>

#include "bricard/assemble/control.h"
#include "bricard/assemble/coordinates.h"
#include "bricard/assemble/forces.h"
#include "bricard/assemble/joints.h"
#include "bricard/elements/rigid_bodies.h"

namespace bricard {
namespace {

void add_motion(const Named& named, const Motion& motion, const State& wishes, System& system, Parts& parts) {
  const Coordinate c =
      motion.between ? marker_coordinate(system, named.marker((*motion.between)[0]), named.marker((*motion.between)[1]), motion.coordinate)
                     : joint_coordinate(system, named.joint(motion.joint), motion.coordinate);
  const int multipliers = system.add_multipliers(1);
  system.motions.push_back({motion.name, c.joint, system.row_of(multipliers), 1});
  const MotionFunction target = motion_function(motion, value_at(system, wishes, c), named.model.run.duration);
  parts.coordinates.push_back({multipliers, 0, system.row_of(multipliers), 1, {c, {}, {}}, {1, 0, 0}, target,
                               {motion.name + (c.turns() ? ".torque" : ".force"), "", ""}});
}

/// m_r: mean mass; ℓ_r: mean over the bodies of the farthest joint from the mass centre (else radius of gyration);
/// k_r, d_r: springs and dampers shared out over the bodies.          [Bauchau2009, eq. (6)]
void set_reference_values(const Named& named, System& system) {
  const Model& model = named.model;
  const double n = static_cast<double>(model.bodies.size());
  std::vector<double> lever(model.bodies.size() + 1, 0);
  for (const JointInfo& joint : system.joints)
    for (const MarkerPose& m : joint.markers) lever[m.node] = std::max(lever[m.node], m.r.norm());
  double mass = 0, length = 0;
  for (size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& b = model.bodies[i];
    mass += b.mass / n;
    length += (lever[i + 1] > 0 ? lever[i + 1] : std::sqrt(b.inertia.trace() / b.mass)) / n;
  }
  length = model.run.reference_length.value_or(length);
  double stiffness = 0, damping = 0;
  for (const SpringDamper& s : model.springs) stiffness += s.stiffness / n, damping += s.damping / n;
  for (const TorsionSpring& s : model.torsion_springs) {
    stiffness += s.stiffness / (length * length * n);
    damping += s.damping / (length * length * n);
  }
  for (const JointSpring& s : model.joint_springs) {
    const bool turns = joint_coordinate(system, named.joint(s.joint), s.coordinate).turns();
    const double square = turns ? length * length : 1;
    stiffness += s.stiffness / (square * n), damping += s.damping / (square * n);
  }
  for (const Bushing& b : model.bushings) stiffness += b.stiffness.mean() / n, damping += b.damping.mean() / n;
  for (const FieldForce& f : model.fields) {
    stiffness += f.stiffness.diagonal().head<3>().mean() / n;
    damping += f.damping.diagonal().head<3>().mean() / n;
  }
  system.reference_mass = mass;
  system.reference_length = length;
  system.reference_stiffness = stiffness;
  system.reference_damping = damping;
}

/// Joints, couplers, motions, forces and what is recorded, between frames that are in the system already.
void add_elements(const Named& named, const std::vector<JointRows>& rows, Parts& parts, System& system) {
  const Model& model = named.model;
  for (size_t j = 0; j < rows.size(); ++j) add_joint(named, model.joints[j], rows[j], system, parts);
  const State wishes = initial_wishes(model, system);
  for (const Coupler& c : model.couplers) {
    std::vector<int> joints;
    for (const Reference& joint : c.joints) joints.push_back(named.joint(joint));
    parts.coordinates.push_back(coupler_row(c, joints, wishes, system));
    system.equations.push_back({EquationInfo::Kind::coupler, c.name, name_of(c.type), parts.coordinates.back().row, 1});
  }
  for (const Motion& motion : model.motions) add_motion(named, motion, wishes, system, parts);
  add_velocity_rows(model, system);
  set_reference_values(named, system);
  const double length = system.reference_length;

  if (!parts.coincidences.empty()) system.add(std::make_unique<Coincidences>(std::move(parts.coincidences)));
  if (!parts.axes.empty()) system.add(std::make_unique<AxisConstraints>(std::move(parts.axes), length));
  if (!parts.slides.empty()) system.add(std::make_unique<SlideConstraints>(std::move(parts.slides)));
  if (!parts.distances.empty()) system.add(std::make_unique<Distances>(std::move(parts.distances)));
  if (!parts.rolling.empty()) system.add(std::make_unique<RollingConstraints>(std::move(parts.rolling)));
  if (!parts.curves.empty()) system.add(std::make_unique<CurveConstraints>(std::move(parts.curves)));
  if (!parts.coordinates.empty()) system.add(std::make_unique<CoordinateConstraints>(std::move(parts.coordinates), length));
  FormulaBinder binder(system, [&](const Reference& r) { return named.marker(r); },
                       [&](const Reference& r) { return named.joint(r); });
  define_names(model, binder);
  add_forces(named, system, binder);
  add_differential_equations(model, system, binder);
  add_velocity_constraints(model, system, binder);
  for (const Signal& s : model.signals)
    system.signals.push_back(std::make_shared<const MeasuredFormulas>(binder.bind({s.value}, {}, s.place, "signals." + s.name)));
  for (const Point& point : model.points) system.points.push_back(named.marker(point.marker));
}

}  // namespace

MarkerPose find_marker(const Model& model, const Reference& reference) { return Named(model).marker(reference); }

System assemble(const Model& model) {
  const Named named(model);
  System system;
  std::vector<RigidBodies::Item> bodies;
  for (const Body& b : model.bodies) {
    const int node = system.add_frame(b.name);
    bodies.push_back({node, system.nodes()[node].v, system.nodes()[node].block, b.mass, b.inertia});
  }
  add_inputs_and_states(model, system);
  system.add(std::make_unique<RigidBodies>(std::move(bodies), model.gravity));
  Parts parts;
  for (size_t n = 1; model.plane != Plane::none && n < system.nodes().size(); ++n)
    add_plane(model, static_cast<int>(n), system, parts);
  std::vector<JointRows> rows;
  for (const Joint& joint : model.joints) rows.push_back(rows_of(named, joint));
  add_elements(named, rows, parts, system);
  return system;
}

System assemble_between_frames(const Model& model, const std::vector<JointRows>& rows) {
  System system;
  for (const Body& b : model.bodies) system.add_frame(b.name);
  add_inputs_and_states(model, system);
  Parts parts;
  add_elements(Named(model), rows, parts, system);
  return system;
}

State initial_wishes(const Model& model, const System& system) {
  State s = system.make_state();
  for (size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& b = model.bodies[i];
    const FrameNode& node = system.nodes()[i + 1];
    const Vector3d c = b.orientation * b.mass_center.position;
    s.q.segment<3>(node.q) = b.position + c;
    store_quaternion(s.q, node.q + 3, b.orientation);
    s.v.segment<3>(node.v) = b.velocity + b.angular_velocity.cross(c);
    s.v.segment<3>(node.v + 3) = b.orientation.conjugate() * b.angular_velocity;
  }
  for (const StateInfo& x : system.states) s.v[x.v] = x.start, s.a[x.v] = x.start_rate;
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  system.track_angles(k, VectorXd::Zero(s.angles.size()), s.angles);
  return s;
}

}  // namespace bricard
