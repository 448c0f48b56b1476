// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bricard/analysis/check_beams.h"
#include "bricard/assemble/beam_line.h"
#include "reference/at_rest.h"
#include "reference/simulated.h"

// What model files say of beams besides the plain ones: loads along them, curves by formulas, materials, frames.
namespace bricard::testing {
namespace beam_input_test {

constexpr double pi = std::numbers::pi;

/// A strip 1 m × 20 mm × 5 mm, clamped at the origin, E I_y = 43.75 N m² if it is of steel.
std::string strip(const std::string& more) {
  return R"yaml(
gravity: [0, 0, 0]
ground: {markers: {wall: {}}}
beams:
  arm:
    from: ground.wall
    to: [1, 0, 0]
    elements: 4
)yaml" + more;
}
const char* const kSteel = "    section: {type: rectangle, width: 20 mm, height: 5 mm}\n    material: steel\n";

/// q₀ (1 − s) moves the end by q₀ L⁴/(30 E I) + q₀ L²/(6 k G A) and bends the wall by q₀ L²/6. The bar is 20 mm thick, E I = 2800 N m²,
/// and turns by 8e-3. At the wall the moment is that of a parabola through three points of its cubic.
TEST(BeamInput, LoadsMayChangeAlongTheBeam) {
  const double q = 500, kGA = 13 / 15.3 * 210e9 / 2.6 * 4e-4;
  const AtRest arm(strip(R"yaml(
    section: {type: rectangle, width: 20 mm, height: 20 mm}
    material: steel
    load: [0, 0, 500*(1 - s)]
)yaml"));
  EXPECT_NEAR(arm.at("arm.end").z() / (q / (30 * 2800) + q / (6 * kGA)), 1, 2e-4);
  EXPECT_NEAR(arm.values("arm.moment")(0, 1) / (-q / 6), 1, 1e-3);
}

/// The same load at the end of its growth in time.
TEST(BeamInput, LoadsMayChangeWithTime) {
  const std::string load = "    load: [0, 0, 3*t*s]\n    damping: 1e-3\nrun: {duration: 0.01, step: 1e-3}\n";
  const Simulated run(strip(kSteel + load));
  const std::vector<double> force =
      run.signal("arm_12_load.force_z");  // a twelfth of an element is the share of its end
  EXPECT_NEAR(force.back(), 3 * 0.01 * 0.25 / 12, 1e-12);
}

/// A bar whose height falls to one half,  I = I₀ (1 − s/2)³,  A = A₀ (1 − s/2):
///     w = F L³/(E I₀) ∫ (1 − s)²/(1 − s/2)³ ds + F L/(k G A₀) ∫ ds/(1 − s/2),   integrals 8 ln 2 − 5 and 2 ln 2
/// and the same by a table, which is linear as well. It turns by 3e-3, whose square is left out.
TEST(BeamInput, SectionsMayBeFormulas) {
  const std::string load = "    material: steel\nforces: {push: {type: force, on: arm.end, force: [0, 0, 10]}}\n";
  const AtRest formula(strip("    section: {type: rectangle, width: 20 mm, height: 20 mm - s*10 mm}\n" + load)),
      table(strip("    sections:\n      - {type: rectangle, s: 0, width: 20 mm, height: 20 mm}\n"
                  "      - {type: rectangle, s: 1, width: 20 mm, height: 10 mm}\n" +
                  load));
  const double bending = 10 / 2800.0 * (8 * std::log(2) - 5),
               shear = 10 / (13 / 15.3 * 210e9 / 2.6 * 4e-4) * 2 * std::log(2);
  EXPECT_NEAR(formula.at("arm.end").z() / (bending + shear), 1, 2e-5);
  EXPECT_LT((formula.at("arm.end") - table.at("arm.end")).norm(), 1e-12);
  double mass = 0;
  for (const Body& node : formula.model.bodies) mass += node.mass;
  EXPECT_NEAR(mass, 7850 * 20e-3 * 15e-3, 1e-12);
  const auto stress = formula.values("arm.normal_stress");  // M z/I at the wall
  EXPECT_NEAR(stress(0, 0) / (-10 / (20e-3 * 20e-3 * 20e-3 / 6)), 1, 1e-3);
}

/// A ring under pressure from within: N = p R all around, no moment. The load turns with the sections; y of them points inwards.
TEST(BeamInput, FollowerLoadsTurnWithTheSections) {
  const double p = 200, R = 0.5;
  const AtRest ring(R"yaml(
gravity: [0, 0, 0]
ground: {markers: {hold: {position: [0.5, 0, 0]}}}
beams:
  ring:
    from: ground.hold
    curve: [0.5*cos(2*pi*s), 0.5*sin(2*pi*s), 0]
    section: {type: rectangle, width: 5 mm, height: 20 mm}
    material: steel
    elements: 24
    follower_load: [0, -200, 0]
joints:
  close: {type: fixed, between: [ring_0, ring_72], at: [0.5, 0, 0]}
)yaml");
  const auto force = ring.values("ring.force"), moment = ring.values("ring.moment");
  EXPECT_NEAR(force.s(force.stations() - 1), 2 * pi * R, 1e-9);
  for (size_t i = 0; i < force.stations(); ++i) {
    EXPECT_NEAR(force(i, 0) / (p * R), 1, 1e-5) << i;
    EXPECT_NEAR(moment(i, 2), 0, 1e-6 * p * R * R) << i;
  }
}

/// An arc of a circle of radius 2 m by formulas whose parameter is not the length: it turns by s (1 + s) rad.
TEST(BeamInput, CurvesMayBeFormulas) {
  const Model model = io::read_model_text(R"yaml(
beams:
  arc:
    curve: [2*sin(s*(1 + s)), 0, 2 - 2*cos(s*(1 + s))]
    z_axis: [0, 1, 0]
    section: {type: circle, radius: 10 mm}
    material: steel
    elements: 4
)yaml",
                                          "test.yaml");
  const BeamLine line = beam_line(model.flexible_beams.at(0));
  EXPECT_NEAR(line.length, 4, 1e-10);
  for (const double s : {0.0, 0.7, 2.5, 4.0}) {
    const Pose pose = line.pose(s);
    EXPECT_LT((pose.p - 2 * Vector3d(std::sin(s / 2), 0, 1 - std::cos(s / 2))).norm(), 1e-10);
    EXPECT_LT((pose.R.col(0) - Vector3d(std::cos(s / 2), 0, std::sin(s / 2))).norm(), 1e-10);
  }
  EXPECT_LT((model.bodies.back().position - 2 * Vector3d(std::sin(2.0), 0, 1 - std::cos(2.0))).norm(), 1e-10);
}

/// Whatever the axes of the markers that it is welded to, a beam is not strained at the start.
TEST(BeamInput, WeldsTakeTheBeamAsItRuns) {
  const Simulated run(R"yaml(
gravity: [0, 0, 0]
ground: {markers: {wall: {orientation: {axis: [1, 2, 3], angle_deg: 70}}}}
bodies:
  weight:
    {mass: 1, inertia: [1, 1, 1], position: [0.2, 0.3, 1], orientation: {axis: [0, 1, 0], angle_deg: 30},
     markers: {eye: {position: [0.1, 0, 0]}}}
beams:
  arm: {from: ground.wall, to: weight.eye, section: {type: circle, radius: 5 mm}, material: steel, elements: 2}
run: {duration: 0.01, step: 1e-3}
)yaml");
  EXPECT_TRUE(run.results.report.start_moves.empty());
  for (const double energy : run.signal("arm.strain_energy")) EXPECT_LT(energy, 1e-15);
}

/// Six numbers are the moments and products in the axes of the section: those of a section that is turned by 30° about the beam.
TEST(BeamInput, InertiaMayHaveProducts) {
  const auto inertia = [](const char* z_axis, const char* six) {
    const Model model = io::read_model_text(fmt::format(R"yaml(
beams:
  rod: {{from: [0, 0, 0], to: [1, 0, 0], z_axis: {}, stiffness: [1, 1, 1, 1, 1, 1], mass_per_length: 1, mass_center: [0, 0, 0],
        inertia_per_length: {}, elements: 1}}
)yaml",
                                                        z_axis, six),
                                            "test.yaml");
    const Body& node = model.bodies.at(1);
    const Matrix3d R = node.orientation.toRotationMatrix();
    return Matrix3d(R * node.inertia * R.transpose());
  };
  // y and z of the turned section are (c, s) and (−s, c) of the other's:  2 s² + c² = 1.25,  2 c² + s² = 1.75,  s c (1 − 2)
  EXPECT_LT(
      (inertia("[0, -0.5, 0.75^0.5]", "[3, 1, 2]") - inertia("[0, 0, 1]", "[3, 1.25, 1.75, 0, 0, -0.25*3^0.5]")).norm(),
      1e-14);
}

