// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bricard/analysis/natural_run.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "bricard/solve/projection.h"
#include "reference/mechanisms.h"

// Natural coordinates against those of the bodies: the same models, two sets of equations that share no element but
// forces.
namespace bricard::testing {
namespace natural_test {

struct NaturalCase {
  std::string name;
  bool unique_reactions;  ///< no redundant equations, so that both must find the same
};
void PrintTo(const NaturalCase& c, std::ostream* out) { *out << c.name; }

const char* const kAccelerations = R"yaml(
name: accelerations
gravity: [0, -9.81, 0]
bodies:
  arm: {mass: 2, inertia: [0.3, 0.4, 0.5], position: [0.5, 0, 0], angular_velocity: [0, 0, 2],
        velocity: [0, 1, 0], markers: {tip: {position: [0.5, 0.1, 0]}}}
  ball: {mass: 1, inertia: [0.2, 0.3, 0.25], position: [1.5, 0.5, 0.2], velocity: [0.3, 0.5, -0.2], angular_velocity: [1, 2, 3]}
joints:
  hinge: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}
forces:
  drag: {type: force, on: arm.tip, force: ["-0.3*accx(arm.tip)", "0.2*accz(ball)", 0], torque: [0, 0, "-0.1*wdtz(arm)"]}
  push: {type: force, on: ball, force: ["0.1*accy(arm.tip, ball)", 1, 0]}
run: {step: 0.001, duration: 0.2}
)yaml";

Model read(const std::string& name) {
  if (name == "accelerations") return io::read_model_text(kAccelerations, "accelerations.yaml");
  if (name == "every_element") return every_element();
  if (name == "every_coordinate") return every_coordinate();
  Model model = io::read_model(BRICARD_SOURCE_DIR "/models/" + name + ".yaml");
  if (name.starts_with("n_four")) model.plane = Plane::xy;
  return model;
}

/// Consistent states along the motion.
std::vector<State> states_of(const Model& model, const Started& started) {
  RunSettings settings;
  settings.step = 1e-3;
  settings.duration = std::min(0.05, model.run.duration);
  settings.step = settings.duration / 50;
  settings.output_step = settings.duration / 2;
  settings.projection = ProjectionMode::full;
  std::vector<State> states;
  for (const Sample& sample : simulate(started.system, started.state, settings).samples) states.push_back(sample.state);
  return states;
}

void expect_near(const VectorXd& a, const VectorXd& b, double tolerance, const std::string& what) {
  EXPECT_LE((a - b).lpNorm<Eigen::Infinity>(), tolerance * (1 + b.lpNorm<Eigen::Infinity>())) << what;
}

class NaturalTest : public ::testing::TestWithParam<NaturalCase> {};

