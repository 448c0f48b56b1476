// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/assemble.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "bricard/assemble/formula_binding.h"
#include "bricard/assemble/joint_table.h"
#include "bricard/elements/applied_forces.h"
#include "bricard/elements/coincidences.h"
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
  const JointInfo& joint(const System& system, const Reference& reference) const {
    const auto found = joints.find(reference.name);
    if (found == joints.end()) throw ModelError({{reference.place, "unknown joint '" + reference.name + "'"}});
    return system.joints[found->second];
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

/// Both markers of a joint. A bare body gets its marker where `at` says or else where the other end's marker is; a rod
/// (distance) holds it at the origin of its frame.
std::array<MarkerPose, 2> joint_markers(const Named& named, const Joint& joint) {
  std::array<MarkerPose, 2> markers;
  Pose common;
  bool known = false;
  if (joint.at) {
    common.p = *joint.at;
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
    if (!names_marker(joint.between[e]) && joint.type == JointType::distance)
      markers[e] = named.marker(joint.between[e]);
    else if (!names_marker(joint.between[e])) markers[e] = marker_at(named.model, named.node(joint.between[e]), common);
  return markers;
}

/// Collects the elements of each kind while the joints are numbered.
struct Parts {
  std::vector<Coincidences::Item> coincidences;
  std::vector<AxisConstraints::Item> axes;
  std::vector<SlideConstraints::Item> slides;
  std::vector<Distances::Item> distances;
  std::vector<AngleMotions::Item> angle_motions;
};

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
  const int multipliers = system.add_multipliers(p.rows());
  info.first_row = system.row_of(multipliers);
  info.rows = p.rows();
  int offset = 0;
  if (p.coincide) {
    parts.coincidences.push_back({constraint_place(system, info.markers, multipliers, offset, number), i.r, j.r});
    offset += 3;
  }
  if (p.slides > 0) {
    parts.slides.push_back({constraint_place(system, info.markers, multipliers, offset, number), p.slides,
                            {i.R.col(0), i.R.col(1), i.R.col(2)}, i.r, j.r, Expression(0.0)});
    offset += p.slides;
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
  if (p.distance) {
    const Pose A = start_pose(model, i.node), B = start_pose(model, j.node);
    const double start_length = (B.p + B.R * j.r - A.p - A.R * i.r).norm();
    const double length = joint.length.value_or(start_length);
    if (!(start_length > 0 && length > 0))
      throw ModelError({{joint.place, "joints." + joint.name + ": the two ends coincide; a distance joint needs a direction between them"}});
    parts.distances.push_back({constraint_place(system, info.markers, multipliers, offset, number), two_point_place(system, i, j), length});
  }
  info.coordinates = p.coordinates;
  for (RelativeCoordinate& c : info.coordinates)
    if (c.kind == RelativeCoordinate::Kind::angle) c.angle_index = system.add_tracked_angle({i, j});
  system.joints.push_back(info);
}

int angle_index_of(const JointInfo& joint) {
  for (const RelativeCoordinate& c : joint.coordinates)
    if (c.angle_index >= 0) return c.angle_index;
  return -1;
}

void add_motion(const Named& named, const Motion& motion, System& system, Parts& parts) {
  const JointInfo& joint = named.joint(system, motion.joint);
  const int number = static_cast<int>(&joint - system.joints.data());
  const int multipliers = system.add_multipliers(1);
  system.motions.push_back({motion.name, number, system.row_of(multipliers), 1});
  const ConstraintPlace place = constraint_place(system, joint.markers, multipliers, 0, number);
  const MarkerPose& i = joint.markers[0];
  const MarkerPose& j = joint.markers[1];
  const bool turns = motion.coordinate == JointCoordinate::angle ||
                     (motion.coordinate == JointCoordinate::automatic && angle_index_of(joint) >= 0);
  if (turns) {
    parts.angle_motions.push_back({place, i.R.col(0), i.R.col(1), j.R.col(0), motion.displacement});
  } else {
    parts.slides.push_back({place, 1, {i.R.col(2), Vector3d::Zero(), Vector3d::Zero()}, i.r, j.r, motion.displacement});
  }
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
    const JointInfo& joint = named.joint(system, s.joint);
    const MarkerPose& i = joint.markers[0];
    const MarkerPose& j = joint.markers[1];
    torsion.push_back({i.node, j.node, system.v_of(i.node), system.v_of(j.node), system.nodes()[i.node].block,
                       system.nodes()[j.node].block, i.R.col(0), i.R.col(1), j.R.col(0), angle_index_of(joint),
                       s.stiffness, s.damping, s.free_angle});
    if (s.law) torsion.back().law = bind_law(s.law->formula, "angle", s.place, s.name);
  }
  if (!torsion.empty()) system.add(std::make_unique<TorsionSprings>(std::move(torsion)));

  std::vector<AppliedForces::Item> applied;
  for (const AppliedForce& f : model.forces) applied.push_back(applied_force(named, system, f, binder));
  if (!applied.empty()) system.add(std::make_unique<AppliedForces>(std::move(applied)));
}

/// m_r: mean mass; ℓ_r: mean over the bodies of the farthest joint from the mass centre (else radius of gyration);
/// k_r, d_r: springs and dampers shared out over the bodies.          [Bauchau2009, eq. (6)]
void set_reference_values(const Model& model, System& system) {
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
  for (const Motion& motion : model.motions) add_motion(named, motion, system, parts);
  set_reference_values(model, system);
  const double length = system.reference_length;

  system.add(std::make_unique<RigidBodies>(std::move(bodies), model.gravity));
  if (!parts.coincidences.empty()) system.add(std::make_unique<Coincidences>(std::move(parts.coincidences)));
  if (!parts.axes.empty()) system.add(std::make_unique<AxisConstraints>(std::move(parts.axes), length));
  if (!parts.slides.empty()) system.add(std::make_unique<SlideConstraints>(std::move(parts.slides)));
  if (!parts.distances.empty()) system.add(std::make_unique<Distances>(std::move(parts.distances)));
  if (!parts.angle_motions.empty()) system.add(std::make_unique<AngleMotions>(std::move(parts.angle_motions), length));
  FormulaBinder binder(system, [&](const Reference& r) { return named.marker(r); },
                       [&](const Reference& r) { return static_cast<int>(&named.joint(system, r) - system.joints.data()); });
  add_forces(named, system, binder);
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
  return s;
}

}  // namespace bricard
