// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "bricard/assemble/beam_sections.h"
#include "bricard/read/result_reader.h"
#include "bricard/write/csv_writer.h"
#include "bricard/write/json_writer.h"
#include "bricard/write/result_writer.h"
#include "reference/at_rest.h"
#include "reference/simulated.h"

// What results say along a beam, against closed forms of beams and of Saint-Venant's problem.
namespace bricard::testing {
namespace beam_results_test {

constexpr double pi = std::numbers::pi, kLength = 0.8, kRadius = 12e-3, kInner = 9e-3, kE = 210e9, kNu = 0.3;
constexpr double kG = kE / (2 * (1 + kNu));

/// A tube of steel, 0.8 m long, clamped at the wall, with forces at its end.
std::string tube(int degree, const std::string& loads, const std::string& more = "") {
  return fmt::format(R"yaml(
gravity: [0, 0, 0]
ground: {{markers: {{wall: {{}}}}}}
beams:
  arm:
    from: ground.wall
    to: [0.8, 0, 0]
    section: {{type: tube, radius: 12 mm, thickness: 3 mm}}
    material: steel
    elements: 5
    degree: {}
    {}
forces:
  load: {{type: force, on: arm.end, {}}}
)yaml",
                     degree, more, loads);
}

double second_moment() { return pi / 4 * (std::pow(kRadius, 4) - std::pow(kInner, 4)); }
double area() { return pi * (kRadius * kRadius - kInner * kInner); }

class BeamResults : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Degrees, BeamResults, ::testing::Values(1, 2, 3));

/// M_y = −F (L − s), V_z = F, and the fibres at ±z carry ∓M z/I. The end moves by 1.5 mm: it turns by 3e-3, of which
/// levers have the square, and an axial force of 20 N times 3e-3 comes to the stress. Stations are
/// the ends and the points of the elements.
TEST_P(BeamResults, ForceAtTheEndOfACantilever) {
  const double F = 20;
  const AtRest arm(tube(GetParam(), "force: [0, 0, 20]"));
  const auto moment = arm.values("arm.moment"), force = arm.values("arm.force"),
             stress = arm.values("arm.normal_stress"), bend = arm.values("arm.curvature"),
             shear = arm.values("arm.strain");
  ASSERT_EQ(moment.stations(), 2u + 5u * static_cast<size_t>(GetParam()));
  EXPECT_EQ(moment.s(0), 0);
  EXPECT_NEAR(moment.s(moment.stations() - 1), kLength, 1e-15);
  for (size_t i = 0; i < moment.stations(); ++i) {
    SCOPED_TRACE(moment.s(i));
    const double M = -F * (kLength - moment.s(i));
    EXPECT_NEAR(moment(i, 1), M, 1e-5 * F * kLength);
    EXPECT_NEAR(moment(i, 0), 0, 1e-7);
    EXPECT_NEAR(force(i, 2), F, 1e-5 * F);
    EXPECT_NEAR(force(i, 1), 0, 1e-7);
    EXPECT_NEAR(bend(i, 1), M / (kE * second_moment()), 1e-5 * F * kLength / (kE * second_moment()));
    EXPECT_NEAR(shear(i, 2), shear(0, 2), 1e-4 * shear(0, 2));
    EXPECT_NEAR(stress(i, 1), M * kRadius / second_moment(), 5e-5 * F * kLength * kRadius / second_moment());
    EXPECT_NEAR(stress(i, 3), -stress(i, 1), 1e-4 * F * kLength * kRadius / second_moment());
  }
  // Work of a force that grows with the displacement: ½ F w.
  EXPECT_NEAR(arm.signal("arm.strain_energy") / (0.5 * F * arm.at("arm.end").z()), 1, 1e-5);
}

/// Twist T/GJ, shear T a/J at the rim, and √3 of it after von Mises; energy ½ T φ.
TEST_P(BeamResults, Torsion) {
  const double T = 30, J = 2 * second_moment();
  const AtRest arm(tube(GetParam(), "torque: [30, 0, 0]"));
  const auto twist = arm.values("arm.curvature"), shear = arm.values("arm.shear_stress"),
             mises = arm.values("arm.von_mises"), moment = arm.values("arm.moment");
  for (size_t i = 0; i < twist.stations(); ++i) {
    EXPECT_NEAR(moment(i, 0), T, 1e-8 * T);
    EXPECT_NEAR(twist(i, 0) / (T / (kG * J)), 1, 1e-8);
    for (size_t pole = 0; pole < 4; ++pole) {
      EXPECT_NEAR(shear(i, pole) / (T * kRadius / J), 1, 1e-8);
      EXPECT_NEAR(mises(i, pole) / (std::sqrt(3.0) * T * kRadius / J), 1, 1e-8);
    }
  }
  EXPECT_NEAR(arm.signal("arm.strain_energy") / (0.5 * T * T * kLength / (kG * J)), 1, 1e-8);
}

