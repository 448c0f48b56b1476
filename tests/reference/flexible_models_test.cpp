// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/find_start.h"
#include "bricard/analysis/operating_point.h"
#include "bricard/flex/rods.h"
#include "bricard/write/part_writer.h"
#include "reference/at_rest.h"
#include "reference/simulated.h"

// What model files say of flexible bodies, next to closed forms of rods.
namespace bricard::testing {
namespace flexible_models_test {

/// A bar of 10 mm × 10 mm, 1 m long: E I = 175 N m², ρ A = 0.785 kg/m.
constexpr double kEI = 210e9 * 1e-8 / 12, kPerLength = 7850 * 1e-4;

std::string rod(const std::string& choice, const std::string& more = "") {
  return fmt::format(R"yaml(
gravity: [0, 0, 0]
bodies:
  arm:
    flexible:
      rod: {{from: [0, 0, 0], to: [1, 0, 0], section: {{type: rectangle, width: 10 mm, height: 10 mm}}, youngs_modulus: 210 GPa,
            poissons_ratio: 0.3, density: 7850, theory: euler-bernoulli}}
      {}
{})yaml",
                     choice, more);
}

const char* const kClamp = "joints: {wall: {type: fixed, between: [ground, arm.start], at: [0, 0, 0]}}\n";
const char* const kPush = "forces: {push: {type: force, on: arm.end, force: [0, 0, 1]}}\n";

//     w = F L³/(3 E I), exact, as the shapes of the interfaces are among those of the rod. It turns by 3e-3, whose square is left out.
TEST(FlexibleModels, BendAsARodDoesWhereverTheFrameIs) {
  for (const char* choice : {"modes: 1", "modes: 4", "frame: start", "frame: end", "stiffening: false"}) {
    SCOPED_TRACE(choice);
    const AtRest arm(rod(choice, std::string(kClamp) + kPush));
    EXPECT_NEAR(arm.at("arm.end").z() * 3 * kEI, 1, 1e-4);
  }
}

//     1 − x = ½ ∫ w′² dx = F² L⁵/(15 E² I²): the end comes nearer as the rod bends
TEST(FlexibleModels, ComeNearerWhereTheyBend) {
  const AtRest arm(rod("modes: 4", std::string(kClamp) + kPush));
  EXPECT_NEAR((1 - arm.at("arm.end").x()) * 15 * kEI * kEI, 1, 0.01);
}

TEST(FlexibleModels, ReducedBeamsBendAsBeamsDo) {
  const std::string text = R"yaml(
gravity: [0, 0, 0]
ground: {markers: {wall: {}}}
beams:
  arm:
    from: ground.wall
    to: [1, 0, 0]
    section: {type: rectangle, width: 10 mm, height: 10 mm}
    material: steel
    elements: 6
    markers: {middle: 0.5}
)yaml";
  const AtRest beam(text + kPush), reduced(text + "    reduce: {modes: 4}\n" + kPush);
  EXPECT_EQ(reduced.system.flexible.size(), 1U);
  for (const char* at : {"arm.end", "arm.middle"}) EXPECT_NEAR(reduced.at(at).z() / beam.at(at).z(), 1, 1e-4) << at;
}

//     ω = k² √(E I/ρA),   cos k cosh k = −1; rotary inertia takes k² h²/24 = 2e-4 of the second away
TEST(FlexibleModels, HaveTheFrequenciesOfAClampedRod) {
  const Model model = io::read_model_text(rod("modes: 8", kClamp), "test.yaml");
  System system = assemble(model);
  const LinearizeOptions options = linearize_options(model, {}, system);
  const OperatingPoint at = find_operating_point(model, system, PointType::given, {});
  LinearEquations equations(system, at.state, options);
  EXPECT_EQ(equations.report().problem, "");
  std::vector<Eigenmode> modes = find_eigenmodes(equations, system, {}).modes;
  label_modes(model, system, at.state, equations, modes);
  std::vector<double> found;
  for (const Eigenmode& mode : modes)
    if (mode.s.imag() > 0) found.push_back(mode.s.imag());
  std::sort(found.begin(), found.end());
  ASSERT_GE(found.size(), 4U);
  const double unit = std::sqrt(kEI / kPerLength);
  for (const auto& [i, k] : {std::pair{0, 1.8751040687}, {1, 1.8751040687}, {2, 4.6940911330}, {3, 4.6940911330}})
    EXPECT_NEAR(found[static_cast<size_t>(i)] / (k * k * unit), 1, 6e-4);
  EXPECT_NE(modes[0].label.find("arm"), std::string::npos) << modes[0].label;
  EXPECT_NE(modes[0].label.find("strains arm 100 %"), std::string::npos) << modes[0].label;
}

