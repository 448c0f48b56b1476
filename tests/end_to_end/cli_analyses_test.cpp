// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "bricard/read/result_reader.h"
#include "end_to_end/program.h"

// The other analyses: check, kinematics, statics, the start of a run.
namespace bricard {
namespace cli_analyses_test {

constexpr const char* kDriven = R"(
bodies:
  arm: {mass: 2, inertia: [0.01, 0.2, 0.2], position: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0]}
motions:
  lift: {joint: hinge, displacement: t}
run: {duration: 1, step: 0.01}
)";

TEST_F(Program, ChecksAModelInWordsAndAsJson) {
  const Outcome words = run("check pendulum.yaml");
  EXPECT_EQ(words.code, 0) << words.err;
  EXPECT_NE(words.out.find("1 degree of freedom by rank; 1 by Grübler's count (6 velocities − 5 equations)"),
            std::string::npos)
      << words.out;
  EXPECT_NE(words.out.find("verdict      can run"), std::string::npos) << words.out;
  const json report = json::parse(run("check pendulum.yaml --json").out);
  EXPECT_EQ(report["degrees_of_freedom"]["rank"], 1);
  EXPECT_TRUE(report["can_run"]);
  EXPECT_EQ(files(), Names{});
}

/// A planar four-bar of equal cranks on two gears, one of which is too many.
TEST_F(Program, ChecksAPlanarModelWithGears) {
  write("pendulum.yaml", R"(
name: press
plane: xy
gravity: [0, 0, 0]
bodies:
  left: {mass: 1, inertia: [1, 1, 1], position: [0, 0.5, 0]}
  right: {mass: 1, inertia: [1, 1, 1], position: [2, 0.5, 0]}
joints:
  A: {type: revolute, between: [ground, left], at: [0, 0, 0]}
  B: {type: revolute, between: [ground, right], at: [2, 0, 0]}
couplers:
  mesh: {type: gear, joints: [A, B], ratio: -1}
  again: {type: gear, joints: [A, B], ratio: -1}
)");
  const Outcome words = run("check pendulum.yaml");
  EXPECT_EQ(words.code, 0) << words.out;
  for (const char* line :
       {"press: planar model (xy), 2 bodies, 2 joints, 0 motions\n",
        "1 degree of freedom by rank; 0 by Grübler's count in the plane (6 velocities − 6 equations)\n",
        "    gear again: its equation\n      given already by couplers mesh\n"})
    EXPECT_NE(words.out.find(line), std::string::npos) << words.out;
  const json report = json::parse(run("check pendulum.yaml --json").out);
  EXPECT_EQ(report["plane"], "xy");
  EXPECT_EQ(report["redundant"]["joints"][0]["coupler"], "again");
}

TEST_F(Program, SaysThatATopWouldFallIfItStoodStill) {
  const std::string top = R"(
bodies: {top: {mass: 1, inertia: [0.02, 0.02, 0.01], position: [0, 0, 0.1], angular_velocity: [0, 0, SPIN]}}
joints: {foot: {type: spherical, between: [ground, top], at: [0, 0, 0]}}
)";
  for (const std::string spin : {"0", "300"}) {
    write("pendulum.yaml", std::string(top).replace(top.find("SPIN"), 4, spin));
    const std::string words = run("check pendulum.yaml").out;
    EXPECT_EQ(words.find("unstable: small motions grow") != std::string::npos, spin == "0") << words;
    EXPECT_EQ(words.find("standing still here it would be unstable") != std::string::npos, spin != "0") << words;
  }
}

TEST_F(Program, SaysThatAModelCannotRun) {
  std::string model = kPendulum;
  model.insert(model.find("run:"),
               "  second: {type: revolute, between: [ground, rod], at: [1, 0, 0], axis: [0, 1, 0]}\n");
  write("pendulum.yaml", model);
  const Outcome outcome = run("check pendulum.yaml");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("nothing can move"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("joint second (revolute):"), std::string::npos) << outcome.out;
  expect_refused("run pendulum.yaml", 2,
                 "nothing can move: the joints leave no degree of freedom and there is no motion");
  EXPECT_EQ(run("static pendulum.yaml").code, 0);
}

TEST_F(Program, RefusesToRunWhatCheckCallsImpossibleInTheSameWords) {
  std::string model = kDriven;
  model.insert(model.find("motions:"), "  second: {type: fixed, between: [ground, arm], at: [1, 0, 0]}\n");
  write("pendulum.yaml", model);
  const Outcome check = run("check pendulum.yaml");
  EXPECT_EQ(check.code, 1);
  const size_t at = check.out.find("motion ", check.out.find("problems "));
  ASSERT_NE(at, std::string::npos) << check.out;
  const std::string words = check.out.substr(at, check.out.find('\n', at) - at);
  EXPECT_NE(words.find("contradicts what the joints hold fixed already"), std::string::npos) << words;
  for (const char* command : {"run", "kinematics", "static"})
    expect_refused(command + std::string(" pendulum.yaml"), 2, words);
}

