// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "generators/draw.h"
#include "reference/mechanisms.h"

// Bodies placed relative to others and by joint coordinates; links without mass; what repeat blocks may have.
namespace bricard::testing {
namespace placing_test {

std::vector<JointType> placing_types() {
  std::vector<JointType> types;
  for (const JointKind& kind : kJointKinds)
    if (placing_coordinates(kind.type) > 0) types.push_back(kind.type);
  return types;
}

Marker marker_of(Draw& draw, const std::string& name) {
  Marker m;
  m.name = name;
  m.position = draw.vector(1), m.orientation = Quaterniond(draw.rotation());
  return m;
}

Joint joint_of(Draw& draw, JointType type, const std::string& name) {
  Joint joint;
  joint.name = name, joint.type = type;
  if (type == JointType::screw) joint.pitch = draw.uniform(0.1, 1);
  for (int i = 0; i < placing_coordinates(type); ++i) {
    joint.start.numbers.push_back(draw.uniform(-1.2, 1.2));
    joint.start_velocity.numbers.push_back(draw.uniform(-2, 2));
  }
  return joint;
}

/// A tree of ten bodies. Each hangs on an earlier one or on ground by a joint with coordinates: between markers, or at a place
/// of the configuration that its bodies' positions describe; some are welded where they are relative to another one.
Model random_tree(unsigned seed) {
  Draw draw(seed);
  const std::vector<JointType> types = placing_types();
  Model model;
  model.ground.markers.push_back(marker_of(draw, "m"));
  for (int i = 0; i < 10; ++i) {
    const std::string other = i == 0 || draw.chance(0.2) ? "ground" : fmt::format("b{}", draw.below(i));
    Body body = rod(fmt::format("b{}", i), draw.vector(1), draw.vector(1), 0.1);
    body.inertia = 0.1 * Matrix3d::Identity();
    body.mass_center.position = draw.vector(0.3);
    body.markers = {marker_of(draw, "m")};
    Joint joint = joint_of(draw, types[draw.below(static_cast<int>(types.size()))], fmt::format("j{}", i));
    const int way = draw.below(3);
    const std::string end = way == 0 ? "" : ".m";
    joint.between = {Reference{other + end, {}}, Reference{body.name + end, {}}};
    if (way == 0) joint.at = draw.vector(1), joint.axis = draw.direction();
    if (way == 0 && joint.type == JointType::universal)
      joint.second_axis = joint.axis->cross(draw.direction()).normalized();
    if (way == 0 && draw.chance(0.5)) body.relative_to.name = other + ".m";
    if (way == 2) {  // moves with the other one
      body.relative_to.name = other + ".m";
      joint.type = JointType::fixed;
      joint.start = joint.start_velocity = {}, joint.pitch.reset();
      body.markers.push_back(body.markers[0]);
      body.markers.back().name = "weld";
      body.markers.back().position = body.orientation.conjugate() * -body.position;
      body.markers.back().orientation = body.orientation.conjugate();
      joint.between[1].name = body.name + ".weld";
    } else if (draw.chance(0.3)) {  // told the other way round
      std::swap(joint.between[0], joint.between[1]);
    }
    model.bodies.push_back(body);
    model.joints.push_back(joint);
  }
  model.run.duration = 1;
  return model;
}

std::vector<double> coordinates_of(const System& system, const Kinematics& k) {
  std::vector<double> all;
  for (const JointInfo& joint : system.joints)
    for (const RelativeCoordinate& c : joint.coordinates) all.push_back(system.coordinate(k, joint, c));
  return all;
}

// The start needs no correction: joints are closed and stay so, coordinates and their rates are the numbers of the file.
TEST(Placing, RandomTreesStartWhereTheirJointsSay) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_tree(seed);
    const System system = assemble(model);
    State s = initial_wishes(model, system);
    Kinematics k = system.make_kinematics();
    Residual r = system.make_residual();
    VectorXd rate(system.multipliers()), bias(system.multipliers());
    system.update(s, k);
    system.residual(k, r);
    system.constraint_rates(k, rate, bias);
    EXPECT_LE(r.constraint.lpNorm<Eigen::Infinity>(), 1e-12);
    EXPECT_LE(rate.lpNorm<Eigen::Infinity>(), 1e-11);
    const double h = 1e-5;
    State later = s, earlier = s;
    system.manifold().retract(s.q, h * s.v, later.q);
    system.manifold().retract(s.q, -h * s.v, earlier.q);
    const std::vector<double> q = coordinates_of(system, k);
    system.update(later, k);
    const std::vector<double> plus = coordinates_of(system, k);
    system.update(earlier, k);
    const std::vector<double> minus = coordinates_of(system, k);
    size_t next = 0;
    for (size_t j = 0; j < model.joints.size(); ++j) {
      const Joint& joint = model.joints[j];
      for (size_t i = 0; i < system.joints[j].coordinates.size(); ++i, ++next) {
        if (i >= joint.start.numbers.size()) continue;  // the way of a screw
        EXPECT_NEAR(q[next], joint.start.numbers[i].value, 1e-12) << joint.name << " " << name_of(joint.type);
        EXPECT_NEAR((plus[next] - minus[next]) / (2 * h), joint.start_velocity.numbers[i].value, 1e-7)
            << joint.name << " " << name_of(joint.type);
      }
    }
  }
}

