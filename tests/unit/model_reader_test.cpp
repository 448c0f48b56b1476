// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/model_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>

namespace bricard {
namespace model_reader_test {

constexpr double kPi = std::numbers::pi;
const std::string kBody = "bodies: {rod: {mass: 1, inertia: [1, 1, 1]}}\n";

Model read(const std::string& text, const io::Overrides& overrides = {}) {
  return io::read_model_text(text, "test.yaml", overrides);
}

std::string faults_of(const std::string& text, const io::Overrides& overrides = {}) {
  try {
    read(text, overrides);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

// The matrix of `orientation: <text>` on a body.
Matrix3d orientation(const std::string& text) {
  const Model model = read("bodies: {rod: {mass: 1, inertia: [1, 1, 1], orientation: " + text + "}}");
  return model.bodies[0].orientation.toRotationMatrix();
}

Matrix3d turn(double angle, int axis) { return Eigen::AngleAxisd(angle, Vector3d::Unit(axis)).toRotationMatrix(); }

const char* const kEverything = R"yaml(
name: all kinds
description: one of everything
parameters: {L: 2, half: L/2}
gravity: [0, 0, -1.62]
ground:
  markers: {pivot: {position: [half, 0, 0]}}
  shapes: {type: sphere, radius: 0.1}
bodies:
  rod:
    mass: 3
    inertia: [3, 2, 2, 0.1, 0.2, 0.3]
    position: [half, 0, 0]
    orientation: [1, 0, 0, 0]
    velocity: [1, 2, 3]
    angular_velocity: [4, 5, 6]
    markers: {tip: {position: [half, 0, 0], orientation: {axis: [0, 0, 1], angle_deg: 90}}}
    shapes:
      - {type: box, size: [L, 0.1, 0.1], color: "#ff8800"}
      - {type: cylinder, radius: 0.1, length: L, position: [1, 0, 0]}
  bob: {mass: 1, inertia: [1, 1, 1]}
joints:
  hinge: {type: revolute, between: [ground.pivot, rod]}
  link: {type: distance, between: [rod.tip, bob], length: L}
  cross: {type: hooke, between: [rod, bob], at: [1, 0, 0], axis: [0, 0, 1], second_axis: [1, 0, 0]}
motions:
  drive: {joint: hinge, displacement: 2*pi*t}
forces:
  spring:
    {type: spring-damper, between: [ground, rod.tip], stiffness: 100, damping: 1, free_length: 0.3}
  twist: {type: torsion-spring, joint: hinge, stiffness: 5, free_angle: pi/4}
  push: {type: force, on: bob, force: [0, "step(t, 0, 0, 1, L)", 0], frame: body}
points: {end: rod.tip, centre: bob}
run: {duration: 10, step: 1e-2, output_step: 0.1, integrator: generalized-alpha, rho_infinity: 0.5,
      solver: sparse-lu, projection: none, max_iterations: 5}
)yaml";

TEST(ModelReader, ReadsBodiesAndGround) {
  const Model model = read(kEverything);
  EXPECT_EQ(model.name, "all kinds");
  EXPECT_EQ(model.gravity, Vector3d(0, 0, -1.62));
  EXPECT_EQ(model.ground.markers.at(0).position, Vector3d(1, 0, 0));
  EXPECT_EQ(model.ground.shapes.at(0).radius, 0.1);
  const Body& rod = model.bodies.at(0);
  EXPECT_EQ(rod.name, "rod");
  EXPECT_EQ(rod.place.line, 10);
  EXPECT_EQ(rod.mass, 3);
  EXPECT_EQ(rod.inertia, (Matrix3d() << 3, 0.1, 0.2, 0.1, 2, 0.3, 0.2, 0.3, 2).finished());
  EXPECT_EQ(rod.angular_velocity, Vector3d(4, 5, 6));
  EXPECT_TRUE(rod.markers.at(0).orientation.toRotationMatrix().isApprox(turn(kPi / 2, 2)));
  EXPECT_EQ(rod.shapes.at(0).size, Vector3d(2, 0.1, 0.1));
  EXPECT_EQ(rod.shapes.at(1).type, ShapeType::cylinder);
}

TEST(ModelReader, ReadsJointsAndMotions) {
  const Model model = read(kEverything);
  EXPECT_EQ(model.joints.at(0).type, JointType::revolute);
  EXPECT_EQ(model.joints.at(0).between[0].name, "ground.pivot");
  EXPECT_EQ(model.joints.at(0).between[1].place.column, 51);
  EXPECT_FALSE(model.joints.at(0).at.has_value());
  EXPECT_EQ(model.joints.at(1).length, 2);
  EXPECT_EQ(model.joints.at(2).type, JointType::universal);
  EXPECT_EQ(model.motions.at(0).joint.name, "hinge");
  EXPECT_EQ(model.motions.at(0).displacement->jet(1).rate, 2 * kPi);
}

TEST(ModelReader, ReadsForcesByTheirType) {
  const Model model = read(kEverything);
  EXPECT_EQ(model.springs.at(0).free_length, 0.3);
  EXPECT_EQ(model.torsion_springs.at(0).free_angle, kPi / 4);
  EXPECT_EQ(model.forces.at(0).force[1](0.5), 1);
  EXPECT_EQ(model.forces.at(0).torque[2](0.5), 0);
  EXPECT_EQ(model.forces.at(0).frame.name, "body");
}

TEST(ModelReader, ReadsPointsParametersAndRunSettings) {
  const Model model = read(kEverything);
  EXPECT_EQ(model.points.at(1).marker.name, "bob");
  EXPECT_EQ(model.parameters.at(1).name, "half");
  EXPECT_EQ(model.parameters.at(1).value, 1);
  EXPECT_EQ(model.run.output_step, 0.1);
  EXPECT_EQ(model.run.integrator, IntegratorType::generalized_alpha);
  EXPECT_EQ(model.run.solver, SolverType::sparse_lu);
  EXPECT_EQ(model.run.projection, ProjectionMode::none);
  EXPECT_EQ(model.run.max_iterations, 5);
  EXPECT_EQ(model.run.tolerance, RunSettings().tolerance);
}

TEST(ModelReader, NamesAModelAfterItsFile) { EXPECT_EQ(read(kBody).name, "test"); }

TEST(ModelReader, TakesAnEmptySectionForNone) {
  EXPECT_EQ(read(kBody + "joints:\nparameters:\nrun:\n").joints.size(), 0);
}

TEST(ModelReader, KnowsFourWaysToGiveAnOrientation) {
  const Matrix3d expected = turn(0.5, 2);
  EXPECT_TRUE(orientation("[cos(0.25), 0, 0, sin(0.25)]").isApprox(expected, 1e-14));
  EXPECT_TRUE(orientation("{axis: [0, 0, 3], angle: 0.5}").isApprox(expected, 1e-14));
  EXPECT_TRUE(orientation("{axis: [0, 0, 3], angle_deg: 90/pi}").isApprox(expected, 1e-14));
  EXPECT_TRUE(orientation("{z: [0, 0, 2], x: [cos(0.5), sin(0.5), 7]}").isApprox(expected, 1e-14));
  EXPECT_TRUE(orientation("{z: [1, 1, 0]}").col(2).isApprox(Vector3d(1, 1, 0).normalized()));
}

TEST(ModelReader, TurnsEulerAnglesAboutTheAxesAlreadyTurned) {
  EXPECT_TRUE(orientation("{euler: [0.1, 0.2, 0.3], sequence: xyz}")
                  .isApprox(turn(0.1, 0) * turn(0.2, 1) * turn(0.3, 2), 1e-14));
  EXPECT_TRUE(orientation("{euler_deg: [10, 20, 30], sequence: zxz}")
                  .isApprox(turn(kPi / 18, 2) * turn(kPi / 9, 0) * turn(kPi / 6, 2), 1e-14));
}

TEST(ModelReader, AcceptsAQuaternionOfFewDigits) {
  EXPECT_NEAR(orientation("[0.7071, 0.7071, 0, 0]").determinant(), 1, 1e-14);
}

TEST(ModelReader, RepeatsBlocksWithNamesAndFormulas) {
  const Model model = read(R"(
parameters: {N: 3, L: 2}
bodies: {link0: {mass: 1, inertia: [1, 1, 1]}}
repeat:
  - for: {i: N}
    bodies:
      "link{i}": {mass: i, inertia: [1, 1, 1], position: [(i-0.5)*L, 0, 0], markers: {"m{i}": {}}}
    joints:
      "hinge{i}": {type: ball, between: ["link{i-1}", "link{i}"], at: [(i-1)*L, 0, 0]}
points: {tip: "link{N}.m{N}"}
)");
  ASSERT_EQ(model.bodies.size(), 4);
  EXPECT_EQ(model.bodies[3].name, "link3");
  EXPECT_EQ(model.bodies[3].mass, 3);
  EXPECT_EQ(model.bodies[3].position, Vector3d(5, 0, 0));
  EXPECT_EQ(model.joints.at(0).between[0].name, "link0");
  EXPECT_EQ(model.joints.at(2).at, Vector3d(4, 0, 0));
  EXPECT_EQ(model.points.at(0).marker.name, "link3.m3");
}

TEST(ModelReader, NestsLoopsAndRepeats) {
  const Model model = read(R"(
repeat:
  for: {i: [0, 1], j: [i, 2]}
  bodies: {"b{i}_{j}": {mass: 1, inertia: [1, 1, 1]}}
  repeat:
    for: {k: 2}
    ground: {markers: {"g{i}{j}{k}": {position: [i, j, k]}}}
)");
  ASSERT_EQ(model.bodies.size(), 5);
  EXPECT_EQ(model.bodies[3].name, "b1_1");
  EXPECT_EQ(model.ground.markers.size(), 10);
  EXPECT_EQ(model.ground.markers.back().position, Vector3d(1, 2, 2));
}

TEST(ModelReader, RepeatsNothingOverAnEmptyRange) {
  EXPECT_EQ(read(kBody + "repeat: {for: {i: [2, 1]}, points: {'p{i}': rod}}").points.size(), 0);
}

// Every repetition would be a fault, so that none has been read if the count is all there is to say.
TEST(ModelReader, RefusesTooManyRepetitionsBeforeItMakesAny) {
  const std::string body = ", bodies: {'b{i}': {mass: -1, wrong: 1}}";
  for (const auto& [ranges, where] :
       std::vector<std::pair<std::string, std::string>>{{"{i: 1e9}", "repeat.for.i"},
                                                        {"{i: [-1e8, 1e8]}", "repeat.for.i"},
                                                        {"{i: 1000, j: 1000, k: 1000}", "repeat.for.k"},
                                                        {"{i: 1e9, j: 1e9}", "repeat.for.i"},
                                                        {"{i: 2000, j: [1, i]}", "repeat.for.j"}}) {
    const std::string faults = faults_of(kBody + "repeat: {for: " + ranges + body + "}");
    EXPECT_NE(faults.find(where + ": more than 1000000 repetitions"), std::string::npos) << faults;
    EXPECT_EQ(faults.find("wrong"), std::string::npos) << ranges;
  }
  const std::string nested = "repeat: {for: {i: 1e5}, repeat: {for: {j: 1e6}, expressions: {'e{i}_{j}': j}}}";
  EXPECT_NE(faults_of(kBody + nested).find("more than 1000000 repetitions"), std::string::npos);
}

TEST(ModelReader, ComputesParametersInTheOrderTheyNeedEachOther) {
  const Model model = read("parameters: {a: b^2, b: 2*c, c: 3}\n" + kBody);
  EXPECT_EQ(model.parameters.at(0).value, 36);
}

TEST(ModelReader, ReplacesParametersFromOutside) {
  const std::string text = "parameters: {L: 2, half: L/2}\n" + kBody;
  EXPECT_EQ(read(text, {{"L", 5}}).parameters.at(1).value, 2.5);
  EXPECT_EQ(faults_of(text, {{"hafl", 5}}),
            "parameter 'hafl' set from outside: the model has no such parameter; did you mean "
            "'half'?");
  EXPECT_EQ(faults_of(text, {{"L", std::nan("")}}), "parameter 'L' set from outside: must be a finite number");
}

class Includes : public ::testing::Test {
 protected:
  Includes() { std::filesystem::create_directories(folder_ / "parts"); }
  ~Includes() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  Model read(const std::string& name) { return io::read_model((folder_ / name).string()); }

  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      ("bricard_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(Includes, MergeSectionsAndLetTheIncludingFileReplaceParameters) {
  write("main.yaml", "include: parts/rod.yaml\nparameters: {n: 4, L: 10*n}\nrun: {step: 0.01}\n"
                     "points: {tip: rod}\n");
  write("parts/rod.yaml", "name: part\nparameters: {L: 1, half: L/2}\nrun: {step: 1, duration: 7}\n"
                          "bodies: {rod: {mass: half, inertia: [1, 1, 1]}}\n");
  const Model model = read("main.yaml");
  EXPECT_EQ(model.name, "main");
  EXPECT_EQ(model.bodies.at(0).mass, 20);
  EXPECT_EQ(model.run.step, 0.01);
  EXPECT_EQ(model.run.duration, 7);
  EXPECT_EQ(model.sources.at(0).path, (folder_ / "main.yaml").string());
  EXPECT_EQ(model.bodies.at(0).place.file, (folder_ / "parts/rod.yaml").string());
}

TEST_F(Includes, ReadAFileOnceThatTwoOthersShare) {
  write("main.yaml", "include: [a.yaml, b.yaml]\n");
  write("a.yaml", "include: common.yaml\n");
  write("b.yaml", "include: ./parts/../common.yaml\n");
  write("common.yaml", kBody);
  EXPECT_EQ(read("main.yaml").bodies.size(), 1);
  EXPECT_EQ(read("main.yaml").sources.size(), 4);
}

TEST(JointNames, OfAdamsAndUrdfMeanTheSame) {
  const std::vector<std::pair<std::string, JointType>> names{{"hinge", JointType::revolute},
                                                             {"continuous", JointType::revolute},
                                                             {"prismatic", JointType::translational},
                                                             {"slider", JointType::translational},
                                                             {"ball", JointType::spherical},
                                                             {"point", JointType::spherical},
                                                             {"atpoint", JointType::spherical},
                                                             {"hooke", JointType::universal},
                                                             {"weld", JointType::fixed},
                                                             {"rod", JointType::distance},
                                                             {"convel", JointType::constant_velocity}};
  for (const auto& [name, type] : names) {
    const Model model =
        io::read_model_text("bodies: {a: {mass: 1, inertia: [1, 1, 1], markers: {m: {position: [1, 0, 0]}}}}\n"
                            "joints: {j: {type: " +
                                name + ", between: [ground, a.m]}}\n",
                            "names.yaml");
    EXPECT_EQ(model.joints.at(0).type, type) << name;
  }
}

TEST(ModelReader, KnowsThePlaneOfAPlanarModelAndItsNormal) {
  EXPECT_EQ(read(kBody).plane, Plane::none);
  for (const auto& [word, plane, normal] : {std::tuple{"yz", Plane::yz, Vector3d(1, 0, 0)},
                                            {"zx", Plane::zx, Vector3d(0, 1, 0)},
                                            {"xz", Plane::zx, Vector3d(0, 1, 0)}}) {
    const Model model =
        read(kBody + "plane: " + word + "\njoints: {pin: {type: revolute, between: [ground, rod], at: [0, 0, 1]}}\n");
    EXPECT_EQ(model.plane, plane);
    EXPECT_EQ(*model.joints[0].axis, normal);
  }
}

}  // namespace model_reader_test
}  // namespace bricard
