// SPDX-License-Identifier: Apache-2.0
#include "reference/mechanisms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "bricard/analysis/consistent_start.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "bricard/results/channels.h"

namespace bricard::testing {

Body rod(const std::string& name, const Vector3d& from, const Vector3d& to, double axial) {
  const Vector3d along = to - from;
  const double transverse = along.squaredNorm() / 12;
  Body b;
  b.name = name;
  b.mass = 1;
  b.inertia = Vector3d(transverse, transverse, axial).asDiagonal();
  b.position = 0.5 * (from + to);
  b.orientation = frame_from_axis(along);
  return b;
}

Joint joint(JointType type, const std::string& name, const std::string& first, const std::string& second,
            const Vector3d& at, const Vector3d& axis) {
  Joint j;
  j.type = type;
  j.name = name;
  j.between = {Reference{first, {}}, Reference{second, {}}};
  j.at = at;
  j.axis = axis;
  return j;
}

Model n_four_bar(int n, double axial, double angle, double angle_rate) {
  const Vector3d along{std::cos(angle), std::sin(angle), 0}, across{-std::sin(angle), std::cos(angle), 0};
  Model model;
  model.gravity = {0, -9.81, 0};
  for (int i = 0; i <= n; ++i) {
    const Vector3d foot(i, 0, 0);
    Body b = rod("vertical" + std::to_string(i), foot, foot + along, axial);
    b.velocity = 0.5 * angle_rate * across;
    b.angular_velocity = {0, 0, angle_rate};
    model.joints.push_back(joint(JointType::revolute, "foot" + std::to_string(i), "ground", b.name, foot));
    model.bodies.push_back(b);
  }
  for (int i = 0; i < n; ++i) {
    const Vector3d left = Vector3d(i, 0, 0) + along, right = left + Vector3d::UnitX();
    Body b = rod("horizontal" + std::to_string(i), left, right, axial);
    b.velocity = angle_rate * across;
    const std::string number = std::to_string(i), next = std::to_string(i + 1);
    model.joints.push_back(joint(JointType::revolute, "left" + number, "vertical" + number, b.name, left));
    model.joints.push_back(joint(JointType::revolute, "right" + number, b.name, "vertical" + next, right));
    model.bodies.push_back(b);
  }
  return model;
}

Model chain(int links) {
  Model model;
  for (int i = 0; i < links; ++i) {
    const Vector3d at(i, 0, 0), axis(0, std::cos(0.3 * i), std::sin(0.3 * i));
    const std::string name = "link" + std::to_string(i), before = i == 0 ? "ground" : "link" + std::to_string(i - 1);
    model.bodies.push_back(rod(name, at, at + Vector3d::UnitX(), 0.01));
    model.joints.push_back(joint(JointType::revolute, "hinge" + std::to_string(i), before, name, at, axis));
  }
  return model;
}

Model every_element() {
  const auto formula = [](const std::string& text) { return Expression::parse(text, {}, true); };
  const Vector3d x = Vector3d::UnitX();
  Model model;
  for (const std::string name : {"arm", "tool", "slider", "screw", "ball", "cross", "weight", "door"}) {
    const Vector3d at(2.0 * static_cast<double>(model.bodies.size()), 0, 0);
    model.bodies.push_back(rod(name, at, at + Vector3d(0.6, 0, -0.8), 0.01));
  }
  const auto end_of = [&](int i) -> Vector3d { return model.bodies[i].position + Vector3d(0.3, 0, -0.4); };
  const auto start_of = [&](int i) -> Vector3d { return model.bodies[i].position - Vector3d(0.3, 0, -0.4); };
  model.joints = {
      joint(JointType::revolute, "shoulder", "ground", "arm", start_of(0), {0, 0, 1}),
      joint(JointType::fixed, "grip", "arm", "tool", end_of(0)),
      joint(JointType::translational, "rail", "ground", "slider", start_of(2), x),
      joint(JointType::cylindrical, "thread", "ground", "screw", start_of(3), {1, 0, 1}),
      joint(JointType::spherical, "socket", "ground", "ball", start_of(4)),
      joint(JointType::universal, "cardan", "ball", "cross", end_of(4), x),
      {"rope", {}, JointType::distance, {Reference{"ground.hook", {}}, Reference{"weight.eye", {}}}, {}, {}, {}, {}},
      joint(JointType::revolute, "hinge", "ground", "door", start_of(7), x)};
  model.joints[5].second_axis = Vector3d::UnitY();
  model.ground.markers.push_back({"hook", {}, Vector3d(12, 1, 1), Quaterniond::Identity()});
  model.bodies[6].markers.push_back({"eye", {}, Vector3d(0, 0, 0.4), Quaterniond::Identity()});
  model.motions = {{"drive", {}, {"shoulder", {}}, JointCoordinate::automatic, formula("0.3*sin(2*t)")},
                   {"push", {}, {"rail", {}}, JointCoordinate::automatic, formula("0.1*sin(3*t)")}};
  model.springs = {{"spring", {}, {Reference{"slider", {}}, Reference{"screw", {}}}, 50, 2, {}, 1, {}}};
  model.torsion_springs = {{"closer", {}, {"hinge", {}}, 3, 0.2, 0.1, {}},
                           {"brake", {}, {"thread", {}}, 1, 0.5, 0, {}}};
  AppliedForce wind{"wind",
                    {},
                    {"weight", {}},
                    {formula("sin(t)"), formula("0.5"), formula("0")},
                    {formula("0"), formula("0"), formula("0.1")},
                    {"ground", {}},
                    {}};
  AppliedForce jet = wind;
  jet.name = "jet", jet.on.name = "cross", jet.frame.name = "body";
  model.forces = {wind, jet};
  return model;
}

Model every_coordinate() {
  return io::read_model_text(R"(
bodies:
  wheel: {mass: 2, inertia: [0.1, 0.1, 0.2], position: [0.1, 0, 0]}
  pinion: {mass: 1, inertia: [0.03, 0.03, 0.05], position: [1, 0.1, 0]}
  rack: {mass: 3, inertia: [0.1, 0.1, 0.1], position: [1, 1, 0], markers: {face: {}}}
  nut: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1]}
  shaft: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.1, 0, -1]}
  cam: {mass: 1, inertia: [0.05, 0.05, 0.1], position: [3, 0, 0]}
  follower: {mass: 1, inertia: [0.05, 0.05, 0.1], position: [3, 0.6, 0], markers: {tip: {position: [0, -0.2, 0]}}}
  plate: {mass: 1, inertia: [0.05, 0.05, 0.1], position: [5, 0, 0]}
  engine: {mass: 5, inertia: [0.3, 0.4, 0.5], position: [7, 0, 0], velocity: [0.3, 0.2, 0]}
  tip: {mass: 0.2, inertia: [0.01, 0.01, 0.01], position: [8, 0, 0], markers: {end: {}}}
