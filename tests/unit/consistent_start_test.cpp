// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/consistent_start.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bricard/assemble/assemble.h"
#include "reference/mechanisms.h"

// From wishes to a state with g = 0, ġ = 0, g̈ = 0 that moves masses as little as possible.
namespace bricard::testing {
namespace consistent_start_test {

using Eigen::MatrixXd;

/// A rod as in rod(), with markers at its ends so that joints say what belongs together, not where.
Body linked_rod(const std::string& name, const Vector3d& from, const Vector3d& to, double length) {
  Body b = rod(name, from, to, 0.01);
  b.markers = {{"start", {}, Vector3d(0, 0, -length / 2), Quaterniond::Identity()},
               {"end", {}, Vector3d(0, 0, length / 2), Quaterniond::Identity()}};
  for (Marker& m : b.markers) m.orientation = b.orientation.conjugate();  // axes as those of ground
  return b;
}

Joint link(JointType type, const std::string& name, const std::string& first, const std::string& second) {
  return {name, {}, type, {Reference{first, {}}, Reference{second, {}}}, {}, {}, {}, {}};
}

/// Crank, coupler and rocker on revolutes about z: three redundant equations. It closes if `gap` is
/// 0.
Model four_bar(double gap) {
  const Vector3d crank(0, 0.4, 0), rocker(1.2, 0.9, 0), foot(1.4, 0, 0);
  Model model;
  model.gravity = {0, -9.81, 0};
  model.ground.markers = {{"left", {}, Vector3d::Zero(), Quaterniond::Identity()},
                          {"right", {}, foot, Quaterniond::Identity()}};
  model.bodies = {linked_rod("crank", {0, 0, 0}, crank, crank.norm()),
                  linked_rod("coupler", crank, rocker, (rocker - crank).norm()),
                  linked_rod("rocker", foot, rocker, (rocker - foot).norm())};
  model.bodies[1].position += gap * Vector3d(0.5, -0.7, 0.3);
  model.bodies[2].orientation = exp_rotation(gap * Vector3d(0.2, 0.1, 0.6)) * model.bodies[2].orientation;
  model.joints = {link(JointType::revolute, "A", "ground.left", "crank.start"),
                  link(JointType::revolute, "B", "crank.end", "coupler.start"),
                  link(JointType::revolute, "C", "coupler.end", "rocker.end"),
                  link(JointType::revolute, "D", "ground.right", "rocker.start")};
  return model;
}

/// What the tests look at besides the state.
struct Outcome {
  System system;
  State wished, s;
  StartReport report;
  Residual residual;
  VectorXd rate, bias;
};

Outcome start_from(const Model& model, State wished) {
  Outcome o{assemble(model), wished, wished, {}, {}, {}, {}};
  o.report = consistent_start(o.system, SolverType::automatic, o.s);
  Kinematics k = o.system.make_kinematics();
  o.residual = o.system.make_residual();
  o.rate = o.bias = VectorXd::Zero(o.system.multipliers());
  o.system.update(o.s, k);
  o.system.residual(k, o.residual);
  o.system.constraint_rates(k, o.rate, o.bias);
  return o;
}

Outcome start_from(const Model& model) { return start_from(model, initial_wishes(model, assemble(model))); }

double norm_of_constraints(const System& system, const State& s) {
  Kinematics k = system.make_kinematics();
  Residual r = system.make_residual();
  system.update(s, k);
  system.residual(k, r);
  return r.constraint.lpNorm<Eigen::Infinity>();
}

/// Masses and inertias in the order of the velocities.
MatrixXd mass_matrix(const Model& model) {
  const int n = static_cast<int>(model.bodies.size());
  MatrixXd M = MatrixXd::Zero(6 * n, 6 * n);
  for (int i = 0; i < n; ++i) {
    M.diagonal().segment<3>(6 * i).setConstant(model.bodies[i].mass);
    M.block<3, 3>(6 * i + 3, 6 * i + 3) = model.bodies[i].inertia;
  }
  return M;
}

/// G by differences of fourth order (d = 1e-3 leaves 1e-12 of truncation and of round-off).
MatrixXd constraint_matrix(const System& system, const State& s) {
  constexpr double d = 1e-3;
  MatrixXd G(system.multipliers(), system.velocities());
  Kinematics k = system.make_kinematics();
  const auto at = [&](int j, double x) -> VectorXd {
    State moved = s;
    Residual r = system.make_residual();
    system.manifold().retract(s.q, x * VectorXd::Unit(system.velocities(), j), moved.q);
    system.update(moved, k);
    system.residual(k, r);
    return r.constraint;
  };
  for (int j = 0; j < G.cols(); ++j)
    G.col(j) = (8 * (at(j, d) - at(j, -d)) - (at(j, 2 * d) - at(j, -2 * d))) / (12 * d);
  return G;
}

/// Directions of motion the constraints allow. 1e-9: between the errors of G and what a real
/// constraint amounts to.
MatrixXd free_motions(const Outcome& o) {
  Eigen::FullPivLU<MatrixXd> lu(constraint_matrix(o.system, o.s));
  lu.setThreshold(1e-9);
  return lu.kernel().colwise().normalized();
}

void expect_consistent(const Outcome& o) {
  ASSERT_TRUE(o.report.assembled) << o.report.problem;
  const VectorXd second = constraint_matrix(o.system, o.s) * o.s.a + o.bias;
  EXPECT_LE(o.residual.constraint.lpNorm<Eigen::Infinity>(),
            1e-12);  // what the start promises, in metres
  EXPECT_LE(o.rate.lpNorm<Eigen::Infinity>(),
            1e-11);  // linear in v of order 1; ten digits of margin to a wrong one
  EXPECT_LE(second.lpNorm<Eigen::Infinity>(),
            1e-9);  // differences behind G: 1e-12 times a of order 100
  EXPECT_LE(o.residual.motion.head(o.system.velocities()).lpNorm<Eigen::Infinity>(),
            1e-9);  // of forces of order 100
}

TEST(ConsistentStart, ClosesAnOpenFourBar) {
  for (const double gap : {1e-6, 1e-3, 0.1, 0.5}) {
    SCOPED_TRACE(gap);
    const Outcome o = start_from(four_bar(gap));
    expect_consistent(o);
    EXPECT_GT(o.report.largest_move, 0.1 * gap);
    EXPECT_LT(o.report.largest_move, 2 * gap);
  }
}

/// Least change: M δ has no part along any free motion; for the curved constraint up to the square
/// of the gap.
TEST(ConsistentStart, MovesMassesAsLittleAsPossible) {
  const auto defect = [](double gap) {
    const Model model = four_bar(gap);
    const Outcome o = start_from(model);
    VectorXd delta(o.system.velocities());
    o.system.manifold().difference(o.wished.q, o.s.q, delta);
    return (free_motions(o).transpose() * mass_matrix(model) * delta).norm() / delta.norm();
  };
  EXPECT_LT(defect(1e-2), 1e-2);
  EXPECT_NEAR(std::log2(defect(1e-2) / defect(5e-3)), 1, 0.1);
}

TEST(ConsistentStart, LeavesAClosedMechanismWhereItIs) {
  const Outcome o = start_from(four_bar(0));
  expect_consistent(o);
  EXPECT_LE(o.report.largest_move, 1e-14);  // round-off of lengths near 1 m
}

TEST(ConsistentStart, ChangesVelocitiesAsLittleAsPossible) {
  const Model model = four_bar(0);
  State wished = initial_wishes(model, assemble(model));
  for (int i = 0; i < wished.v.size(); ++i) wished.v[i] = std::sin(1.0 + i);
  const Outcome o = start_from(model, wished);
  expect_consistent(o);
  const VectorXd change = o.s.v - wished.v;
  EXPECT_GT(change.norm(), 1);
  EXPECT_LE((free_motions(o).transpose() * mass_matrix(model) * change).norm(),
            1e-10);  // 1e-12 of G times velocities of order 1
  EXPECT_DOUBLE_EQ(o.report.velocity_change, change.lpNorm<Eigen::Infinity>());
}

TEST(ConsistentStart, KeepsVelocitiesThatFit) {
  const Model model = n_four_bar(2, 1e-4, 1.1, -2.3);
  const Outcome o = start_from(model);
  expect_consistent(o);
  EXPECT_LE((o.s.v - o.wished.v).lpNorm<Eigen::Infinity>(), 1e-13);
}

/// Exact law of the parallel motion: θ̈ = −ρ g cos θ, ρ = 3.5/3; turning about z
/// with the rod's axes.
TEST(ConsistentStart, FindsTheAccelerationsOfARedundantMechanism) {
  const double angle = 1.1;
  const Outcome o = start_from(n_four_bar(2, 1e-4, angle, -2.3));
  const double expected = -3.5 / 3 * 9.81 * std::cos(angle);
  for (int i = 1; i <= 3; ++i) {
    const FrameNode& node = o.system.nodes()[i];
    const Vector3d in_ground = quaternion_at(o.s.q, node.q + 3) * Vector3d(o.s.a.segment<3>(node.v + 3));
    EXPECT_LE((in_ground - Vector3d(0, 0, expected)).norm(), 1e-9);
  }
}

/// 30 velocities, 35 equations, one degree of freedom: 6 equations say nothing new.
TEST(ConsistentStart, CountsFreedomsAndRedundantConstraints) {
  const Outcome o = start_from(n_four_bar(2, 1e-4, 1.1, -2.3));
  EXPECT_EQ(o.report.degrees_of_freedom, 1);
  EXPECT_EQ(o.report.redundant_constraints, 6);
}

TEST(ConsistentStart, ClosesARedundantMechanism) {
  Model model = n_four_bar(2, 1e-4, 1.1, -2.3);
  const System markers = assemble(model);  // joints are where the bars are now
  State wished = initial_wishes(model, markers);
  for (int i = 0; i < wished.v.size(); ++i) wished.v[i] += 0.1 * std::sin(1.0 + i);
  VectorXd shift(markers.velocities());
  for (int i = 0; i < shift.size(); ++i) shift[i] = 0.02 * std::cos(3.0 * i);
  markers.manifold().retract(wished.q, shift, wished.q);
  expect_consistent(start_from(model, wished));
}

TEST(ConsistentStart, WorksInASingularPosition) {
  for (const double angle : {0.0, std::numbers::pi}) {
    SCOPED_TRACE(angle);
    const Outcome o = start_from(n_four_bar(2, 1e-4, angle, -4.9));
    ASSERT_TRUE(o.report.assembled) << o.report.problem;
    EXPECT_LE((o.s.v - o.wished.v).lpNorm<Eigen::Infinity>(),
              1e-12);  // parallel motion fits and is kept
    EXPECT_LE(o.rate.lpNorm<Eigen::Infinity>(), 1e-11);
    // bars of 1 kg turning at 4.9 rad/s: 24 m/s² and forces of a few of these
    EXPECT_LE(o.s.a.lpNorm<Eigen::Infinity>(), 100);
    EXPECT_LE(o.s.lambda.lpNorm<Eigen::Infinity>(), 100);
  }
}

TEST(ConsistentStart, NamesTheJointOfAnImpossibleAssembly) {
  Model model = four_bar(0);
  model.ground.markers[1].position = {4, 0, 0};  // 0.4 + 1.3 + 0.9 m do not reach
  const Outcome o = start_from(model);
  EXPECT_FALSE(o.report.assembled);
  bool named = false;
  for (const Joint& j : model.joints)
    named = named || o.report.problem.find("joint '" + j.name + "'") != std::string::npos;
  EXPECT_TRUE(named) << o.report.problem;
  EXPECT_TRUE(o.s.q.allFinite());
  // four joints share what is missing, 4 − 2.62 m
  const double open = o.residual.constraint.lpNorm<Eigen::Infinity>();
  EXPECT_GT(open, (4 - 2.62) / 4);
  EXPECT_LT(open, 4 - 2.62);
}

TEST(ConsistentStart, KeepsBodiesThatAreFixed) {
  Model model = four_bar(0.1);
  model.bodies[0].fixed = true;  // the crank, which a free start moves too
  const System system = assemble(model);
  const State wished = initial_wishes(model, system);
  State s = wished;
  const StartReport report = consistent_start(model, system, SolverType::automatic, s);
  ASSERT_TRUE(report.assembled) << report.problem;
  EXPECT_LT((s.q - wished.q).head<7>().norm(), 1e-11);
  EXPECT_GT((s.q - wished.q).norm(), 0.01);
  EXPECT_GT((start_from(four_bar(0.1)).s.q - wished.q).head<7>().norm(), 1e-3);
  for (const BodyMove& move : report.moves) EXPECT_NE(move.body, "crank");
  EXPECT_LT(norm_of_constraints(system, s), 1e-11);
}

TEST(ConsistentStart, MovesBodiesLessTheMoreTheyWeigh) {
  double before = INFINITY;
  for (const double weight : {1.0, 10.0, 100.0}) {
    Model model = four_bar(0.1);
    model.bodies[0].weight = weight;
    const System system = assemble(model);
    const State wished = initial_wishes(model, system);
    State s = wished;
    ASSERT_TRUE(consistent_start(model, system, SolverType::automatic, s).assembled);
    const double moved = (s.q - wished.q).head<7>().norm();
    EXPECT_LT(moved, 0.7 * before);
    before = moved;
  }
}

TEST(ConsistentStart, ReportsWhatItMoved) {
  const Outcome o = start_from(four_bar(0.1));
  ASSERT_FALSE(o.report.moves.empty());
  for (const BodyMove& move : o.report.moves)
    for (size_t i = 1; i < o.system.nodes().size(); ++i) {
      const FrameNode& node = o.system.nodes()[i];
      if (node.name != move.body) continue;
      EXPECT_NEAR(move.distance, (o.s.q - o.wished.q).segment<3>(node.q).norm(), 1e-12);
      const Quaterniond before = quaternion_at(o.wished.q, node.q + 3), after = quaternion_at(o.s.q, node.q + 3);
      EXPECT_NEAR(move.angle, before.angularDistance(after), 1e-7);
    }
  EXPECT_FALSE(o.report.guess.empty());
  EXPECT_TRUE(start_from(four_bar(0)).report.moves.empty());
}

TEST(ConsistentStart, SaysThatFixedBodiesAreInTheWay) {
  Model model = four_bar(0.1);
  for (Body& b : model.bodies) b.fixed = true;
  const System system = assemble(model);
  State s = initial_wishes(model, system);
  const StartReport report = consistent_start(model, system, SolverType::automatic, s);
  EXPECT_FALSE(report.assembled);
  EXPECT_NE(report.problem.find("may not move (fixed: true): crank, coupler, rocker"), std::string::npos)
      << report.problem;
}

}  // namespace consistent_start_test
}  // namespace bricard::testing
