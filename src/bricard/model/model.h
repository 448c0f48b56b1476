// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bricard/math/expression.h"
#include "bricard/math/rotation.h"
#include "bricard/math/spline.h"
#include "bricard/model/beam.h"
#include "bricard/model/control.h"
#include "bricard/model/events.h"
#include "bricard/model/fields.h"
#include "bricard/model/flexible.h"
#include "bricard/model/forces.h"
#include "bricard/model/joint_elements.h"
#include "bricard/model/material.h"
#include "bricard/model/reduced_part.h"
#include "bricard/model/run_settings.h"
#include "bricard/model/source.h"

// What the user said: plain structs, names, no numerics. SI units and radians.
namespace bricard {

/// A named frame on a body (or on ground). The reader leaves it relative to the body frame.
struct Marker {
  std::string name;
  Place place;
  Vector3d position = Vector3d::Zero();
  Quaterniond orientation = Quaterniond::Identity();
  Reference relative_to{};
  int interface =
      -1;  ///< of a flexible body, that it sits on; position and orientation are those of the undeformed body
  static constexpr auto fields() {
    return std::tuple{
        field(&Marker::position, "position", "m", "origin of the marker in the frame it is relative to"),
        field(&Marker::orientation, "orientation", "", "axes of the marker relative to that frame"),
        field(&Marker::relative_to, "relative_to", "",
              "another marker of the body, or ground: then where the marker is at the start; body frame if absent")};
  }
};

/// A place on a body: a position in the body frame, or the name of one of its markers (the reader finds the position).
struct BodyPoint {
  Vector3d position = Vector3d::Zero();
  Reference marker;
};

/// A number in kg/m³ or the name of a material.
struct Density {
  double value = 0;
};

enum class ShapeType { box, cylinder, tube, sphere, cone, rod };

/// A homogeneous solid: what the viewer draws and, if it has a density or a mass, a part of the body's mass.
struct Shape {
  Place place;
  ShapeType type = ShapeType::box;
  Vector3d size = Vector3d::Zero();
  double radius = 0, inner_radius = 0, top_radius = 0, length = 0;
  std::optional<BodyPoint> from, to;
  Vector3d position = Vector3d::Zero();
  Quaterniond orientation = Quaterniond::Identity();
  std::optional<Density> density;
  std::optional<double> mass;
  std::string color;
  static constexpr auto fields() {
    return std::tuple{
        required(&Shape::type, "type", "", "box, cylinder, tube, sphere, cone or rod"),
        field(&Shape::size, "size", "m", "edges of a box along x, y, z"),
        field(&Shape::radius, "radius", "m", "of all but a box; of a cone at its lower end, of a tube outside"),
        field(&Shape::inner_radius, "inner_radius", "m", "of a tube"),
        field(&Shape::top_radius, "top_radius", "m", "of a cone at its upper end; 0 if absent"),
        field(&Shape::length, "length", "m", "of a cylinder, tube or cone, along its z axis"),
        field(&Shape::from, "from", "m", "rod: one end, a position in the body frame or a marker of the body"),
        field(&Shape::to, "to", "m", "rod: the other end"),
        field(&Shape::position, "position", "m", "centre of the shape in the body frame; middle of its axis"),
        field(&Shape::orientation, "orientation", "", "axes of the shape relative to the body frame"),
        field(&Shape::density, "density", "kg/m^3", "number or name of a material, as steel; gives the body mass"),
        field(&Shape::mass, "mass", "kg", "of the shape, in the place of a density"),
        field(&Shape::color, "color", "", "#rrggbb; chosen by the viewer if absent")};
  }
};

/// A mass without extent, welded to a body.
struct PointMass {
  Place place;
  double mass = 0;
  BodyPoint at;
  static constexpr auto fields() {
    return std::tuple{required(&PointMass::mass, "mass", "kg", "> 0"),
                      required(&PointMass::at, "at", "m", "a position in the body frame or a marker of the body")};
  }
};

/// A rigid or flexible body. Its frame may sit anywhere on it; mass, mass centre and inertia (about the mass centre, in body axes) are
/// those of the whole body once it is read.
struct Body {
  std::string name;
  Place place;
  double mass = 0;
  Matrix3d inertia = Matrix3d::Zero();
  Reference inertia_about;
  BodyPoint mass_center;
  Vector3d position = Vector3d::Zero();
  Quaterniond orientation = Quaterniond::Identity();
  Reference relative_to = {};
  Vector3d velocity = Vector3d::Zero();
  Vector3d angular_velocity = Vector3d::Zero();
  bool fixed = false;
  double weight = 1;
  std::vector<Marker> markers;
  std::vector<Shape> shapes;
  std::vector<PointMass> point_masses;
  std::optional<FlexibleBody> flexible;
  std::shared_ptr<const ReducedPart> part;  ///< of a flexible body, with the shapes that count
  static constexpr auto fields() {
    return std::tuple{
        field(&Body::mass, "mass", "kg", "> 0"),
        field(
            &Body::inertia, "inertia", "kg*m^2",
            "about the centre of mass in body axes: [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]; planar models: "
            "one number"),
        field(&Body::inertia_about, "inertia_about", "",
              "marker of the body about whose origin and in whose axes the inertia is given"),
        field(&Body::mass_center, "mass_center", "m",
              "position in the body frame or a marker of the body; origin of the body frame if absent"),
        field(&Body::position, "position", "m", "start position of the body frame, ground frame"),
        field(&Body::orientation, "orientation", "", "start orientation of the body axes"),
        field(&Body::relative_to, "relative_to", "",
              "marker of another body: position and orientation are in its frame instead of the ground frame"),
        field(&Body::velocity, "velocity", "m/s", "start velocity of the origin of the body frame, ground frame"),
        field(&Body::angular_velocity, "angular_velocity", "rad/s", "start angular velocity, ground frame"),
        field(&Body::fixed, "fixed", "", "true: the start pose is kept when the joints are closed"),
        field(&Body::weight, "weight", "", "> 1: moves less than others when the joints are closed, < 1: more"),
        field(&Body::markers, "markers", "", "named frames on the body"),
        field(&Body::shapes, "shapes", "", "solids: looks and, with a density or mass, mass of the body"),
        field(&Body::point_masses, "point_masses", "", "masses without extent, welded to the body"),
        field(&Body::flexible, "flexible", "",
              "a body that deforms in a few shapes: {file: arm.flex.h5} or {rod: {...}, modes: 6}")};
  }
};

/// Everything that does not move.
struct Ground {
  std::vector<Marker> markers;
  std::vector<Shape> shapes;
  static constexpr auto fields() {
    return std::tuple{field(&Ground::markers, "markers", "", "named frames that do not move"),
                      field(&Ground::shapes, "shapes", "", "what the viewer draws")};
  }
};

/// Connects two frames. Each end is `body` or `body.marker` (or `ground`, `ground.marker`).
/// With `at` the two markers are made from the start positions, z along `axis`.
struct Joint {
  std::string name;
  Place place;
  JointType type = JointType::fixed;
  std::array<Reference, 2> between;
  std::optional<Vector3d> at;
  std::optional<Vector3d> axis;
  std::optional<Vector3d> second_axis;
  std::optional<double> length;
  std::optional<double> pitch = {};
  std::optional<Reference> curve = {}, second_curve = {};
  std::optional<double> radius = {}, tube_radius = {};
  bool hold_in_plane = true;
  JointNumber rotor_inertia = 0;
  double gear_ratio = 1;
  JointStart start = {}, start_velocity = {};
  /// Whether it says where one of its bodies is at the start.
  bool is_placing() const { return !start.numbers.empty() || !start_velocity.numbers.empty(); }
  static constexpr auto fields() {
    return std::tuple{
        required(&Joint::type, "type", "", kJointWords.data()),
        required(&Joint::between, "between", "", "the two frames: body or body.marker"),
        field(&Joint::at, "at", "m", "where the joint is at the start, ground frame; makes both markers"),
        field(&Joint::axis, "axis", "any", "direction of the joint's z axis at the start, ground frame"),
        field(&Joint::second_axis, "second_axis", "any",
              "universal: axis fixed in the second body, perpendicular to `axis`"),
        field(&Joint::length, "length", "m", "distance: length of the rod; start distance if absent", Range::positive),
        field(&Joint::pitch, "pitch", "m", "screw: way per turn, < 0 for a left-hand thread"),
        field(&Joint::curve, "curve", "", "curve joints: the curve in the x-y plane of the first marker"),
        field(&Joint::second_curve, "second_curve", "", "curve-on-curve: that of the second marker"),
        field(&Joint::radius, "radius", "m",
              "point-on-curve: of a roller about the point, outside of the curve; rolling: of the wheel, to the middle "
              "of its rim"),
        field(&Joint::tube_radius, "tube_radius", "m", "rolling: of the rim's round section; 0, a thin disc, if absent",
              Range::not_negative),
        field(&Joint::hold_in_plane, "hold_in_plane", "",
              "point-on-curve: false if other joints keep the point in the plane of the curve"),
        field(&Joint::rotor_inertia, "rotor_inertia", "kg*m^2 or kg",
              "of the motor's rotor about its axis; of a motor along a translational joint the mass that moves, >= 0",
              Range::not_negative),
        field(&Joint::gear_ratio, "gear_ratio", "", "turns, or way, of the rotor per turn, or way, of the joint",
              Range::not_zero),
        field(&Joint::start, "start", "rad or m",
              "coordinates at the start, a number or a list: moves the second body there; 0 with start_velocity"),
        field(&Joint::start_velocity, "start_velocity", "rad/s or m/s", "their rates; 0 if absent")};
  }
};

/// Points of a function, for formulas.
struct NamedTable {
  std::string name;
  Place place;
  Table table;
};

/// A formula that other formulas use by its name.
struct NamedFormula {
  std::string name;
  Place place;
  Expression formula;
};

/// A formula whose value is recorded.
struct Signal {
  std::string name;
  Place place;
  Expression value;
  std::string unit;
};

/// A point whose path is recorded (signals name.x, name.y, name.z) and drawn.
struct Point {
  std::string name;
  Reference marker;
};

struct Parameter {
  std::string name;
  double value = 0;  ///< in SI
  std::string unit;  ///< SI unit, "" for plain numbers
};

/// Where all bodies move: anywhere, or parallel to a plane of the ground frame.
enum class Plane { none, xy, yz, zx };

/// Of Model::align, rad; larger angles are no slips of the pen.
inline constexpr double kMostAligned = 1e-2;

/// With the lists of its forces.
struct Model : ForceLists {
  // In model.cpp: what the compiler writes to copy and destroy so many lists takes it seconds in each file that does so.
  Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;
  ~Model();

