// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/assemble.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "bricard/assemble/coordinates.h"
#include "bricard/assemble/formula_binding.h"
#include "bricard/assemble/joint_table.h"
#include "bricard/elements/applied_forces.h"
#include "bricard/elements/coincidences.h"
#include "bricard/elements/curve_constraints.h"
#include "bricard/elements/distances.h"
#include "bricard/elements/rigid_bodies.h"
#include "bricard/elements/rotation_constraints.h"
#include "bricard/elements/slide_constraints.h"
#include "bricard/elements/spring_dampers.h"
#include "bricard/elements/torsion_springs.h"

namespace bricard {
namespace {

/// The model with its names looked up in constant time. Bodies are nodes 1, 2, … in the order of the model; ground is
/// node 0.
struct Named {
  const Model& model;
  std::unordered_map<std::string, int> nodes{{"ground", 0}}, joints;

  explicit Named(const Model& m) : model(m) {
    for (const Body& b : m.bodies) nodes.emplace(b.name, static_cast<int>(nodes.size()));
    for (const Joint& j : m.joints) joints.emplace(j.name, static_cast<int>(joints.size()));
  }
  int node(const Reference& body) const {
    const auto found = nodes.find(body.name);
    if (found == nodes.end()) throw ModelError({{body.place, "unknown body '" + body.name + "'"}});
    return found->second;
  }
  int joint(const Reference& reference) const {
    const auto found = joints.find(reference.name);
    if (found == joints.end()) throw ModelError({{reference.place, "unknown joint '" + reference.name + "'"}});
    return found->second;
  }
  MarkerPose marker(const Reference& reference) const;
};

Vector3d mass_center(const Model& model, int node) {
  return node == 0 ? Vector3d::Zero() : model.bodies[node - 1].mass_center.position;
}

MarkerPose Named::marker(const Reference& reference) const {
  const size_t dot = reference.name.find('.');
  const int n = node({reference.name.substr(0, dot), reference.place});
  const Vector3d center = mass_center(model, n);  // where the node sits in the body frame
  if (dot == std::string::npos) return {n, -center, Matrix3d::Identity()};
  const std::vector<Marker>& markers = n == 0 ? model.ground.markers : model.bodies[n - 1].markers;
  const std::string name = reference.name.substr(dot + 1);
  for (const Marker& m : markers)
    if (m.name == name) return {n, m.position - center, m.orientation.toRotationMatrix()};
  throw ModelError({{reference.place, "unknown marker '" + reference.name + "'"}});
}

bool names_marker(const Reference& reference) { return reference.name.find('.') != std::string::npos; }

/// The start pose of a body's mass centre as the user gave it.
struct Pose {
  Vector3d p = Vector3d::Zero();
  Matrix3d R = Matrix3d::Identity();
};
Pose start_pose(const Model& model, int node) {
  if (node == 0) return {};
  const Body& b = model.bodies[node - 1];
  return {b.position + b.orientation * b.mass_center.position, b.orientation.toRotationMatrix()};
}

MarkerPose marker_at(const Model& model, int node, const Pose& global) {
  const Pose body = start_pose(model, node);
  return {node, body.R.transpose() * (global.p - body.p), body.R.transpose() * global.R};
}

/// Joints whose ends are two different points.
bool joins_points(JointType type) {
  return type == JointType::distance || type == JointType::point_on_curve || type == JointType::curve_on_curve;
}

/// Both markers of a joint. A bare body gets its marker where `at` says or else where the other end's marker is; a rod
/// (distance) or a curve holds it at the origin of its frame. Where only directions matter and no place is given, the
/// markers are at the second body.
std::array<MarkerPose, 2> joint_markers(const Named& named, const Joint& joint) {
  std::array<MarkerPose, 2> markers;
  Pose common;
  bool known = false;
  const bool only_directions = primitives_of(joint.type).plain_rows() > 0 && !primitives_of(joint.type).coincide &&
                               primitives_of(joint.type).slides.empty();
  const bool bare = !names_marker(joint.between[0]) && !names_marker(joint.between[1]);
  if (joint.at || (only_directions && bare)) {
    common.p = joint.at ? *joint.at : start_pose(named.model, named.node(joint.between[1])).p;
    if (joint.axis && joint.second_axis) {
      common.R = frame_from_axes(*joint.axis, *joint.second_axis).toRotationMatrix();
    } else if (joint.axis) {
      common.R = frame_from_axis(*joint.axis).toRotationMatrix();
    }
    known = true;
  }
  for (int e = 0; e < 2; ++e) {
    if (!names_marker(joint.between[e])) continue;
    markers[e] = named.marker(joint.between[e]);
    if (known) continue;
    const Pose body = start_pose(named.model, markers[e].node);
    common = {body.p + body.R * markers[e].r, body.R * markers[e].R};
    known = true;
  }
  for (int e = 0; e < 2; ++e)
    if (!names_marker(joint.between[e]) && joins_points(joint.type))
      markers[e] = named.marker(joint.between[e]);
    else if (!names_marker(joint.between[e])) markers[e] = marker_at(named.model, named.node(joint.between[e]), common);
  if (joint.type == JointType::perpendicular && joint.axis && joint.second_axis) {  // each has its own z axis
    markers[0] = marker_at(named.model, markers[0].node, {common.p, frame_from_axis(*joint.axis).toRotationMatrix()});
    markers[1] = marker_at(named.model, markers[1].node, {common.p, frame_from_axis(*joint.second_axis).toRotationMatrix()});
  }
  return markers;
}

/// Collects the elements of each kind while the joints are numbered.
struct Parts {
  std::vector<Coincidences::Item> coincidences;
  std::vector<AxisConstraints::Item> axes;
  std::vector<SlideConstraints::Item> slides;
  std::vector<Distances::Item> distances;
  std::vector<CoordinateConstraints::Item> coordinates;
  std::vector<CurveConstraints::Item> curves;
};

std::shared_ptr<const Curve> find_curve(const Model& model, const std::optional<Reference>& reference) {
  if (!reference) return nullptr;
  for (const CurveShape& c : model.curves) {
    if (c.name != reference->name) continue;
    if (c.radius) return std::make_shared<Curve>(Curve::ellipse(*c.radius, *c.radius));
    if (c.half_axes) return std::make_shared<Curve>(Curve::ellipse((*c.half_axes)[0], (*c.half_axes)[1]));
    return std::make_shared<Curve>(Curve::spline(c.points, c.closed));
  }
  throw ModelError({{reference->place, "unknown curve '" + reference->name + "'"}});
}

TwoPointPlace two_point_place(const System& system, const MarkerPose& i, const MarkerPose& j) {
  return {i.node, j.node, system.v_of(i.node), system.v_of(j.node), system.nodes()[i.node].block, system.nodes()[j.node].block, i.r, j.r};
}

ConstraintPlace constraint_place(const System& system, const std::array<MarkerPose, 2>& m, int multipliers, int offset, int joint) {
  const int a = m[0].node, b = m[1].node;
  return {a, b, system.v_of(a), system.v_of(b), system.nodes()[a].block, system.nodes()[b].block,
          multipliers, offset, system.row_of(multipliers) + offset, joint};
}

/// A turn W of both markers that leaves a joint's axis constraints what they are but takes them along the principal axes
/// of inertia of the more slender body: equations along other axes are nearly dependent for a thin rod (they all move
/// its light axis), which costs digits in a factorization without pivoting.
Matrix3d slender_axes(const Model& model, const std::array<MarkerPose, 2>& markers, size_t rows) {
  if (rows < 2) return Matrix3d::Identity();
  double slender = 0;
  Matrix3d compliance = Matrix3d::Identity();  // J⁻¹ in marker axes
  for (const MarkerPose& m : markers) {
    if (m.node == 0) continue;
    const Matrix3d J = m.R.transpose() * model.bodies[m.node - 1].inertia * m.R;
    const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues();
    if (moments[2] / moments[0] > slender) slender = moments[2] / moments[0], compliance = J.inverse();
  }
  if (slender < 1.01) return Matrix3d::Identity();
  Matrix3d W = Matrix3d::Identity();
  if (rows == 2) {  // about z only
    const double angle = 0.5 * std::atan2(2 * compliance(0, 1), compliance(0, 0) - compliance(1, 1));
    W = exp_rotation({0, 0, angle}).toRotationMatrix();
  } else {
    W = Eigen::SelfAdjointEigenSolver<Matrix3d>(compliance).eigenvectors();
    if (W.determinant() < 0) W.col(0) *= -1;
  }
  return W;
}

/// The last primitive of those joints that have one beyond coincidence, slides and axes.
void add_special(const Model& model, const Joint& joint, const JointInfo& info, int multipliers, int offset, System& system,
                 Parts& parts) {
  using Special = JointPrimitives::Special;
  const MarkerPose& i = info.markers[0];
  const MarkerPose& j = info.markers[1];
  const int number = static_cast<int>(system.joints.size()) - 1;
  const ConstraintPlace place = constraint_place(system, info.markers, multipliers, offset, number);
  switch (primitives_of(joint.type).special) {
    case Special::none: return;
    case Special::distance: {
      const Pose A = start_pose(model, i.node), B = start_pose(model, j.node);
      const double start_length = (B.p + B.R * j.r - A.p - A.R * i.r).norm();
      const double length = joint.length.value_or(start_length);
      if (!(start_length > 0 && length > 0))
        throw ModelError({{joint.place, "joints." + joint.name + ": the two ends coincide; a distance joint needs a direction between them"}});
      parts.distances.push_back({place, two_point_place(system, i, j), length});
      return;
    }
    case Special::twist: {
      Coordinate twist = make_coordinate(system, Coordinate::Kind::twist, i, j);
      twist.joint = number;
      parts.coordinates.push_back({multipliers, offset, place.row, 1, {twist, {}, {}}, {1, 0, 0}, MotionFunction(0), {}});
      return;
    }
    case Special::screw: {
      CoordinateConstraints::Item row =
          screw_row(system, joint_coordinate(system, number, JointCoordinate::angle),
                    joint_coordinate(system, number, JointCoordinate::translation), *joint.pitch, initial_wishes(model, system));
      row.multipliers = multipliers, row.offset = offset, row.row = place.row;
      parts.coordinates.push_back(row);
      return;
    }
    case Special::curve: {
      const auto first = find_curve(model, joint.curve), second = find_curve(model, joint.second_curve);
      system.joints[number].outlines[0] = first->outline();
      if (second) system.joints[number].outlines[1] = second->outline();
      parts.curves.push_back({place, i, j, first, second, joint.radius.value_or(0),
                              joint.type == JointType::point_on_curve && joint.hold_in_plane, joint.name});
    }
  }
}

int rows_of(const Joint& joint) {
  const bool in_plane = joint.type == JointType::point_on_curve && joint.hold_in_plane;
  return primitives_of(joint.type).rows() + (in_plane ? 1 : 0);
}

void add_joint(const Named& named, const Joint& joint, System& system, Parts& parts) {
  const Model& model = named.model;
  const JointPrimitives& p = primitives_of(joint.type);
  JointInfo info;
  info.name = joint.name;
  info.type = name_of(joint.type);
  info.markers = joint_markers(named, joint);
  const MarkerPose& i = info.markers[0];
  const MarkerPose& j = info.markers[1];
  const int number = static_cast<int>(system.joints.size());
  const int multipliers = system.add_multipliers(rows_of(joint));
  info.first_row = system.row_of(multipliers);
  info.rows = rows_of(joint);
  info.coordinates = p.coordinates;
  for (RelativeCoordinate& c : info.coordinates)
    if (c.kind == RelativeCoordinate::Kind::angle) c.angle_index = system.add_tracked_angle({i, j});
  system.joints.push_back(info);
  int offset = 0;
  if (p.coincide) {
    parts.coincidences.push_back({constraint_place(system, info.markers, multipliers, offset, number), i.r, j.r});
    offset += 3;
  }
  if (!p.slides.empty()) {
    SlideConstraints::Item item{constraint_place(system, info.markers, multipliers, offset, number),
                                static_cast<int>(p.slides.size()), {}, i.r, j.r};
    for (size_t n = 0; n < p.slides.size(); ++n) item.a[n] = i.R.col(p.slides[n]);
    parts.slides.push_back(item);
    offset += item.rows;
  }
  if (!p.axes.empty()) {
    AxisConstraints::Item item{constraint_place(system, info.markers, multipliers, offset, number), static_cast<int>(p.axes.size()), {}, {}};
    const Matrix3d W = slender_axes(model, info.markers, p.axes.size());
    const Matrix3d R_i = i.R * W, R_j = j.R * W;
    for (size_t n = 0; n < p.axes.size(); ++n) {
      item.a[n] = R_i.col(p.axes[n].of_first);
      item.b[n] = R_j.col(p.axes[n].of_second);
    }
    parts.axes.push_back(item);
    offset += item.rows;
  }
  add_special(model, joint, info, multipliers, offset, system, parts);
}

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

void add_joint_forces(const Named& named, System& system) {
  std::vector<JointForces::Item> items;
  const auto add_all = [&](const auto& elements) {
    for (const auto& e : elements)
      items.push_back(joint_force(joint_coordinate(system, named.joint(e.joint), e.coordinate), e));
  };
  add_all(named.model.joint_springs);
  add_all(named.model.joint_stops);
  add_all(named.model.motors);
  if (!items.empty()) system.add(std::make_unique<JointForces>(std::move(items)));
}

void add_fields(const Named& named, System& system) {
  const Model& model = named.model;
  std::vector<Fields::Item> items;
  const auto make_item = [&](const auto& e, const std::optional<Vector3d>& at) {
    std::array<MarkerPose, 2> m;
    for (int n = 0; n < 2; ++n)
      m[n] = at ? marker_at(model, named.node(e.between[n]), {*at, Matrix3d::Identity()}) : named.marker(e.between[n]);
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
    const Pose A = start_pose(model, i.node), B = start_pose(model, j.node);
    const double length = b.length.value_or((B.p + B.R * j.r - A.p - A.R * i.r).norm());
    if (!(length > 0)) throw ModelError({{b.place, "forces." + b.name + ": the two ends coincide at the start; give the beam's length"}});
    set_beam(b, length, items.back());
  }
  if (!items.empty()) system.add(std::make_unique<Fields>(std::move(items)));
}

AppliedForces::Body body_of(const System& system, int node) {
  return {node, system.v_of(node), system.nodes()[node].block};
}

AppliedForces::Item applied_force(const Named& named, const System& system, const AppliedForce& f, FormulaBinder& binder) {
  const MarkerPose m = named.marker(f.on);
  AppliedForces::Item item;
  item.on = body_of(system, m.node);
  item.r = m.r;
  const MarkerPose axes = f.frame.name == "body" ? m : named.marker(f.frame);
  item.axes = body_of(system, axes.node);
  item.R_axes = axes.R;
  if (!f.reaction.name.empty()) item.reaction = body_of(system, named.marker(f.reaction).node);
  item.components = binder.bind({f.force[0], f.force[1], f.force[2], f.torque[0], f.torque[1], f.torque[2]}, {},
                                f.place, "forces." + f.name);
  return item;
}

void add_forces(const Named& named, System& system, FormulaBinder& binder) {
  const Model& model = named.model;
  const auto bind_law = [&](const Expression& law, const std::string& variable, const Place& place, const std::string& name) {
    auto bound = std::make_shared<const MeasuredFormulas>(binder.bind({law}, {variable, "rate"}, place, "forces." + name));
    system.laws[name] = bound;
    return bound;
  };
  std::vector<SpringDampers::Item> springs;
  for (const SpringDamper& s : model.springs) {
    const MarkerPose i = named.marker(s.between[0]), j = named.marker(s.between[1]);
    const Pose A = start_pose(model, i.node), B = start_pose(model, j.node);
    const double length = (B.p + B.R * j.r - A.p - A.R * i.r).norm();
    const double free_length = s.free_length.value_or(length);
    if (length == 0 && (free_length > 0 || s.preload != 0 || s.law))
      throw ModelError({{s.place, "forces." + s.name + ": the two ends coincide at the start, so the force has no direction; "
                                  "move one end or set free_length: 0"}});
    springs.push_back({two_point_place(system, i, j), s.stiffness, s.damping, free_length, s.preload});
    if (s.law) springs.back().law = bind_law(s.law->formula, "length", s.place, s.name);
  }
  if (!springs.empty()) system.add(std::make_unique<SpringDampers>(std::move(springs)));

  std::vector<TorsionSprings::Item> torsion;
  for (const TorsionSpring& s : model.torsion_springs) {
    const Coordinate c = joint_coordinate(system, named.joint(s.joint), JointCoordinate::angle);
    torsion.push_back({c.i.node, c.j.node, c.v_a, c.v_b, c.block_a, c.block_b, c.i.R.col(0), c.i.R.col(1), c.j.R.col(0),
                       c.angle_index, s.stiffness, s.damping, s.free_angle});
    if (s.law) torsion.back().law = bind_law(s.law->formula, "angle", s.place, s.name);
  }
  if (!torsion.empty()) system.add(std::make_unique<TorsionSprings>(std::move(torsion)));

  std::vector<AppliedForces::Item> applied;
  for (const AppliedForce& f : model.forces) applied.push_back(applied_force(named, system, f, binder));
  if (!applied.empty()) system.add(std::make_unique<AppliedForces>(std::move(applied)));
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
  Parts parts;
  for (const Joint& joint : model.joints) add_joint(named, joint, system, parts);
  const State wishes = initial_wishes(model, system);
  for (const Coupler& c : model.couplers) {
    std::vector<int> joints;
    for (const Reference& joint : c.joints) joints.push_back(named.joint(joint));
    parts.coordinates.push_back(coupler_row(c, joints, wishes, system));
  }
  for (const Motion& motion : model.motions) add_motion(named, motion, wishes, system, parts);
  set_reference_values(named, system);
  const double length = system.reference_length;

  system.add(std::make_unique<RigidBodies>(std::move(bodies), model.gravity));
  if (!parts.coincidences.empty()) system.add(std::make_unique<Coincidences>(std::move(parts.coincidences)));
  if (!parts.axes.empty()) system.add(std::make_unique<AxisConstraints>(std::move(parts.axes), length));
  if (!parts.slides.empty()) system.add(std::make_unique<SlideConstraints>(std::move(parts.slides)));
  if (!parts.distances.empty()) system.add(std::make_unique<Distances>(std::move(parts.distances)));
  if (!parts.curves.empty()) system.add(std::make_unique<CurveConstraints>(std::move(parts.curves)));
  if (!parts.coordinates.empty()) system.add(std::make_unique<CoordinateConstraints>(std::move(parts.coordinates), length));
  FormulaBinder binder(system, [&](const Reference& r) { return named.marker(r); },
                       [&](const Reference& r) { return named.joint(r); });
  add_forces(named, system, binder);
  add_joint_forces(named, system);
  add_fields(named, system);
  for (const Signal& s : model.signals)
    system.signals.push_back(std::make_shared<const MeasuredFormulas>(binder.bind({s.value}, {}, s.place, "signals." + s.name)));
  for (const Point& point : model.points) system.points.push_back(named.marker(point.marker));
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
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  system.track_angles(k, VectorXd::Zero(s.angles.size()), s.angles);
  return s;
}

}  // namespace bricard
