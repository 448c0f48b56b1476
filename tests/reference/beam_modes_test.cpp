// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "bricard/analysis/campbell.h"
#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/operating_point.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"

// Modes of beams under load and in rotation, next to closed forms and to exact values.
namespace bricard::testing {
namespace beam_modes_test {

constexpr double kPi = std::numbers::pi;

/// What the nearest mode without growth or decay is away from a frequency, relative to it.
double distance(const std::vector<Eigenmode>& modes, double w) {
  double nearest = HUGE_VAL;
  for (const Eigenmode& m : modes)
    if (std::abs(m.s.real()) < 1e-6 * w) nearest = std::min(nearest, std::abs(m.s.imag() - w) / w);
  return nearest;
}

/// The slowest modes about a state; frequencies in rad/s.
struct Modes {
  std::vector<Eigenmode> modes;
  Modes(const Model& model, PointType point, const std::string& reference, int count) {
    System system = assemble(model);
    LinearizationSettings settings;
    if (!reference.empty()) settings.reference = {reference, {}};
    const LinearizeOptions options = linearize_options(model, settings, system);
    const OperatingPoint at = find_operating_point(model, system, point, settings.reference);
    EXPECT_EQ(at.problem, "");
    LinearEquations equations(system, at.state, options);
    EXPECT_EQ(equations.report().problem, "");
    EigenmodeOptions wanted;
    wanted.count = count;
    EigenmodeResult found = find_eigenmodes(equations, system, wanted);
    EXPECT_EQ(found.problem, "");
    modes = std::move(found.modes);
    label_modes(model, system, at.state, equations, modes);
  }
  double distance_to(double w) const { return distance(modes, w); }
};

std::string blade(double speed, double hub, bool hinged) {
  // In units of EI/L² = 1. Strains by rotation are Ω²/2EA < 3e-7, shear takes k²/2GA = 1.5e-6 of the third frequency away, k = 7.9,
  // and the inertia of sections k²r²/2 = 3e-7. Round-off grows with GA: 1e8 leaves 1e-4 of a hinged blade's first frequency.
  const double EA = 2e6 * (1 + speed * speed), GA = 2e7, r = 1e-4;
  return fmt::format(R"(
gravity: [0, 0, 0]
bodies:
  hub: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, {0}], markers: {{center: {{}}, root: {{position: [{1}, 0, 0]}}}}}}
beams:
  blade: {{from: {2}, to: [{3}, 0, 0], stiffness: [{4}, {5}, {5}, 1, 1, 1], mass_per_length: 1,
          inertia_per_length: [{6}, {7}, {7}], elements: 20}}
joints:
  axis: {{type: revolute, between: [ground, hub], at: [0, 0, 0], axis: [0, 0, 1]}}
{8}
motions:
  drive: {{joint: axis, velocity: {0}}}
)",
                     speed, hub, hinged ? fmt::format("[{}, 0, 0]", hub) : "hub.root", 1 + hub, EA, GA, 2 * r * r,
                     r * r,
                     hinged ? fmt::format("  hinge: {{type: revolute, between: [hub, blade_0], at: [{}, 0, 0], "
                                          "axis: [0, 1, 0]}}",
                                          hub)
                            : "");
}

struct Row {
  bool hinged;
  double hub, speed;
  std::array<double, 3> flap;
};

/// Exact solution of the rotating Euler–Bernoulli beam by power series, [WrightSmithThresherWang1982]; speeds and frequencies
/// in √(EI/(mL⁴)). In the plane of rotation ω² is less by Ω².
class RotatingBlade : public ::testing::TestWithParam<Row> {};