/// A pull strains by F/EA and stresses all points by F/A.
TEST_P(BeamResults, Pull) {
  const double F = 5e3;
  const AtRest arm(tube(GetParam(), "force: [5000, 0, 0]"));
  const auto strain = arm.values("arm.strain"), stress = arm.values("arm.normal_stress"),
             force = arm.values("arm.force");
  for (size_t i = 0; i < strain.stations(); ++i) {
    EXPECT_NEAR(strain(i, 0) / (F / (kE * area())), 1, 1e-8);
    EXPECT_NEAR(force(i, 0) / F, 1, 1e-8);
    for (size_t pole = 0; pole < 4; ++pole) EXPECT_NEAR(stress(i, pole) / (F / area()), 1, 1e-8);
  }
}

/// A moment at the end bends a strip to an arc of 2 rad, r = (sin κs, 0, 1 − cos κs)/κ, with the same moment and M²/2EI of energy
/// everywhere. Between nodes an element with three of them is off by the third power of its size, some h³κ²/100.
TEST_P(BeamResults, MomentBendsAStripToAnArc) {
  const double EI = 210e9 * 20e-3 * 1e-9 / 12, M = 2 * EI;
  const AtRest arm(fmt::format(R"yaml(
gravity: [0, 0, 0]
ground: {{markers: {{wall: {{}}}}}}
beams:
  arm:
    from: ground.wall
    to: [1, 0, 0]
    section: {{type: rectangle, width: 20 mm, height: 1 mm}}
    material: steel
    elements: 12
    degree: {}
forces:
  load: {{type: force, on: arm.end, torque: [0, {}, 0]}}
)yaml",
                               GetParam(), -M),
                   std::nullopt);  // a torque about an axis that stands still
  const auto position = arm.values("arm.position"), turn = arm.values("arm.quaternion_wxyz"),
             moment = arm.values("arm.moment"), stress = arm.values("arm.normal_stress");
  for (size_t i = 0; i < position.stations(); ++i) {
    const double angle = 2 * position.s(i);
    EXPECT_NEAR(moment(i, 1) / -M, 1, 1e-6);
    EXPECT_NEAR(position(i, 0), std::sin(angle) / 2, GetParam() == 2 ? 3e-5 : 1e-6);
    EXPECT_NEAR(position(i, 2), (1 - std::cos(angle)) / 2, GetParam() == 2 ? 3e-5 : 1e-6);
    EXPECT_NEAR(std::abs(turn(i, 2)), std::sin(angle / 2), 1e-6);
    EXPECT_NEAR(stress(i, 0) / (-M * 0.5e-3 / (20e-3 * 1e-9 / 12)), 1, 1e-6);
  }
  EXPECT_NEAR(arm.signal("arm.strain_energy") / (0.5 * M * 2), 1, 1e-6);
}

/// Moments and places are those of the line that the user gave, wherever the mass centres are.
TEST_P(BeamResults, DoNotDependOnTheMassCentre) {
  const auto text = [&](const char* center) {
    return fmt::format(R"yaml(
gravity: [0, 0, 0]
ground: {{markers: {{wall: {{}}}}}}
beams:
  arm:
    from: ground.wall
    to: [1, 0, 0]
    stiffness: [1e5, 4e4, 4e4, 30, 50, 80]
    mass_per_length: 2
    inertia_per_length: [2e-3, 1e-3, 1e-3]
    mass_center: {}
    elements: 4
    degree: {}
forces:
  load: {{type: force, on: arm.end, force: [1, 4, 7]}}
)yaml",
                       center, GetParam());
  };
  const AtRest plain(text("[0, 0, 0]")), offset(text("[0, 30 mm, -20 mm]"));
  for (const char* name : {"arm.position", "arm.strain", "arm.curvature", "arm.force", "arm.moment"}) {
    SCOPED_TRACE(name);
    const auto a = plain.values(name).numbers, b = offset.values(name).numbers;
    double most = 0, apart = 0;
    for (size_t i = 0; i < a.size(); ++i)
      most = std::max(most, std::abs(a[i])), apart = std::max(apart, std::abs(a[i] - b[i]));
    EXPECT_LT(apart / most, GetParam() == 1 ? 1e-9 : GetParam() == 2 ? 3e-6 : 1e-7);
  }
}

/// The shear flow of Saint-Venant's flexure: at the neutral line of a full circle (1 + 2ν)/(1 + ν) V/A [TimoshenkoGoodier1970],
/// of a thin ring 2 V/A.
TEST(BeamSectionStress, ShearForceAtPolesOfCirclesAndRings) {
  const auto shear = [](double inner, Vector6d force, const char* pole) {
    BeamSection s;
    s.type = inner > 0 ? SectionType::tube : SectionType::circle;
    s.radius = 1, s.thickness = 1 - inner;
    const SectionConstants c = section_constants(s, 0.3);
    for (const SectionPoint& at : section_points(s, c, 0.3))
      if (at.name == pole) return at.shear.dot(force) * c.A;
    return 0.0;
  };
  const Vector6d along_z = Vector6d::Unit(2), along_y = Vector6d::Unit(1);
  EXPECT_NEAR(shear(0, along_z, "+y"), 1.6 / 1.3, 1e-12);
  EXPECT_NEAR(shear(0, along_z, "-y"), -1.6 / 1.3, 1e-12);
  EXPECT_NEAR(shear(0, along_z, "+z"), 0, 1e-12);
  EXPECT_NEAR(shear(0, along_y, "+z"), -1.6 / 1.3, 1e-12);
  EXPECT_NEAR(shear(0, along_y, "-z"), 1.6 / 1.3, 1e-12);
  EXPECT_NEAR(shear(0.9999, along_z, "+y"), 2, 1e-3);
}

