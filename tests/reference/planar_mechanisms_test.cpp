// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "bricard/analysis/check_model.h"
#include "bricard/analysis/kinematics.h"
#include "bricard/analysis/simulate.h"
#include "bricard/analysis/statics.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "bricard/results/channels.h"
#include "bricard/write/files.h"
#include "reference/mechanisms.h"

// Mechanisms in a plane: the planar model has no redundant equation, and moves and reacts as the spatial one and as closed
// forms do.
namespace bricard::testing {
namespace planar_mechanisms_test {

Model model_file(const std::string& name, const std::string& plane) {
  const std::string path = (std::filesystem::path(BRICARD_SOURCE_DIR) / "models" / (name + ".yaml")).string();
  return io::read_model_text(io::read_file(path) + (plane.empty() ? "" : "\nplane: " + plane + "\n"), path);
}

std::vector<Wrench> reactions_of(const System& system, const State& s) {
  Kinematics k = system.make_kinematics();
  std::vector<Wrench> found(system.joints.size());
  system.update(s, k);
  system.reactions(k, found);
  return found;
}

/// What of a joint's reaction acts in the plane.
struct InPlane {
  Vector3d force;
  double torque;
  InPlane(const Wrench& w, const Vector3d& n) : force(w.force - n.dot(w.force) * n), torque(n.dot(w.torque)) {}
};

/// Both start from the same state and go the same way.
void expect_same_run(Model planar, Model spatial, double duration, double tolerance) {
  for (Model* m : {&planar, &spatial})
    m->run.duration = duration, m->run.projection = ProjectionMode::full, m->run.tolerance = 1e-12;
  const Vector3d n = normal_of(planar.plane);
  const Started p = start(planar), s = start(spatial);
  const Results in_plane = simulate(p.system, p.state, planar.run), in_space = simulate(s.system, s.state, spatial.run);
  ASSERT_TRUE(in_plane.report.finished && in_space.report.finished);
  ASSERT_EQ(in_plane.samples.size(), in_space.samples.size());
  double q = 0, v = 0, force = 0, largest = 0, across = 0;
  for (size_t i = 0; i < in_plane.samples.size(); ++i) {
    const State &a = in_plane.samples[i].state, &b = in_space.samples[i].state;
    q = std::max(q, (a.q - b.q).lpNorm<Eigen::Infinity>());
    v = std::max(v, (a.v - b.v).lpNorm<Eigen::Infinity>() / (1 + b.v.lpNorm<Eigen::Infinity>()));
    const std::vector<Wrench> x = reactions_of(p.system, a), y = reactions_of(s.system, b);
    for (size_t j = 0; j < x.size(); ++j) {
      const InPlane f(x[j], n), g(y[j], n);
      largest = std::max(largest, g.force.norm());
      force = std::max({force, (f.force - g.force).norm(), std::abs(f.torque - g.torque)});
      across = std::max(across, std::abs(n.dot(x[j].force)));
    }
  }
  EXPECT_LT(q, tolerance);
  EXPECT_LT(v, 100 * tolerance);
  EXPECT_LT(force, 1e4 * tolerance * largest);
  EXPECT_LT(across, 1e-9 * largest);  // the plane carries what acts across it
}

struct Twin {
  const char *file, *plane;
  int redundant, freedoms;  ///< of the spatial model; of both
  double duration;
};
void PrintTo(const Twin& t, std::ostream* out) { *out << t.file; }

class PlanarTwin : public ::testing::TestWithParam<Twin> {};

/// Redundant equations of spatial joints do not change what happens in the plane.
TEST_P(PlanarTwin, HasNoRedundantEquationsAndMovesAndReactsAlike) {
  const Twin& t = GetParam();
  const Model planar = model_file(t.file, t.plane), spatial = model_file(t.file, "");
  const CheckReport in_plane = check_model(planar), in_space = check_model(spatial);
  EXPECT_EQ(in_plane.plane, t.plane);
  EXPECT_EQ(in_plane.velocities, 3 * in_plane.bodies);
  EXPECT_EQ(in_plane.gruebler, t.freedoms);
  EXPECT_EQ(in_plane.degrees_of_freedom, t.freedoms);
  EXPECT_EQ(in_plane.always.joint_equations(), 0);
  EXPECT_TRUE(in_plane.can_run());
  EXPECT_EQ(in_space.degrees_of_freedom, t.freedoms);
  EXPECT_EQ(in_space.always.joint_equations(), t.redundant);
  expect_same_run(planar, spatial, t.duration, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, PlanarTwin,
                         ::testing::Values(Twin{"four_bar", "xy", 3, 0, 1},
                                           Twin{"slider_crank_steel", "zx", 0, 0, 0.04},
                                           Twin{"andrews", "xy", 9, 1, 0.01},
                                           Twin{"slider_crank_004", "xy", 3, 1, 0.05}),
                         [](const auto& i) { return i.param.file; });

/// The seven angles at t = 0.03 s as the CWI test set has them (see models/andrews.yaml). The method is of second order: from
/// steps of 4 and 2 µs the error of the smaller one is a third of their difference, and Richardson's value is better.
TEST(PlanarMechanism, OfAndrewsComesToThePublishedAngles) {
  Model model = model_file("andrews", "xy");
  model.run.duration = model.run.output_step.emplace(0.03);
  model.run.integrator = IntegratorType::generalized_alpha;
  const Started x = start(model);
  VectorXd angles[2];
  for (const int i : {0, 1}) {
    model.run.step = i == 0 ? 4e-6 : 2e-6;
    const Results results = simulate(x.system, x.state, model.run);
    ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
    angles[i] = results.samples.back().state.angles.head<7>();
  }
  VectorXd published(7);  // O, F, B, A5, G, A7, H: β, Θ, γ, δ, Φ, ε, Ω
  published << 15.8107711951537, -15.7563710584118, 0.0408222401196, 0.5244099658800, -0.5347301163421, 1.0480807410419,
      0.5347301163421;
  const VectorXd best = (4 * angles[1] - angles[0]) / 3;
  const double step_error = (angles[1] - angles[0]).lpNorm<Eigen::Infinity>() / 3;
  EXPECT_LT((angles[1] - published).lpNorm<Eigen::Infinity>(), 1.5 * step_error);
  EXPECT_LT((best - published).lpNorm<Eigen::Infinity>(), 0.05 * step_error);
  EXPECT_LT(step_error, 1e-2);
}

/// Crank r, rod l, constant speed ω; uniform rods and a point-like piston. Position by Pythagoras, the torque of the drive by
/// the power of inertia and weight.
TEST(PlanarMechanism, SliderCrankIsDrivenAsItsClosedFormSays) {
  const double r = 0.2, l = 0.5, speed = 8, g = 9.81;
  const Model model = io::read_model_text(R"(
plane: xy
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: 2, inertia: [0.01, 2*0.2^2/12, 2*0.2^2/12], position: [0.1, 0, 0]}
  rod: {mass: 3, inertia: [0.01, 3*0.5^2/12, 3*0.5^2/12], position: [0.45, 0, 0]}
  piston: {mass: 4, inertia: [0.1, 0.1, 0.1], position: [0.7, 0, 0]}
joints:
  A: {type: revolute, between: [ground, crank], at: [0, 0, 0]}
  B: {type: revolute, between: [crank, rod], at: [0.2, 0, 0]}
  C: {type: revolute, between: [rod, piston], at: [0.7, 0, 0]}
  D: {type: translational, between: [ground, piston], at: [0.7, 0, 0], axis: [1, 0, 0]}
motions:
  drive: {joint: A, velocity: 8}
run: {duration: 1, step: 0.01}
)",
                                          "test.yaml");
  const Started x = start(model);
  const Results results = solve_kinematics(x.system, x.state, model.run);
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  for (const Sample& sample : results.samples) {
    const double a = speed * sample.state.t, sine = r / l * std::sin(a), cosine = std::sqrt(1 - sine * sine);
    const double b1 = r / l * std::cos(a) * speed / cosine;  // rate of the rod's angle −β, sin β = r/l sin a
    const double b2 = (-r / l * std::sin(a) * speed * speed + sine * b1 * b1) / cosine;
    EXPECT_NEAR(sample.state.q[x.system.nodes()[3].q], r * std::cos(a) + l * cosine, 1e-11);
    // accelerations and velocities of the rod's middle and of the piston
    const Eigen::Vector2d v(-r * std::sin(a) * speed - l / 2 * sine * b1,
                            r * std::cos(a) * speed - l / 2 * cosine * b1);
    const Eigen::Vector2d w(-r * std::cos(a) * speed * speed - l / 2 * (cosine * b1 * b1 + sine * b2),
                            -r * std::sin(a) * speed * speed + l / 2 * (sine * b1 * b1 - cosine * b2));
    const double piston_v = -r * std::sin(a) * speed - l * sine * b1;
    const double piston_a = -r * std::cos(a) * speed * speed - l * (cosine * b1 * b1 + sine * b2);
    const double power = 3 * v.dot(w) + 3 * l * l / 12 * b1 * b2 + 4 * piston_v * piston_a +
                         g * (2 * r / 2 * std::cos(a) * speed + 3 * v.y());
    const std::vector<Wrench> reactions = reactions_of(x.system, sample.state);
    EXPECT_NEAR(reactions[0].torque.z(), power / speed, 1e-8);
    EXPECT_NEAR(reactions[2].force.x(), 4 * piston_a, 1e-8);  // on the piston, along its way
  }
}

/// A free four-bar swings without loss; the trapezoidal rule keeps the energy to second order.
TEST(PlanarMechanism, KeepsItsEnergy) {
  Model model = model_file("four_bar", "xy");
  model.motions.clear();
  model.run.integrator = IntegratorType::newmark;
  model.run.projection = ProjectionMode::full;
  model.run.duration = 2;
  const Started x = start(model);
  double defect[2];
  for (const int i : {0, 1}) {
    model.run.step = i == 0 ? 1e-3 : 5e-4;
    const Results results = simulate(x.system, x.state, model.run);
    ASSERT_TRUE(results.report.finished);
    defect[i] = results.report.max_energy_defect;
    double swing = 0;
    for (const Sample& s : results.samples) swing = std::max(swing, s.kinetic);
    EXPECT_GT(swing, 1);
  }
  EXPECT_LT(defect[1], 1e-3);
  EXPECT_NEAR(defect[0] / defect[1], 4, 0.4);
}

/// Gears, a rack, springs, a stop, a motor, a bushing, a motion between markers, reactions in formulas: trees of joints that are
/// not redundant in space either, so that every signal must be the same.
const char* kEverything = R"yaml(
gravity: [0, -9.81, 0]
ground: {markers: {anchor: {position: [0.9, 0.5, 0]}, origin: {}}}
bodies:
  wheel: {mass: 2, inertia: [0.1, 0.1, 0.2], position: [0, 0, 0], angular_velocity: [0, 0, 3]}
  pinion: {mass: 1, inertia: [0.02, 0.03, 0.04], position: [0.3, 0, 0]}
  rack: {mass: 1.5, inertia: [0.1, 0.1, 0.1], position: [0.4, 0, 0]}
  arm: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0.2, 0], markers: {tip: {position: [0.4, 0, 0]}}}
  float: {mass: 0.5, inertia: [0.01, 0.02, 0.02], position: [-1, 0, 0]}
  roller: {mass: 0.3, inertia: [0.01, 0.01, 0.01], position: [0, 2.2, 0]}
