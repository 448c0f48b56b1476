// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "papers/dense_matrices.h"
#include "reference/linear.h"

// Linearized equations against closed forms and matrices derived by hand.
namespace bricard::testing {
namespace linearize_test {

constexpr double kPi = std::numbers::pi;

constexpr const char* kPendulum = R"(
parameters: {m: 2, l: 0.7, J: 0.05, phi: 0, c: 0}
bodies:
  rod:
    mass: m
    inertia: [J, J, J]
    position: [l*sin(phi), 0, -l*cos(phi)]
    orientation: {axis: [0, 1, 0], angle: -phi}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, -1, 0]}
forces:
  damper: {type: torsion-spring, joint: hinge, damping: c}
signals:
  height: z(rod)
  torque: torque_y(hinge)
)";

TEST(Linearize, PendulumInItsAngle) {
  const Linear p(kPendulum, PointType::equilibrium, {"theta=angle(hinge)"});
  const double J = 0.05 + 2 * 0.49, k = 2 * 9.81 * 0.7;
  ASSERT_EQ(p.lin.states(), 2);
  EXPECT_EQ(p.lin.positions[0].name, "theta");
  EXPECT_EQ(p.lin.positions[0].unit, "rad");
  EXPECT_NEAR(p.lin.mass(0, 0), J, 1e-12);
  EXPECT_NEAR(p.lin.stiffness(0, 0), k, 1e-11);
  EXPECT_NEAR(p.lin.damping(0, 0), 0, 1e-12);
  EXPECT_NEAR(p.lin.A(1, 0), -k / J, 1e-11);
  EXPECT_EQ(p.lin.A(0, 1), 1);
}

// θ̈ = −(m g l sin θ + c θ̇)/J at an angle where nothing is in balance.
TEST(Linearize, PendulumAwayFromEquilibriumIsLinearizedAndSaidSo) {
  std::string text = kPendulum;
  text.replace(text.find("phi: 0, c: 0"), 12, "phi: 0.6, c: 0.3");
  const Linear p(text, PointType::given, {"angle(hinge)"});
  const double J = 0.05 + 2 * 0.49, k = 2 * 9.81 * 0.7;
  EXPECT_NEAR(p.lin.A(1, 0), -k * std::cos(0.6) / J, 1e-10);
  EXPECT_NEAR(p.lin.A(1, 1), -0.3 / J, 1e-11);
  ASSERT_EQ(p.lin.report.remarks.size(), 1u);
  EXPECT_NE(p.lin.report.remarks[0].find("no equilibrium"), std::string::npos);
}

// By hand, θ from the vertical and the joint's angle from its start: with s = h(θ), θ̈ = f(θ, θ̇):
//   s̈ = h′ f + h″ θ̇²;
//   ∂s̈/∂ṡ = (h′ f_ω + 2 h″ ω)/h′,   ∂s̈/∂s = (h″ f + h′ f_θ + h‴ ω²)/h′ − (∂s̈/∂ṡ) h″ ω/h′
TEST(Linearize, OddCoordinateAgreesWithDerivationByHand) {
  std::string text = kPendulum;
  text.replace(text.find("phi: 0, c: 0"), 12, "phi: 0.6, c: 0.3");
  text.replace(text.find("    orientation"), 0,
               "    angular_velocity: [0, -1.5, 0]\n    velocity: [1.5*l*cos(phi), 0, 1.5*l*sin(phi)]\n");
  const Linear p(text, PointType::given, {"s=exp(2*sin(0.6 + angle(hinge)))"});
  const double J = 0.05 + 2 * 0.49, k = 2 * 9.81 * 0.7, th = 0.6, w = 1.5;
  const double f = -(k * std::sin(th) + 0.3 * w) / J, f_th = -k * std::cos(th) / J, f_w = -0.3 / J;
  const double h = std::exp(2 * std::sin(th)), u = 2 * std::cos(th), u1 = -2 * std::sin(th), u2 = -u;
  const double h1 = h * u, h2 = h * (u * u + u1), h3 = h * (u * u * u + 3 * u * u1 + u2);
  const double by_rate = (h1 * f_w + 2 * h2 * w) / h1;
  const double by_value = (h2 * f + h1 * f_th + h3 * w * w) / h1 - by_rate * h2 * w / h1;
  EXPECT_NEAR(p.lin.A(1, 1), by_rate, 1e-9 * std::abs(by_rate));
  EXPECT_NEAR(p.lin.A(1, 0), by_value, 1e-9 * std::abs(by_value));
  EXPECT_EQ(p.lin.report.remarks[0], "linearized about a motion, not about rest");
}

