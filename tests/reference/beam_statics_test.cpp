// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "papers/rod_shooting.h"
#include "reference/cantilever.h"

// Beams under loads, next to closed forms, published values and the boundary value problem solved by shooting.
namespace bricard::testing {
namespace beam_statics_test {

using namespace rod_shooting;

constexpr double kPi = std::numbers::pi;

/// On a circle in the x–y plane, with sections that turn about it faster and faster; everything coupled.
struct TwistedArc {
  static constexpr double kRadius = 1.1, kLength = 1.7, kTwist = 0.4;
  static Matrix6d stiffness(double s) {
    Matrix6d A;
    for (int i = 0; i < 36; ++i) A(i / 6, i % 6) = 0.4 * std::sin(1.0 + 1.7 * i);
    const Matrix6d C = diagonal(90, 60, 50, 2, 3, 5);
    const Matrix6d root = C.cwiseSqrt();
    return (1 - 0.2 * s / kLength) * (root * (Matrix6d::Identity() + 0.3 * A * A.transpose()) * root);
  }
  static Pose pose(double s) {
    const double a = s / kRadius;
    const Matrix3d R = Eigen::AngleAxisd(a, Vector3d::UnitZ()).toRotationMatrix() *
                       Eigen::AngleAxisd(kTwist * s * s, Vector3d::UnitX()).toRotationMatrix();
    return {kRadius * Vector3d(std::sin(a), 1 - std::cos(a), 0), R};
  }
  static Vector6d unstrained(double s) {
    Vector6d e;
    const Vector3d bend = pose(s).R.transpose() * Vector3d(0, 0, 1 / kRadius);
    e << Vector3d::UnitX(), bend + Vector3d(2 * kTwist * s, 0, 0);
    return e;
  }
  static BeamLine line() {
    return {kLength, pose, stiffness, [](double) { return Matrix6d::Identity(); }, 0};
  }
  static ClampedRod rod(const EndLoad& load) {
    return {kLength, unstrained, [](double s) { return Matrix6d(stiffness(s).inverse()); }, load.force, load.moment};
  }
};

/// Nodes per element, how many elements, and the order of the error at the end: twice the degree of the interpolation.
class BeamOrder : public ::testing::TestWithParam<std::array<int, 3>> {};

TEST_P(BeamOrder, IsTwiceTheDegreeOfTheInterpolation) {
  const auto& [nodes, elements, order] = GetParam();
  const EndLoad load{{0.9, -1.2, 2.1}, {0.4, -0.7, 0.5}};
  static const RodEnd exact = shoot(TwistedArc::rod(load), 300, 2);
  double p[2], R[2];
  for (const int i : {0, 1}) {
    Cantilever c(TwistedArc::line(), BeamMesh::uniform(TwistedArc::kLength, elements << i, nodes), load);
    ASSERT_GT(c.solve(2), 0);
    p[i] = (c.end_position() - exact.p).norm(), R[i] = (c.end_axes() - exact.R).norm();
  }
  EXPECT_NEAR(std::log2(p[0] / p[1]), order, 0.15);
  EXPECT_NEAR(std::log2(R[0] / R[1]), order, 0.15);
}

INSTANTIATE_TEST_SUITE_P(Statics, BeamOrder,
                         ::testing::Values(std::array{2, 8, 2}, std::array{3, 4, 4}, std::array{4, 4, 6}),
                         [](const auto& beam) { return std::to_string(beam.param[0]) + "Nodes"; });

class EveryBeam : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Nodes, EveryBeam, ::testing::Values(2, 3, 4), ::testing::PrintToStringParamName());

template <int Nodes>
void expect_same_strains_after_a_motion() {
  typename Beams<Nodes>::Item e;
  e.length = 1.7;
  std::array<Frame, Nodes> frames, moved;
  const Vector3d p{300, -500, 800}, turn{2.1, -1.7, 0.8};
  const Matrix3d Q = exp_rotation(turn).toRotationMatrix();
  for (int i = 0; i < Nodes; ++i) {
    frames[i].p = {0.6 * i, 0.3 * std::sin(i), 0.2 * i * i};
    frames[i].R = exp_rotation({0.3 * i, 0.2 * i * i, -0.5 * i}).toRotationMatrix();
    moved[i].p = p + Q * frames[i].p, moved[i].R = Q * frames[i].R;
  }
  for (int point = 0; point < Nodes - 1; ++point)
    EXPECT_LT((Beams<Nodes>::strain(e, point, frames) - Beams<Nodes>::strain(e, point, moved)).norm(), 1e-12);
}

TEST(Beams, StrainsDoNotChangeWithAMotionInSpace) {
  expect_same_strains_after_a_motion<2>();
  expect_same_strains_after_a_motion<3>();
  expect_same_strains_after_a_motion<4>();
}

TEST_P(EveryBeam, ForgetsThePathOfItsLoads) {
  const BeamMesh mesh = BeamMesh::uniform(TwistedArc::kLength, 3, GetParam());
  const EndLoad load{{0.9, -1.2, 2.1}, {0.4, -0.7, 0.5}}, detour{{-2, 1, -1.5}, {1.2, 0.6, -2}};
  Cantilever direct(TwistedArc::line(), mesh, load), around(TwistedArc::line(), mesh, load);
  Cantilever other(TwistedArc::line(), mesh, detour);
  ASSERT_GT(direct.solve(2), 0);
  ASSERT_GT(other.solve(4), 0);
  around.state = other.state;
  ASSERT_GT(around.solve(6), 0);
  EXPECT_LT((direct.state.q - other.state.q).norm(), 9);
  EXPECT_GT((direct.state.q - other.state.q).norm(), 1);
  EXPECT_LT((direct.end_position() - around.end_position()).norm(), 1e-12);
  EXPECT_LT((direct.end_axes() - around.end_axes()).norm(), 1e-12);
}

/// In linear theory one element is exact, whatever its shape: displacements of 1e-6 leave a relative error of that size.
TEST(Beams, OneTwoNodeElementIsExactUnderSmallLoadsAtItsEnds) {
  const EndLoad load{{0.9e-5, -1.2e-5, 2.1e-5}, {0.4e-5, -0.7e-5, 0.5e-5}};
  const RodEnd exact = shoot(TwistedArc::rod(load), 300);
  Cantilever c(TwistedArc::line(), BeamMesh::uniform(TwistedArc::kLength, 1, 2), load);
  ASSERT_GT(c.solve(1), 0);
  const Vector3d unloaded = TwistedArc::pose(TwistedArc::kLength).p;
  EXPECT_LT((c.end_position() - exact.p).norm(), 3e-3 * (exact.p - unloaded).norm());
  // the same, straight: the shape is then met exactly
  const auto taper = [](double s) { return Matrix6d((1 - 0.2 * s) * TwistedArc::stiffness(0)); };
  BeamLine line = straight_line(1.3, taper(0));
  line.stiffness = taper;
  const ClampedRod rod{1.3, [](double) { return Vector6d(Vector6d::Unit(0)); },
                       [&](double s) { return Matrix6d(taper(s).inverse()); }, load.force, load.moment};
  Cantilever straight(line, BeamMesh::uniform(1.3, 1, 2), load);
  ASSERT_GT(straight.solve(1), 0);
  const Vector3d moved = shoot(rod, 300).p - Vector3d(1.3, 0, 0);
  EXPECT_LT((straight.end_position() - Vector3d(1.3, 0, 0) - moved).norm(), 1e-5 * moved.norm());
}

/// A moment 2π EI/L bends a cantilever to a circle, π EI/L to half of one.
TEST_P(EveryBeam, RollsUpToACircle) {
  const double L = 3, EI = 2;
  const BeamLine line = straight_line(L, diagonal(500, 300, 300, 3, 4, EI));
  for (const double half_turns : {1, 2}) {
    Cantilever c(line, BeamMesh::uniform(L, 6, GetParam()), end_moment(0, 0, half_turns * kPi * EI / L));
    ASSERT_GT(c.solve(16), 0);
    const Vector3d end = half_turns == 2 ? Vector3d::Zero() : Vector3d(0, 2 * L / kPi, 0);
    const Matrix3d axes = Eigen::AngleAxisd(half_turns * kPi, Vector3d::UnitZ()).toRotationMatrix();
    const double error_of_half[] = {1e-12, 2e-4, 1e-7};
    EXPECT_LT((c.end_axes() - axes).norm(), 1e-12);
    EXPECT_LT((c.end_position() - end).norm(), half_turns == 2 ? 1e-12 : error_of_half[GetParam() - 2]);
  }
}

/// Inextensible and without shear: the last digits kept are those that EA and GA of 1e9 EI/L² allow.
TEST(Beams, BendAsTheElastica) {
  const double table[][4] = {{1, .056433236283, .301720773800, .461351949712},
                             {2, .160641720825, .493457480397, .781749831557},
                             {5, .387628360724, .713791523612, 1.215368117612},
                             {10, .554995597754, .810609024880, 1.430285538804}};
  for (const auto& [load, u, w, angle] : table) {
    Cantilever c(straight_line(1, diagonal(1e9, 1e9, 1e9, 1, 1, 1)), BeamMesh::uniform(1, 12, 4),
                 end_force(0, load, 0));
    ASSERT_GT(c.solve(10), 0);
    EXPECT_NEAR(1 - c.end_position().x(), u, 3e-8);
    EXPECT_NEAR(c.end_position().y(), w, 3e-8);
    EXPECT_NEAR(std::atan2(c.end_axes()(1, 0), c.end_axes()(0, 0)), angle, 3e-8);
  }
}

/// [Wang et al. 2017], both digits of an independent program with one element of high degree.
TEST(Beams, TwistedBeamHasThePublishedEnd) {
  BeamLine line = straight_line(10, diagonal(25e9, 8.2604167e9, 8.2604167e9, 0.141872656e9, 0.520833e9, 0.130208333e9));
  line.pose = [](double s) {
    return Pose{{s, 0, 0}, Eigen::AngleAxisd(kPi / 2 * s / 10, Vector3d::UnitX()).toRotationMatrix()};
  };
  Cantilever c(line, BeamMesh::uniform(10, 16, 4), end_force(0, 0, 4e6));
  ASSERT_GT(c.solve(2), 0);
  const Vector3d u = c.end_position() - Vector3d(10, 0, 0);
  EXPECT_NEAR(u.x(), -1.141525999540, 1e-8);
  EXPECT_NEAR(std::abs(u.y()), 1.718053346465, 1e-8);
  EXPECT_NEAR(u.z(), 3.593213240272, 1e-8);
}

/// Tip loads on an aluminium strip at angles between its stiff and its soft direction [Dowell and Traybar].
TEST(Beams, PrincetonBeamBendsAndTwistsAsByShooting) {
  const double table[][6] = {{4.448, 0, -0.000033914, -0.005359539, 0, 0},
                             {4.448, 30, -0.001916840, -0.004751073, 0.039949986, 0.38224},
                             {8.896, 45, -0.014389659, -0.008888886, 0.109043083, 1.66505},
                             {8.896, 75, -0.024584443, -0.003568908, 0.142216289, 0.77395},
                             {13.345, 15, -0.005298505, -0.016502907, 0.064497284, 2.09374},
                             {13.345, 60, -0.041207236, -0.011716496, 0.181923440, 2.77663},
                             {13.345, 90, -0.050406670, 0, 0.200695293, 0}};
  const BeamLine line = straight_line(0.508, diagonal(2.84191e6, 9.03881e5, 6.40131e5, 3.10338, 2.42873, 36.2794));
  for (const auto& [P, degrees, u1, u2, u3, phi] : table) {
    const double beta = degrees * kPi / 180;
    Cantilever c(line, BeamMesh::uniform(0.508, 8, 4), end_force(0, -P * std::cos(beta), P * std::sin(beta)));
    ASSERT_GT(c.solve(4), 0);
    EXPECT_LT((c.end_position() - Vector3d(0.508 + u1, u2, u3)).norm(), 2e-9);
    EXPECT_NEAR(std::abs(std::atan2(c.end_axes()(2, 1), c.end_axes()(1, 1))) * 180 / kPi, phi, 1e-5);
  }
}

/// [Bathe and Bolourchi 1979]: −23.5, −13.4, 53.4; [Simo and Vu-Quoc 1986], 8 elements: −23.48, −13.50, 53.37.
TEST(Beams, BendOf45DegreesIsThatOfTheLiterature) {
  const double radius = 100, length = radius * kPi / 4, E = 1e7;
  const Matrix6d C = diagonal(E, E / 2, E / 2, E / 12, E / 12, E / 12);
  BeamLine line = straight_line(length, C);
  line.pose = [=](double s) {
    const double a = s / radius;
    return Pose{radius * Vector3d(std::sin(a), 1 - std::cos(a), 0),
                Eigen::AngleAxisd(a, Vector3d::UnitZ()).toRotationMatrix()};
  };
  const ClampedRod rod{length,
                       [=](double) {
                         Vector6d e;
                         e << 1, 0, 0, 0, 0, 1 / radius;
                         return e;
                       },
                       [=](double) { return Matrix6d(C.inverse()); },
                       {0, 0, 600}};
  Cantilever c(line, BeamMesh::uniform(length, 12, 4), end_force(0, 0, 600));
  ASSERT_GT(c.solve(3), 0);
  EXPECT_LT((c.end_position() - shoot(rod, 300, 3).p).norm(), 1e-7);
  EXPECT_LT((c.end_position() - line.pose(length).p - Vector3d(-23.48, -13.50, 53.37)).norm(), 0.2);
}

/// A thick cantilever, whose shear counts [Nachbagauer et al. 2011].
TEST(Beams, ThickCantileverShears) {
  const double L = 2, h = 0.5, w = 0.1, E = 2.07e11, nu = 0.3, k = 10 * (1 + nu) / (12 + 11 * nu);
  const double A = w * h, GA = k * E / (2 * (1 + nu)) * A, EI = E * w * h * h * h / 12;
  for (const auto& [F, x, y] : {std::array{62500.0, 1.888491640585e-7, 8.099032539769e-4},
                                std::array{6.25e7, 0.1509711442393, 0.7105685978536}}) {
    Cantilever c(straight_line(L, diagonal(E * A, GA, GA, EI, EI, EI)), BeamMesh::uniform(L, 8, 4), end_force(0, F, 0));
    ASSERT_GT(c.solve(2), 0);
    EXPECT_NEAR((L - c.end_position().x()) / x, 1, 1e-7);
    EXPECT_NEAR(c.end_position().y() / y, 1, 1e-9);
  }
}

/// Moments about the axis and across it at the end [Nachbagauer et al. 2013].
TEST(Beams, BendAndTwistUnderTwoMoments) {
  const double h = 0.2, w = 0.4, E = 2.07e11, G = E / 2.6, Iy = h * w * w * w / 12, Iz = w * h * h * h / 12;
  const Matrix6d C =
      diagonal(E * h * w, 0.8331 * G * h * w, 0.7961 * G * h * w, 0.5768 * G * (Iy + Iz), E * Iy, E * Iz);
  Cantilever c(straight_line(2, C), BeamMesh::uniform(2, 4, 4), end_moment(0.5e6, 2e6, 0));
  ASSERT_GT(c.solve(1), 0);
  const Vector3d u = c.end_position() - Vector3d(2, 0, 0);
  EXPECT_LT((u - Vector3d(-1.094379855791e-4, -1.864364561637e-4, -1.811740274379e-2)).norm(), 1e-12);
}

}  // namespace beam_statics_test
}  // namespace bricard::testing