joints:
  A: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}
  B: {type: revolute, between: [ground, pinion], at: [0.3, 0, 0], axis: [0, 0, 1]}
  C: {type: translational, between: [ground, rack], at: [0.4, 0, 0], axis: [0, 1, 0]}
  D: {type: revolute, between: [rack, arm], at: [0.1, 0.2, 0], axis: [0, 0, 1]}
  E: {type: translational, between: [ground, roller], at: [0, 2.2, 0], axis: [0, 1, 0]}
couplers:
  mesh: {type: gear, joints: [A, B], teeth: [40, 20]}
  line: {type: rack-and-pinion, joints: [B, C], radius: 0.1}
forces:
  coil: {type: torsion-spring, joint: D, stiffness: 30, damping: 0.2}
  soft: {type: joint-spring, joint: C, stiffness: 200, damping: 1}
  wall: {type: joint-stop, joint: C, lower: -0.05, upper: 0.05, stiffness: 1e4, damping: 10}
  motor: {type: motor, joint: A, force: 2*sin(9*t)}
  rope: {type: spring-damper, between: [ground.anchor, arm.tip], stiffness: 100, damping: 1}
  mount: {type: bushing, between: [ground, float], at: [-1, 0.1, 0], stiffness: [300, 400, 500], rotational_stiffness: [5, 6, 7], damping: [1, 1, 1]}
  drag: {type: force, on: arm.tip, force: ["-0.5*vx(arm.tip)", "-0.01*force_magnitude(D)", 0]}