/// A square bar under a pull, a torque and a force across: at corners only its normal stress, in the middle of the sides
/// T/(0.208 a³) and 1.126 · 3/2 V/A besides (ν = ¼) [TimoshenkoGoodier1970].
TEST(BeamSectionStress, OfASquareBarIsAmongTheResults) {
  const double a = 20e-3, N = 40, T = 0.09, V = 3;
  const AtRest bar(R"yaml(
gravity: [0, 0, 0]
ground: {markers: {wall: {}}}
beams:
  bar:
    from: ground.wall
    to: [0.2, 0, 0]
    section: {type: rectangle, width: 20 mm, height: 20 mm}
    youngs_modulus: 200 GPa
    poissons_ratio: 0.25
    density: 7800
    elements: 2
forces:
  load: {type: force, on: bar.end, force: [40, 0, 3], torque: [0.09, 0, 0]}
)yaml");
  const auto normal = bar.values("bar.normal_stress"), shear = bar.values("bar.shear_stress"),
             mises = bar.values("bar.von_mises");
  const double torsion = T / (0.208 * a * a * a), flexure = 1.126 * 1.5 * V / (a * a), largest = torsion + flexure;
  const double at_wall = V * 0.2 * a / 2 / (a * a * a * a / 12);  // the bar turns by 2e-4
  std::map<std::string, size_t> at;
  for (size_t i = 0; i < shear.channel.columns.size(); ++i) at[shear.channel.columns[i].name] = i;
  ASSERT_EQ(at.size(), 8u);
  const auto expect_mises = [&](size_t station, size_t point) {
    const double s = normal(station, point), t = shear(station, point);
    EXPECT_NEAR(mises(station, point) / std::sqrt(s * s + 3 * t * t), 1, 1e-12);
  };
  for (size_t i = 0; i < shear.stations(); ++i) {
    const double bending = at_wall * (1 - shear.s(i) / 0.2);
    EXPECT_NEAR(normal(i, at["+y"]) / (N / (a * a)), 1, 1e-3);
    EXPECT_NEAR(normal(i, at["-z"]) - N / (a * a), bending, 3e-4 * at_wall);
    EXPECT_NEAR(normal(i, at["+y-z"]) - N / (a * a), bending, 3e-4 * at_wall);
    EXPECT_NEAR(shear(i, at["+y"]), torsion + flexure, 3e-3 * largest);
    EXPECT_NEAR(shear(i, at["-y"]), torsion - flexure, 3e-3 * largest);
    EXPECT_NEAR(shear(i, at["+z"]), torsion, 3e-3 * largest);
    EXPECT_EQ(shear(i, at["+y+z"]), 0);
    for (const char* point : {"+y", "-z", "-y+z"}) expect_mises(i, at[point]);
  }
}

/// A file has the arrays as they were, in the order in which they were listed; tables and JSON have the same numbers.
TEST(BeamResultFiles, HoldTheChannelsOfBeams) {
  const Simulated run(tube(3, "force: [0, 0, 20]", "damping: 1e-5") + "run: {duration: 0.01, step: 1e-3}\n");
  const io::ResultFile made = io::make_result_file(run.model, run.started.system, run.results);
  const std::string path = std::filesystem::temp_directory_path() / fmt::format("beam_results_{}.h5", ::getpid());
  io::write_result_file(made, path);
  const io::ResultFile read = io::read_result_file(path);
  std::filesystem::remove(path);
  ASSERT_EQ(read.table.channels.size(), made.table.channels.size());
  int beams = 0;
  for (size_t c = 0; c < made.table.channels.size(); ++c) {
    const Channel &a = made.table.channels[c], &b = read.table.channels[c];
    EXPECT_EQ(a.owner + a.name, b.owner + b.name);
    if (a.width() > 0) {
      EXPECT_EQ(a.frame, b.frame);
    }
    EXPECT_EQ(a.stations, b.stations);
    EXPECT_EQ(made.table.values[c], read.table.values[c]) << a.name;
    beams += a.kind == Channel::Kind::beam;
  }
  EXPECT_EQ(beams, 9);
  const std::string table = io::csv_text(made.table);
  EXPECT_NE(table.find(",arm.moment.y at 0 m [N*m],"), std::string::npos);
  EXPECT_NE(table.find(",arm.von_mises.-z at 0.8 m [N/m^2],"), std::string::npos);
  const auto json = nlohmann::json::parse(io::run_json(run.model, run.started.system, run.results, {}));
  const auto& arm = json["final"]["beams"]["arm"];
  EXPECT_EQ(arm["moment"].size(), arm["s"].size());
  EXPECT_EQ(arm["normal_stress"][0].size(), 4u);
}

}  // namespace beam_results_test
}  // namespace bricard::testing