TEST_P(NaturalTest, HasTheSameAccelerationsEnergiesAndReactions) {
  const Model model = read(GetParam().name);
  const Started bodies = start(model);
  const NaturalSystem natural = assemble_natural(model, bodies.system, bodies.state);
  for (const State& s : states_of(model, bodies)) {
    const State x = natural_start(natural, bodies.system, s, SolverType::automatic);
    Kinematics k = natural.system.make_kinematics(), of_bodies = bodies.system.make_kinematics();
    natural.system.update(x, k);
    bodies.system.update(s, of_bodies);
    Residual r = natural.system.make_residual();
    natural.system.residual(k, r);
    EXPECT_LE(r.constraint.lpNorm<Eigen::Infinity>(), 1e-9 * (1 + x.q.lpNorm<Eigen::Infinity>()));
    EXPECT_NEAR(natural.system.kinetic_energy(k), bodies.system.kinetic_energy(of_bodies),
                1e-9 * (1 + bodies.system.kinetic_energy(of_bodies)));
    EXPECT_NEAR(natural.system.potential_energy(k), bodies.system.potential_energy(of_bodies),
                1e-8 * (1 + std::abs(bodies.system.potential_energy(of_bodies))));
    EXPECT_NEAR(natural.system.power(k), bodies.system.power(of_bodies),
                1e-8 * (1 + std::abs(bodies.system.power(of_bodies))));

    State back = natural.to_bodies(bodies.system, x);
    expect_near(back.v, s.v, 1e-9, "velocities");
    expect_near(back.a, s.a, 1e-6, fmt::format("accelerations at {} s", s.t));
    if (!GetParam().unique_reactions) continue;
    NewtonSystem newton(bodies.system, SolverType::automatic);
    Projection projection(bodies.system, newton);
    bodies.system.update(back, of_bodies);
    projection.factorize_anew(of_bodies);
    Residual unused = bodies.system.make_residual();
    projection.multipliers(back, of_bodies, unused);
    expect_near(back.lambda, s.lambda, 1e-5, fmt::format("reactions at {} s", s.t));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, NaturalTest,
                         ::testing::Values(NaturalCase{"pendulum", true}, NaturalCase{"double_pendulum", true},
                                           NaturalCase{"double_four_bar", false}, NaturalCase{"n_four_bar", false},
                                           NaturalCase{"bricard", false}, NaturalCase{"andrews", true},
                                           NaturalCase{"spatial_slider_crank", true},
                                           NaturalCase{"flyball_governor", false},
                                           NaturalCase{"stewart_platform", true}, NaturalCase{"robot_arm", true},
                                           NaturalCase{"drive_shafts", false}, NaturalCase{"every_element", false},
                                           NaturalCase{"every_coordinate", false}, NaturalCase{"planetary_gear", false},
                                           NaturalCase{"excavator", false}, NaturalCase{"heavy_top", true},
                                           NaturalCase{"quick_return", false}, NaturalCase{"cam_follower", false},
                                           NaturalCase{"balanced_rod", true}, NaturalCase{"cart_pendulum", true},
                                           NaturalCase{"knife_edge_sled", true}, NaturalCase{"rolling_disc", true},
                                           NaturalCase{"whipple_bicycle", true}, NaturalCase{"accelerations", true}),
                         [](const auto& i) { return i.param.name; });

TEST(NaturalCoordinates, RefuseFormulasThatSeeAReaction) {
  std::string text = kAccelerations;
  text.replace(text.find("-0.3*accx(arm.tip)"), 18, "0.2*force_y(hinge)");
  const Model model = io::read_model_text(text, "reactions.yaml");
  const Started bodies = start(model);
  try {
    assemble_natural(model, bodies.system, bodies.state);
    FAIL() << "was accepted";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("the reaction of joint 'hinge'"), std::string::npos) << error.what();
  }
}

/// Steps in natural coordinates lead to the same motion, reactions and signals as those of the bodies.
TEST(NaturalCoordinates, RunAsTheBodiesDo) {
  for (const char* name : {"balanced_rod", "whipple_bicycle", "accelerations", "robot_arm"}) {
    SCOPED_TRACE(name);
    Model model = read(name);
    const Started bodies = start(model);
    RunSettings settings = model.run;
    settings.integrator = IntegratorType::radau;
    settings.rtol.reset();
    settings.step = 1e-3, settings.duration = 0.1;
    const Results expected = simulate(model, bodies.system, bodies.state, settings);
    settings.coordinates = Coordinates::natural;
    settings.solver = SolverType::klu;  // rows of wheels are weak in stages without pivoting: docs/reliability.md
    const Results found = simulate(model, bodies.system, bodies.state, settings);
    ASSERT_TRUE(expected.report.finished && found.report.finished) << found.report.stopped_because;
    const State &a = expected.samples.back().state, &b = found.samples.back().state;
    expect_near(b.q, a.q, 1e-9, "positions");
    expect_near(b.v, a.v, 1e-8, "velocities");
    expect_near(b.a, a.a, 1e-6, "accelerations");
    expect_near(b.lambda, a.lambda, 1e-5, "reactions");
  }
}

