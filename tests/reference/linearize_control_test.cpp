// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "bricard/analysis/frequency_response.h"
#include "bricard/write/files.h"
#include "papers/dense_matrices.h"
#include "reference/linear.h"
#include "reference/simulated.h"

// Linearized equations with conditions on velocities and with controllers.
namespace bricard::testing {
namespace linearize_control_test {

constexpr double kPi = std::numbers::pi;

// Upright disc rolling straight on: (A + m r²) s² = m g r − C (C + m r²) Ω²/A, C about the axle, A about a diameter.
TEST(Linearize, RollingDiscLeansAsTheClosedFormSays) {
  for (const double spin : {2.0, 5.0}) {
    const Linear disc(R"(
parameters: {spin: )" +
                      std::to_string(spin) + R"(, R: 0.3}
bodies:
  disc:
    mass: 2
    inertia: [0.04, 0.04, 0.07]
    position: [0, 0, R]
    orientation: {z: [0, -1, 0], x: [1, 0, 0]}
    angular_velocity: [0, spin, 0]
    velocity: [spin*R, 0, 0]
joints:
  wheel: {type: rolling, between: [ground, disc], radius: R}
)");
    const double m = 2, r = 0.3, A = 0.04, C = 0.07;
    const Complex s = std::sqrt(Complex((m * 9.81 * r - C * (C + m * r * r) * spin * spin / A) / (A + m * r * r)));
    EXPECT_EQ(disc.lin.positions.size(), 5u);
    EXPECT_EQ(disc.lin.velocities.size(), 3u);
    for (const Complex& root : {s, -s}) EXPECT_LT(distance_to(disc.eigenvalues(), root), 1e-8) << root;
  }
}

constexpr const char* kSled = R"(
gravity: [0, 0, 0]
bodies:
  sled:
    mass: 2
    inertia: [0.3, 0.4, 0.5]
    position: [1, 0.3, 0]
    orientation: {axis: [0, 0, 1], angle: 0.4}
    velocity: [0.9, 0.2, 0]
    angular_velocity: [0, 0, 0.8]
    markers: {blade: {position: [-0.4, 0.1, 0]}}
joints:
  table: {type: planar, between: [ground, sled], at: [0, 0, 0], axis: [0, 0, 1]}
velocity_constraints:
  no_side_slip: cos(angle_z(sled))*vy(sled.blade) - sin(angle_z(sled))*vx(sled.blade)
forces:
  spring: {type: spring-damper, between: [ground, sled], stiffness: 30, damping: 0.4, free_length: 0.5}
)";

TEST(Linearize, SledOnAKnifeEdgeAgreesWithDifferencesOfTheReducedEquations) {
  for (const std::vector<std::string>& states :
       {std::vector<std::string>{}, {"phi=angle_z(sled)", "distance(sled, ground)"}}) {
    const Linear sled(kSled, PointType::given, states);
    ASSERT_EQ(sled.lin.positions.size(), 3u);
    ASSERT_EQ(sled.lin.velocities.size(), 2u);
    expect_reduced_matrix(sled.system, sled.point.state, sled.options);
  }
}

// A sled that slides straight on with its centre a metres before the blade: ω̇ = −m a v ω/(J + m a²), the speed stays.
TEST(Linearize, SledOnAKnifeEdgeKeepsStraightAsTheClosedFormSays) {
  for (const double v : {1.5, -0.6}) {  // backwards it turns round
    std::string text = kSled;
    const auto replace = [&](const std::string& old, const std::string& now) {
      ASSERT_NE(text.find(old), std::string::npos) << old;
      text.replace(text.find(old), old.size(), now);
    };
    replace("angle: 0.4", "angle: 0");
    replace("velocity: [0.9, 0.2, 0]", "velocity: [" + std::to_string(v) + ", 0, 0]");
    replace("angular_velocity: [0, 0, 0.8]", "angular_velocity: [0, 0, 0]");
    replace("stiffness: 30, damping: 0.4", "stiffness: 0, damping: 0");
    replace("[-0.4, 0.1, 0]", "[-0.4, 0, 0]");
    const std::vector<Complex> found = Linear(text).eigenvalues();
    ASSERT_EQ(found.size(), 5u);
    EXPECT_LT(distance_to(found, -2 * 0.4 * v / (0.5 + 2 * 0.4 * 0.4)), 1e-9);
  }
}

constexpr const char* kControlled = R"(
parameters: {l: 0.7, phi: 0}
inputs:
  torque: {unit: N*m}
bodies:
  rod:
    mass: 2
    inertia: [0.05, 0.05, 0.05]
    position: [l*sin(phi), 0, -l*cos(phi)]
    orientation: {axis: [0, 1, 0], angle: -phi}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, -1, 0]}