motions:
  lift: {between: [ground.origin, roller], coordinate: y, displacement: 2.2 + 0.1*sin(5*t)}
signals: {load: force_magnitude(D), turn: angle(B), push: "force_x(D, arm)"}
run: {duration: 1, step: 1e-3, output_step: 0.05}
)yaml";

TEST(PlanarMechanism, WithEveryKindOfForceRunsAsInSpace) {
  const Model spatial = io::read_model_text(kEverything, "test.yaml");
  const Model planar = io::read_model_text(std::string(kEverything) + "plane: xy\n", "test.yaml");
  ChannelTable tables[2];
  for (const int i : {0, 1}) {
    Model model = i == 0 ? spatial : planar;
    model.run.projection = ProjectionMode::full;
    model.run.tolerance = 1e-12;
    const Started x = start(model);
    const Results results = simulate(x.system, x.state, model.run);
    ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
    Channels channels(model, x.system, results.report.start_energy);
    tables[i] = make_channel_table(channels, results.samples);
  }
  ASSERT_EQ(tables[0].channels.size(), tables[1].channels.size());  // no trace of the plane in the results
  int signals = 0;
  for (size_t c = 0; c < tables[0].channels.size(); ++c) {
    const Channel& channel = tables[0].channels[c];
    EXPECT_EQ(channel.owner + channel.name, tables[1].channels[c].owner + tables[1].channels[c].name);
    if (channel.name.starts_with("constraint") || channel.name.starts_with("energy.defect")) continue;
    signals += channel.kind == Channel::Kind::signal;
    double size = 1;
    for (const double value : tables[0].values[c]) size = std::max(size, std::abs(value));
    const bool reaction = channel.kind == Channel::Kind::joint && channel.name != "coordinates";
    for (size_t i = 0; i < tables[0].values[c].size(); ++i) {
      if (reaction && (channel.name == "force" ? i % 3 == 2 : i % 3 != 2)) continue;  // carried by the plane
      ASSERT_NEAR(tables[0].values[c][i], tables[1].values[c][i], 1e-7 * size)
          << channel.owner << " " << channel.name << " " << i;
    }
  }
  EXPECT_GT(signals, 20);
}