const char* const kTwoBodies = R"yaml(
name: two bodies
gravity: [1, -9.81, 0]
{}
bodies:
  first:
    mass: 2
    inertia: [0.3, 0.4, 0.5]
    position: [0.1, 0.2, 0]
    velocity: [1, 0.4, 0]
    angular_velocity: [0, 0, 2]
    markers: {{m: {{position: [0.2, -0.1, 0]}}}}
  second:
    mass: 1
    inertia: [0.2, 0.3, 0.25]
    position: [1, 0.5, 0]
    velocity: [-0.3, 0.5, 0]
    angular_velocity: [0, 0, -1]
    markers: {{m: {{position: [-0.1, 0.3, 0]}}}}
joints:
  rod: {{type: distance, between: [first.m, second.m]}}
  guide: {{type: inline, between: [ground, first], at: [0.1, 0.2, 0], axis: [1, 0.2, 0]}}
forces:
  spring: {{type: spring-damper, between: [first, second.m], stiffness: 30, damping: 4, free_length: 0.4}}
  push: {{type: force, on: second.m, force: ["3 - 2*vx(second.m, ground)", "5*t", 0], torque: [0, 0, "wz(first, ground)"]}}
  mount: {{type: bushing, between: [first, second], stiffness: [20, 30, 40], rotational_stiffness: [5, 6, 7],
          damping: [2, 3, 4], rotational_damping: [0.5, 0.6, 0.7]}}
)yaml";

// The frames of natural bodies turn with their variables only as long as these keep their lengths and angles, so the
// tangent is looked at in directions that do: motions of the bodies. They share no variable here, so each can move alone.
TEST(NaturalTangent, IsTheDerivativeOfTheResidualForRigidMotions) {
  for (const char* plane : {"", "plane: xy"}) {
    const Model model = io::read_model_text(fmt::format(fmt::runtime(kTwoBodies), plane), "two_bodies.yaml");
    const Started bodies = start(model);
    const NaturalSystem natural = assemble_natural(model, bodies.system, bodies.state);
    const System& system = natural.system;
    const State s = natural_start(natural, bodies.system, bodies.state, SolverType::automatic);
    const int n = system.velocities();
    NewtonSystem newton(system, SolverType::dense);
    Kinematics k = system.make_kinematics();
    system.update(s, k);
    const NewtonForm form{1, 1, 3, 7, 1, 0, {0, false}};
    const Eigen::MatrixXd A =
        newton.dense_matrix(k, std::vector<Matrix3d>(system.nodes().size(), Matrix3d::Identity()), form);
    for (int j = 0; j < bodies.system.velocities(); ++j) {
      if (*plane && (j % 6 == 2 || j % 6 == 3 || j % 6 == 4)) continue;
      const VectorXd delta = VectorXd::Unit(bodies.system.velocities(), j);
      const auto positions = [&](double x) {
        State turned = bodies.state;
        bodies.system.manifold().retract(bodies.state.q, x * delta, turned.q);
        return natural.from_bodies(bodies.system, turned).q;
      };
      const double h = 1e-4;
      const VectorXd dq = (8 * (positions(h) - positions(-h)) - (positions(2 * h) - positions(-2 * h))) / (12 * h);
      const auto rows = [&](double x) {
        State y = s;
        y.q = positions(x);
        y.v += 3 * x * dq;
        y.a += 7 * x * dq;
        system.update(y, k);
        Residual r = system.make_residual();
        system.residual(k, r);
        VectorXd both(system.unknowns());
        both << r.motion.head(n), r.constraint;
        return both;
      };
      const VectorXd difference = (8 * (rows(h) - rows(-h)) - (rows(2 * h) - rows(-2 * h))) / (12 * h);
      expect_near(A.leftCols(n) * dq, difference, 1e-8, fmt::format("motion {} {}", j, plane));
    }
  }
}

}  // namespace natural_test
}  // namespace bricard::testing