TEST(Linearize, OutputsSeePositionsAndReactions) {
  std::string text = kPendulum;
  text.replace(text.find("phi: 0, c: 0"), 12, "phi: 0.6, c: 0.3");
  const Linear p(text, PointType::given, {"angle(hinge)"});
  ASSERT_EQ(p.lin.outputs.size(), 2u);
  EXPECT_NEAR(p.lin.C(0, 0), 0.7 * std::sin(0.6), 1e-11);  // z = −l cos θ
  EXPECT_NEAR(p.lin.C(0, 1), 0, 1e-12);
}

TEST(Linearize, SurplusStatesAreLeftOutWithTheReason) {
  const Linear p(
      kPendulum, PointType::equilibrium,
      {"angle(hinge)", "x(rod)", "y(rod)", "distance(rod, ground)", "twice=2*angle(hinge)", "three=3 + 0*x(rod)"});
  ASSERT_EQ(p.lin.states(), 2);
  EXPECT_EQ(p.lin.positions[0].name, "angle(hinge)");
  const auto& dropped = p.lin.report.dropped;
  ASSERT_EQ(dropped.size(), 5u);
  EXPECT_EQ(dropped[0].name + " " + dropped[0].reason, "x(rod) depends on 'angle(hinge)' through joint 'hinge'");
  EXPECT_EQ(dropped[1].name + " " + dropped[1].reason, "y(rod) is fixed by joint 'hinge'");
  EXPECT_EQ(dropped[2].name + " " + dropped[2].reason, "distance(rod, ground) is fixed by joint 'hinge'");
  EXPECT_EQ(dropped[3].name + " " + dropped[3].reason, "twice depends on 'angle(hinge)'");
  EXPECT_EQ(dropped[4].name + " " + dropped[4].reason, "three is constant: it does not depend on positions");
}

TEST(Linearize, MissingStatesAreCompleted) {
  const Linear p(R"(
bodies:
  box: {mass: 2, inertia: [1, 2, 3]}
forces:
  mount:
    type: bushing
    between: [ground, box]
    at: [0.1, 0.2, 0]
    stiffness: [100, 200, 300]
    rotational_stiffness: [10, 20, 30]
)",
                 PointType::equilibrium, {"h=z(box)"});
  ASSERT_EQ(p.lin.positions.size(), 6u);
  EXPECT_EQ(p.lin.positions[0].name, "h");
  ASSERT_EQ(p.lin.report.added.size(), 5u);
  for (const std::string& name : p.lin.report.added) EXPECT_NE(name, "box.z");
}

/// Whirl in complex coordinates u = x + i y of the mount and tilt ψ: roots of
///     det [1500 s² + s + 1000, 975 s²; 975 s², 1281.25 s² + (10 − 1000 i Ω) s + 10⁴] = 0
std::vector<Complex> whirl_roots(double omega) {
  const Complex i(0, 1);
  MatrixXcd A = MatrixXcd::Zero(4, 4), M(2, 2), C(2, 2), K(2, 2);
  M << 1500, 975, 975, 1281.25;
  C << 1, 0, 0, 10.0 - 1000.0 * i * omega;
  K << 1000, 0, 0, 1e4;
  A.topRightCorner(2, 2).setIdentity();
  A.bottomLeftCorner(2, 2) = -M.inverse() * K;
  A.bottomRightCorner(2, 2) = -M.inverse() * C;
  const Eigen::VectorXcd values = dense::eigensystem(A).values;
  return {values.begin(), values.end()};
}

TEST(Linearize, RotorAndStatorInBothFrames) {
  for (const double turns : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    SCOPED_TRACE(turns);
    const double omega = 2 * kPi * turns;
    for (const bool turning : {false, true}) {
      SCOPED_TRACE(turning);
      const std::vector<Complex> found = Linear(rotor(turns, turning ? "rotor.center" : "ground")).eigenvalues();
      ASSERT_EQ(found.size(), 14u);
      for (const Complex& s : whirl_roots(omega))  // seen from the rotor all goes round backwards with Ω
        EXPECT_LT(distance_to(found, turning ? s - Complex(0, omega) : s), 1e-8) << s;
      EXPECT_LT(distance_to(found, {-1.0 / 3000, std::sqrt(1000.0 / 1500 - std::pow(1.0 / 3000, 2))}),
                1e-8);                                                   // up and down
      EXPECT_LT(distance_to(found, {-5, std::sqrt(1e4 - 25.0)}), 1e-8);  // yaw of the stator
    }
  }
}

}  // namespace linearize_test
}  // namespace bricard::testing
