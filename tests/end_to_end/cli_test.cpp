// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <thread>

#include "bricard/io/files.h"
#include "bricard/io/page_writer.h"
#include "bricard/io/result_reader.h"

// The program as a person or a script uses it.
namespace bricard {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kThrow = R"(
name: throw
parameters: {speed: 2}
bodies:
  stone: {mass: 1, inertia: [1, 1, 1], velocity: [speed, 0, 0]}
run: {duration: 1, step: 0.01}
)";

constexpr const char* kPendulum = R"(
bodies:
  rod: {mass: 2, inertia: [0.01, 0.2, 0.2], position: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}
run: {duration: 1, step: 0.01}
)";

struct Outcome {
  int code;
  std::string out, err;
};

class Program : public testing::Test {
 protected:
  Program() {
    std::string name = (fs::temp_directory_path() / "bricard-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    write("throw.yaml", kThrow);
    write("pendulum.yaml", kPendulum);
  }
  ~Program() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string read(const std::string& name) const { return io::read_file(path(name)); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      names.insert(entry.path().filename().string());
    for (const char* known : {"throw.yaml", "pendulum.yaml", ".out", ".err"}) names.erase(known);
    return names;
  }

  /// Runs `bricard arguments` in the test's folder.
  Outcome run(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd '" + folder_.string() + "' && " + before + "'" +
                                BRICARD_EXECUTABLE + "' " + arguments + " >.out 2>.err";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".err")};
  }

  void expect_refused(const std::string& arguments, int code, const std::string& words) const {
    SCOPED_TRACE(arguments);
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(files(), std::set<std::string>{});
  }

  fs::path folder_;
};

std::set<std::string> keys(const json& object) {
  std::set<std::string> names;
  for (const auto& [key, value] : object.items()) names.insert(key);
  return names;
}

using Names = std::set<std::string>;

TEST_F(Program, PrintsOneJsonObjectWithFixedNames) {
  const Outcome outcome = run("run pendulum.yaml --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json printed = json::parse(outcome.out);
  EXPECT_EQ(keys(printed), (Names{"certificate", "final"}));
  const json& final = printed["final"];
  EXPECT_EQ(keys(final), (Names{"time", "bodies", "joints", "signals"}));
  EXPECT_EQ(keys(final["bodies"]), (Names{"rod"}));
  EXPECT_EQ(keys(final["bodies"]["rod"]),
            (Names{"position", "quaternion_wxyz", "velocity", "angular_velocity"}));
  EXPECT_EQ(final["bodies"]["rod"]["quaternion_wxyz"].size(), 4u);
  EXPECT_EQ(keys(final["joints"]["hinge"]), (Names{"coordinates", "force", "torque"}));
  EXPECT_EQ(final["joints"]["hinge"]["coordinates"][0], final["signals"]["hinge.angle"]);
  EXPECT_EQ(final["time"], 1.0);
  EXPECT_TRUE(printed["certificate"]["finished"]);
  EXPECT_EQ(printed["certificate"]["steps"], 100);
  EXPECT_EQ(files(), Names{});  // with --json no file unless it is asked for
}

TEST_F(Program, GivesTheValuesAtTheTimesAskedForInTheirOrder) {
  const Outcome outcome = run("run throw.yaml --json --at 0.75,0.123,0,1 --set speed=3");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json samples = json::parse(outcome.out)["samples"];
  const std::vector<double> times{0.75, 0.123, 0, 1};
  ASSERT_EQ(samples.size(), times.size());
  for (size_t i = 0; i < times.size(); ++i) {
    const double t = times[i], round_off = 1e-9;
    const json& stone = samples[i]["bodies"]["stone"];
    EXPECT_NEAR(samples[i]["time"], t, round_off);
    EXPECT_NEAR(stone["position"][0], 3 * t, round_off);
    EXPECT_NEAR(stone["position"][2], -0.5 * 9.81 * t * t, round_off);
    EXPECT_NEAR(stone["velocity"][2], -9.81 * t, round_off);
  }
}

TEST_F(Program, GivesTheSameBitsForTheSameInput) {
  const std::string words = "run pendulum.yaml --json -q";
  const json first = json::parse(run(words).out), second = json::parse(run(words).out);
  EXPECT_EQ(first["final"], second["final"]);
}

TEST_F(Program, WritesTheResultFileOfAModelInTheCurrentFolder) {
  const Outcome outcome = run("run pendulum.yaml");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("largest defect"), std::string::npos) << outcome.err;
  EXPECT_EQ(files(), Names{"pendulum.h5"});
  EXPECT_EQ(io::read_result_file(path("pendulum.h5")).table.time.size(), 101u);
}

