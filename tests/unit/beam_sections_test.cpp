// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/beam_sections.h"

#include <gtest/gtest.h>

#include "bricard/assemble/beam_line.h"
#include "bricard/read/model_reader.h"

// Constants of cross-sections, lines and meshes of beams.
namespace bricard::testing {
namespace beam_sections_test {

BeamSection section(SectionType type, double width, double height, double radius = 0, double thickness = 0,
                    double flange = 0) {
  BeamSection s;
  s.type = type;
  s.width = width, s.height = height, s.radius = radius, s.thickness = thickness, s.flange = flange;
  return s;
}

/// Torsion of a rectangle: 0.140577 a⁴ for a square, 0.228682 and 0.263, 0.312 of a c³ for 2, 3 and 10 [TimoshenkoGoodier1970];
/// a strip has c³ (a − 0.630249 c)/3.
TEST(BeamSections, TorsionOfRectanglesIsSaintVenants) {
  EXPECT_NEAR(torsion_of_rectangle(1, 1), 0.140577, 1e-6);
  EXPECT_NEAR(torsion_of_rectangle(2, 1) / 2, 0.228682, 1e-6);
  EXPECT_NEAR(torsion_of_rectangle(1, 3) / 3, 0.263, 5e-4);
  EXPECT_NEAR(torsion_of_rectangle(0.1, 2.5e-3), 2.5e-3 * 2.5e-3 * 2.5e-3 / 3 * (0.1 - 0.630249 * 2.5e-3), 1e-17);
}

/// Of a strip 2.5 × 100 mm of aluminium and a tube of steel, worked out by hand.
TEST(BeamSections, HaveTheStiffnessOfTheirShape) {
  const SectionConstants strip = section_constants(section(SectionType::rectangle, 2.5e-3, 0.1), 0.3);
  const Matrix6d C = section_stiffness(strip, 73e9, 0.3), M = section_mass(strip, 2700);
  EXPECT_NEAR(C(0, 0), 1.825e7, 1);
  EXPECT_NEAR(C(3, 3), 14.3930, 1e-4);
  EXPECT_NEAR(C(4, 4), 15208.3, 0.1);
  EXPECT_NEAR(C(5, 5), 9.50521, 1e-5);
  EXPECT_NEAR(M(0, 0), 0.675, 1e-12);
  EXPECT_NEAR(M(4, 4), 5.625e-4, 1e-15);
  EXPECT_NEAR(C(1, 1) / (73e9 / 2.6 * 2.5e-4), 13 / 15.3, 1e-12);
  const Matrix6d tube =
      section_stiffness(section_constants(section(SectionType::tube, 0, 0, 15e-3, 8e-3), 0.3), 210e9, 0.3);
  EXPECT_NEAR(tube(0, 0), 1.16113e8, 1e3);
  EXPECT_NEAR(tube(3, 3), 6118.28, 0.01);
  EXPECT_NEAR(tube(5, 5), 7953.76, 0.01);
}

/// Hollow sections are differences of full ones; thin walls twist as Bredt says, 4 A² t over the length of the middle line.
TEST(BeamSections, HollowAndRolledOnesAreSumsOfRectangles) {
  const double b = 0.06, h = 0.1, t = 1e-3, f = 2e-3;
  const SectionConstants box = section_constants(section(SectionType::box, b, h, 0, t), 0.3);
  EXPECT_NEAR(box.Iy, (b * h * h * h - (b - 2 * t) * std::pow(h - 2 * t, 3)) / 12, 1e-18);
  EXPECT_NEAR(box.J, 4 * std::pow((b - t) * (h - t), 2) * t / (2 * (b + h - 2 * t)), 1e-18);
  const SectionConstants beam = section_constants(section(SectionType::i_section, b, h, 0, t, f), 0.3);
  const double web = h - 2 * f, arm = (h - f) / 2;
  EXPECT_NEAR(beam.A, 2 * b * f + web * t, 1e-16);
  EXPECT_NEAR(beam.Iy, 2 * (b * f * f * f / 12 + b * f * arm * arm) + t * web * web * web / 12, 1e-16);
  EXPECT_NEAR(beam.Iz, 2 * f * b * b * b / 12 + web * t * t * t / 12, 1e-18);
  EXPECT_NEAR(beam.J, (2 * b * f * f * f + web * t * t * t) / 3, 0.03 * beam.J);
}

/// Stress of a torque 1 and of a shear force 1 at a named point.
double shear_at(const BeamSection& s, double nu, const std::string& name, int component) {
  const SectionConstants c = section_constants(s, nu);
  for (const SectionPoint& at : section_points(s, c, nu))
    if (at.name == name) return at.shear[component];
  ADD_FAILURE() << name;
  return 0;
}
constexpr int kTorque = 3, kAlongY = 1, kAlongZ = 2;

/// τ = M_x/(k₂ a c²) in the middle of the long side a [TimoshenkoGoodier1970], and the part of it in the middle of the short
/// side that handbooks have.
TEST(BeamSections, TorsionStressesRectanglesAsInTheTables) {
  const double table[][3] = {{1, 0.208, 1},     {1.2, 0.219, 0.930}, {1.5, 0.231, 0.858}, {2, 0.246, 0.796},
                             {3, 0.267, 0.753}, {4, 0.282, 0.745},   {10, 0.312, 0.743}};
  for (const auto& [ratio, k2, short_side] : table) {
    SCOPED_TRACE(ratio);
    const BeamSection upright = section(SectionType::rectangle, 0.1, 0.1 * ratio),
                      flat = section(SectionType::rectangle, 0.1 * ratio, 0.1);
    const double longest = 1 / (k2 * ratio * 1e-3);
    EXPECT_NEAR(shear_at(upright, 0.3, "+y", kTorque) / longest, 1, 3e-3);  // the table has three digits
    EXPECT_NEAR(shear_at(upright, 0.3, "-z", kTorque) / longest, short_side, 3e-3);
    EXPECT_NEAR(shear_at(flat, 0.3, "-z", kTorque) / shear_at(upright, 0.3, "+y", kTorque), 1, 1e-12);
  }
  EXPECT_NEAR(torsion_at_side(1, 1 + 1e-13), torsion_at_side(1 + 1e-13, 1), 1e-12);  // both sums
}

/// Factors to 3/2 V/A in the middle of the sides along the force, ν = 1/4, heights of 2, 1, ½, ¼ widths [TimoshenkoGoodier1970].
TEST(BeamSections, ShearForcesStressRectanglesAsInTheTable) {
  const double table[][2] = {{2, 1.033}, {1, 1.126}, {0.5, 1.396}, {0.25, 1.988}};
  for (const auto& [height, factor] : table) {
    SCOPED_TRACE(height);
    const BeamSection s = section(SectionType::rectangle, 1, height),
                      turned = section(SectionType::rectangle, height, 1);
    EXPECT_NEAR(shear_at(s, 0.25, "+y", kAlongZ) * height / 1.5, factor, 6e-4);
    EXPECT_NEAR(shear_at(s, 0.25, "-y", kAlongZ) * height / 1.5, -factor, 6e-4);
    EXPECT_NEAR(shear_at(turned, 0.25, "+z", kAlongY) * height / 1.5, -factor, 6e-4);
    EXPECT_EQ(shear_at(s, 0.25, "+z", kAlongZ), 0);
    EXPECT_EQ(shear_at(s, 0.25, "+y+z", kTorque), 0);
  }
  EXPECT_NEAR(flexure_at_side(1, 1 + 1e-13, 0.3), flexure_at_side(1, 1 - 1e-13, 0.3), 1e-12);
}

/// Bredt's flow of a torque; of a square box with thin walls 9/16 V/(b t). Its flows carry torque and force in full.
TEST(BeamSections, WallsOfBoxesCarryTorqueAndShear) {
  const double b = 0.06, h = 0.1, t = 1e-3;
  EXPECT_NEAR(shear_at(section(SectionType::box, b, h, 0, t), 0.3, "+y", kTorque), 1 / (2 * 0.059 * 0.099 * t), 1e-6);
  EXPECT_NEAR(shear_at(section(SectionType::box, b, h, 0, t), 0.3, "+z", kTorque), 1 / (2 * 0.059 * 0.099 * t), 1e-6);
  const double thin = 1e-6;
  EXPECT_NEAR(shear_at(section(SectionType::box, 1, 1, 0, thin), 0.3, "+y", kAlongZ) * thin, 9.0 / 16, 1e-5);
  EXPECT_NEAR(shear_at(section(SectionType::box, 1, 1, 0, thin), 0.3, "+z", kAlongY) * thin, -9.0 / 16, 1e-5);
}

/// M_x t/J of thin open walls: b/t³ 3 for a strip. Of a shear force the web has a parabola whose integral is the force, with
/// b f h/2 (1/I t) where it meets the flanges; the flanges 3/2 V over both.
TEST(BeamSections, WebAndFlangesCarryTorqueAndShear) {
  const double b = 1, h = 2, web = 1e-5, flange = 2e-5;
  const BeamSection s = section(SectionType::i_section, b, h, 0, web, flange);
  const double J = (2 * b * flange * flange * flange + h * web * web * web) / 3,
               I = web * h * h * h / 12 + b * flange * h * h / 2;
  EXPECT_NEAR(shear_at(s, 0.3, "+y", kTorque) / (web / J), 1, 1e-4);
  EXPECT_NEAR(shear_at(s, 0.3, "-z", kTorque) / (flange / J), 1, 1e-4);
  const double middle = shear_at(s, 0.3, "+y", kAlongZ), edge = b * flange * h / 2 / (I * web);
  EXPECT_NEAR((edge + 2.0 / 3 * (middle - edge)) * web * h, 1, 1e-4);
  EXPECT_NEAR(shear_at(s, 0.3, "-z", kAlongY) / (1.5 / (2 * b * flange)), 1, 1e-4);
}

FlexibleBeam arc() {
  FlexibleBeam beam;
  beam.name = "arc";
  const double radius = 2;
  for (int i = 0; i <= 40; ++i) {
    const double a = 1.5 * i / 40;
    const Vector3d p = radius * Vector3d(std::sin(a), 1 - std::cos(a), 0);
    if (i == 0) beam.from.position = p;
    else if (i == 40) beam.to.position = p;
    else beam.points.push_back(p);
  }
  beam.section = section(SectionType::circle, 0, 0, 0.01);
  beam.material = "steel";
  beam.elements = 3;
  beam.markers = {{"a", {}, 0.1}, {"b", {}, 0.5}};
  return beam;
}

TEST(BeamLines, SplineThroughACircleHasItsLengthAndTangents) {
  const BeamLine line = beam_line(arc());
  EXPECT_NEAR(line.length, 3, 1e-4);
  for (const double s : {0.5, 1.2, 2.9}) {
    const Pose pose = line.pose(s);
    EXPECT_LT((pose.p - 2 * Vector3d(std::sin(s / 2), 1 - std::cos(s / 2), 0)).norm(), 2e-4);
    EXPECT_LT((pose.R - Eigen::AngleAxisd(s / 2, Vector3d::UnitZ()).toRotationMatrix()).norm(), 2e-3);
    const Vector3d slope = (line.pose(s + 1e-5).p - line.pose(s - 1e-5).p) / 2e-5;  // by length
    EXPECT_LT((slope - pose.R.col(0)).norm(), 1e-8);
  }
}

TEST(BeamLines, ElementsEndAtMarkers) {
  const BeamMesh mesh = beam_mesh(arc(), 1);
  EXPECT_EQ(mesh.ends, (std::vector<double>{0, 0.1, 0.5, 0.75, 1}));
  EXPECT_EQ(beam_places(arc())[3].name, "arc.b");
  EXPECT_EQ(beam_places(arc())[3].body, "arc_6");
}

}  // namespace beam_sections_test
}  // namespace bricard::testing