  std::string name;
  std::string description;
  std::vector<SourceFile> sources;  ///< the files it was read from; sources[0] is the main one
  std::vector<Parameter> parameters;
  Vector3d gravity{0, 0, -9.81};
  Plane plane = Plane::none;
  double align = 1e-6;  ///< rad; axes on a body that are parallel or perpendicular within this are made so, 0: as given
  Ground ground;
  std::vector<Material> materials;  ///< its own, besides those that every model knows
  std::vector<Body> bodies;
  std::vector<FlexibleBeam> flexible_beams;  ///< their nodes are among the bodies
  std::vector<Joint> joints;
  std::vector<Motion> motions;
  std::vector<Coupler> couplers;
  std::vector<CurveShape> curves;
  std::vector<Point> points;
  std::vector<NamedTable> tables;
  std::vector<NamedFormula> expressions;
  std::vector<Signal> signals;  ///< what is recorded; also the outputs of a linearization
  std::vector<Input> inputs;
  std::vector<DifferentialEquation> states;
  std::vector<Variable> variables;
  std::vector<TransferFunction> transfer_functions;
  std::vector<StateSpace> state_spaces;
  std::vector<Pid> pids;
  std::vector<VelocityConstraint> velocity_constraints;
  std::vector<Event> events;
  std::vector<Reference> inactive;  ///< forces, joints and motions that are off at the start
  RunSettings run;
};

const char* name_of(ShapeType type);
const char* name_of(CouplerType type);
const char* name_of(Plane plane);

/// The direction across a plane, ground axes.
Vector3d normal_of(Plane plane);

}  // namespace bricard