TEST_F(Program, WritesWhatIsAskedForAndNothingElse) {
  const Outcome outcome = run("run throw.yaml -q --csv t.csv --duration 0.5 --output-step 0.25");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(files(), Names{"t.csv"});
  const std::string text = read("t.csv");
  EXPECT_EQ(text.substr(0, 32), "time [s],stone.position.x [m],st");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

TEST_F(Program, MakesAPageFromAResultFile) {
  ASSERT_EQ(run("run pendulum.yaml -q -o p.h5").code, 0);
  const Outcome outcome = run("view p.h5 -o p.html");
  if (!io::has_viewer()) {
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.err.find("without its viewer"), std::string::npos);
    return;
  }
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(read("p.html").find("\"name\":\"pendulum\",\"deflated\":\""), std::string::npos);
}

TEST_F(Program, RefusesWrongArguments) {
  expect_refused("rnu throw.yaml", 2, "unknown command 'rnu'; did you mean 'run'?");
  expect_refused("run", 2, "MODEL is required");
  expect_refused("run throw.yaml --durations 2", 2, "did you mean '--duration'?");
  expect_refused("run throw.yaml --step -1", 2, "--step = -1: must be > 0");
  expect_refused("run throw.yaml --step 2", 2, "--step = 2: must be <= the duration");
  expect_refused("run throw.yaml --alpha -1/2", 2, "--alpha = -0.5: must be from -1/3 to 0");
  expect_refused("run throw.yaml --rho-infinity 0.5", 2, "--integrator generalized-alpha");
  expect_refused("run throw.yaml --integrator hhtt", 2, "did you mean 'hht'?");
  expect_refused("run throw.yaml --solver klv", 2, "did you mean 'klu'?");
  expect_refused("run throw.yaml --scaling ful", 2, "--scaling = ful: unknown; did you mean 'full'?");
  expect_refused("run throw.yaml --scaling unit --integrator rk4", 2, "--scaling: has no meaning with --integrator rk4");
  expect_refused("run throw.yaml --augmentation -1", 2, "--augmentation = -1: must be >= 0");
  expect_refused("run throw.yaml --reference-length 0", 2, "--reference-length = 0: must be > 0");
  expect_refused("run throw.yaml --set sped=1", 2, "did you mean 'speed'?");
  expect_refused("run throw.yaml --set speed", 2, "expected name=value");
  expect_refused("run throw.yaml --json --at 2", 2, "--at = 2: must be from 0 to the duration");
  expect_refused("run throw.yaml -o throw.yaml", 2, "is a file of the model");
  expect_refused("reproduce iftom", 2, "did you mean 'iftomm'?");
  expect_refused("reproduce 003", 2, "not part of this version");
}

TEST_F(Program, RefusesTolerancesThatCannotBeKept) {
  expect_refused("run throw.yaml --rtol 0", 2, "--rtol = 0: must be from 1e-13 to 0.1");
  expect_refused("run throw.yaml --rtol 1e-4 --hmin 0.5 --hmax 0.1", 2, "--hmin = 0.5: must be <= hmax, which is 0.1");
  expect_refused("run throw.yaml --rtol 1e-4 --hmin 0.1", 2, "--hmin = 0.1: must be <= hmax, which is 0.05");
  expect_refused("run throw.yaml --hmax 0.1", 2, "--hmax: has a meaning only with --rtol");
  expect_refused("run throw.yaml --integrator bdf --order 0", 2, "--order = 0: must be from 1 to 5");
  expect_refused("run throw.yaml --integrator hht-add --b 1/2", 2, "--b = 0.5: must not be 1/2");
  expect_refused("run throw.yaml --integrator raday --rtol 1e-4", 2, "did you mean 'radau'?");
  for (const std::string method : {"midpoint", "rk4", "energy-decaying"})
    expect_refused("run throw.yaml --rtol 1e-4 --integrator " + method, 2, "'" + method + "' runs with fixed steps only");
}