std::string fault_of(const std::string& text) {
  try {
    io::read_model_text(text, "m.yaml");
  } catch (const ModelError& error) {
    return error.faults().front().message;
  }
  return "none";
}

TEST(Placing, WhatCannotBePlacedIsSaid) {
  const auto with = [](const std::string& bodies, const std::string& joints) {
    return "bodies:\n  a: {mass: 1, inertia: [1, 1, 1], markers: {m: {position: [1, 0, 0]}}" + bodies +
           "}\n  b: {mass: 1, inertia: [1, 1, 1], relative_to: a.m}\njoints:\n" + joints + "run: {duration: 1}\n";
  };
  const std::string a = "  A: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], start: 1}\n";
  EXPECT_EQ(fault_of(with("", a)), "none");
  EXPECT_EQ(fault_of(with(", relative_to: b", a)), "bodies.a.relative_to: leads in a circle");
  EXPECT_EQ(fault_of(with(", relative_to: a", a)),
            "bodies.a.relative_to: a body cannot be placed relative to itself; name another body");
  EXPECT_EQ(fault_of(with(", relative_to: c.m", a)), "bodies.a.relative_to: unknown body 'c'; known: a, b, ground");
  EXPECT_EQ(fault_of(with(", fixed: true", a)),
            "bodies.a.fixed: its place at the start is told by joint 'A'; remove one of them");
  const std::string loop = "  B: {type: spherical, between: [a, b], at: [1, 0, 0], start: [0, 0, 1]}\n"
                           "  C: {type: revolute, between: [b, ground], at: [1, 1, 0], axis: [0, 0, 1], start: 0}\n";
  EXPECT_EQ(
      fault_of(with("", a + loop)),
      "joints.B: 'start' closes a loop of joints that have it; all its bodies are placed by the others: remove it "
      "here");
  EXPECT_EQ(fault_of(with("", "  B: {type: spherical, between: [a, b], at: [1, 0, 0], start: 1}\n")),
            "joints.B.start: expected 3 numbers: rotation_x, rotation_y, rotation_z; found 1");
  EXPECT_EQ(
      fault_of(with("", "  B: {type: fixed, between: [a, b], at: [1, 0, 0], start: 1}\n")),
      "joints.B.start: a fixed joint has no coordinates that say where a body is; place the body by its position, "
      "or with relative_to");
  EXPECT_EQ(
      fault_of(with("", "  A: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], start: 1 m}\n")),
      "joints.A.start: '1 m' is a length where an angle (rad) is expected");
  EXPECT_EQ(
      fault_of("bodies: {a: {mass: 1, inertia: 2}}\nrun: {duration: 1}\n"),
      "bodies.a.inertia: one number is enough in planar models only (plane: xy); expected [Ixx, Iyy, Izz] or [Ixx, "
      "Iyy, Izz, Ixy, Ixz, Iyz]");
  EXPECT_EQ(fault_of("bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nmarkers: {b: {m: {}}}\nrun: {duration: 1}\n"),
            "markers.b: unknown body 'b'; known: ground, a");
}

VectorXd end_of(const std::string& text) {
  const Model model = io::read_model_text(text, "m.yaml");
  const Started started = start(model);
  const Results results = simulate(model, started.system, started.state, model.run);
  EXPECT_TRUE(results.report.finished);
  return results.samples.back().state.q;
}

TEST(Placing, OneMomentIsEnoughInAPlane) {
  const std::string
      before = "plane: xy\ngravity: [0, -9.81, 0]\nbodies: {rod: {mass: 2, inertia: ",
      after = ", position: [0.5, 0, 0]}}\njoints: {pin: {type: revolute, between: [ground, rod], at: [0, 0, 0]}}\n"
              "run: {duration: 0.5, step: 1e-3}\n";
  EXPECT_LE((end_of(before + "0.1" + after) - end_of(before + "[0.3, 0.25, 0.1]" + after)).norm(), 1e-12);
}

