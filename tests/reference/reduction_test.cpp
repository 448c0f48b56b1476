// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bricard/flex/part_integrals.h"
#include "bricard/flex/rods.h"
#include "bricard/model/source.h"

// Reduced rods against the rods themselves, and rotating ones against a table.
namespace bricard {
namespace reduction_test {

Rod steel_rod(int elements = 12) {
  const double b = 0.03, h = 0.02, A = b * h, Iy = b * h * h * h / 12, Iz = h * b * b * b / 12, E = 2e11, G = 8e10;
  Rod r;
  r.name = "rod", r.source = "a steel rod";
  r.corners = {{0, 0, 0}, {0.9, 0.3, 0.2}, {1.2, 0.3, 0.9}};
  r.section.EA = E * A, r.section.GA_y = r.section.GA_z = 5.0 / 6 * G * A;
  r.section.GJ = 0.2 * G * (Iy + Iz), r.section.EI_y = E * Iy, r.section.EI_z = E * Iz;
  r.section.mass = 7800 * A;
  r.section.inertia = 7800 * Vector3d(Iy + Iz, Iy, Iz).asDiagonal();
  r.elements = elements;
  return r;
}

std::vector<InterfaceNodes> ends(const Rod& rod) {
  const int last = static_cast<int>(rod.corners.size()) - 1;
  InterfaceNodes start{"start", {0}}, end{"end", {rod.node(last)}};
  start.position = rod.corners.front(), end.position = rod.corners.back();
  return {start, end};
}

FrameSupport held_at(const char* interface) { return {interface, {0, 1, 2, 3, 4, 5}}; }

VectorXd full_frequencies(const Structure& s, int held) {
  const int n = s.unknowns() - held;
  const Eigen::MatrixXd K = Eigen::MatrixXd(s.stiffness).bottomRightCorner(n, n);
  const Eigen::MatrixXd M = Eigen::MatrixXd(mass_matrix(s)).bottomRightCorner(n, n);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(K, M);
  return modes.eigenvalues().cwiseMax(0).cwiseSqrt();
}

/// Σ φ_aᵀ φ_a: must be 1.
double distance_of_modal_masses(const ReducedPart& part) {
  const auto& s = part.inertia.shapes_shapes;
  return (s[0] + s[3] + s[5] - Eigen::MatrixXd::Identity(part.shapes(), part.shapes())).cwiseAbs().maxCoeff();
}

TEST(Reduction, FreeModesAreThoseOfTheRodAndHaveNoMomentum) {
  const Structure s = rod_structure(steel_rod());
  Reduction wanted;
  wanted.kind = Reduction::Kind::free, wanted.modes = 8;
  const ReducedPart part = reduce(s, ends(steel_rod()), wanted);
  const VectorXd full = full_frequencies(s, 0);
  ASSERT_EQ(part.shapes(), 8);
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(part.frequencies[i], full[6 + i], 1e-8 * full[6 + i]);
  EXPECT_LT(distance_of_modal_masses(part), 1e-10);
  const double scale = std::sqrt(part.inertia.mass);  // of ∫ φ dm with unit modal masses
  EXPECT_LT(part.inertia.shapes.norm(), 1e-12 * scale);
  Eigen::MatrixXd moments(3, 8);  // ∫ x × φ dm
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    moments.row(a) = part.inertia.points_shapes.row(3 * b + c) - part.inertia.points_shapes.row(3 * c + b);
  }
  EXPECT_LT(moments.norm(), 1e-12 * scale);
}

// With its interfaces' shapes and some normal modes the part has the lowest frequencies of the rod, free or held.
TEST(Reduction, CraigBamptonKeepsFrequenciesFreeAndHeld) {
  const Structure s = rod_structure(steel_rod());
  Reduction wanted;
  wanted.modes = 40;
  for (const bool held : {false, true}) {
    if (held) wanted.frame = {held_at("start")};
    const ReducedPart part = reduce(s, ends(steel_rod()), wanted);
    ASSERT_EQ(part.shapes(), 40 + 12 - 6);
    const VectorXd full = full_frequencies(s, held ? 6 : 0);
    for (int i = 0; i < 8; ++i) {
      const double expected = full[(held ? 0 : 6) + i];
      EXPECT_NEAR(part.frequencies[i], expected, 5e-4 * expected) << held << i;
      EXPECT_GT(part.frequencies[i], expected * (1 - 1e-8));  // Rayleigh and Ritz
    }
    EXPECT_LT(distance_of_modal_masses(part), 1e-9);
    if (!held) continue;
    EXPECT_LT(part.interfaces[0].translation.norm() + part.interfaces[0].rotation.norm(), 1e-12);
  }
}

// Under forces at its interfaces it gives as the rod does: constraint shapes are exact in statics.
TEST(Reduction, CraigBamptonIsExactInStatics) {
  const Structure s = rod_structure(steel_rod());
  Reduction wanted;
  wanted.modes = 0;
  wanted.frame = {held_at("start")};
  const ReducedPart part = reduce(s, ends(steel_rod()), wanted);
  ASSERT_EQ(part.shapes(), 6);
  Vector6d f;
  f << 1, 2, 3, -0.4, 0.5, 0.6;
  const PartInterface& end = part.interfaces[1];
  const VectorXd eta = part.stiffness.diagonal().cwiseInverse().asDiagonal() *
                       (end.translation.transpose() * f.head<3>() + end.rotation.transpose() * f.tail<3>());
  const int n = s.unknowns() - 6;
  VectorXd forces = VectorXd::Zero(n);
  forces.tail<6>() = f;
  const VectorXd u = Eigen::MatrixXd(s.stiffness).bottomRightCorner(n, n).ldlt().solve(forces).tail<6>();
  EXPECT_LT((end.translation * eta - u.head<3>()).norm(), 1e-9 * u.head<3>().norm());
  EXPECT_LT((end.rotation * eta - u.tail<3>()).norm(), 1e-9 * u.tail<3>().norm());
  EXPECT_LT((part.surface.shapes.bottomRows<3>().cast<double>() * eta - u.head<3>()).norm(), 1e-6 * u.head<3>().norm());
}

// Shapes of a part that is held differ from those with mean axes by motions of the whole part only.
TEST(Reduction, StrainsDoNotDependOnTheFrame) {
  const Structure s = rod_structure(steel_rod(4));
  Reduction wanted;
  wanted.modes = 4;
  const ReducedPart mean = reduce(s, ends(steel_rod(4)), wanted);
  wanted.frame = {{"start", {0, 1, 2}}, {"end", {1, 2, 3}}};
  const ReducedPart chord = reduce(s, ends(steel_rod(4)), wanted);
  // Forces in equilibrium: along the line between the ends.
  const Vector3d line = (mean.interfaces[1].position - mean.interfaces[0].position).normalized();
  const auto give = [&](const ReducedPart& p) {
    const VectorXd f = (p.interfaces[1].translation - p.interfaces[0].translation).transpose() * line;
    return f.dot(p.stiffness.diagonal().cwiseInverse().asDiagonal() * f);
  };
  EXPECT_NEAR(give(chord), give(mean), 1e-9 * give(mean));
  EXPECT_LT(chord.interfaces[0].translation.norm(), 1e-12);
  EXPECT_LT(chord.interfaces[1].translation.bottomRows<2>().norm() + chord.interfaces[1].rotation.row(0).norm(), 1e-12);
}

TEST(Reduction, RefusesFramesThatDoNotHold) {
  const Structure s = rod_structure(steel_rod(2));
  const auto message = [&](std::vector<FrameSupport> frame) -> std::string {
    Reduction wanted;
    wanted.frame = std::move(frame);
    try {
      reduce(s, ends(steel_rod(2)), wanted);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({held_at("strat")}).find("did you mean 'start'"), std::string::npos);
  EXPECT_NE(message({{"start", {0, 1, 2}}}).find("these are 3"), std::string::npos);
  EXPECT_NE(message({{"start", {0, 1, 2}}, {"end", {0, 1, 2}}}).find("move as a whole"), std::string::npos);
  EXPECT_EQ(message({held_at("end")}), "");
}

// ω/√(EI/mL⁴) of a cantilever that turns at its root, across the plane of rotation, over the speed in the same unit
// [WrightSmithThresherWang1982], and in the plane: ω² less by Ω².
TEST(Reduction, StiffeningGivesTheFrequenciesOfARotatingRod) {
  struct Row {
    double speed, first, second;
  };
  constexpr std::array table{Row{0, 3.5160, 22.0345}, Row{2, 4.1373, 22.6149}, Row{4, 5.5850, 24.2734},
                             Row{8, 9.2568, 29.9954}, Row{12, 13.1702, 37.6031}};
  Rod r;
  r.name = "blade";
  r.corners = {{0, 0, 0}, {1, 0, 0}};
  r.section.EA = 1e9, r.section.GJ = 100, r.section.EI_y = r.section.EI_z = 1, r.section.mass = 1;
  r.section.inertia = Vector3d(1e-6, 0, 0).asDiagonal();
  r.theory = Rod::Theory::euler_bernoulli, r.elements = 60;  // N is constant in each: (φ′ h)²
  Reduction wanted;
  wanted.modes = 24, wanted.stiffening = true, wanted.frame = {held_at("start")};
  InterfaceNodes root{"start", {0}};
  const ReducedPart part = reduce(rod_structure(r), {root}, wanted);
  ASSERT_TRUE(part.stiffening);
  const auto& s = part.inertia.shapes_shapes;
  for (const Row& row : table) {
    const double o2 = row.speed * row.speed;
    // About z: the acceleration −Ω² (x, y, 0) of the points, and of φ η besides.
    const Eigen::MatrixXd K =
        part.stiffness - o2 * (part.stiffening->X[0] + part.stiffening->X[4]) - o2 * (s[0] + s[3]);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(K);
    const VectorXd w = modes.eigenvalues().cwiseSqrt();
    const double lag = std::sqrt(row.first * row.first - o2);
    if (row.speed == 0) {
      EXPECT_NEAR(w[0], w[1], 1e-6);
    }
    EXPECT_NEAR(w[0], lag, 3e-4 * row.first * row.first / lag) << row.speed;  // digits of the table
    EXPECT_NEAR(w[1], row.first, 3e-4 * row.first) << row.speed;
    EXPECT_NEAR(w[3], row.second, 3e-4 * row.second) << row.speed;
  }
  // Southwell: ω² = ω₀² + a Ω², in one shape a = ∫ N φ′² ds, N = ½ (1 − s²); of the first mode 1.193.
  EXPECT_NEAR(-part.stiffening->X[0](0, 0), 1.193, 1e-3);
}

// Sections of a blade are turned back into the plane of rotation: ω² = ω₀² + Ω² (J_z − J_y)/J_x of twist, whatever the shape.
TEST(Reduction, SectionsThatTwistAreTurnedBackInRotation) {
  Rod r;
  r.name = "blade";
  r.corners = {{0, 0, 0}, {1, 0, 0}};
  r.section.EA = 1e9, r.section.GJ = 2, r.section.EI_y = r.section.EI_z = 1e6, r.section.mass = 1;
  r.section.inertia = Vector3d(0.05, 0.02, 0.03).asDiagonal();
  r.theory = Rod::Theory::euler_bernoulli, r.elements = 10;
  Reduction wanted;
  wanted.modes = 2, wanted.stiffening = true, wanted.frame = {{"start", {0, 1, 2, 3, 4, 5}}};
  const ReducedPart part = reduce(rod_structure(r), {InterfaceNodes{"start", {0}}}, wanted);
  const auto& s = part.inertia.shapes_shapes;
  for (int i = 0; i < 2; ++i) {
    const double o2 = 9;  // about z
    const double found =
        -o2 * (part.stiffening->X[0](i, i) + part.stiffening->X[4](i, i)) - o2 * (s[0](i, i) + s[3](i, i));
    EXPECT_NEAR(found, o2 * (0.03 - 0.02) / 0.05, 1e-9 * o2);
  }
}

// A rod between pins under half of Euler's load has ω² = ½ ω₀², in mean axes as well as in a frame from pin to pin.
// Of second order in θ and η, forces F along x at the interfaces have the potential
//     −F (½ ηᵀχ_x η + θ φ_z η − ½ θ² x),      φ_z η + z − θ x = 0 at the pins
TEST(Reduction, ShorteningUnderThrustDoesNotDependOnTheFrame) {
  Rod r = steel_rod(20);
  r.corners = {{-0.5, 0, 0}, {0.5, 0, 0}};
  Reduction wanted;
  wanted.modes = 20, wanted.stiffening = true;
  const double euler = std::pow(std::numbers::pi, 2) * r.section.EI_y;
  for (const bool held : {false, true}) {
    if (held) wanted.frame = {{"start", {0, 1, 2, 3}}, {"end", {1, 2}}};
    const ReducedPart part = reduce(rod_structure(r), ends(r), wanted);
    const int n = part.shapes();
    const auto lowest = [&](double load) {
      Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + 2, n + 2), M = K, pins(2, n + 2);  // of η, z, θ
      K.topLeftCorner(n, n) = part.stiffness;
      M.topLeftCorner(n, n).setIdentity();
      M.block(0, n, n, 1) = part.inertia.shapes.row(2).transpose();
      M.block(0, n + 1, n, 1) = (part.inertia.points_shapes.row(6) - part.inertia.points_shapes.row(2)).transpose();
      M.bottomLeftCorner(2, n) = M.topRightCorner(n, 2).transpose();
      M(n, n) = part.inertia.mass;
      M(n + 1, n + 1) = part.inertia.second(0, 0) + part.inertia.second(2, 2);
      for (int i = 0; i < 2; ++i) {
        const PartInterface& end = part.interfaces[static_cast<size_t>(i)];
        const double F = i == 0 ? load : -load;
        K.topLeftCorner(n, n) -= F * end.shortening[0];
        K.block(0, n + 1, n, 1) -= F * end.translation.row(2).transpose();
        K.block(n + 1, 0, 1, n) -= F * end.translation.row(2);
        K(n + 1, n + 1) += F * end.position.x();
        pins.row(i) << end.translation.row(2), 1, -end.position.x();
      }
      const Eigen::MatrixXd Z = Eigen::FullPivLU<Eigen::MatrixXd>(pins).kernel();
      // Motions along x and about it are free, and bending in y: the lowest of bending in z is asked for.
      const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(Z.transpose() * K * Z,
                                                                            Z.transpose() * M * Z);
      return modes.eigenvalues()[0];
    };
    const double at_rest = std::pow(std::numbers::pi, 4) * r.section.EI_y / r.section.mass;
    EXPECT_NEAR(lowest(0) / at_rest, 1, 5e-3) << held;  // shear and rotary inertia
    EXPECT_NEAR(lowest(0.5 * euler) / lowest(0), 0.5, 5e-3) << held;
  }
}

}  // namespace reduction_test
}  // namespace bricard