/// What the file says and what the command says must go together, whichever of them is given last.
TEST_F(Program, RefusesArgumentsThatContradictTheToleranceOfTheFile) {
  write("throw.yaml", std::string(kThrow).replace(std::string(kThrow).find("step: 0.01"), 10, "step: 0.01, rtol: 1e-4, hmin: 0.01"));
  expect_refused("run throw.yaml --integrator rk4", 2, "--integrator = rk4: 'rk4' runs with fixed steps only");
  expect_refused("run throw.yaml --hmax 1e-3", 2, "--hmax = 0.001: must be >= hmin, which is 0.01");
}

TEST_F(Program, RunsWithATolerance) {
  const Outcome outcome = run("run pendulum.yaml --rtol 1e-6 --integrator bdf --hmax 0.02 --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("ruled by"), std::string::npos) << outcome.err;
  const json certificate = json::parse(outcome.out)["certificate"];
  EXPECT_GE(certificate["steps"], 50);
  EXPECT_LE(certificate["largest_step"], 0.02);
  EXPECT_NE(certificate["ruling_error"].get<std::string>().find("of body 'rod'"), std::string::npos);
}

TEST_F(Program, KeepsTheResultsOfARunWhoseStepsBecomeTooSmall) {
  const Outcome outcome = run("run pendulum.yaml --rtol 1e-8 --hmin 5e-3");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("below hmin = 0.005 s; the position of body 'rod' rules"), std::string::npos) << outcome.err;
  EXPECT_GE(io::read_result_file(path("pendulum.h5")).table.time.size(), 1u);
}

TEST_F(Program, TakesUnitsInArguments) {
  write("length.yaml", "parameters: {L: 25 mm}\n"
                       "bodies: {stone: {mass: 1, inertia: [1, 1, 1], position: [L, 0, 0]}}\n"
                       "run: {duration: 1, step: 0.01}\ngravity: [0, 0, 0]\n");
  const json result = json::parse(run("run length.yaml --set 'L=1 in' --step '2 ms' --json --quiet").out);
  EXPECT_EQ(result["final"]["bodies"]["stone"]["position"][0], 0.0254);
  EXPECT_EQ(result["certificate"]["steps"], 500);
  EXPECT_EQ(run("run length.yaml --set L=3").err,
            "parameter 'L' set from outside: is a plain number where a length is expected; give a unit, as '3 m'\n");
  EXPECT_EQ(run("run length.yaml --step '2 mm'").err, "bricard: --step = 2 mm: is a length where a time is expected\n");
  EXPECT_EQ(run("run length.yaml --set 'L=2 mmm'").err,
            "bricard: --set L = 2 mmm: expected a number: unknown unit 'mmm'; did you mean 'mm'?\n");
}

TEST_F(Program, PrintsTheSchemaOfModelFiles) {
  const Outcome printed = run("schema");
  EXPECT_EQ(printed.code, 0);
  EXPECT_EQ(run("schema -o model.schema.json").code, 0);
  EXPECT_EQ(read("model.schema.json"), printed.out);
  const json schema = json::parse(printed.out);
  EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
  EXPECT_EQ(schema["definitions"]["point_mass"]["required"], json({"mass", "at"}));
}

TEST_F(Program, NamesFilesThatCannotBeReadOrWritten) {
  expect_refused("run missing.yaml", 3, "missing.yaml: cannot be read");
  expect_refused("run throw.yaml -o missing/t.h5", 3, "missing/t.h5: cannot be written");
  expect_refused("run throw.yaml --csv .", 3, "is the name of a folder");
  expect_refused("view throw.yaml", 3, "throw.yaml: is not a result file");
  EXPECT_EQ(run("run throw.yaml --json 2>.err >/dev/full; exit $?").code, 3);
}

TEST_F(Program, SaysWhereAModelIsWrong) {
  write("throw.yaml", "bodies:\n  stone: {mass: -1, inertia: [1, 1, 1]}\n");
  expect_refused("run throw.yaml", 2, "throw.yaml:2:17: bodies.stone.mass = -1: must be > 0");
}

TEST_F(Program, KeepsAnEarlierFileWhenTheDiskIsFull) {
  write("t.h5", "old");
  const Outcome outcome = run("run throw.yaml -o t.h5", "trap '' XFSZ && ulimit -f 8 && ");
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("t.h5: cannot be written: File too large"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(read("t.h5"), "old");
  EXPECT_EQ(files(), Names{"t.h5"});
}

TEST_F(Program, KeepsTheResultsOfARunThatDoesNotReachItsEnd) {
  std::string model = kPendulum;
  model += "motions:\n  drive: {joint: hinge, displacement: sqrt(0.5 - t)}\n";  // no value later
  write("pendulum.yaml", model);
  const Outcome outcome = run("run pendulum.yaml");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("stopped: t = 0."), std::string::npos) << outcome.err;
  const std::vector<double> time = io::read_result_file(path("pendulum.h5")).table.time;
  EXPECT_GT(time.back(), 0.4);
  EXPECT_LE(time.back(), 0.5);
}

