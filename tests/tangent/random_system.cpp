// SPDX-License-Identifier: Apache-2.0
#include "tangent/random_system.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bricard/assemble/coordinates.h"
#include "bricard/assemble/formula_binding.h"
#include "bricard/elements/applied_forces.h"
#include "bricard/elements/beams.h"
#include "bricard/elements/coincidences.h"
#include "bricard/elements/contacts.h"
#include "bricard/elements/coordinate_constraints.h"
#include "bricard/elements/curve_constraints.h"
#include "bricard/elements/differential_states.h"
#include "bricard/elements/distances.h"
#include "bricard/elements/fields.h"
#include "bricard/elements/joint_forces.h"
#include "bricard/elements/modal_bodies.h"
#include "bricard/elements/one_sided.h"
#include "bricard/elements/rigid_bodies.h"
#include "bricard/elements/rolling_constraints.h"
#include "bricard/elements/rotation_constraints.h"
#include "bricard/elements/rotor_inertias.h"
#include "bricard/elements/slide_constraints.h"
#include "bricard/elements/spring_dampers.h"
#include "bricard/elements/switched_elements.h"
#include "bricard/elements/torsion_springs.h"
#include "bricard/elements/velocity_constraints.h"
#include "tangent/mass_cloud.h"

namespace bricard::testing {
namespace {

constexpr double kLength = 0.7;

Expression formula(const std::string& text) { return Expression::parse(text, {}, true); }

ConstraintPlace place(System& s, int a, int b, int rows) {
  const int multipliers = s.add_multipliers(rows);
  return {a, b, s.v_of(a), s.v_of(b), s.block_of(a), s.block_of(b), multipliers, 0, s.row_of(multipliers), -1};
}

TwoPointPlace points(const System& s, int a, int b, const Vector3d& r_a, const Vector3d& r_b) {
  return {a, b, s.v_of(a), s.v_of(b), s.block_of(a), s.block_of(b), r_a, r_b};
}

const Matrix3d kAxes = exp_rotation({0.3, -0.8, 0.5}).toRotationMatrix();
const Matrix3d kOtherAxes = exp_rotation({-0.2, 0.4, 1.1}).toRotationMatrix();
const Vector3d kPoint{0.3, -0.5, 0.8}, kOtherPoint{-0.6, 0.2, 0.4};

void add_bodies(System& s) {
  Matrix3d J;
  J << 2, 0.1, -0.2, 0.1, 1.5, 0.3, -0.2, 0.3, 1.1;
  std::vector<RigidBodies::Item> items;
  for (int node : {1, 2}) items.push_back({node, s.v_of(node), s.block_of(node), 1.0 + node, J * node});
  s.add(std::make_unique<RigidBodies>(items, Vector3d(0.3, -9.81, 1)));
}

void add_axes(System& s) {
  std::vector<AxisConstraints::Item> items;
  for (const auto& [a, b, rows] : {std::tuple{1, 2, 3}, std::tuple{0, 1, 2}})
    items.push_back({place(s, a, b, rows),
                     rows,
                     {kAxes.col(0), kAxes.col(1), kAxes.col(2)},
                     {kOtherAxes.col(1), kOtherAxes.col(2), kOtherAxes.col(0)}});
  s.add(std::make_unique<AxisConstraints>(items, kLength));
}

void add_slides(System& s) {
  std::vector<SlideConstraints::Item> items;
  for (const auto& [a, b, rows] : {std::tuple{2, 1, 2}, std::tuple{0, 2, 1}})
    items.push_back({place(s, a, b, rows), rows, {kAxes.col(0), kAxes.col(1), kAxes.col(2)}, kPoint, kOtherPoint});
  s.add(std::make_unique<SlideConstraints>(items));
}

/// Formulas over the markers a (on the first body), b (on the second), g (on ground) and the joint j, over differential
/// states, inputs, and the variables w1 and w2, which depend on each other, and w3.
MeasuredFormulas measured(System& s, const std::vector<std::string>& texts,
                          const std::vector<std::string>& variables = {}) {
  const std::vector<std::pair<std::string, std::string>> definitions{
      {"w1", "0.3*sin(w2) + distance(a, b) + x1"}, {"w2", "0.2*w1 + vx(b)*t"}, {"w3", "w1*w2 + x2"}};
  const std::map<std::string, double> constants;
  ExpressionScope scope;
  scope.constants = &constants;
  scope.time = scope.measures_allowed = true;
  scope.measures = measure_signatures();
  scope.variables = variables;
  for (const StateInfo& x : s.states) scope.variables.insert(scope.variables.end(), {x.name, x.name + "'"});
  for (const InputInfo& u : s.inputs) scope.variables.push_back(u.name);
  if (!s.states.empty())
    for (const auto& [name, text] : definitions) scope.variables.push_back(name);
  std::vector<Expression> formulas;
  for (const std::string& text : texts) formulas.push_back(Expression::parse(text, scope));
  const auto marker = [](const Reference& r) {
    if (r.name == "a") return MarkerPose{1, kPoint, kAxes};
    if (r.name == "b") return MarkerPose{2, kOtherPoint, kOtherAxes};
    return MarkerPose{0, kPoint, kOtherAxes};
  };
  FormulaBinder binder(s, marker, [](const Reference&) { return 0; });
  if (!s.states.empty())
    for (const auto& [name, text] : definitions) binder.define(name, {Expression::parse(text, scope), 0.1, {}, name});
  return binder.bind(formulas, variables, {}, "");
}

std::shared_ptr<const MeasuredFormulas> law(System& s, const std::string& text, const char* variable) {
  return std::make_shared<const MeasuredFormulas>(measured(s, {text}, {variable, "rate"}));
}

void add_springs(System& s, const std::string& first_law) {
  std::vector<SpringDampers::Item> items;
  items.push_back({points(s, 1, 2, kPoint, kOtherPoint), 13, 2.5, 0.4, 0.3});
  if (!first_law.empty()) items.back().law = law(s, first_law, "length");
  items.push_back({points(s, 0, 1, kOtherPoint, kPoint), 7, 1.5, 0.9, 0});
  s.add(std::make_unique<SpringDampers>(items));
}

/// One pulls, with its side given; one pushes where it is, behind its free length.
void add_one_sided_springs(System& s) {
  std::vector<SpringDampers::Item> items;
  items.push_back({points(s, 1, 2, kPoint, kOtherPoint), 13, 2.5, 9, 0.3});
  items.back().law = law(s, "3*length^2 - rate*length + vx(a, g)*t", "length");
  items.back().direction = 1, items.back().side = s.add_discrete(one_sided::kPressing);
  items.push_back({points(s, 0, 1, kOtherPoint, kPoint), 7, 0.1, 5, 0});
  items.back().direction = -1;
  s.add(std::make_unique<SpringDampers>(items));
}

Contacts::Item contact(System& s, ShapePair pair, int a, int b) {
  Contacts::Item e;
  e.pair = pair, e.a = {a, kPoint, kAxes}, e.b = {b, kOtherPoint, kOtherAxes};
  e.v_a = s.v_of(a), e.v_b = s.v_of(b), e.block_a = s.block_of(a), e.block_b = s.block_of(b);
  e.radius = 0.9, e.stiffness = 2, e.dissipation = 0.2;
  e.side = s.add_discrete(one_sided::kPressing);
  return e;
}

/// A wheel that slips and a ball by a formula.
void add_contacts(System& s) {
  Contacts::Item wheel = contact(s, ShapePair::disc_on_plane, 1, 2),
                 ball = contact(s, ShapePair::sphere_on_sphere, 0, 1);
  wheel.second_radius = 0.1;
  wheel.friction = {0.3, 0.4, 0.7, 1.8, 0.2, 0, 0, 0.1};
  ball.law = std::make_shared<const MeasuredFormulas>(measured(s, {"3*depth^2 - rate*depth + t"}, {"depth", "rate"}));
  s.add(std::make_unique<Contacts>(std::vector<Contacts::Item>{wheel, ball}));
}

void add_bristles(System& s) {
  const StateInfo z{"z", "m"};
  s.add_states({z, z, z});
}

/// Rows of ground and followers come after those of states, which are there already.
void add_with_bristles(System& s, Contacts::Item e) {
  e.friction = {0.3, 0.4, 1.5, 2.5, 0, 1.5, 0.4, 0.2};
  e.state_block = s.states[0].block, e.states = s.states[0].v;
  s.add(std::make_unique<Contacts>(std::vector<Contacts::Item>{e}));
}

/// A ball after Hertz on a plane of the other body.
void add_ball_with_bristles(System& s) {
  add_bristles(s);
  Contacts::Item ball = contact(s, ShapePair::sphere_on_plane, 2, 1);
  ball.exponent = 1.5, ball.stiffness = 0.8;
  add_with_bristles(s, ball);
}

/// A roller on a curve in ground.
void add_roller_with_bristles(System& s) {
  add_bristles(s);
  Contacts::Item roller = contact(s, ShapePair::sphere_on_curve, 0, 2);
  roller.curve = std::make_shared<Curve>(Curve::ellipse(0.5, 0.3));
  add_with_bristles(s, roller);
}

/// A rod and a spring that are switched on.
void add_switched(System& s) {
  std::vector<std::unique_ptr<ElementBatch>> parts;
  const ConstraintPlace rod = place(s, 1, 2, 1);
  parts.push_back(
      std::make_unique<Distances>(std::vector<Distances::Item>{{rod, points(s, 1, 2, kPoint, kOtherPoint), 0.8}}));
  parts.push_back(std::make_unique<SpringDampers>(
      std::vector<SpringDampers::Item>{{points(s, 0, 1, kOtherPoint, kPoint), 7, 1.5, 0.9, 0}}));
  s.add(std::make_unique<SwitchedElements>(std::move(parts), s.add_discrete(1), rod.multipliers, 1, 1.0));
}

void add_torsion_springs(System& s, const std::string& text) {
  const int angle = s.add_tracked_angle({{1, kPoint, kAxes}, {2, kPoint, kOtherAxes}});
  std::vector<TorsionSprings::Item> items;
  items.push_back({1, 2, s.v_of(1), s.v_of(2), s.block_of(1), s.block_of(2), kAxes.col(0), kAxes.col(1),
                   kOtherAxes.col(0), angle, 11, 1.7, 0.2});
  if (!text.empty()) items.back().law = law(s, text, "angle");
  s.add(std::make_unique<TorsionSprings>(items));
}

using Kind = Coordinate::Kind;

Coordinate coordinate(System& s, Kind kind, int a, int b) {
  const MarkerPose i{a, kPoint, kAxes}, j{b, kOtherPoint, kOtherAxes};
  Coordinate c = make_coordinate(s, kind, i, j);
  c.axis = 1;
  if (kind == Kind::angle) c.angle_index = s.add_tracked_angle({i, j});
  return c;
}

MotionFunction angle_motion() { return {MotionFunction::Kind::velocity, formula("0.8*t+cos(3*t)"), 0.1, 0, 1}; }

void add_row(System& s, const std::vector<Coordinate>& coordinates, const std::vector<double>& factors,
             const MotionFunction& target) {
  CoordinateConstraints::Item item;
  item.multipliers = s.add_multipliers(1);
  item.offset = 0;
  item.row = s.row_of(item.multipliers);
  item.count = static_cast<int>(coordinates.size());
  std::copy(coordinates.begin(), coordinates.end(), item.coordinates.begin());
  std::copy(factors.begin(), factors.end(), item.factors.begin());
  item.target = target;
  s.add(std::make_unique<CoordinateConstraints>(std::vector{item}, kLength));
}

Curve lobe() { return Curve::spline({{4, 0}, {3, 3}, {-1, 3.5}, {-4, 1}, {-3, -2.5}, {1, -4}}, true); }

/// An egg, written clockwise.
Curve egg() {
  ExpressionScope scope;
  scope.variables = {"u"};
  return Curve::formula(Expression::parse("3*cos(u)*(1.2 + 0.1*cos(u))", scope),
                        Expression::parse("-3.5*sin(u)", scope), -1, 2 * std::numbers::pi - 1, true);
}

void add_curves(System& s, const Curve& curve, bool second) {
  const auto first = std::make_shared<Curve>(curve);
  const auto ellipse = std::make_shared<Curve>(Curve::ellipse(0.6, 0.4));
  std::vector<CurveConstraints::Item> items;
  for (const auto& [a, b] : {std::pair{1, 2}, std::pair{0, 1}})
    items.push_back({place(s, a, b, second ? 1 : 2),
                     {a, kPoint, kAxes},
                     {b, kOtherPoint, kOtherAxes},
                     first,
                     second ? ellipse : nullptr,
                     second ? 0 : 0.2,
                     !second,
                     ""});
  s.add(std::make_unique<CurveConstraints>(items));
}

void add_joint_forces(System& s) {
  JointForces::Item spring{coordinate(s, Kind::angle, 1, 2), 11, 1.7, 0.2, 2};
  spring.motor = std::make_shared<const MeasuredFormulas>(measured(s, {"sin(t)"}));
  JointForces::Item slide{coordinate(s, Kind::offset, 2, 1), 7, 0.9, 0.1};
  JointForces::Item stop{coordinate(s, Kind::offset, 0, 1)};
  stop.lower = 3, stop.stop_stiffness = 40, stop.stop_damping = 3, stop.stop_depth = 9;  // everything is below
  JointForces::Item other = stop;
  other.lower = -INFINITY, other.upper = -3, other.coordinate = coordinate(s, Kind::angle, 1, 0);
  other.coordinate.angle_index = -1, other.stop_depth = 0.01;
  s.add(std::make_unique<JointForces>(std::vector{spring, slide, stop, other}));
}

void add_rotors(System& s) {
  s.add(std::make_unique<RotorInertias>(std::vector<RotorInertias::Item>{{coordinate(s, Kind::angle, 1, 2), 1.3},
                                                                         {coordinate(s, Kind::offset, 2, 1), 0.7},
                                                                         {coordinate(s, Kind::offset, 0, 1), 0.9},
                                                                         {coordinate(s, Kind::angle, 2, 0), 0.4}}));
}

void add_motors(System& s, const std::string& text) {
  JointForces::Item turning{coordinate(s, Kind::angle, 1, 2)}, sliding{coordinate(s, Kind::offset, 0, 2)};
  turning.motor = sliding.motor = std::make_shared<const MeasuredFormulas>(measured(s, {text}));
  s.add(std::make_unique<JointForces>(std::vector{turning, sliding}));
}

void add_fields(System& s) {
  std::vector<Fields::Item> items;
  for (const auto& [a, b] : {std::pair{1, 2}, std::pair{0, 1}}) {
    Fields::Item e{{a, kPoint, kAxes},
                   {b, kOtherPoint, kOtherAxes},
                   s.v_of(a),
                   s.v_of(b),
                   s.block_of(a),
                   s.block_of(b),
                   {},
                   {},
                   {},
                   {},
                   ""};
    for (int i = 0; i < 36; ++i)
      e.stiffness(i / 6, i % 6) = std::sin(1.0 + i), e.damping(i / 6, i % 6) = std::cos(2.0 * i);
    for (int i = 0; i < 6; ++i) e.free_position[i] = 0.1 * i, e.preload[i] = 1 - 0.3 * i;
    items.push_back(e);
  }
  s.add(std::make_unique<Fields>(items));
}

/// A curved beam between the nodes, with every strain coupled to every other.
template <int Nodes>
void add_beam(System& s, const std::vector<std::array<int, Nodes>>& beams, double damping) {
  std::vector<typename Beams<Nodes>::Item> items;
  for (const auto& nodes : beams) {
    typename Beams<Nodes>::Item e;
    e.node = nodes;
    for (int i = 0; i < Nodes; ++i) e.v[i] = s.v_of(nodes[i]), e.block[i] = s.block_of(nodes[i]);
    e.length = 1.3 + items.size(), e.damping = damping;
    for (int p = 0; p < Nodes - 1; ++p) {
      Matrix6d A;
      for (int i = 0; i < 36; ++i) A(i / 6, i % 6) = std::sin(1.0 + i + 7 * p);
      e.points[p].stiffness = A * A.transpose();
      for (int i = 0; i < 6; ++i) e.points[p].unstrained[i] = 0.3 * std::cos(i + p);
    }
    items.push_back(e);
  }
  s.add(std::make_unique<Beams<Nodes>>(items));
}

AppliedForces::Body body(const System& s, int node) { return {node, s.v_of(node), s.block_of(node)}; }

/// A force on node 1 with components in the axes of one node and the reaction on another.
void add_force(System& s, int axes, int reaction, const std::vector<std::string>& components) {
  AppliedForces::Item item;
  item.on = body(s, 1);
  item.r = kPoint;
  item.axes = body(s, axes);
  item.R_axes = kAxes;
  item.components = measured(s, components);
  item.reaction = body(s, reaction);
  s.add(std::make_unique<AppliedForces>(std::vector{item}));
}

const std::vector<std::string> kOfTime{"1+t", "-2", "3*cos(t)", "0.5", "t^2", "-1"};
const std::vector<std::string> kOfMotion{"3*distance(a, b) + distance_rate(a, b)^2",
                                         "x(a, b, g)*vy(b, g, a) - t",
                                         "sin(angle_x(a, b)) + angle_z(b, g)*angle_y(a, g)",
                                         "wx(a, b, a)*dz(a)",
                                         "speed(a, g)*z(b, g, b)",
                                         "wm(a, b) + wy(g, b, b)^3"};
const std::vector<std::string> kOfAcceleration{"accx(a, b, a)", "0.3*acceleration(a)*t", "0.1*accz(b, g, g)^2",
                                               "wdtx(a, b, b)", "0.3*wdtm(a, b)",        "wdtz(b, a, g)*vm(a)"};
const std::vector<std::string> kOfReaction{
    "force_x(j)",    "force_y(j, a)", "0.003*force_magnitude(j)", "torque_x(j, b)*t", "0.003*torque_magnitude(j)",
    "torque_z(j, g)"};
const std::vector<std::string> kOfJoint{"angle(j)", "angle_rate(j)^2", "translation_rate(j)", "translation(j)", "0",
                                        "0"};

const std::vector<std::string> kOfTurns{
    "first_angle(j)",    "second_angle(j)*t",           "first_angle_rate(j)*second_angle(j)",
    "rotation_x(j) + t", "rotation_y(j)*rotation_z(j)", "second_angle_rate(j)^2"};

/// A joint of all kinds of rows between the two bodies with a motion, which has a multiplier of its own.
void add_joint_and_force(System& s, const std::vector<std::string>& components) {
  ConstraintPlace rows = place(s, 1, 2, 5), motion = place(s, 1, 2, 1);
  rows.joint = motion.joint = 0;
  JointInfo info;
  info.markers = {MarkerPose{1, kPoint, kAxes}, MarkerPose{2, kOtherPoint, kOtherAxes}};
  info.coordinates = {
      {RelativeCoordinate::Kind::angle, "angle", "rad", s.add_tracked_angle({info.markers[0], info.markers[1]})},
      {RelativeCoordinate::Kind::translation, "translation", "m"},
      {RelativeCoordinate::Kind::first_angle, "first_angle", "rad",
       s.add_tracked_angle({info.markers[0], info.markers[1]})},
      {RelativeCoordinate::Kind::second_angle, "second_angle", "rad",
       s.add_tracked_angle(second_angle(info.markers[0], info.markers[1]))},
      {RelativeCoordinate::Kind::rotation_vector_x, "rotation_x", "rad"},
      {RelativeCoordinate::Kind::rotation_vector_y, "rotation_y", "rad"},
      {RelativeCoordinate::Kind::rotation_vector_z, "rotation_z", "rad"}};
  s.joints.push_back(info);
  s.add(std::make_unique<Coincidences>(std::vector<Coincidences::Item>{{rows, kPoint, kOtherPoint}}));
  rows.offset += 3, rows.row += 3;
  s.add(std::make_unique<AxisConstraints>(
      std::vector<AxisConstraints::Item>{{rows, 1, {kAxes.col(0)}, {kOtherAxes.col(1)}}}, kLength));
  rows.offset += 1, rows.row += 1;
  s.add(std::make_unique<SlideConstraints>(
      std::vector<SlideConstraints::Item>{{rows, 1, {kAxes.col(2)}, kOtherPoint, kPoint}}));
  Coordinate angle = coordinate(s, Kind::angle, 1, 2);
  angle.joint = 0;
  s.add(std::make_unique<CoordinateConstraints>(
      std::vector<CoordinateConstraints::Item>{
          {motion.multipliers, 0, motion.row, 1, {angle}, {1}, MotionFunction(0.1), {}}},
      kLength));
  add_force(s, 2, 2, components);
}

/// Two states in one block, one by an equation, and an input u.
void add_states(System& s) {
  s.inputs.push_back({"u", "", formula("0.5*t")});
  StateInfo x1{"x1", ""}, x2{"x2", ""}, x3{"x3", ""};
  x3.implicit = true;
  s.add_states({x1, x2});
  s.add_states({x3});
}

void add_equations(System& s) {
  DifferentialStates::Item pair, single;
  pair.block = s.states[0].block, pair.v = s.states[0].v;
  pair.A.resize(2, 2), pair.B.resize(2, 2);
  pair.A << -1, 0.4, 0.3, -2;
  pair.B << 1, 0.2, -0.5, 0.7;
  pair.u = measured(s, {"vx(a, b)*x2 + u^2 + w3", "x1^2 - sin(x3)*angle_z(a, b) + 0.1*accx(b) + w1"});
  single.block = s.states[2].block, single.v = s.states[2].v;
  single.A.resize(1, 1), single.B.resize(1, 0);
  single.implicit = true;
  single.u = measured(s, {"x3' + 0.2*x3'^3 + x3*x1 - 0.1*x2' + u*vy(b)"});
  s.add(std::make_unique<DifferentialStates>(std::vector{pair, single}));
}

/// A place for rows between two nodes; those from `positions` on are velocity rows.
VelocityPlace velocity_place(System& s, const std::vector<int>& nodes, int rows, int positions) {
  VelocityPlace place;
  place.multipliers = s.add_multipliers(rows);
  place.row = s.row_of(place.multipliers);
  for (const int node : nodes)
    if (node > 0) place.nodes.push_back({node, s.v_of(node), s.block_of(node)});
  for (int i = positions; i < rows; ++i) s.add_velocity_row(place.row + i);
  return place;
}

void add_rolling(System& s, bool wheel) {
  std::vector<RollingConstraints::Item> items;
  for (const auto& [a, b] : {std::pair{1, 2}, std::pair{0, 1}}) {
    RollingConstraints::Item e{velocity_place(s, {a, b}, wheel ? 3 : 1, wheel ? 1 : 0),
                               {a, kPoint, kAxes},
                               {b, kOtherPoint, kOtherAxes},
                               wheel,
                               0.6,
                               0.1,
                               {},
                               ""};
    if (wheel) e.directions = {kAxes.col(0), kAxes.col(1)};
    else e.directions = {kOtherAxes.col(2)};
    items.push_back(e);
  }
  s.add(std::make_unique<RollingConstraints>(items));
}

void add_velocity_constraint(System& s, const std::string& text) {
  s.inputs.push_back({"u", "", formula("0.5*t")});
  VelocityConstraints::Item e;
  e.place = velocity_place(s, {}, 1, 0);
  e.formula = measured(s, {text});
  e.factor = kLength;
  EXPECT_EQ(VelocityConstraints::fault_of(e.formula), "");
  s.add(std::make_unique<VelocityConstraints>(s, std::vector{e}));
}

/// Two flexible bodies with frames of their own, whose interfaces have no elements.
void add_modal_bodies(System& s, bool stiffening) {
  std::vector<ModalBodies::Item> items;
  for (const int i : {0, 1}) {
    const int node = s.add_frame("flexible"), r = 3 + i, modes = s.add_vector_block(r);
    const auto part = std::make_shared<ModalConstants>(part_of(random_cloud(r, stiffening, 5 + i)));
    items.push_back({node, s.v_of(node), s.block_of(node), modes, s.q_of(modes), s.blocks()[modes].first, part, ""});
  }
  s.add(std::make_unique<ModalBodies>(items, Vector3d(0.3, -9.81, 1)));
}

std::vector<ElementCase> cases_on_own_frames() {
  return {
      {"RigidBodies", [](System&) {}},
      {"Coincidences",
       [](System& s) {
         std::vector<Coincidences::Item> items{{place(s, 1, 2, 3), kPoint, kOtherPoint},
                                               {place(s, 0, 1, 3), kOtherPoint, kPoint}};
         s.add(std::make_unique<Coincidences>(items));
       }},
      {"AxisConstraints", add_axes},
      {"AngleMotion", [](System& s) { add_row(s, {coordinate(s, Kind::angle, 1, 2)}, {1}, angle_motion()); }},
      {"OffsetMotion", [](System& s) { add_row(s, {coordinate(s, Kind::offset, 2, 1)}, {-0.7}, angle_motion()); }},
      {"MotionAgainstGround", [](System& s) { add_row(s, {coordinate(s, Kind::offset, 0, 1)}, {1}, angle_motion()); }},
      {"Twist", [](System& s) { add_row(s, {coordinate(s, Kind::twist, 1, 2)}, {1}, 0.1); }},
      {"GearOnGround",
       [](System& s) {
         add_row(s, {coordinate(s, Kind::angle, 0, 1), coordinate(s, Kind::angle, 0, 2)}, {1, 2.5}, 0.3);
       }},
      {"RackOnTheSameBodies",
       [](System& s) {
         add_row(s, {coordinate(s, Kind::angle, 1, 2), coordinate(s, Kind::offset, 2, 1)}, {0.4, 1}, 0.3);
       }},
      {"CouplerOfThree",
       [](System& s) {
         add_row(
             s, {coordinate(s, Kind::angle, 0, 1), coordinate(s, Kind::offset, 1, 2), coordinate(s, Kind::angle, 2, 1)},
             {1, -0.3, 2}, 0.3);
       }},
      {"PointOnCurve", [](System& s) { add_curves(s, lobe(), false); }},
      {"CurveOnCurve", [](System& s) { add_curves(s, lobe(), true); }},
      {"PointOnCurveByFormula", [](System& s) { add_curves(s, egg(), false); }},
      {"CurveOnCurveByFormula", [](System& s) { add_curves(s, egg(), true); }},
      {"JointForces", add_joint_forces},
      {"RotorInertias", add_rotors},
      {"MotorOfMotion", [](System& s) { add_motors(s, "3*distance(a, b) - angle_z(a, b)*wz(a, g, b) + vy(b)^2*t"); }},
      {"MotorOfAcceleration", [](System& s) { add_motors(s, "0.4*accx(a, g, b)*t + 0.2*wdty(b, a, a)"); }},
      {"Fields", add_fields},
      {"ModalBodies", [](System& s) { add_modal_bodies(s, false); }},
      {"ModalBodiesWithStiffening", [](System& s) { add_modal_bodies(s, true); }},
      {"BeamsWithTwoNodes",
       [](System& s) {
         add_beam<2>(s, {{1, 2}, {0, 1}}, 0);
       }},
      {"BeamsWithThreeNodes",
       [](System& s) {
         add_beam<3>(s, {{0, 1, 2}}, 0);
       }},
      {"BeamsWithFourNodes",
       [](System& s) {
         add_beam<4>(s, {{2, 1, s.add_frame("third"), 0}}, 0);
       }},
      {"DampedBeamsWithTwoNodes",
       [](System& s) {
         add_beam<2>(s, {{1, 2}, {0, 1}}, 0.2);
       }},
      {"DampedBeamsWithThreeNodes",
       [](System& s) {
         add_beam<3>(s, {{2, 1, 0}}, 0.2);
       }},
      {"DampedBeamsWithFourNodes",
       [](System& s) {
         add_beam<4>(s, {{1, s.add_frame("third"), 0, 2}}, 0.2);
       }},
      {"SlideConstraints", add_slides},
      {"Distances",
       [](System& s) {
         std::vector<Distances::Item> items{{place(s, 1, 2, 1), points(s, 1, 2, kPoint, kOtherPoint), 0.8}};
         s.add(std::make_unique<Distances>(items));
       }},
      {"SpringDampers", [](System& s) { add_springs(s, ""); }},
      {"SpringByLaw", [](System& s) { add_springs(s, "3*length^2 - rate*length + vx(a, g)*t"); }},
      {"OneSidedSprings", add_one_sided_springs},
      {"Contacts", add_contacts},
      {"BallWithBristles", add_ball_with_bristles},
      {"RollerWithBristles", add_roller_with_bristles},
      {"SwitchedElements", add_switched},
      {"TorsionSprings", [](System& s) { add_torsion_springs(s, ""); }},
      {"TorsionSpringByLaw", [](System& s) { add_torsion_springs(s, "sin(angle) + angle*rate^2 + distance(a, g)"); }},
      {"ForceFixedInGround", [](System& s) { add_force(s, 0, 0, kOfTime); }},
      {"ForceFollowingTheBody", [](System& s) { add_force(s, 1, 0, kOfTime); }},
      {"ForceWithReaction", [](System& s) { add_force(s, 2, 2, kOfTime); }},
      {"ForceOfMotion", [](System& s) { add_force(s, 2, 0, kOfMotion); }},
      {"ForceOfMotionWithReaction", [](System& s) { add_force(s, 1, 2, kOfMotion); }},
      {"ForceOfAcceleration", [](System& s) { add_force(s, 0, 2, kOfAcceleration); }},
      {"DifferentialStates", [](System& s) { add_states(s), add_equations(s); }},
      {"ForceOfStates",
       [](System& s) {
         add_states(s), add_equations(s);
         add_force(s, 0, 2, {"x1*vx(a)", "x2 - u", "0.3*x3'", "w3*u", "w1 + sin(x3)", "w2*dy(a, b)"});
       }},
      {"MotorAndSpringsOfStates",
       [](System& s) {
         add_states(s), add_equations(s);
         add_motors(s, "x1*w2 - u*angle_z(a, b)");
         add_springs(s, "x2*length - w1*rate + u^2");
         add_torsion_springs(s, "x3*angle + u*w3");
       }},
      {"KnifeEdge", [](System& s) { add_rolling(s, false); }},
      {"RollingWheel", [](System& s) { add_rolling(s, true); }},
      {"VelocityConstraint",
       [](System& s) {
         add_velocity_constraint(
             s, "sin(angle_z(a, g))*vx(b, g, a) + 0.3*x(a, b, g)^2*wy(a, b, b) - distance_rate(a, g)*t + u*vz(a)");
       }},
      {"VelocityConstraintOnJoint",
       [](System& s) {
         s.inputs.push_back({"unused", "", 0.0});
         add_joint_and_force(s, kOfJoint);
         add_velocity_constraint(s, "translation_rate(j)*cos(angle(j)) + translation(j)*angle_rate(j) - u");
       }},
      {"ForceOfReaction", [](System& s) { add_joint_and_force(s, kOfReaction); }},
      {"ForceOfJointCoordinates", [](System& s) { add_joint_and_force(s, kOfJoint); }},
      {"ForceOfUniversalAndSphericalCoordinates", [](System& s) { add_joint_and_force(s, kOfTurns); }},
  };
}

}  // namespace

std::vector<ElementCase> all_element_cases() {
  std::vector<ElementCase> all;
  for (const FrameKind kind : {FrameKind::own, FrameKind::natural, FrameKind::modal})
    for (ElementCase element : cases_on_own_frames()) {
      element.name += name_of(kind);
      element.frames = kind;
      all.push_back(element);
    }
  return all;
}

void add_springs_to_followed_frames(System& s) {
  s.add(std::make_unique<SpringDampers>(
      std::vector<SpringDampers::Item>{{points(s, 1, 3, kPoint, kOtherPoint), 13, 2.5, 0.4, 0.3},
                                       {points(s, 4, 2, kOtherPoint, kPoint), 7, 1.5, 0.9, 0}}));
}

// Elements add states, which come before the rows of followers.
System make_system(const ElementCase& element) {
  System s;
  add_frames(s, element.frames);
  element.add(s);
  add_bodies(s);
  add_followed_masses(s, element.frames);
  return s;
}

State random_state(const System& system, FrameKind frames, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto fill = [&](VectorXd& x) {
    for (double& value : x) value = uniform(generator);
  };
  State s = system.make_state();
  s.t = 0.37;
  VectorXd delta(system.velocities());
  fill(delta);
  system.manifold().retract(s.q, 1.5 * delta, s.q);
  fill(s.v);
  fill(s.a);
  fill(s.lambda);
  make_rigid(system, frames, s);
  return s;
}

}  // namespace bricard::testing