// A link without mass moves its ball on a circle: the same as a ball that keeps its distance in a plane of the crank.
TEST(Placing, RevoluteSphericalLink) {
  const std::string bodies = R"(
bodies:
  crank: {mass: 1, inertia: [0.02, 0.01, 0.03], markers: {pin: {position: [0.2, 0, 0.1], orientation: {axis: [1, 0, 0], angle: 0.3}}}}
  ball:  {mass: 2, inertia: [0.01, 0.02, 0.03], position: [0.9, 0.2, 0.1], markers: {c: {position: [0.05, 0, 0.1]}}}
)";
  const std::string hinge =
      "  A: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 1, 1], start_velocity: 3}\n";
  const std::string run = "run: {duration: 0.5, step: 1e-3, tolerance: 1e-12}\n";
  const VectorXd link =
      end_of(bodies + "joints:\n" + hinge + "  B: {type: revolute-spherical, between: [crank.pin, ball.c]}\n" + run);
  const Model model = io::read_model_text(
      bodies + "joints:\n" + hinge + "  B: {type: revolute-spherical, between: [crank.pin, ball.c]}\n" + run, "m");
  const Vector3d z = Eigen::AngleAxisd(0.3, Vector3d::UnitX()) * Vector3d::UnitZ(), pin(0.2, 0, 0.1), c(0.95, 0.2, 0.2);
  const Vector3d foot = pin + z * z.dot(c - pin);
  std::string two = bodies;
  two.replace(two.find("[0.2, 0, 0.1]"), 13, fmt::format("[{:.17g}, {:.17g}, {:.17g}]", foot.x(), foot.y(), foot.z()));
  const VectorXd parts = end_of(two + "joints:\n" + hinge + "  B: {type: inplane, between: [crank.pin, ball.c]}\n" +
                                "  C: {type: distance, between: [crank.pin, ball.c]}\n" + run);
  EXPECT_LE((link - parts).norm(), 1e-8);
}

TEST(Repeat, MakesWhatIsWrittenOutByHand) {
  const std::string head = "gravity: [0, 0, -9.81]\nparameters: {k: 2}\n";
  const std::string repeated = head + R"(
bodies: {plate: {mass: 1, inertia: [1, 1, 1]}}
expressions: {last: 2*e2}
repeat:
  - for: {i: 2}
    bodies: {"m{i}": {mass: i, inertia: [1, 1, 1]}}
    markers: {plate: {"p{i}": {position: [i, 0, 0]}}, ground: {"g{i}": {position: [i, 0, 1]}}}
    inputs: {"u{i}": "0.1*i*t"}
    states: {"x{i}": {rate: "k*e{i} - x{i} + u{i}", start: i}}
    variables: {"w{i}": "x{i}^2"}
    controllers: {"c{i}": {type: pid, input: "w{i} - 1", proportional: i}}
    expressions: {"e{i}": "x{3-i}/2 + i"}
    joints: {"j{i}": {type: spherical, between: ["plate.p{i}", "m{i}"]}}
    forces: {"f{i}": {type: force, on: "m{i}", force: ["c{i}", "last", 0]}}
    signals: {"s{i}": "w{i} + last"}
run: {duration: 0.2, step: 1e-3}
)";
  const std::string written = head + R"(
bodies:
  plate: {mass: 1, inertia: [1, 1, 1], markers: {p1: {position: [1, 0, 0]}, p2: {position: [2, 0, 0]}}}
  m1: {mass: 1, inertia: [1, 1, 1]}
  m2: {mass: 2, inertia: [1, 1, 1]}
expressions: {last: 2*e2, e1: x2/2 + 1, e2: x1/2 + 2}
inputs: {u1: 0.1*t, u2: 0.2*t}
states: {x1: {rate: k*e1 - x1 + u1, start: 1}, x2: {rate: k*e2 - x2 + u2, start: 2}}
variables: {w1: x1^2, w2: x2^2}
controllers: {c1: {type: pid, input: w1 - 1, proportional: 1}, c2: {type: pid, input: w2 - 1, proportional: 2}}
joints:
  j1: {type: spherical, between: [plate.p1, m1]}
  j2: {type: spherical, between: [plate.p2, m2]}
forces: {f1: {type: force, on: m1, force: [c1, last, 0]}, f2: {type: force, on: m2, force: [c2, last, 0]}}
signals: {s1: w1 + last, s2: w2 + last}
run: {duration: 0.2, step: 1e-3}
)";
  EXPECT_LE((end_of(repeated) - end_of(written)).norm(), 1e-12);
}

}  // namespace placing_test
}  // namespace bricard::testing
