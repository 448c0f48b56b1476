// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/joints.h"

#include <cmath>

#include "bricard/assemble/assemble.h"
#include "bricard/assemble/coordinates.h"
#include "bricard/assemble/joint_table.h"
#include "bricard/assemble/plane.h"

namespace bricard {

std::shared_ptr<const Curve> find_curve(const Model& model, const std::optional<Reference>& reference) {
  if (!reference) return nullptr;
  for (const CurveShape& c : model.curves) {
    if (c.name != reference->name) continue;
    if (c.radius) return std::make_shared<Curve>(Curve::ellipse(*c.radius, *c.radius));
    if (c.half_axes) return std::make_shared<Curve>(Curve::ellipse((*c.half_axes)[0], (*c.half_axes)[1]));
    if (c.x)
      return std::make_shared<Curve>(
          Curve::formula(c.x->formula, c.y->formula, (*c.range)[0], (*c.range)[1], c.closed));
    return std::make_shared<Curve>(Curve::spline(c.points, c.closed));
  }
  throw ModelError({{reference->place, "unknown curve '" + reference->name + "'"}});
}

namespace {

ConstraintPlace constraint_place(const System& system, const std::array<MarkerPose, 2>& m, int multipliers, int offset,
                                 int joint) {
  const int a = m[0].node, b = m[1].node;
  return {a,
          b,
          system.v_of(a),
          system.v_of(b),
          system.block_of(a),
          system.block_of(b),
          multipliers,
          offset,
          system.row_of(multipliers) + offset,
          joint};
}

/// A turn W of both markers that leaves a joint's axis constraints what they are but takes them along the principal axes
/// of inertia of the more slender body: equations along other axes are nearly dependent for a thin rod (they all move
/// its light axis), which costs digits in a factorization without pivoting.
Matrix3d slender_axes(const FrameTable& frames, const std::array<MarkerPose, 2>& markers, size_t rows) {
  if (rows < 2) return Matrix3d::Identity();
  double slender = 0;
  Matrix3d compliance = Matrix3d::Identity();  // J⁻¹ in marker axes
  for (const MarkerPose& m : markers) {
    if (!(frames[m.node].mass > 0)) continue;
    const Matrix3d J = m.R.transpose() * frames[m.node].inertia * m.R;
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

/// Coincidence, slides and axes; returns how many rows they are.
int add_primitives(const FrameTable& frames, const JointRows& rows, int multipliers, int number, const System& system,
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
                                static_cast<int>(p.slides.size()),
                                {},
                                i.r,
                                j.r};
    for (size_t n = 0; n < p.slides.size(); ++n) item.a[n] = i.R.col(p.slides[n]);
    parts.slides.push_back(item);
    offset += item.rows;
  }
  if (!p.axes.empty()) {
    AxisConstraints::Item item{
        constraint_place(system, rows.markers, multipliers, offset, number), static_cast<int>(p.axes.size()), {}, {}};
    const Matrix3d W = slender_axes(frames, rows.markers, p.axes.size());
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
void add_special(const Named& named, const Joint& joint, const JointRows& rows, int multipliers, int offset,
                 System& system, Parts& parts) {
  using Special = JointPrimitives::Special;
  const Model& model = named.model;
  const MarkerPose& i = rows.markers[0];
  const MarkerPose& j = rows.markers[1];
  const int number = static_cast<int>(system.joints.size()) - 1;
  const ConstraintPlace place = constraint_place(system, rows.markers, multipliers, offset, number);
  switch (rows.primitives.special) {
    case Special::none: return;
    case Special::distance: {
      const double start_length = named.frames.start_distance(i, j);
      const double length = joint.length.value_or(start_length);
      if (!(start_length > 0 && length > 0))
        throw ModelError(
            {{joint.place,
              "joints." + joint.name + ": the two ends coincide; a distance joint needs a direction between them"}});
      parts.distances.push_back({place, two_point_place(system, i, j), length});
      return;
    }
    case Special::twist: {
      Coordinate twist = make_coordinate(system, Coordinate::Kind::twist, i, j);
      twist.joint = number;
      parts.coordinates.push_back(
          {multipliers, offset, place.row, 1, {twist, {}, {}}, {1, 0, 0}, MotionFunction(0), {}});
      return;
    }
    case Special::screw: {
      State wishes;
      CoordinateConstraints::Item row = screw_row(joint_coordinate(system, number, JointCoordinate::angle),
                                                  joint_coordinate(system, number, JointCoordinate::translation),
                                                  *joint.pitch, wished_frames(model, system, wishes));
      row.multipliers = multipliers, row.offset = offset, row.row = place.row;
      parts.coordinates.push_back(row);
      return;
    }
    case Special::knife_edge:
    case Special::rolling: {
      const bool wheel = joint.type == JointType::rolling;
      RollingConstraints::Item item{{{}, multipliers, offset, place.row, number},
                                    i,
                                    j,
                                    wheel,
                                    joint.radius.value_or(0),
                                    joint.tube_radius.value_or(0),
                                    wheel ? rows.no_slip : std::vector<Vector3d>{j.R.col(2)},
                                    joint.name};
      for (const MarkerPose& m : {i, j})
        if (m.node > 0) item.place.nodes.push_back({m.node, system.v_of(m.node), system.block_of(m.node)});
      for (size_t n = 0; n < item.directions.size(); ++n)
        system.add_velocity_row(place.row + (wheel ? 1 : 0) + static_cast<int>(n));
      parts.rolling.push_back(item);
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

JointRows rows_of(const Named& named, const Joint& joint, const JointEnds& ends) {
  const bool on_curve_plane = joint.type == JointType::point_on_curve && joint.hold_in_plane;
  const bool wheel = joint.type == JointType::rolling;
  if (named.model.plane == Plane::none) {
    JointRows rows{primitives_of(joint.type), ends, on_curve_plane, {}, ends};
    if (wheel) rows.no_slip = {rows.markers[0].R.col(0), rows.markers[0].R.col(1)};
    return rows;
  }
  const PlanarJoint planar = planar_joint(named, joint);
  if (!planar.fault.empty()) throw ModelError({{joint.place, "joints." + joint.name + ": " + planar.fault}});
  JointRows rows{planar.primitives, planar.markers, false, {}, ends};
  const MarkerPose& plane = rows.markers[0];
  if (wheel)
    rows.no_slip = {
        (named.frames[plane.node].start.R.transpose() * normal_of(named.model.plane)).cross(plane.R.col(2))};
  return rows;
}

}  // namespace

std::vector<JointRows> joint_rows(const Named& named) {
  const AlignedJoints aligned = align_joints(named, named.model.align);
  std::vector<JointRows> rows;
  for (size_t j = 0; j < aligned.ends.size(); ++j)
    rows.push_back(rows_of(named, named.model.joints[j], aligned.ends[j]));
  return rows;
}

void add_joint(const Named& named, const Joint& joint, const JointRows& rows, System& system, Parts& parts) {
  JointInfo info;
  info.name = joint.name;
  info.type = name_of(joint.type);
  info.markers = rows.ends;
  const int number = static_cast<int>(system.joints.size());
  const int multipliers = rows.rows() > 0 ? system.add_multipliers(rows.rows()) : -1;
  info.first_row = multipliers < 0 ? 0 : system.row_of(multipliers);
  info.rows = rows.rows();
  info.coordinates = rows.primitives.coordinates;
  for (RelativeCoordinate& c : info.coordinates) {
    using Kind = RelativeCoordinate::Kind;
    const MarkerPose& i = info.markers[0];
    const MarkerPose& j = info.markers[1];
    if (c.kind == Kind::angle || c.kind == Kind::first_angle) c.angle_index = system.add_tracked_angle({i, j});
    if (c.kind == Kind::second_angle) c.angle_index = system.add_tracked_angle(second_angle(i, j));
  }
  system.joints.push_back(info);
  if (const double ratio = joint.gear_ratio; joint.rotor_inertia > 0) {
    system.rotors.push_back(joint.name);
    parts.rotors.push_back(
        {joint_coordinate(system, number, JointCoordinate::automatic), ratio * ratio * joint.rotor_inertia});
  }
  if (multipliers < 0) return;
  const int offset = add_primitives(named.frames, rows, multipliers, number, system, parts);
  add_special(named, joint, rows, multipliers, offset, system, parts);
}

void add_plane(const Named& named, int node, System& system, Parts& parts) {
  const JointRows rows{primitives_of(JointType::planar), plane_markers(named, node), false};
  const int multipliers = system.add_multipliers(rows.rows());
  add_primitives(named.frames, rows, multipliers, -1, system, parts);
  system.equations.push_back(
      {EquationInfo::Kind::plane, named.frames[node].name, "plane", system.row_of(multipliers), rows.rows()});
}

}  // namespace bricard