controllers:
  hold: {type: pid, input: -angle(hinge), proportional: 40, integral: 15, derivative: 3, filter: 0.01}
forces:
  motor: {type: motor, joint: hinge, force: hold + torque}
signals:
  theta: angle(hinge)
  moment: hold
)";

// J θ̈ + k θ = u,  u = −(k_p + k_i/s + k_d s/(1 + T s)) θ:   s (1 + T s)(J s² + k + k_p) + k_i (1 + T s) + k_d s² = 0
TEST(Linearize, PendulumWithPidHasTheRootsOfItsPolynomial) {
  const Linear p(kControlled, PointType::given, {"angle(hinge)"});
  ASSERT_EQ(p.lin.states(), 4);
  const double J = 0.05 + 2 * 0.49, k = 2 * 9.81 * 0.7, T = 0.01;
  for (const Complex& s : p.eigenvalues()) {
    const Complex rest = s * (1.0 + T * s) * (J * s * s + k + 40.0) + 15.0 * (1.0 + T * s) + 3.0 * s * s;
    EXPECT_LT(std::abs(rest), 1e-8 * (1 + std::pow(std::abs(s), 4) * T * J)) << s;
  }
  ASSERT_EQ(p.lin.inputs.size(), 1u);
  const int rate = 1;  // θ, θ', integral, filter
  EXPECT_NEAR(p.lin.B(rate, 0), 1 / J, 1e-11);
  EXPECT_EQ(p.lin.mass.rows(), 1);
}

TEST(Linearize, ControlledPendulumAwayFromRestAgreesWithDifferencesOfTheReducedEquations) {
  std::string text = kControlled;
  text.replace(text.find("phi: 0"), 6, "phi: 0.5");
  const Linear p(text);
  expect_reduced_matrix(p.system, p.point.state, p.options);
}

// H(iω) from torque to angle of the closed loop, and from torque to the controller's output.
TEST(Linearize, FrequencyResponseOfTheClosedLoop) {
  const Linear p(kControlled, PointType::given, {"angle(hinge)"});
  const double J = 0.05 + 2 * 0.49, k = 2 * 9.81 * 0.7, T = 0.01;
  const FrequencyResponse response = find_frequency_response(p.lin, logarithmic(0.1, 100, 7));
  for (size_t i = 0; i < response.H.size(); ++i) {
    const Complex s(0, 2 * kPi * response.frequencies[i]), G = 1.0 / (J * s * s + k),
                                                           R = 40.0 + 15.0 / s + 3.0 * s / (1.0 + T * s);
    const Complex theta = G / (1.0 + G * R);
    EXPECT_LT(std::abs(response.H[i](0, 0) - theta), 1e-9 * std::abs(theta));
    EXPECT_LT(std::abs(response.H[i](1, 0) + R * theta), 1e-9 * std::abs(R * theta));
  }
}

// ---- a controller designed from the linear equations ---------------------------------------------

/// models/balanced_rod.yaml with other parameters.
std::string balanced_rod(const std::string& kick, int on) {
  std::string text = io::read_file(std::string(BRICARD_SOURCE_DIR) + "/models/balanced_rod.yaml");
  for (const auto& [old, now] : {std::pair<std::string, std::string>{"kick: 0.1 rad", "kick: " + kick + " rad"},
                                 {"on: 1 ", "on: " + std::to_string(on) + " "}}) {
    EXPECT_NE(text.find(old), std::string::npos);
    text.replace(text.find(old), old.size(), now);
  }
  return text;
}

/// Cart and rod by hand, x = (place, lean, rates), l half the length of the rod, and the controller for them:
///     (M + m) ẍ + m l θ̈ = u,   m l ẍ + (m l²·4/3) θ̈ = m g l θ
/// state feedback by Ackermann's formula; an observer of place and lean whose errors are ë + l₁ ė + l₂ e = 0 each.
struct ByHand {
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  Eigen::Vector4d B = Eigen::Vector4d::Zero();
  Eigen::RowVector4d K;
  Eigen::Matrix<double, 4, 2> L;
  const std::vector<Complex> poles{{-2, 1.5}, {-2, -1.5}, -5, -6, -10, -11, -12, -13};