TEST_P(RotatingBlade, HasTheExactFrequencies) {
  const Row& row = GetParam();
  const Modes found(io::read_model_text(blade(row.speed, row.hub, row.hinged), "blade.yaml"), PointType::steady,
                    "hub.center", 8);
  for (const double w : row.flap) {
    EXPECT_LT(found.distance_to(w), 1e-5) << w;
    if (!row.hinged) {
      EXPECT_LT(found.distance_to(std::sqrt(w * w - row.speed * row.speed)), 1e-5) << "in the plane";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Beams, RotatingBlade,
    ::testing::Values(
        Row{false, 0, 0, {3.51601527, 22.0344916, 61.6972144}}, Row{false, 0, 1, {3.68164681, 22.1810112, 61.8417626}},
        Row{false, 0, 2, {4.13731957, 22.6149220, 62.2731841}}, Row{false, 0, 4, {5.58500142, 24.2733494, 63.9667605}},
        Row{false, 0, 6, {7.36037302, 26.8090817, 66.6839144}}, Row{false, 0, 8, {9.25683760, 29.9953819, 70.2929622}},
        Row{false, 0, 10, {11.2023278, 33.6403659, 74.6492946}},
        Row{false, 0, 12, {13.1701505, 37.6031123, 79.6144785}},
        Row{false, 0.1, 10, {11.8577965, 34.8784106, 76.2533300}}, Row{true, 0, 1, {1, 15.6242415, 50.1436867}},
        Row{true, 0, 2, {2, 16.2261015, 50.6760048}}, Row{true, 0, 4, {4, 18.4312718, 52.7463165}},
        Row{true, 0, 6, {6, 21.5943860, 56.0099251}}, Row{true, 0, 8, {8, 25.3435640, 60.2512841}},
        Row{true, 0, 10, {10, 29.4439267, 65.2554423}}, Row{true, 0, 12, {12, 33.7603014, 70.8373236}},
        Row{true, 0.1, 10, {10.7215083, 30.8851156, 67.1647877}}),
    [](const auto& row) {
      const Row& r = row.param;
      return fmt::format("{}{}At{}", r.hinged ? "Hinged" : "Clamped", r.hub > 0 ? "OnAHub" : "", r.speed);
    });

/// Pinned ends, one of which is pulled or pressed along the beam:  ω_n² = (nπ/L)² N/m + (nπ/L)⁴ EI/m
TEST(BeamModes, StretchedAndPressedBeamsHaveTheFrequenciesOfStringsAndStruts) {
  const double euler = kPi * kPi;
  for (const double force : {30.0, 3.0, -0.5 * euler, -0.9 * euler}) {
    SCOPED_TRACE(force);
    const Modes found(io::read_model_text(fmt::format(R"(
gravity: [0, 0, 0]
bodies: {{slider: {{mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}}}
beams:
  rod: {{from: [0, 0, 0], to: [1, 0, 0], stiffness: [1e7, 1e7, 1e7, 1, 50, 1], mass_per_length: 1,
        inertia_per_length: [2e-8, 1e-8, 1e-8], elements: 10}}
joints:
  pin: {{type: revolute, between: [ground, rod_0], at: [0, 0, 0], axis: [0, 0, 1]}}
  guide: {{type: translational, between: [ground, slider], at: [1, 0, 0], axis: [1, 0, 0]}}
  end: {{type: revolute, between: [slider, rod_30], at: [1, 0, 0], axis: [0, 0, 1]}}
forces: {{pull: {{type: force, on: slider, force: [{}, 0, 0]}}}}
)",
                                                      force),
                                          "strut.yaml"),
                      PointType::equilibrium, "", 12);
    for (const int n : {1, 2, 3}) {
      const double k = n * kPi, bending = std::pow(k, 4), left = k * k * force + bending;
      EXPECT_LT(found.distance_to(std::sqrt(left)), 1e-5 * std::max(1.0, bending / left)) << n;  // of what cancels
    }
  }
}

/// A shaft in two bearings whose sections have weight (Rayleigh), seen from the shaft:
///     (m + ρI k²) ω² ∓ 2 ρI k² Ω ω − EI k⁴ = 0,   k = nπ/L,      seen from the shaft ω ∓ Ω
TEST(BeamModes, AShaftWhirlsForwardAndBackward) {
  const double inertia = 0.01, EI = 1;
  for (const double speed : {0.0, 5.0, 20.0}) {
    SCOPED_TRACE(speed);
    const Modes found(io::read_model_text(fmt::format(R"(
gravity: [0, 0, 0]
bodies:
  hub: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [{0}, 0, 0], markers: {{center: {{}}}}}}
  slider: {{mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}
beams:
  shaft: {{from: [0, 0, 0], to: [1, 0, 0], stiffness: [1e6, 1e8, 1e8, 1e3, 1, 1], mass_per_length: 1,
          inertia_per_length: [{1}, {2}, {2}], elements: 8}}
joints:
  bearing: {{type: revolute, between: [ground, hub], at: [0, 0, 0], axis: [1, 0, 0]}}
  coupling: {{type: universal, between: [hub, shaft_0], at: [0, 0, 0], axis: [0, 0, 1], second_axis: [0, 1, 0]}}
  guide: {{type: translational, between: [ground, slider], at: [1, 0, 0], axis: [1, 0, 0]}}
  end: {{type: spherical, between: [slider, shaft_24], at: [1, 0, 0]}}
motions: {{drive: {{joint: bearing, velocity: {0}}}}}
)",
                                                      speed, 2 * inertia, inertia),
                                          "shaft.yaml"),
                      PointType::steady, "hub.center", 10);
    for (const int n : {1, 2}) {
      const double k = n * kPi, a = 1 + inertia * k * k, b = inertia * k * k * speed, c = EI * std::pow(k, 4);
      const double forward = (b + std::sqrt(b * b + a * c)) / a, backward = (-b + std::sqrt(b * b + a * c)) / a;
      EXPECT_LT(found.distance_to(std::abs(forward - speed)), 1e-5) << n;
      EXPECT_LT(found.distance_to(backward + speed), 1e-5) << n;
    }
  }
}