TEST_F(Program, GivesTheTorqueOfADrivenArm) {
  write("pendulum.yaml", kDriven);
  const Outcome outcome = run("kinematics pendulum.yaml --json --at 0.25");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json sample = json::parse(outcome.out)["samples"][0];
  EXPECT_NEAR(sample["joints"]["hinge"]["torque"][1], -2 * 9.81 * 0.5 * std::cos(0.25), 1e-9);
  EXPECT_EQ(run("kinematics pendulum.yaml").code, 0);
  EXPECT_EQ(files(), Names{"pendulum.h5"});
}

TEST_F(Program, RefusesKinematicsOfWhatIsNotDriven) {
  expect_refused("kinematics pendulum.yaml -q", 2, "1 degree of freedom is left, so that hinge.angle can move");
  expect_refused("kinematics pendulum.yaml --alpha 0", 2, "unknown option '--alpha'");
}

/// 2 k ((L0/b)^(2/3) − 1)^(3/2) of the model is 42.914326 N.
TEST_F(Program, FollowsAPathThroughLimitPoints) {
  const std::string model = BRICARD_SOURCE_DIR "/models/snap_through.yaml";
  const Outcome outcome = run("static " + model + " --path load=0:60 --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json remarks = json::parse(outcome.out)["certificate"]["remarks"];
  EXPECT_NE(remarks[0].get<std::string>().find("limit point at load = 42.914326"), std::string::npos);
  EXPECT_NE(remarks[1].get<std::string>().find("limit point at load = -42.914326"), std::string::npos);
  expect_refused("static " + model + " --path load=60", 2, "expected name=from:to, as load=0:100");
  expect_refused("static " + model + " --path loda=0:60", 2, "the model has no such parameter; did you mean 'load'?");
  expect_refused("static " + model + " --path rise=0:1", 2, "'rise' is driven, which may not be used here");
  expect_refused("static " + model + " --path load=1:1", 2, "both ends are the same");
}

TEST_F(Program, FindsTheEquilibriumOfAPendulumAndStartsThere) {
  const Outcome outcome = run("static pendulum.yaml --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json printed = json::parse(outcome.out);
  EXPECT_NEAR(printed["final"]["bodies"]["rod"]["position"][2], -0.5, 1e-9);
  EXPECT_NE(printed["certificate"]["remarks"][0].dump().find("stable equilibrium"), std::string::npos);
  const std::string far = "rod moved far, by 0.707 m and 90°";  // from level to hanging
  EXPECT_NE(printed["certificate"]["remarks"][0].get<std::string>().find(far), std::string::npos)
      << printed["certificate"]["remarks"];
  const json rest = json::parse(run("run pendulum.yaml --start static --json -q").out);
  EXPECT_NEAR(rest["final"]["bodies"]["rod"]["position"][2], -0.5, 1e-8);
  EXPECT_NE(rest["certificate"]["remarks"][0].get<std::string>().find(far), std::string::npos)
      << rest["certificate"]["remarks"];
  const Outcome falling = run("static throw.yaml --json");
  EXPECT_EQ(falling.code, 1);
  EXPECT_NE(falling.err.find("body 'stone'"), std::string::npos) << falling.err;
}

TEST_F(Program, WritesASequenceOfEquilibria) {
  write("pendulum.yaml", kDriven);
  EXPECT_EQ(run("static pendulum.yaml --sequence -q -o s.h5").code, 0);
  EXPECT_EQ(io::read_result_file(path("s.h5")).table.time.size(), 101u);
}

TEST_F(Program, ReportsWhatTheStartMoved) {
  write("pendulum.yaml", R"(
ground: {markers: {pivot: {position: [0.1, 0, 0]}}}
bodies:
  rod: {mass: 2, inertia: [0.01, 0.2, 0.2], position: [0.5, 0, 0], markers: {end: {position: [-0.5, 0, 0]}}}
joints:
  hinge: {type: spherical, between: [ground.pivot, rod.end]}
)");
  const Outcome outcome = run("run pendulum.yaml --json");
  EXPECT_NE(outcome.err.find("changed      rod by 0.1 m"), std::string::npos) << outcome.err;
  const json moved = json::parse(outcome.out)["certificate"]["start_moved"];
  ASSERT_EQ(moved.size(), 1u);
  EXPECT_NEAR(moved[0]["distance"], 0.1, 1e-9);
}

}  // namespace cli_analyses_test
}  // namespace bricard