  ByHand() {
    const double M = 1.5, m = 0.4, l = 0.4, g = 9.81;
    Eigen::Matrix2d mass;
    mass << M + m, m * l, m * l, 4.0 / 3 * m * l * l;
    A.topRightCorner<2, 2>().setIdentity();
    A.block<2, 1>(2, 1) = mass.inverse() * Eigen::Vector2d(0, m * g * l);
    B.tail<2>() = mass.inverse() * Eigen::Vector2d(1, 0);
    Eigen::Matrix4d reach, wanted = Eigen::Matrix4d::Identity();
    reach << B, A * B, A * A * B, A * A * A * B;
    wanted *= A * A + 4 * A + 6.25 * Eigen::Matrix4d::Identity();  // (s + 2)² + 1.5²
    wanted *= A * A + 11 * A + 30 * Eigen::Matrix4d::Identity();   // (s + 5)(s + 6)
    K = Eigen::RowVector4d::Unit(3) * reach.inverse() * wanted;
    L << 10 + 11, 0, 0, 12 + 13, 10 * 11, A(2, 1), 0, 12 * 13 + A(3, 1);
  }
  Eigen::Matrix4d controller() const {
    Eigen::Matrix4d C = A - B * K;
    C.leftCols<2>() -= L;
    return C;
  }
  MatrixXd closed_loop() const {  // x and the states of the controller
    MatrixXd all = MatrixXd::Zero(8, 8);
    all << A, -B * K, MatrixXd::Zero(4, 4), controller();
    all.block<4, 2>(4, 0) = L;
    return all;
  }
};

MatrixXd matrix_of(const std::vector<Numbers>& rows) {
  MatrixXd M(static_cast<int>(rows.size()), static_cast<int>(rows[0].size()));
  for (int i = 0; i < M.rows(); ++i)
    for (int j = 0; j < M.cols(); ++j) M(i, j) = rows[i][j];
  return M;
}

TEST(ClosedLoop, LinearizationGivesThePlantThatTheDesignStartsFrom) {
  const Linear plant(balanced_rod("0", 0));
  const ByHand hand;
  ASSERT_EQ(plant.lin.states(), 8);
  EXPECT_LT((plant.lin.A.topLeftCorner(4, 4) - hand.A).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT(plant.lin.A.topRightCorner(4, 4).cwiseAbs().maxCoeff(), 1e-12);  // switched off
  EXPECT_LT((plant.lin.B.topRows(4) - hand.B).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(ClosedLoop, TheControllerOfTheFileIsTheDesignedOne) {
  const Linear rod(balanced_rod("0", 1));
  const ByHand hand;
  const StateSpace& block = rod.read.model.state_spaces.at(0);
  const double digits = 1e-7;  // numbers of the file have ten, the largest is 268
  EXPECT_LT((matrix_of(block.A) - hand.controller()).cwiseAbs().maxCoeff(), digits);
  EXPECT_LT((matrix_of(block.B) - hand.L).cwiseAbs().maxCoeff(), digits);
  EXPECT_LT((matrix_of(block.C) + hand.K).cwiseAbs().maxCoeff(), digits);
}

TEST(ClosedLoop, LinearizationHasThePolesOfTheDesign) {
  const std::vector<Complex> found = Linear(balanced_rod("0", 1)).eigenvalues();
  ASSERT_EQ(found.size(), 8u);
  for (const Complex& pole : ByHand().poles) EXPECT_LT(distance_to(found, pole), 1e-5) << pole;
}

/// The largest difference of the lean of the nonlinear run from the linear response derived by hand, per kick.
double difference_per_kick(double kick) {
  std::string text = balanced_rod(std::to_string(kick), 1);
  text.replace(text.find("run: {duration: 5, step: 2e-3}"), 30,
               "run: {duration: 3, step: 2e-3, output_step: 0.02, integrator: radau, tolerance: 1e-10}");
  const Simulated run(text);
  EXPECT_TRUE(run.results.report.finished);
  const std::vector<double> lean = run.signal("lean");
  const MatrixXd step = dense::exponential(ByHand().closed_loop() * 0.02);
  VectorXd x = kick * VectorXd::Unit(8, 1);
  double worst = 0;
  for (const double found : lean) {
    worst = std::max(worst, std::abs(found - x[1]) / kick);
    x = step * x;
  }
  return worst;
}

// Sine and cosine leave out terms of the third power: relative differences are of the second.
TEST(ClosedLoop, NonlinearResponseApproachesTheLinearOneWithTheSquareOfTheAmplitude) {
  const double large = difference_per_kick(0.08), middle = difference_per_kick(0.04), small = difference_per_kick(0.02);
  std::printf("nonlinear against linear lean, per kick of 0.08, 0.04, 0.02 rad: %.2e %.2e %.2e\n", large, middle,
              small);
  EXPECT_NEAR(large / middle, 4, 0.1);
  EXPECT_NEAR(middle / small, 4, 0.1);
  EXPECT_LT(small, 1e-3);
}

}  // namespace linearize_control_test
}  // namespace bricard::testing
