// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/assemble.h"

#include <algorithm>
#include <cmath>

#include "bricard/assemble/coordinates.h"
#include "bricard/assemble/formula_binding.h"
#include "bricard/assemble/joint_table.h"
#include "bricard/assemble/markers.h"
#include "bricard/assemble/plane.h"
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

/// The rows of a joint: what they are, and the markers whose axes they refer to.
struct JointRows {
  JointPrimitives primitives;
  std::array<MarkerPose, 2> markers;
  bool on_curve_plane = false;  ///< a second row of point-on-curve
  int rows() const { return primitives.rows() + (on_curve_plane ? 1 : 0); }
};

JointRows rows_of(const Named& named, const Joint& joint, const std::array<MarkerPose, 2>& markers) {
  const bool on_curve_plane = joint.type == JointType::point_on_curve && joint.hold_in_plane;
  if (named.model.plane == Plane::none) return {primitives_of(joint.type), markers, on_curve_plane};
  const PlanarJoint planar = planar_joint(named, joint);
  if (!planar.fault.empty()) throw ModelError({{joint.place, "joints." + joint.name + ": " + planar.fault}});
  return {planar.primitives, planar.markers, false};
}

/// Coincidence, slides and axes; returns how many rows they are.
int add_primitives(const Model& model, const JointRows& rows, int multipliers, int number, const System& system,
                   Parts& parts) {
  const JointPrimitives& p = rows.primitives;
  const MarkerPose& i = rows.markers[0];
  const MarkerPose& j = rows.markers[1];
  int offset = 0;
  if (p.coincide) {
    parts.coincidences.push_back({constraint_place(system, rows.markers, multipliers, offset, number), i.r, j.r});
    offset += 3;
  }
  if (!p.slides.empty()) {
    SlideConstraints::Item item{constraint_place(system, rows.markers, multipliers, offset, number),
                                static_cast<int>(p.slides.size()), {}, i.r, j.r};
    for (size_t n = 0; n < p.slides.size(); ++n) item.a[n] = i.R.col(p.slides[n]);
    parts.slides.push_back(item);
    offset += item.rows;
  }
  if (!p.axes.empty()) {
    AxisConstraints::Item item{constraint_place(system, rows.markers, multipliers, offset, number),
                               static_cast<int>(p.axes.size()), {}, {}};
    const Matrix3d W = slender_axes(model, rows.markers, p.axes.size());
    const Matrix3d R_i = i.R * W, R_j = j.R * W;
    for (size_t n = 0; n < p.axes.size(); ++n) {
      item.a[n] = R_i.col(p.axes[n].of_first);
      item.b[n] = R_j.col(p.axes[n].of_second);
    }
    parts.axes.push_back(item);
    offset += item.rows;
  }
  return offset;
}

/// The last primitive of those joints that have one beyond coincidence, slides and axes.
void add_special(const Model& model, const Joint& joint, const JointRows& rows, int multipliers, int offset, System& system,
                 Parts& parts) {
  using Special = JointPrimitives::Special;
  const MarkerPose& i = rows.markers[0];
  const MarkerPose& j = rows.markers[1];
  const int number = static_cast<int>(system.joints.size()) - 1;
  const ConstraintPlace place = constraint_place(system, rows.markers, multipliers, offset, number);
  switch (rows.primitives.special) {
    case Special::none: return;
    case Special::distance: {
      const double start_length = (start_pose(model, j).p - start_pose(model, i).p).norm();
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
      parts.curves.push_back({place, i, j, first, second, joint.radius.value_or(0), rows.on_curve_plane, joint.name});
    }
  }
}

void add_joint(const Named& named, const Joint& joint, System& system, Parts& parts) {
  JointInfo info;
  info.name = joint.name;
  info.type = name_of(joint.type);
  info.markers = joint_markers(named, joint);
  const JointRows rows = rows_of(named, joint, info.markers);
  const int number = static_cast<int>(system.joints.size());
  const int multipliers = system.add_multipliers(rows.rows());
  info.first_row = system.row_of(multipliers);
  info.rows = rows.rows();
  info.coordinates = rows.primitives.coordinates;
  const TrackedAngle angle{info.markers[0], info.markers[1]};
  for (RelativeCoordinate& c : info.coordinates)
    if (c.kind == RelativeCoordinate::Kind::angle) c.angle_index = system.add_tracked_angle(angle);
  system.joints.push_back(info);
  const int offset = add_primitives(named.model, rows, multipliers, number, system, parts);
  add_special(named.model, joint, rows, multipliers, offset, system, parts);
}

/// Three rows that keep a body parallel to the plane of the model, and no joint.
void add_plane(const Model& model, int node, System& system, Parts& parts) {
  const JointRows rows{primitives_of(JointType::planar), plane_markers(model, node), false};
  const int multipliers = system.add_multipliers(rows.rows());
  add_primitives(model, rows, multipliers, -1, system, parts);
  system.equations.push_back({EquationInfo::Kind::plane, system.nodes()[node].name, "plane",
                              system.row_of(multipliers), rows.rows()});
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
    const double length = b.length.value_or((start_pose(model, j).p - start_pose(model, i).p).norm());
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
    const double length = (start_pose(model, j).p - start_pose(model, i).p).norm();
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
  for (size_t n = 1; model.plane != Plane::none && n < system.nodes().size(); ++n)
    add_plane(model, static_cast<int>(n), system, parts);
  for (const Joint& joint : model.joints) add_joint(named, joint, system, parts);
  const State wishes = initial_wishes(model, system);
  for (const Coupler& c : model.couplers) {
    std::vector<int> joints;
    for (const Reference& joint : c.joints) joints.push_back(named.joint(joint));
    parts.coordinates.push_back(coupler_row(c, joints, wishes, system));
    system.equations.push_back({EquationInfo::Kind::coupler, c.name, name_of(c.type), parts.coordinates.back().row, 1});
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