Campbell campbell(const std::string& file, const std::string& reference, const std::vector<double>& speeds,
                  const io::Overrides& overrides = {}) {
  CampbellPlan plan;
  plan.parameter = "speed", plan.unit = "rad/s", plan.values = speeds;
  plan.point = PointType::steady, plan.settings.reference = {reference, {}};
  plan.model = [=](double speed) {
    io::Overrides all = overrides;
    all.push_back({"speed", {speed, parse_unit("rad/s")->dimension}});
    return io::read_model(BRICARD_SOURCE_DIR "/models/" + file, all);
  };
  return find_campbell(plan);
}

/// The model of a blade as users sweep it; frequencies as above.
TEST(BeamCampbell, OfABladeHasTheExactFrequencies) {
  const std::vector<double> speeds{0, 4, 8, 12}, flap[]{{3.51601527, 22.0344916, 61.6972144},
                                                        {5.58500142, 24.2733494, 63.9667605},
                                                        {9.25683760, 29.9953819, 70.2929622},
                                                        {13.1701505, 37.6031123, 79.6144785}};
  const Campbell blade = campbell("rotating_blade.yaml", "hub.center", speeds);
  for (size_t i = 0; i < speeds.size(); ++i)
    for (const double w : flap[i]) {
      EXPECT_LT(distance(blade.points[i].modes, w), 1e-5) << speeds[i];
      EXPECT_LT(distance(blade.points[i].modes, std::sqrt(w * w - speeds[i] * speeds[i])), 1e-5) << speeds[i];
    }
  EXPECT_TRUE(blade.unstable.empty());
}

/// An overhung disc on a shaft of next to no mass: of all ω, seen from the shaft |ω − Ω|,
///     (k₁₁ − m ω²) (k₂₂ − J_d ω² + J_p Ω ω) = k₁₂²,      k: of the end of Timoshenko's cantilever
TEST(BeamCampbell, OfAFlexibleRotorHasTheFrequenciesOfItsDisc) {
  const std::vector<double> speeds{0, 50, 100, 300};
  const io::Overrides light{{"density", {1e-2, parse_unit("kg/m^3")->dimension}}};
  const Campbell rotor = campbell("flexible_rotor.yaml", "chuck.center", speeds, light);
  const double L = 0.5, r = 20e-3, EI = 210e9 * kPi / 4 * std::pow(r, 4);
  const double kGA = 6 * 1.3 / 8.8 * 210e9 / 2.6 * kPi * r * r, m = 7850 * kPi * 0.04 * 0.03;
  const double Jp = m * 0.02, Jd = m * (0.01 + 0.03 * 0.03 / 12);
  Eigen::Matrix2d F;
  F << L * L * L / (3 * EI) + L / kGA, L * L / (2 * EI), L * L / (2 * EI), L / EI;
  const Eigen::Matrix2d k = F.inverse();
  for (size_t i = 0; i < speeds.size(); ++i) {
    SCOPED_TRACE(speeds[i]);
    const double c4 = m * Jd, gyro = Jp * speeds[i];
    Eigen::Matrix4d companion = Eigen::Matrix4d::Zero();
    companion.diagonal(1).setOnes();
    companion.row(3) << -k.determinant(), -k(0, 0) * gyro, k(0, 0) * Jd + m * k(1, 1), m * gyro;
    companion.row(3) /= c4;
    for (const std::complex<double> w : companion.eigenvalues())
      EXPECT_LT(distance(rotor.points[i].modes, std::abs(w.real() - speeds[i])), 1e-5) << w.real();
  }
}

TEST(BeamModes, AreNamedByTheBeamAndNotByItsNodes) {
  const Modes found(io::read_model_text(blade(4, 0, false), "blade.yaml"), PointType::steady, "hub.center", 4);
  EXPECT_EQ(found.modes[1].label.substr(0, 30), "blade moves along z 100 %; str");
  EXPECT_NE(found.modes[1].label.find("strains blade"), std::string::npos) << found.modes[1].label;
}

}  // namespace beam_modes_test
}  // namespace bricard::testing