TEST_F(Program, KeepsTheResultsOfAnInterruptedRun) {
  const pid_t child = fork();
  if (child == 0) {  // a run without end, but for the alarm
    signal(SIGINT, SIG_DFL);
    alarm(60);
    if (chdir(folder_.c_str()) != 0 || !freopen(".err", "w", stderr)) _exit(99);
    execl(BRICARD_EXECUTABLE, "bricard", "run", "pendulum.yaml", "--duration", "1e6", nullptr);
    _exit(99);
  }
  using namespace std::chrono_literals;
  for (int i = 0; i < 600; ++i, std::this_thread::sleep_for(50ms))  // until it says that it runs
    if (fs::exists(path(".err")) && read(".err").find("1 body") != std::string::npos) break;
  std::this_thread::sleep_for(100ms);
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const io::ResultFile file = io::read_result_file(path("pendulum.h5"));
  EXPECT_GT(file.table.time.size(), 1u);
  EXPECT_NE(json::parse(file.certificate)["stopped_because"].dump().find("interrupted"),
            std::string::npos);
}

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
            std::string::npos) << words.out;
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
  for (const char* line : {"press: planar model (xy), 2 bodies, 2 joints, 0 motions\n",
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
  model.insert(model.find("run:"), "  second: {type: revolute, between: [ground, rod], at: [1, 0, 0], axis: [0, 1, 0]}\n");
  write("pendulum.yaml", model);
  const Outcome outcome = run("check pendulum.yaml");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("nothing can move"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("joint second (revolute):"), std::string::npos) << outcome.out;
}

TEST_F(Program, SaysWhichForceAMethodCannotTake) {
  write("pendulum.yaml", std::string(kPendulum) +
                             "forces:\n  brake: {type: force, on: rod, force: [\"-0.1 kg*acceleration_x(rod)\", 0, 0]}\n");
  EXPECT_EQ(run("run pendulum.yaml --integrator hht-si2 --json").code, 0);
  for (const char* method : {"hht-add", "energy-decaying"})
    expect_refused(std::string("run pendulum.yaml --integrator ") + method, 2,
                   std::string("run.integrator: forces.brake depends on accelerations or reactions, which '") + method +
                       "' cannot take; use ");
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

TEST_F(Program, FindsTheEquilibriumOfAPendulumAndStartsThere) {
  const Outcome outcome = run("static pendulum.yaml --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json printed = json::parse(outcome.out);
  EXPECT_NEAR(printed["final"]["bodies"]["rod"]["position"][2], -0.5, 1e-9);
  EXPECT_NE(printed["certificate"]["remarks"][0].dump().find("stable equilibrium"), std::string::npos);
  const std::string far = "rod moved far, by 0.707 m and 90°";  // from level to hanging
  EXPECT_NE(printed["certificate"]["remarks"][0].get<std::string>().find(far), std::string::npos) << printed["certificate"]["remarks"];
  const json rest = json::parse(run("run pendulum.yaml --start static --json -q").out);
  EXPECT_NEAR(rest["final"]["bodies"]["rod"]["position"][2], -0.5, 1e-8);
  EXPECT_NE(rest["certificate"]["remarks"][0].get<std::string>().find(far), std::string::npos) << rest["certificate"]["remarks"];
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

TEST_F(Program, ComparesIntegratorsAndSteps) {
  const Outcome outcome = run("compare pendulum.yaml --integrators hht,newmark:gamma=0.6:beta=0.3025 "
                              "--steps '1 ms,0.004,2e-3' --quantity hinge.angle --json -o c.html");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  const auto plot = [&](const std::string& y) {
    for (const json& p : report["plots"])
      if (p["y"] == "relative error of " + y && p["x"] == "step [s]") return p;
    return json();
  };
  for (const char* title : {"positions", "velocities", "reactions", "hinge.angle"}) {
    const json curves = plot(title)["curves"];
    ASSERT_EQ(curves.size(), 2u) << title;
    EXPECT_EQ(curves[0]["x"], json({0.004, 0.002, 0.001}));
    EXPECT_NEAR(curves[0]["slope"], 2, 0.05) << title;
    EXPECT_EQ(curves[1]["name"], "newmark:gamma=0.6:beta=0.3025");
    EXPECT_NEAR(curves[1]["slope"], 1, 0.1) << title;
  }
  EXPECT_NE(report["text"].dump().find("Reference: "), std::string::npos);
  EXPECT_NE(read("c.html").find("<title>compare pendulum"), std::string::npos);

  // Radau's method with a reference of another kind: order 5.
  const json radau = json::parse(run("compare pendulum.yaml --integrators radau --steps 0.04,0.02 --reference "
                                     "richardson:2e-4 --json").out);
  EXPECT_NE(radau["text"].dump().find("(Richardson)"), std::string::npos);
  EXPECT_NEAR(radau["plots"][1]["curves"][0]["slope"], 5, 0.4) << radau.dump(2);
  EXPECT_EQ(files(), Names{"c.html"});
}

TEST_F(Program, ComparesAllIntegratorsAtTheStepOfTheModelIfNothingElseIsSaid) {
  const Outcome outcome = run("compare pendulum.yaml --duration 0.2");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* line : {"\nhht +0.01 +20 ", "\nnewmark +0.04 +5 ", "\ngeneralized-alpha +0.02 +10 ", " slope\n"})
    EXPECT_TRUE(std::regex_search(outcome.out, std::regex(line))) << line << outcome.out;
}

TEST_F(Program, WritesThePageOfAnInterruptedComparison) {
  const Outcome outcome = run("compare pendulum.yaml --duration 1e6 -o c.html", "timeout --preserve-status -s INT 1 ");
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.out.find(" runs reached their end. Interrupted"), std::string::npos) << outcome.out;
  EXPECT_NE(read("c.html").find("Interrupted"), std::string::npos);
}

TEST_F(Program, RefusesComparisonsThatMakeNoSense) {
  const std::string compare = "compare pendulum.yaml ";
  expect_refused("compare missing.yaml", 3, "missing.yaml: cannot be read");
  expect_refused(compare + "--integrators hht,newmrk", 2,
                 "--integrators = newmrk: unknown integrator; did you mean 'newmark'?");
  expect_refused(compare + "--integrators hht,hht", 2, "--integrators: hht is given twice");
  expect_refused(compare + "--integrators hht:alpha=-1", 2, "--alpha = -1: must be from -1/3 to 0");
  expect_refused(compare + "--integrators hht:alfa=-0.1", 2, "unknown run setting; did you mean 'alpha'?");
  expect_refused(compare + "--integrators hht:rtol=1e-5", 2, "rtol is not a setting of one integrator");
  expect_refused(compare + "--integrators hht:0.1", 2, "expected integrator:setting=value");
  expect_refused(compare + "--steps 0.01,0", 2, "--steps = 0: must be > 0 and at most the duration, which is 1 s");
  expect_refused(compare + "--steps 0.01,2", 2, "--steps = 2: must be > 0 and at most the duration");
  expect_refused(compare + "--steps 0.01,1e-2", 2, "--steps: 0.01 is given twice");
  expect_refused(compare + "--steps '1 mm'", 2, "is a length where a time is expected");
  expect_refused(compare + "--reference hht", 2, "--reference = hht: expected METHOD:STEP");
  expect_refused(compare + "--reference hht:0.02", 2, "its step must be smaller than all of --steps");
  expect_refused(compare + "--quantity hinge.angel", 2, "no such quantity; did you mean 'hinge.angle'?");
  expect_refused(compare + "-o pendulum.yaml", 2, "is a file of the model");
  expect_refused(compare + "-o missing/page.html", 3, "missing/page.html: cannot be written");
}

TEST_F(Program, FindsItselfInGoodHealth) {
  const Outcome outcome = run("doctor");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("self-test  good"), std::string::npos) << outcome.out;
}

TEST_F(Program, DocumentsItsExitCodesAndGivesExamples) {
  const Outcome help = run("--help");
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("130  interrupted"), std::string::npos);
  for (const char* command : {"run", "kinematics", "static", "check", "compare", "view", "reproduce", "doctor"})
    EXPECT_NE(run(std::string(command) + " --help").out.find("Example"), std::string::npos);
}

}  // namespace
}  // namespace bricard