/// Known by its constants, a section bends as its shape does.
TEST(BeamInput, GeneralSectionsAreThoseOfTheirConstants) {
  const char* const general =
      R"yaml(    section: {type: general, area: 1e-4, Iy: 2.08333333333333e-10, Iz: 3.33333333333333e-9, J: 7.0228e-10,
              shear_y: 0.8496732, shear_z: 0.8496732}
    material: steel
)yaml";
  const std::string load = "forces: {push: {type: force, on: arm.end, force: [0, 3, 2], torque: [0.4, 0, 0]}}\n";
  const AtRest shape(strip(kSteel + load)), constants(strip(general + load));
  EXPECT_LT((shape.at("arm.end") - constants.at("arm.end")).norm(), 1e-5 * shape.at("arm.end").norm());
  EXPECT_GT((shape.at("arm.end") - Vector3d(1, 0, 0)).norm(), 1e-3);
}

/// A material of the model's own is what its values are; it goes before a known one of the same name.
TEST(BeamInput, MaterialsMayBeTheModelsOwn) {
  const std::string load = "forces: {push: {type: force, on: arm.end, force: [0, 0, 2]}}\n";
  const std::string own = R"yaml(    section: {type: rectangle, width: 20 mm, height: 5 mm}
    material: steel
materials:
  steel: {density: 1000, youngs_modulus: 105 GPa, poissons_ratio: 0.3}
bodies:
  ball: {shapes: {type: box, size: [1, 1, 1], density: steel}}
joints: {hold: {type: fixed, between: [ground, ball], at: [0, 0, 0]}}
)yaml";
  const AtRest soft(strip(own + load)), stiff(strip(kSteel + load));
  EXPECT_NEAR(soft.at("arm.end").z() / stiff.at("arm.end").z(), 2,
              4e-3);  // the soft one turns by 0.045, whose square is 2e-3
  EXPECT_NEAR(soft.model.bodies[0].mass, 1000, 1e-9);
}

