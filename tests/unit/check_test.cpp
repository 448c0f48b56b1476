// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>
#include <random>

#include "bricard/analysis/check_model.h"
#include "bricard/analysis/modes.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "reference/mechanisms.h"

// What `check` says about models whose freedoms are known.
namespace bricard::testing {
namespace check_test {

namespace fs = std::filesystem;
using Eigen::MatrixXd;
using Names = std::vector<std::string>;

const fs::path kModels = fs::path(BRICARD_SOURCE_DIR) / "models";

Model model_file(const std::string& name) { return io::read_model((kModels / (name + ".yaml")).string()); }

Model from_text(const std::string& text) { return io::read_model_text(text, "test.yaml"); }

struct Jacobian {
  Started started;
  SparseTangent tangent;
  explicit Jacobian(const Model& model) : started(start(model)), tangent(started.system) {
    Kinematics k = started.system.make_kinematics();
    started.system.update(started.state, k);
    tangent.evaluate(k, 0, 0, 1);
  }
};

TEST(SparseTangent, IsTheMatrixThatTheNewtonSystemSolves) {
  const Started x = start(every_element());
  Kinematics k = x.system.make_kinematics();
  x.system.update(x.state, k);
  SparseTangent tangent(x.system);
  tangent.evaluate(k, 2, 3, 5);
  NewtonSystem newton(x.system, SolverType::dense);
  NewtonForm form{1, 2, 3, 5, 1, 0, {0, false}};
  const MatrixXd A = newton.dense_matrix(k, std::vector<Matrix3d>(x.system.nodes().size(), Matrix3d::Identity()), form);
  const int n = x.system.velocities();
  EXPECT_LT((MatrixXd(tangent.S()) - A.topLeftCorner(n, n)).norm(), 1e-12 * A.norm());
  EXPECT_LT((MatrixXd(tangent.G()) - A.bottomLeftCorner(x.system.multipliers(), n)).norm(), 1e-12 * A.norm());
}

/// A basis N of the left null space is right if GᵀN = 0, its columns are independent and there are
/// as many as singular values that vanish.
TEST(ConstraintRank, IsThatOfTheSingularValues) {
  std::vector<Model> models{every_element(), n_four_bar(3, 0.01, 1.0, 1.0), n_four_bar(2, 0.01, 0.0, 0.0), chain(12)};
  for (const char* name : {"four_bar", "bricard", "andrews", "double_four_bar", "spatial_slider_crank"})
    models.push_back(model_file(name));
  for (const Model& model : models) {
    Jacobian x(model);
    const MatrixXd G(x.tangent.G());
    const VectorXd singular = Eigen::JacobiSVD<MatrixXd>(G).singularValues();
    const int expected = static_cast<int>((singular.array() > 1e-9 * singular[0]).count());
    const ConstraintRank found = find_rank(x.started.system, x.tangent.G(), NullVectors::yes);
    EXPECT_EQ(found.rank, expected);
    ASSERT_EQ(static_cast<int>(found.null_vectors.size()), G.rows() - expected);
    MatrixXd N(G.rows(), found.null_vectors.size());
    for (Eigen::Index i = 0; i < N.cols(); ++i) N.col(i) = VectorXd(found.null_vectors[i]);
    if (N.cols() == 0) continue;
    EXPECT_LT((G.transpose() * N).norm(), 1e-10 * N.norm());
    EXPECT_EQ(N.colPivHouseholderQr().rank(), N.cols());
  }
}

TEST(Check, NamesTheThreeRedundantEquationsOfASpatialFourBar) {
  const CheckReport r = check_model(model_file("four_bar"));
  EXPECT_EQ(r.gruebler, -3);
  EXPECT_EQ(r.degrees_of_freedom, 0);  // it is driven
  ASSERT_EQ(r.always.joints.size(), 1u);
  EXPECT_EQ(r.always.joints[0].joint, "D");
  EXPECT_EQ(r.always.joints[0].directions, (Names{"force along z", "torque about x", "torque about y"}));
  EXPECT_EQ(r.always.joints[0].depends_on, (Names{"A", "B", "C"}));
  EXPECT_TRUE(r.always.motions.empty());
  EXPECT_FALSE(r.is_singular());
  ASSERT_EQ(r.loops.size(), 1u);
  EXPECT_EQ(r.loops[0].bodies.size(), 4u);
  EXPECT_EQ(r.loops[0].joints.size(), 4u);
  EXPECT_TRUE(r.can_run());
}

TEST(Check, SaysThatAStartIsNotFinite) {
  for (const char* name : {"whipple_bicycle", "four_bar", "rolling_disc"}) {
    SCOPED_TRACE(name);
    Model model = model_file(name);
    model.bodies[0].angular_velocity = {1e200, 1e200, 1e200};
    const CheckReport report = check_model(model);
    EXPECT_FALSE(report.can_run());
    ASSERT_FALSE(report.problems.empty());
    EXPECT_NE(report.problems[0].find("not finite"), std::string::npos) << report.problems[0];
  }
}

TEST(Check, LooksThroughAJointThatIsOff) {
  const Model model = from_text(R"(
bodies:
  bar: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  A: {type: revolute, between: [ground, bar], at: [0, 0, 0], axis: [0, 1, 0]}
  B: {type: spherical, between: [ground, bar], at: [2, 0, 0]}
inactive: [B]
events: {catch: {when: angle(A) - 1, activate: [B]}}
)");
  const CheckReport report = check_model(model);
  EXPECT_EQ(report.degrees_of_freedom, 1);
  EXPECT_TRUE(report.can_run());
}

TEST(Check, SuggestsJointsThatRemoveRedundantEquations) {
  for (Model model :
       {model_file("four_bar"), model_file("bricard"), model_file("andrews"), n_four_bar(3, 0.01, 1.0, 1.0)}) {
    const CheckReport before = check_model(model);
    ASSERT_EQ(before.remedies.size(), 1u);
    EXPECT_EQ(before.remedies[0].redundant_left, 0);
    for (const JointChange& change : before.remedies[0].changes)
      for (Joint& j : model.joints) {
        if (j.name != change.joint) continue;
        if (change.to == "spherical") j.type = JointType::spherical;
        if (change.to == "cylindrical") j.type = JointType::cylindrical;
        if (change.to == "universal") j.type = JointType::universal;
      }
    const CheckReport after = check_model(model);
    EXPECT_EQ(after.always.joint_equations(), 0);
    EXPECT_EQ(after.degrees_of_freedom, before.degrees_of_freedom);
    EXPECT_EQ(after.gruebler, after.degrees_of_freedom);
  }
}

TEST(Check, FindsTheOneRedundantEquationOfBricardsMechanism) {
  const CheckReport r = check_model(model_file("bricard"));
  EXPECT_EQ(r.gruebler, 0);
  EXPECT_EQ(r.degrees_of_freedom, 1);
  EXPECT_EQ(r.always.joint_equations(), 1);
  ASSERT_EQ(r.always.joints.size(), 1u);
  EXPECT_EQ(r.always.joints[0].depends_on.size(), 5u);  // all other joints
  EXPECT_TRUE(r.generic_known);
  EXPECT_FALSE(r.is_singular());
}

TEST(Check, TellsASingularPositionFromRedundantJoints) {
  const CheckReport regular = check_model(n_four_bar(2, 0.01, 1.0, 1.0));
  EXPECT_EQ(regular.degrees_of_freedom, 1);
  EXPECT_EQ(regular.always.joint_equations(), 6);
  EXPECT_FALSE(regular.is_singular());
  const CheckReport singular = check_model(n_four_bar(2, 0.01, 0.0, 0.0));
  EXPECT_EQ(singular.degrees_of_freedom, 3);
  EXPECT_TRUE(singular.is_singular());
  EXPECT_EQ(singular.generic_degrees_of_freedom, 1);
  EXPECT_EQ(singular.always.joint_equations(), 6);
  EXPECT_EQ(singular.at_start.joint_equations(), 8);
}

/// Two equal cranks and a coupler as long as the base.
Model parallelogram(const std::string& second_motion) {
  return from_text(R"(
bodies:
  left: {mass: 1, inertia: [1, 1, 1], position: [0, 0.5, 0]}
  right: {mass: 1, inertia: [1, 1, 1], position: [2, 0.5, 0]}
  coupler: {mass: 1, inertia: [1, 1, 1], position: [1, 1, 0]}
joints:
  A: {type: revolute, between: [ground, left], at: [0, 0, 0], axis: [0, 0, 1]}
  B: {type: revolute, between: [left, coupler], at: [0, 1, 0], axis: [0, 0, 1]}
  C: {type: revolute, between: [coupler, right], at: [2, 1, 0], axis: [0, 0, 1]}
  D: {type: revolute, between: [ground, right], at: [2, 0, 0], axis: [0, 0, 1]}
motions:
  first: {joint: A, displacement: 3*t}
  second: {joint: D, displacement: )" +
                   second_motion + "}\n");
}

TEST(Check, NamesAMotionThatIsOneTooMany) {
  const CheckReport agrees = check_model(parallelogram("3*t"));
  ASSERT_EQ(agrees.always.motions.size(), 1u);
  EXPECT_EQ(agrees.always.motions[0].motion, "second");
  EXPECT_EQ(agrees.always.motions[0].motions, Names{"first"});
  EXPECT_LT(agrees.always.motions[0].contradiction, 1e-12);
  EXPECT_EQ(agrees.always.joint_equations(), 3);
  EXPECT_TRUE(agrees.can_run());

  const CheckReport contradicts = check_model(parallelogram("2*t"));
  ASSERT_EQ(contradicts.always.motions.size(), 1u);
  EXPECT_GT(contradicts.always.motions[0].contradiction, 1e-3);
  EXPECT_FALSE(contradicts.can_run());
  EXPECT_NE(contradicts.problems[0].find("motion second contradicts"), std::string::npos);
}

TEST(Check, NamesMotionsThatCannotBothBeFollowed) {
  const CheckReport r = check_model(parallelogram("3*t + 0.5"));
  EXPECT_FALSE(r.start.assembled);
  ASSERT_EQ(r.always.motions.size(), 1u);
  EXPECT_GT(r.always.motions[0].gap, 0.1);
  EXPECT_NE(r.problems[0].find("motion second contradicts what motion first prescribes"), std::string::npos)
      << r.problems[0];
}

TEST(Check, SeesThatATrussIsLocked) {
  Model model;
  model.bodies = {rod("left", {0, 0, 0}, {1, 1, 0}, 0.01), rod("right", {2, 0, 0}, {1, 1, 0}, 0.01)};
  model.joints = {joint(JointType::revolute, "A", "ground", "left", {0, 0, 0}),
                  joint(JointType::revolute, "B", "left", "right", {1, 1, 0}),
                  joint(JointType::revolute, "C", "ground", "right", {2, 0, 0})};
  const CheckReport r = check_model(model);
  EXPECT_EQ(r.degrees_of_freedom, 0);
  EXPECT_EQ(r.always.joint_equations(), 3);
  EXPECT_TRUE(r.is_locked());
  EXPECT_FALSE(r.can_run());
  EXPECT_EQ(r.immovable, (Names{"left", "right"}));
}

TEST(Check, FindsBodiesThatNothingHolds) {
  Model model = from_text(R"(
bodies:
  stone: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}
  hung: {mass: 1, inertia: [1, 1, 1], position: [3, 0, 1]}
  held: {mass: 1, inertia: [1, 1, 1], position: [6, 0, 1]}
joints:
  pin: {type: revolute, between: [ground, held], at: [6, 0, 0], axis: [0, 1, 0]}
forces:
  spring: {type: spring-damper, between: [ground, hung], stiffness: 10}
)");
  const CheckReport r = check_model(model);
  EXPECT_EQ(r.degrees_of_freedom, 13);
  ASSERT_EQ(r.loose.size(), 2u);
  EXPECT_EQ(r.loose[0].bodies, Names{"stone"});
  EXPECT_FALSE(r.loose[0].has_forces);
  EXPECT_EQ(r.loose[1].bodies, Names{"hung"});
  EXPECT_TRUE(r.loose[1].has_forces);
}

TEST(Check, MeasuresHowFarTheGuessIsFromClosed) {
  const CheckReport r = check_model(from_text(R"(
bodies:
  arm:
    mass: 1
    inertia: [1, 1, 1]
    position: [0.03, 0.04, 0]
    orientation: {axis: [0, 1, 0], angle: 0.2}
    markers: {end: {}}
ground: {markers: {pivot: {}}}
joints:
  pin: {type: revolute, between: [ground.pivot, arm.end]}
)"));
  ASSERT_EQ(r.start.guess.size(), 1u);
  EXPECT_EQ(r.start.guess[0].name, "joint 'pin'");
  EXPECT_NEAR(r.start.guess[0].distance, 0.05, 1e-12);
  EXPECT_NEAR(r.start.guess[0].angle, 0.2, 1e-12);
  ASSERT_EQ(r.start.moves.size(), 1u);
  EXPECT_NEAR(r.start.moves[0].distance, 0.05, 1e-9);
  EXPECT_NEAR(r.start.moves[0].angle, 0.2, 1e-9);
}

TEST(Check, KnowsTheFrequenciesOfMassesOnSprings) {
  const CheckReport r = check_model(from_text(R"(
gravity: [0, 0, 0]
bodies:
  slow: {mass: 2, inertia: [1, 1, 1], position: [0, 0, 1]}
  fast: {mass: 0.5, inertia: [1, 1, 1], position: [5, 0, 1]}
ground: {markers: {foot: {position: [5, 0, 0]}}}
joints:
  a: {type: translational, between: [ground, slow], at: [0, 0, 1], axis: [0, 0, 1]}
  b: {type: translational, between: [ground, fast], at: [5, 0, 1], axis: [0, 0, 1]}
forces:
  s1: {type: spring-damper, between: [ground, slow], stiffness: 18}
  s2: {type: spring-damper, between: [ground.foot, fast], stiffness: 2e4}
)"));
  EXPECT_NEAR(r.scales.slowest, 3, 1e-9);
  EXPECT_NEAR(r.scales.fastest, 200, 1e-7);
  EXPECT_LT(r.scales.suggested_step, 2 * std::numbers::pi / 200 / 10);
  EXPECT_GT(r.scales.suggested_step, 2 * std::numbers::pi / 200 / 100);
}

/// The frequencies of a uniform chain of masses on springs: ωᵢ = 2√(k/m) sin((2i − 1)π/(4n + 2)).
/// More masses than Lanczos's method takes steps.
TEST(Modes, FindTheEndsOfALongSpectrum) {
  constexpr int n = 100;
  Model model = from_text(R"(
gravity: [0, 0, 0]
parameters: {n: 100}
repeat:
  - for: {i: n}
    bodies: {"m{i}": {mass: 1, inertia: [1, 1, 1], position: [0, 0, i]}}
    joints: {"j{i}": {type: translational, between: [ground, "m{i}"], at: [0, 0, i], axis: [0, 0, 1]}}
  - for: {i: [2, n]}
    forces: {"s{i}": {type: spring-damper, between: ["m{i-1}", "m{i}"], stiffness: 100}}
forces: {s1: {type: spring-damper, between: [ground, m1], stiffness: 100}}
)");
  const Started x = start(model);
  const ModeRange range = find_mode_range(x.system, x.state);
  const auto omega = [&](int i) { return 20 * std::sin((2 * i - 1) * std::numbers::pi / (4 * n + 2)); };
  EXPECT_NEAR(std::sqrt(range.softest[0].stiffness), omega(1), 1e-3 * omega(1));
  EXPECT_NEAR(std::sqrt(range.fastest[0].stiffness), omega(n), 0.01 * omega(n));
}

/// Questions that share tangents and factor answer as if each were asked alone, in whatever order.
TEST(Modes, AnswerAloneAsTogether) {
  for (const char* name : {"double_four_bar", "four_bar", "chain", "flyball_governor"}) {
    SCOPED_TRACE(name);
    const Started x = start(model_file(name));
    SmallMotions shared(x.system);
    const State rest = shared.let_go(x.state);
    const ModeRange together = shared.mode_range(rest), alone = find_mode_range(x.system, rest);
    ASSERT_EQ(together.any(), alone.any());
    for (const auto& [a, b] : {std::pair{together.softest, alone.softest}, {together.fastest, alone.fastest}})
      for (size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(a[i].stiffness, b[i].stiffness, 1e-8 * std::abs(alone.fastest[0].stiffness));
    const VectorXd of_shared = shared.random_velocity(x.state, 5), own = random_feasible_velocity(x.system, x.state, 5);
    EXPECT_LT((of_shared - own).norm(), 1e-8);
    EXPECT_LT((shared.let_go(x.state).a - rest.a).norm(), 1e-8 * (1 + rest.a.norm()));
  }
}

/// What is let go at rest starts as forces, masses and joints say: M a + Gᵀλ = f and G a = 0.
TEST(Modes, LetGoSatisfyTheEquationsOfMotion) {
  for (const char* name : {"four_bar", "chain", "flyball_governor"}) {
    SCOPED_TRACE(name);
    const Started x = start(model_file(name));
    const State rest = SmallMotions(x.system).let_go(x.state);
    Kinematics k = x.system.make_kinematics();
    Residual r = x.system.make_residual();
    x.system.update(rest, k);
    x.system.residual(k, r);
    SparseTangent tangent(x.system);
    tangent.evaluate(k, 0, 0, 1);
    const VectorXd inertia = tangent.S() * rest.a, across = tangent.G() * rest.a;
    EXPECT_TRUE(rest.v.isZero(0));
    EXPECT_LT(r.motion.head(x.system.velocities()).norm(), 1e-7 * (1 + inertia.norm()));
    EXPECT_LT(across.norm(), 1e-7 * (1 + rest.a.norm()));
  }
}

TEST(Check, HandlesAThousandBodies) {
  const Model model = chain(1000);
  const auto begin = std::chrono::steady_clock::now();
  const CheckReport r = check_model(model);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("check of 1000 bodies: %.2f s\n", seconds);
  EXPECT_EQ(r.degrees_of_freedom, 1000);
  EXPECT_TRUE(r.can_run());
}

/// Longer than the loops that are looked at alone.
TEST(Check, NamesTheRedundantEquationsOfALongRing) {
  Model model = from_text(R"yaml(
parameters: {n: 200, R: 5}
repeat:
  - for: {i: n}
    bodies:
      "l{i}": {mass: 1, inertia: [1, 1, 1], position: ["R*cos(2*pi*(i - 0.5)/n)", "R*sin(2*pi*(i - 0.5)/n)", 0]}
    joints:
      "j{i}":
        type: revolute
        between: ["l{mod(i - 2 + n, n) + 1}", "l{i}"]
        at: ["R*cos(2*pi*(i - 1)/n)", "R*sin(2*pi*(i - 1)/n)", 0]
        axis: [0, 0, 1]
joints:
  g: {type: revolute, between: [ground, l1], at: [0.9*R, 0, 0], axis: [0, 0, 1]}
)yaml");
  const CheckReport r = check_model(model);
  EXPECT_EQ(r.degrees_of_freedom, 198);  // 3·200 − 2·201 in the plane
  ASSERT_EQ(r.always.joints.size(), 1u);
  EXPECT_EQ(r.always.joints[0].directions, (Names{"force along z", "torque about x", "torque about y"}));
  EXPECT_EQ(r.always.joints[0].depends_on.size(), 199u);  // all but the one to ground
}

TEST(Check, SaysWhichJointsCannotBeClosed) {
  const CheckReport r = check_model(from_text(R"(
bodies:
  arm: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0], markers: {tip: {position: [0.5, 0, 0]}}}
ground: {markers: {far: {position: [3, 0, 0]}}}
joints:
  A: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}
  B: {type: spherical, between: [ground.far, arm.tip]}
)"));
  EXPECT_FALSE(r.can_run());
  EXPECT_FALSE(r.start.assembled);
  ASSERT_FALSE(r.start.open.empty());
  EXPECT_NE(r.problems[0].find("joint 'B' is open by"), std::string::npos) << r.problems[0];
}

TEST(Check, NamesWhatIsNotDriven) {
  Model model = model_file("double_pendulum");
  Motion drive;
  drive.name = "drive";
  drive.joint = {"shoulder", {}};
  drive.displacement = Expression::parse("t", {}, true);
  model.motions = {drive};
  const CheckReport r = check_model(model);
  EXPECT_EQ(r.degrees_of_freedom, 1);
  EXPECT_EQ(r.undriven, Names{"elbow.angle"});
}

/// n rods in a row, hinged in a plane, at random angles and speeds; or not hung up at all.
std::string rods(int n, double duration, unsigned seed, bool hung) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> angle(-3, 3);
  std::string bodies = "gravity: [0, -9.81, 0]\nplane: xy\nbodies:\n", joints = "joints:\n";
  for (int i = 0; i < n; ++i) {
    bodies += fmt::format(
        "  r{}: {{mass: 1, inertia: 0.08, markers: {{a: {{position: [-0.5, 0, 0]}}, b: {{position: [0.5, 0, 0]}}}}}}\n",
        i);
    if (i > 0 || hung)
      joints += fmt::format("  j{}: {{type: revolute, between: [{}, r{}.a], start: {:.3f}, start_velocity: {:.3f}}}\n",
                            i, i ? fmt::format("r{}.b", i - 1) : "ground", i, angle(random), angle(random));
  }
  return bodies + joints + fmt::format("run: {{duration: {}, step: 1}}\n", duration);
}

/// "" if a run at the suggested step is good, or the suggestion says that it is not.
std::string against_suggestion(const Model& model) {
  const CheckReport report = check_model(model);
  if (!report.can_run() || report.scales.suggested_step == 0 || !report.scales.doubt.empty()) return "";
  RunSettings settings = model.run;
  settings.integrator = IntegratorType::hht, settings.rtol.reset();
  settings.step = std::min(report.scales.suggested_step, settings.duration);
  const Started started = start(model);
  const RunReport run = simulate(started.system, started.state, settings).report;
  if (!run.stopped_because.empty()) return run.stopped_because;
  return run.doubts.empty() ? "" : fmt::format("{} s: {}", settings.step, run.doubts[0].text);
}

TEST(SuggestedStep, IsGoodForChaoticPendulums) {
  for (const double duration : {1.0, 20.0})
    for (unsigned seed = 1; seed <= 3; ++seed)
      for (const bool hung : {true, false}) {
        const int n = 1 + static_cast<int>(seed % 3);
        if (n == 1 && !hung) continue;
        const std::string text = rods(n, duration, seed, hung);
        EXPECT_EQ(against_suggestion(from_text(text)), "") << text;
      }
}

TEST(SuggestedStep, IsGoodForModels) {
  for (const char* name : {"pendulum", "double_pendulum", "four_bar", "cart_pendulum", "balanced_rod", "projectile",
                           "slider_crank_004", "crane", "pantograph", "knife_edge_sled", "rolling_disc", "robot_arm",
                           "planetary_gear", "delta_robot", "spatial_slider_crank"}) {
    EXPECT_EQ(against_suggestion(model_file(name)), "") << name;
  }
}

}  // namespace check_test
}  // namespace bricard::testing