/// A hanging two-bar chain on a spring finds the same equilibrium, and is as soft.
TEST(PlanarMechanism, SettlesAsInSpace) {
  const std::string text = R"(
gravity: [0, -9.81, 0]
bodies:
  a: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], markers: {end: {position: [0.5, 0, 0]}}}
  b: {mass: 2, inertia: [0.01, 0.1, 0.1], position: [1.5, 0, 0], markers: {end: {position: [0.5, 0, 0]}}}
ground: {markers: {hook: {position: [1, 1, 0]}}}
joints:
  A: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  B: {type: revolute, between: [a, b], at: [1, 0, 0], axis: [0, 0, 1]}
forces: {spring: {type: spring-damper, between: [ground.hook, b.end], stiffness: 40, free_length: 0.5}}
)";
  Started p = start(io::read_model_text(text + "plane: xy\n", "test.yaml")),
          s = start(io::read_model_text(text, "test.yaml"));
  const StaticReport in_plane = find_equilibrium(p.system, SolverType::automatic, p.state);
  const StaticReport in_space = find_equilibrium(s.system, SolverType::automatic, s.state);
  ASSERT_TRUE(in_plane.found && in_space.found);
  EXPECT_EQ(in_plane.stability, Stability::stable);
  EXPECT_LT((p.state.q - s.state.q).lpNorm<Eigen::Infinity>(), 1e-8);
  EXPECT_NEAR(in_plane.lowest_frequency, in_space.lowest_frequency, 1e-6 * in_space.lowest_frequency);
  const InPlane f(reactions_of(p.system, p.state)[0], Vector3d::UnitZ()),
      g(reactions_of(s.system, s.state)[0], Vector3d::UnitZ());
  EXPECT_LT((f.force - g.force).norm(), 1e-6);
}

}  // namespace planar_mechanisms_test
}  // namespace bricard::testing