ground: {markers: {wall: {position: [7.5, 0, 0]}, origin: {}}}
curves:
  oval: {half_axes: [0.4, 0.3]}
  face: {points: [[1, 0], [-1, 0]]}
joints:
  axle: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}
  pin: {type: revolute, between: [ground, pinion], at: [1, 0, 0], axis: [0, 0, 1]}
  rail: {type: translational, between: [ground, rack], at: [1, 1, 0], axis: [1, 0, 0]}
  thread: {type: screw, between: [wheel, nut], at: [0, 0, 1], axis: [0, 0, 1], pitch: 0.2}
  flex: {type: constant-velocity, between: [wheel, shaft], at: [0, 0, -0.5], axis: [0, 0, 1]}
  bearing: {type: revolute, between: [ground, cam], at: [3, 0, 0], axis: [0, 0, 1]}
  guide: {type: translational, between: [ground, follower], at: [3, 0, 0], axis: [0, 1, 0]}
  contact: {type: curve-on-curve, between: [cam, follower.tip], curve: oval, second_curve: face}
  table: {type: planar, between: [ground, plate], at: [5, 0, 0], axis: [0, 1, 0]}
couplers:
  mesh: {type: gear, joints: [axle, pin], teeth: [30, 20]}
  drive: {type: rack-and-pinion, joints: [pin, rail], radius: 0.1}
motions:
  turn: {joint: bearing, velocity: 2+sin(3*t)}
  shake: {between: [ground.origin, plate], coordinate: x, acceleration: cos(4*t)}
forces:
  spring: {type: joint-spring, joint: axle, stiffness: 20, damping: 0.3, preload: 1}
  stop: {type: joint-stop, joint: table, coordinate: angle, upper: 0.2, stiffness: 100, damping: 1, depth: 0.5}
  motor: {type: motor, joint: table, coordinate: angle, force: 0.1*cos(t)}
  swing: {type: bushing, between: [ground, shaft], at: [0, 0, -1.2], stiffness: [90, 80, 70], damping: [1, 1, 1]}
  mount: {type: bushing, between: [ground, engine], at: [7, 0, -0.3], stiffness: [900, 800, 700], rotational_stiffness: [90, 80, 70], damping: [3, 3, 3]}
  beam: {type: beam, between: [ground.wall, tip.end], youngs_modulus: 1e10, shear_modulus: 4e9, area: 1e-6, Ixx: 2e-9, Iyy: 1e-9, Izz: 1e-9, damping_ratio: 1e-3}
run: {duration: 1}
)",
                             "every_coordinate.yaml");
}

Started start(const Model& model) {
  Started started{assemble(model), {}};
  started.state = initial_wishes(model, started.system);
  const StartReport report = consistent_start(started.system, SolverType::automatic, started.state);
  if (!report.assembled) throw std::runtime_error(report.problem);
  return started;
}

double signal_of(const Model& model, const System& system, const State& s, const std::string& name) {
  Channels channels(model, system, 0);
  Sample sample;
  sample.state = s;
  const std::vector<double>& row = channels.evaluate(sample);
  size_t at = 0;
  for (const Channel& c : channels.list()) {
    if (c.kind == Channel::Kind::signal && c.name == name) return row[at];
    at += c.columns.size();
  }
  ADD_FAILURE() << "no signal " << name;
  return 0;
}

}  // namespace bricard::testing