/// Lowest frequencies of free rods are those of the part in mean axes, k = 4.7300.
TEST(FlexibleModels, KnowTheFrequenciesOfTheirPart) {
  const Model model = io::read_model_text(rod("modes: 8"), "test.yaml");
  const ReducedPart& part = *model.bodies[0].part;
  EXPECT_NEAR(part.frequencies[0] / (4.7300407449 * 4.7300407449 * std::sqrt(kEI / kPerLength)), 1, 1e-3);
  EXPECT_NEAR(part.inertia.mass, kPerLength, 1e-12);
  const auto& C = part.inertia.shapes_shapes;
  const VectorXd modal = (C[0] + C[3] + C[5]).diagonal();
  EXPECT_LT((modal.array() - part.inertia.mass).matrix().lpNorm<Eigen::Infinity>(), 1e-9);
}

TEST(FlexibleModels, ArePlacedByJointsAndMarkersOnInterfaces) {
  const AtRest arm(rod("modes: 2", R"yaml(    markers: {pin: {position: [0, 0, 0.1], relative_to: end}}
joints:
  hinge: {type: revolute, between: [ground, arm.start], at: [0, 0, 0], axis: [0, 0, 1], start: 90 deg}
forces: {hold: {type: torsion-spring, joint: hinge, stiffness: 1, free_angle: 90 deg}}
)yaml"));
  EXPECT_LT((arm.at("arm.end") - Vector3d(0, 1, 0)).norm(), 1e-9);
  EXPECT_LT((arm.at("arm.pin") - arm.at("arm.end")).norm() - 0.1, 1e-9);
}

/// Guesses that are off move bodies; shapes take 1e-6 of the way, as their masses are that much larger then.
TEST(FlexibleModels, AreNotDeformedWhereJointsAreClosed) {
  const Model model = io::read_model_text(
      "ground: {markers: {post: {position: [0.3, 0.4, 0]}}}" +
          rod("modes: 4", "    position: [2 mm, 1 mm, -1 mm]\n"
                          "joints: {ball: {type: spherical, between: [ground, arm.start], at: [0, 0, 0]}, "
                          "other: {type: distance, between: [ground.post, arm.end], length: 0.9}}\n"),
      "test.yaml");
  const System system = assemble(model);
  State s = initial_wishes(model, system);
  ASSERT_TRUE(consistent_start(model, system, SolverType::automatic, s).assembled);
  EXPECT_NEAR(s.q.head<7>().tail<4>().norm(), 1, 1e-12);
  EXPECT_LT(s.q.tail(system.flexible[0].shapes).lpNorm<Eigen::Infinity>(), 1e-5);
}

TEST(FlexibleModels, RunAndTellTheirShapesAndInterfaces) {
  Model model = io::read_model(std::string(BRICARD_SOURCE_DIR) + "/models/modal_slider_crank.yaml");
  model.run.duration = 0.15;
  const Simulated run(model);
  ASSERT_TRUE(run.results.report.finished) << run.results.report.stopped_because;
  EXPECT_LT(run.results.report.max_energy_defect, 1e-3 * run.results.report.energy_turned_over);
  AtRest unused(rod("modes: 2", std::string(kClamp)));
  Channels channels(model, run.started.system, 0);
  std::vector<std::string> names;
  for (const Channel& c : channels.list()) names.push_back(c.owner.empty() ? c.name : c.owner + "." + c.name);
  for (const char* name :
       {"rod.modal_coordinates", "rod.end.position", "rod.middle.quaternion_wxyz", "rod.elastic_energy"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  const std::vector<double> energy = run.signal("rod.elastic_energy");
  EXPECT_GT(*std::max_element(energy.begin(), energy.end()), 1e-4);
}

class PartInFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const Model model = io::read_model_text(rod("modes: 8"), "test.yaml");
    part_ = model.bodies[0].part;
    io::write_part(*part_, path_);
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::string text(const std::string& choice) const {
    return fmt::format("gravity: [0, 0, 0]\nbodies: {{arm: {{flexible: {{file: {}{}}}}}}}\n", path_, choice);
  }
  std::string path_ = (std::filesystem::temp_directory_path() / fmt::format("part_{}.flex.h5", getpid())).string();
  std::shared_ptr<const ReducedPart> part_;
};

TEST_F(PartInFile, IsTheSameBody) {
  const AtRest arm(text("") + kClamp + kPush);
  EXPECT_NEAR(arm.at("arm.end").z() * 3 * kEI, 1, 1e-4);
}

TEST_F(PartInFile, GivesTheShapesThatAreWanted) {
  const double third = part_->frequencies[2] / (2 * std::numbers::pi);
  const auto shapes = [&](const std::string& choice) {
    return io::read_model_text(text(choice), "test.yaml").bodies[0].part->shapes();
  };
  EXPECT_EQ(shapes(", modes: 3"), 3);
  EXPECT_EQ(shapes(fmt::format(", frequency: {}", 1.001 * third)), 4);  // two of each frequency
  const Model damped = io::read_model_text(text(", modes: 2, damping: [0.01, 0.02]"), "test.yaml");
  const ReducedPart& part = *damped.bodies[0].part;
  EXPECT_NEAR(part.damping(1, 1) / (2 * 0.02 * part.frequencies[1] * part.inertia.mass), 1, 1e-9);
}

std::string fault_of(const std::string& text) {
  try {
    io::read_model_text(text, "test.yaml");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

TEST_F(PartInFile, RefusesWhatItDoesNotHave) {
  EXPECT_NE(fault_of(text(", modes: 99")).find(fmt::format("the part has {} shapes; expected 1 to", part_->shapes())),
            std::string::npos);
  EXPECT_NE(fault_of(text(", damping: [0.1, 0.2]")).find("2 numbers for"), std::string::npos);
  EXPECT_NE(fault_of(text(", frequency: 0.1")).find("no shape of the part is below it"), std::string::npos);
  EXPECT_NE(fault_of(text(", frame: start")).find("the file tells where the frame"), std::string::npos);
}

TEST(FlexibleModels, RefuseWhatMakesNoSense) {
  const std::string joint =
      "joints: {{a: {{type: revolute, between: [ground, {}], at: [0, 0, 0], axis: [0, 0, 1]}}}}\n";
  const std::vector<std::array<std::string, 2>> rows{
      {rod("modes: 0"), "test.yaml:8:14: bodies.arm.flexible.modes: must be >= 1, found 0"},
      {rod("damping: -0.1"), "bodies.arm.flexible.damping: must be >= 0"},
      {rod("frame: stard"), "unknown interface 'stard'; did you mean 'start'?"},
      {rod("file: x.flex.h5"), "a file is given as well"},
      {rod("modes: 2", "    mass: 3\n"), "bodies.arm.mass: the flexible part gives this"},
      {rod("modes: 2", "    markers: {pin: {position: [0, 0, 0]}}\n"), "say on which of its interfaces"},
      {rod("modes: 2", "    markers: {end: {relative_to: start}}\n"), "the part has an interface of this name"},
      {rod("modes: 2", fmt::format(fmt::runtime(joint), "arm")),
       "'arm' is flexible; name one of its interfaces, as arm."},
      {rod("modes: 2", fmt::format(fmt::runtime(joint), "arm.endd")),
       "unknown marker 'arm.endd'; did you mean 'arm.end'?"},
      {rod("modes: 2", "plane: xy\n"), "planar models have no flexible bodies"},
      {rod("modes: 2", "run: {coordinates: natural}\n"), "natural coordinates cannot take flexible bodies"},
      {"bodies: {arm: {flexible: {modes: 3}}}\n", "give either file"},
      {"bodies: {arm: {flexible: {file: nowhere.flex.h5}}}\n", "nowhere.flex.h5"},
      {"bodies: {arm: {flexible: {rod: {from: [0, 0, 0], to: [0, 0, 0], section: {type: circle, radius: 1 mm}, "
       "material: steel}}}}\n",
       "both ends of the beam are at the same place"},
      {"bodies: {arm: {flexible: {rod: {from: [0, 0, 0], to: [1, 0, 0], section: {type: circle, radius: 1 mm}, "
       "material: stele}}}}\n",
       "unknown material 'stele'; did you mean 'steel'?"},
  };
  for (const auto& [text, wanted] : rows) {
    const std::string found = fault_of(text);
    EXPECT_NE(found.find(wanted), std::string::npos) << found;
    EXPECT_LT(std::count(found.begin(), found.end(), '\n'), 2) << found;
  }
}

}  // namespace flexible_models_test
}  // namespace bricard::testing
