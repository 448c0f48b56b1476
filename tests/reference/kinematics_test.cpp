// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/kinematics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "bricard/analysis/check_model.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "reference/mechanisms.h"

// Mechanisms that are driven entirely, against closed forms.
namespace bricard::testing {
namespace kinematics_test {

using Complex = std::complex<double>;
constexpr Complex i{0, 1};

Results follow(const Model& model, const Started& x) { return solve_kinematics(x.system, x.state, model.run); }

/// Crank a, coupler b, rocker c on a base d along x; θ the angle of the crank.
///     a e^{iθ} + b e^{iφ} = d + c e^{iψ}
struct FourBar {
  double a, b, c, d;
  double phi, psi, phi_rate, psi_rate, phi_acceleration, psi_acceleration;
  FourBar(double a_, double b_, double c_, double d_, double theta, double rate) : a(a_), b(b_), c(c_), d(d_) {
    const Complex crank = a * std::exp(i * theta), diagonal = d - crank;
    const double l = std::abs(diagonal);
    const double inside = std::acos((b * b + l * l - c * c) / (2 * b * l));
    phi = std::arg(diagonal) + inside;  // the open way
    psi = std::arg(crank + b * std::exp(i * phi) - d);
    // b φ̇ i e^{iφ} − c ψ̇ i e^{iψ} = −a θ̇ i e^{iθ}, and the same once more differentiated
    const Complex B = b * i * std::exp(i * phi), C = -c * i * std::exp(i * psi);
    const auto solve = [&](Complex right) {
      const double det = B.real() * C.imag() - B.imag() * C.real();
      return std::pair{(right.real() * C.imag() - right.imag() * C.real()) / det,
                       (B.real() * right.imag() - B.imag() * right.real()) / det};
    };
    std::tie(phi_rate, psi_rate) = solve(-rate * i * crank);
    std::tie(phi_acceleration, psi_acceleration) =
        solve(rate * rate * crank + b * phi_rate * phi_rate * std::exp(i * phi) -
              c * psi_rate * psi_rate * std::exp(i * psi));
  }
};

Model driven_four_bar(double rate) {
  const FourBar at_start(0.4, 1.1, 0.9, 1.2, 0, rate);
  const Vector3d B(0.4, 0, 0), D(1.2, 0, 0);
  const Vector3d C = B + 1.1 * Vector3d(std::cos(at_start.phi), std::sin(at_start.phi), 0);
  Model model;
  model.gravity = {0, -9.81, 0};
  model.bodies = {rod("crank", {0, 0, 0}, B, 0.01), rod("coupler", B, C, 0.01), rod("rocker", D, C, 0.01)};
  model.joints = {joint(JointType::revolute, "A", "ground", "crank", {0, 0, 0}),
                  joint(JointType::revolute, "B", "crank", "coupler", B),
                  joint(JointType::revolute, "C", "coupler", "rocker", C),
                  joint(JointType::revolute, "D", "ground", "rocker", D)};
  Motion drive;
  drive.name = "drive";
  drive.joint = {"A", {}};
  drive.displacement = Expression::parse(std::to_string(rate) + "*t", {}, true);
  model.motions = {drive};
  model.run.duration = 2;
  model.run.step = 0.05;
  return model;
}

TEST(Kinematics, OfADrivenFourBarAreThoseOfItsClosedForm) {
  const double rate = 5;
  const Model model = driven_four_bar(rate);
  const Started x = start(model);
  const Results results = follow(model, x);
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  ASSERT_EQ(results.samples.size(), 41u);
  const auto& nodes = x.system.nodes();
  for (const Sample& sample : results.samples) {
    const State& s = sample.state;
    SCOPED_TRACE(s.t);
    const FourBar f(0.4, 1.1, 0.9, 1.2, rate * s.t, rate);
    const Complex middle = 0.4 * std::exp(i * rate * s.t) + 0.55 * std::exp(i * f.phi);
    EXPECT_NEAR(s.q[nodes[2].q], middle.real(), 1e-11);
    EXPECT_NEAR(s.q[nodes[2].q + 1], middle.imag(), 1e-11);
    const auto about_z = [&](const VectorXd& v, int body) {
      return (quaternion_at(s.q, nodes[body].q + 3) * Vector3d(v.segment<3>(nodes[body].v + 3))).z();
    };
    EXPECT_NEAR(about_z(s.v, 2), f.phi_rate, 1e-10);
    EXPECT_NEAR(about_z(s.v, 3), f.psi_rate, 1e-10);
    EXPECT_NEAR(about_z(s.a, 2), f.phi_acceleration, 1e-9);
    EXPECT_NEAR(about_z(s.a, 3), f.psi_acceleration, 1e-9);
  }
}

/// Two uniform rods of 1 kg and 1 m; q₂ counts from the first rod. Torques by Lagrange's equations:
///     τ₁ = (5/3 + c₂) q̈₁ + (1/3 + c₂/2) q̈₂ − s₂ (q̇₁q̇₂ + q̇₂²/2) + g (3/2 cos q₁ + ½ cos(q₁ + q₂))
///     τ₂ = (1/3 + c₂/2) q̈₁ + q̈₂/3 + s₂ q̇₁²/2 + g/2 cos(q₁ + q₂)
TEST(Kinematics, GiveTheTorquesOfATwoLinkArm) {
  Model model = io::read_model_text(R"(
gravity: [0, -9.81, 0]
bodies:
  upper: {mass: 1, inertia: [1e-3, 1/12, 1/12], position: [0.5, 0, 0]}
  lower: {mass: 1, inertia: [1e-3, 1/12, 1/12], position: [1.5, 0, 0]}
joints:
  shoulder: {type: revolute, between: [ground, upper], at: [0, 0, 0], axis: [0, 0, 1]}
  elbow: {type: revolute, between: [upper, lower], at: [1, 0, 0], axis: [0, 0, 1]}
motions:
  one: {joint: shoulder, displacement: 0.7*sin(2*t)}
  two: {joint: elbow, displacement: 0.4*t^2}
run: {duration: 3, step: 0.1}
)",
                                    "arm.yaml");
  const Started x = start(model);
  const Results results = follow(model, x);
  ASSERT_TRUE(results.report.finished);
  std::vector<Wrench> reactions(2);
  Kinematics k = x.system.make_kinematics();
  for (const Sample& sample : results.samples) {
    const double t = sample.state.t, g = 9.81;
    const double q1 = 0.7 * std::sin(2 * t), v1 = 1.4 * std::cos(2 * t), a1 = -2.8 * std::sin(2 * t);
    const double q2 = 0.4 * t * t, v2 = 0.8 * t, a2 = 0.8;
    const double c2 = std::cos(q2), s2 = std::sin(q2), c12 = std::cos(q1 + q2);
    const double tau1 = (5.0 / 3 + c2) * a1 + (1.0 / 3 + c2 / 2) * a2 - s2 * (v1 * v2 + v2 * v2 / 2) +
                        g * (1.5 * std::cos(q1) + 0.5 * c12);
    const double tau2 = (1.0 / 3 + c2 / 2) * a1 + a2 / 3 + s2 * v1 * v1 / 2 + g / 2 * c12;
    x.system.update(sample.state, k);
    x.system.reactions(k, reactions);
    EXPECT_NEAR(reactions[0].torque.z(), tau1, 1e-9) << t;
    EXPECT_NEAR(reactions[1].torque.z(), tau2, 1e-9) << t;
  }
}

/// Without freedom a run finds the same positions at any step; without projections the torque of
/// the motion is of the order of the formula.
TEST(Kinematics, AreWhatARunWithSmallStepsTendsTo) {
  Model model = driven_four_bar(3);
  model.run.duration = 0.5;
  const Started x = start(model);
  const State exact = follow(model, x).samples.back().state;
  model.run.projection = ProjectionMode::none;
  model.run.tolerance = 1e-12;
  double before = 0;
  for (const double step : {2e-3, 1e-3}) {  // shorter ones meet the round-off of λ, which grows as 1/h²
    model.run.step = step;
    const State s = simulate(x.system, x.state, model.run).samples.back().state;
    EXPECT_LT((s.q - exact.q).norm(), 1e-10);
    const double drive = exact.lambda[exact.lambda.size() - 1];
    const double error = std::abs(s.lambda[exact.lambda.size() - 1] / drive - 1);
    EXPECT_LT(error, 1e-2);
    if (before > 0) {
      EXPECT_GT(std::log2(before / error), 1.7);
      EXPECT_LT(std::log2(before / error),
                3);  // samples are made consistent, so that only positions and velocities count
    }
    before = error;
  }
}

TEST(Kinematics, EndWhereTheJointsCannotFollow) {
  Model model = driven_four_bar(1);
  model.joints.pop_back();  // the rocker's foot goes to where a motion pulls it
  model.joints.push_back(joint(JointType::translational, "D", "ground", "rocker", {1.2, 0, 0}, {1, 0, 0}));
  model.motions[0].joint = {"D", {}};
  model.motions[0].displacement = Expression::parse("2*t", {}, true);
  model.run.duration = 5;
  const Started x = start(model);
  ASSERT_EQ(find_freedom(x.system, x.state).degrees_of_freedom, 0);
  const Results results = follow(model, x);
  EXPECT_FALSE(results.report.finished);
  EXPECT_NE(results.report.stopped_because.find("cannot follow the motions"), std::string::npos);
  // crank and coupler stretched along the line from A to C: |C| = 0.4 + 1.1
  const State& s = results.samples.back().state;
  const auto& rocker = x.system.nodes()[3];
  const Vector3d C = s.q.segment<3>(rocker.q) + quaternion_at(s.q, rocker.q + 3) * Vector3d(0, 0, 0.45);
  EXPECT_NEAR(C.norm(), 1.5, 1e-3);
}

TEST(Kinematics, CountTurnsOverManyRevolutions) {
  Model model = driven_four_bar(20);
  const Started x = start(model);
  const Results results = follow(model, x);
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  EXPECT_NEAR(results.samples.back().state.angles[0], 40, 1e-9);
}

/// A parallelogram is flat, and could go on as a crossed linkage, when its crank lies along the base.
TEST(Kinematics, ReportSingularPositionsByTime) {
  Model model = n_four_bar(1, 0.01, 1.0, 0.0);
  Motion drive;
  drive.name = "drive";
  drive.joint = {"foot0", {}};
  drive.displacement = Expression::parse("-2*t", {}, true);
  model.motions = {drive};
  model.run.duration = 1;
  model.run.step = 0.1;  // flat at t = 0.5
  const Started x = start(model);
  const Results results = follow(model, x);
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  ASSERT_EQ(results.report.remarks.size(), 1u);
  EXPECT_EQ(results.report.remarks[0], "singular position at t = 0.5 s");
  const auto& level = x.system.nodes()[3];  // it stays level
  EXPECT_NEAR(
      (results.samples.back().state.q.segment<3>(level.q) - Vector3d(0.5 + std::cos(1.0), -std::sin(1.0), 0)).norm(), 0,
      1e-9);
}

}  // namespace kinematics_test
}  // namespace bricard::testing
