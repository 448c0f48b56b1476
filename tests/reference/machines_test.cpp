// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "bricard/analysis/kinematics.h"
#include "bricard/analysis/simulate.h"
#include "bricard/analysis/statics.h"
#include "bricard/assemble/assemble.h"
#include "bricard/elements/measured_formulas.h"
#include "bricard/read/model_reader.h"
#include "reference/mechanisms.h"

// Machines of models/ against statics done by hand.
namespace bricard::testing {
namespace machines_test {

Model machine(const std::string& name) { return io::read_model(std::string(BRICARD_SOURCE_DIR) + "/models/" + name); }

struct Posed {
  const System& system;
  Kinematics k;
  Posed(const System& s, const State& state) : system(s), k(s.make_kinematics()) { system.update(state, k); }
  const Frame& body(const std::string& name) const {
    for (size_t i = 0; i < system.nodes().size(); ++i)
      if (system.nodes()[i].name == name) return k.frames[i];
    throw std::runtime_error(name);
  }
  size_t joint(const std::string& name) const {
    for (size_t i = 0; i < system.joints.size(); ++i)
      if (system.joints[i].name == name) return i;
    throw std::runtime_error(name);
  }
  Vector3d place(const MarkerPose& m) const { return k.frames[m.node].p + k.frames[m.node].R * m.r; }
};

double mass_of(const Model& model, const std::string& name) {
  for (const Body& b : model.bodies)
    if (b.name == name) return b.mass;
  throw std::runtime_error(name);
}

/// What the six legs push with along themselves at the platform, from six equations of equilibrium. A leg is hinged at both
/// ends; its parts, s along it, rest on the platform with s/L of their weight across the leg.
VectorXd leg_forces_by_hand(const Model& model, const Posed& x, std::vector<Vector3d>& along) {
  const Vector3d center = x.body("platform").p;
  Eigen::Matrix<double, 6, 6> A;
  Eigen::Matrix<double, 6, 1> b = Eigen::Matrix<double, 6, 1>::Zero();
  b.head<3>() = -mass_of(model, "platform") * model.gravity;
  for (int i = 0; i < 6; ++i) {
    const std::string n = std::to_string(i + 1);
    const Vector3d base = x.place(x.system.joints[x.joint("cross" + n)].markers[0]);
    const Vector3d top = x.place(x.system.joints[x.joint("ball" + n)].markers[1]);
    const double L = (top - base).norm();
    const Vector3d u = (top - base) / L;
    Vector3d across = Vector3d::Zero();
    for (const std::string& part : {"cylinder" + n, "rod" + n}) {
      const Vector3d weight = mass_of(model, part) * model.gravity;
      across += (x.body(part).p - base).dot(u) / L * (weight - weight.dot(u) * u);
    }
    A.col(i) << u, (top - center).cross(u);
    b.head<3>() -= across;
    b.tail<3>() -= (top - center).cross(across);
    along.push_back(u);
  }
  return A.fullPivLu().solve(b);
}

void expect_leg_forces(const Model& model, const System& system, const State& s, double tolerance) {
  Posed x(system, s);
  std::vector<Wrench> reactions(system.joints.size());
  system.reactions(x.k, reactions);
  std::vector<Vector3d> along;
  const VectorXd by_hand = leg_forces_by_hand(model, x, along);
  EXPECT_GT(by_hand.maxCoeff() - by_hand.minCoeff(), 100);  // tilted: the legs differ
  for (int i = 0; i < 6; ++i)
    EXPECT_NEAR(reactions[x.joint("ball" + std::to_string(i + 1))].force.dot(along[i]), by_hand[i], tolerance) << i + 1;
}

TEST(Machines, LegsOfTheStewartPlatformCarryWhatStaticsSays) {
  Model model = machine("stewart_platform.yaml");
  model.run.output_step = 1;
  const Started x = start(model);
  const Results driven = solve_kinematics(x.system, x.state, model.run);
  ASSERT_TRUE(driven.report.finished);
  expect_leg_forces(model, x.system, driven.samples.back().state, 1e-6);
  const Results run = simulate(x.system, x.state, model.run);
  ASSERT_TRUE(run.report.finished);
  expect_leg_forces(model, x.system, run.samples.back().state, 0.1);  // what is left of the last movement
  EXPECT_LE((run.samples.back().state.q - driven.samples.back().state.q).lpNorm<Eigen::Infinity>(), 1e-8);
}

TEST(Machines, WheelsOfTheSuspensionCarryTheCar) {
  const Model model = machine("double_wishbone.yaml");
  Started x = start(model);
  const StaticReport report = find_equilibrium(x.system, SolverType::automatic, x.state);
  ASSERT_TRUE(report.found) << report.problem;
  EXPECT_EQ(report.stability, Stability::stable);
  double weight = 0;
  for (const Body& b : model.bodies) weight -= b.mass * model.gravity.z();
  Posed pose(x.system, x.state);
  std::vector<Wrench> reactions(x.system.joints.size());
  x.system.reactions(pose.k, reactions);
  int tyres = 0;
  for (size_t i = 0; i < model.signals.size(); ++i) {
    if (model.signals[i].name != "tyre1" && model.signals[i].name != "tyre2") continue;
    EXPECT_NEAR(x.system.signals[i]->values(pose.k)[0], weight / 2, 1e-6);
    ++tyres;
  }
  EXPECT_EQ(tyres, 2);
  // the lower ball joint hangs on the spring: both uprights alike, mirrored
  const Vector3d left = reactions[pose.joint("low_ball1")].force, right = reactions[pose.joint("low_ball2")].force;
  EXPECT_NEAR((left - Vector3d(right.x(), -right.y(), right.z())).norm(), 0, 1e-5);
}

/// A body on two arms alike moves like half of it on one arm; the many equal modes of the two sides must not hide it.
TEST(Machines, MirroredSidesAreAsSoftAsOne) {
  const auto softest = [](int sides) {
    const std::string n = std::to_string(sides);
    const Model model = io::read_model_text("bodies:\n  body: {mass: 300*" + n + R"yaml(, inertia: [100, 100, 100]}
joints: {heave: {type: translational, between: [ground, body], at: [0, 0, 0], axis: [0, 0, 1]}}
repeat:
  for: {i: )yaml" + n + R"yaml(}
  bodies: {"arm{i}": {mass: 6, inertia: [0.1, 0.1, 0.1], position: [0, (3 - 2*i)*0.4, 0]}}
  forces:
    "b{i}": {type: bushing, between: [body, "arm{i}"], at: [0, (3 - 2*i)*0.2, 0], stiffness: [4e6, 4e6, 4e6], rotational_stiffness: [5000, 5000, 5000]}
    "t{i}": {type: force, on: "arm{i}", force: [0, 0, "2e5*(0.02 - z(arm{i}))"]}
)yaml",
                                            "test.yaml");
    Started x = start(model);
    return find_equilibrium(x.system, SolverType::automatic, x.state).lowest_frequency;
  };
  EXPECT_NEAR(softest(2), softest(1), 1e-4 * softest(1));
}

}  // namespace machines_test
}  // namespace bricard::testing