const char* const kPortal = R"yaml(
gravity: [0, 0, 0]
ground: {markers: {left: {}, right: {position: [4, 0, 0]}}}
frames:
  portal:
    nodes: {A: ground.left, B: [0, 0, 3], C: [4, 0, 3], D: ground.right}
    members: [[A, B], [B, C], {nodes: [C, D], name: column}]
    section: {type: rectangle, width: 30 mm, height: 30 mm}
    z_axis: [1, 0, 1]
    material: steel
    elements: 3
    degree: 1
JOINTS
forces: {push: {type: force, on: portal_A_B.end, force: [2, 0, 0]}}
)yaml";

std::string portal(const std::string& joints) {
  std::string text = kPortal;
  return text.replace(text.find("JOINTS"), 6, joints);
}

/// A portal of equal members under a push H at its corner, k = h/l: H h/2 (3k + 1)/(6k + 1) at the clamped feet and
/// H h/2 3k/(6k + 1) at the corners (Kleinlogel's formulas, without stretch). It sways by 0.6 mm, which is 2e-4 of these moments.
TEST(BeamFrames, ClampedPortalUnderAPush) {
  const AtRest frame(portal(""));
  const double H = 2, h = 3, k = 3.0 / 4;
  const auto left = frame.values("portal_A_B.moment"), right = frame.values("column.moment");
  const size_t last = left.stations() - 1;
  EXPECT_NEAR(std::abs(left(0, 1)) / (H * h / 2 * (3 * k + 1) / (6 * k + 1)), 1, 1e-3);
  EXPECT_NEAR(std::abs(left(last, 1)) / (H * h / 2 * 3 * k / (6 * k + 1)), 1, 1e-3);
  EXPECT_NEAR(std::abs(right(last, 1)) / (H * h / 2 * (3 * k + 1) / (6 * k + 1)), 1, 1e-3);
  EXPECT_LT(left(0, 1) * left(last, 1), 0);
}

/// With hinges at both feet these carry no moment and half of the push each, and the corners H h/2.
TEST(BeamFrames, PortalWithHinges) {
  const AtRest frame(
      portal("    joints: {A: {type: revolute, axis: [0, 1, 0]}, D: {type: revolute, axis: [0, 1, 0]}}\n"));
  const auto left = frame.values("portal_A_B.moment"), right = frame.values("column.moment");
  const size_t last = left.stations() - 1;
  EXPECT_NEAR(left(0, 1), 0, 1e-5);
  EXPECT_NEAR(right(last, 1), 0, 1e-5);
  EXPECT_NEAR(std::abs(left(last, 1)) / 3, 1, 2e-3);
  EXPECT_NEAR(std::abs(right(0, 1)) / 3, 1, 2e-3);
}

/// What a check tells of a beam: √(E/ρ) of steel, ends that nothing holds.
TEST(BeamChecks, TellWavesAndFreeEnds) {
  const BeamNames strips(io::read_model_text(strip(kSteel), "test.yaml"));
  const BeamSummary& arm = strips.beams().at(0);
  EXPECT_NEAR(arm.wave_speed, std::sqrt(210e9 / 7850), 1e-6);
  // nodes next to the ends of elements are 0.25 m (1 − 1/√5)/2 from them
  EXPECT_NEAR(arm.wave_time, 0.25 * (1 - 1 / std::sqrt(5.0)) / 2 / std::sqrt(210e9 / 7850), 1e-12);
  EXPECT_EQ(arm.free, std::vector<std::string>{"end"});
  const BeamNames frame(io::read_model_text(portal(""), "test.yaml"));
  for (const BeamSummary& beam : frame.beams()) EXPECT_TRUE(beam.free.empty()) << beam.name;
}

/// Steps of 1e-8 s: far below the time that waves need through an element, and of no other effort than larger ones.
TEST(BeamSteps, OfTenNanosecondsConverge) {
  Model model = io::read_model(BRICARD_SOURCE_DIR "/models/flexible_slider_crank.yaml");
  model.run.step = 1e-8, model.run.output_step = 1e-7, model.run.duration = 1e-6;
  const Simulated fine(model);
  EXPECT_TRUE(fine.results.report.finished) << fine.results.report.stopped_because;
  EXPECT_EQ(fine.results.report.steps, 100);
  EXPECT_EQ(fine.results.report.halved_steps, 0);
  EXPECT_LE(fine.results.report.iterations, 300);
}

}  // namespace beam_input_test
}  // namespace bricard::testing
