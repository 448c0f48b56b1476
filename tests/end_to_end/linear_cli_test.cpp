// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "bricard/read/result_reader.h"
#include "bricard/write/files.h"
#include "bricard/write/hdf5_file.h"

// linearize, modes, campbell and frequency as a person uses them.
namespace bricard {
namespace linear_cli_test {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kPendulum = R"(
name: swing
parameters: {l: 0.5, k: 0}
inputs:
  push: {unit: N*m}
bodies:
  rod: {mass: 2, inertia: [0.01, 0.2, 0.2], position: [0, 0, -l]}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, -1, 0]}
forces:
  drive: {type: force, on: rod, torque: [0, -push, 0]}
  spring: {type: torsion-spring, joint: hinge, stiffness: k}
signals:
  theta: angle(hinge)
)";
const std::string kModels = std::string(BRICARD_SOURCE_DIR) + "/models/";

struct Outcome {
  int code;
  std::string out, err;
};

class LinearProgram : public ::testing::Test {
 protected:
  LinearProgram() {
    std::string name = (fs::temp_directory_path() / "bricard-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::ofstream(path("swing.yaml")) << kPendulum;
  }
  ~LinearProgram() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  Outcome run(const std::string& arguments) const {
    const std::string command =
        "cd '" + folder_.string() + "' && '" + BRICARD_EXECUTABLE + "' " + arguments + " >.out 2>.err";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, io::read_file(path(".out")), io::read_file(path(".err"))};
  }
  void expect_refused(const std::string& arguments, const std::string& words) const {
    SCOPED_TRACE(arguments);
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  }
  fs::path folder_;
};

constexpr double kInertia = 0.2 + 2 * 0.25, kStiffness = 2 * 9.81 * 0.5;

TEST_F(LinearProgram, LinearizesInTheWantedCoordinate) {
  const Outcome outcome =
      run("linearize swing.yaml --state 'phi=angle(hinge)' --state 'x(rod)' --json -o m.mat -o m.npz");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json all = json::parse(outcome.out);
  EXPECT_EQ(all["states"][0]["name"], "phi");
  EXPECT_NEAR(all["A"][1][0], -kStiffness / kInertia, 1e-10);
  EXPECT_NEAR(all["B"][1][0], 1 / kInertia, 1e-10);
  EXPECT_NEAR(all["C"][0][0], 1, 1e-12);
  EXPECT_EQ(all["report"]["dropped_states"][0]["name"], "x(rod)");
  EXPECT_NE(outcome.err.find("x(rod): depends on 'phi' through joint 'hinge'"), std::string::npos) << outcome.err;
  EXPECT_TRUE(fs::exists(path("m.mat")));
  EXPECT_TRUE(fs::exists(path("m.npz")));
}

TEST_F(LinearProgram, WritesModesForTheViewer) {
  const Outcome outcome = run("modes swing.yaml --json -o modes.h5");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json modes = json::parse(outcome.out)["modes"];
  ASSERT_EQ(modes.size(), 1u);
  const double f = std::sqrt(kStiffness / kInertia) / (2 * std::numbers::pi);
  EXPECT_NEAR(modes[0]["frequency"], f, 1e-9);
  const auto file = io::hdf5::open_file(path("modes.h5"));
  const auto group = io::hdf5::open_group(file, "modes");
  EXPECT_NEAR(io::hdf5::read_array(io::hdf5::open_dataset(group, "frequencies")).values[0], f, 1e-9);
  const auto rod = io::hdf5::open_group(io::hdf5::open_group(group, "bodies"), "rod");
  const io::hdf5::Array displacement = io::hdf5::read_array(io::hdf5::open_dataset(rod, "displacement"));
  const io::hdf5::Array rotation = io::hdf5::read_array(io::hdf5::open_dataset(rod, "rotation"));
  EXPECT_EQ(displacement.dimensions, (std::vector<hsize_t>{1, 3, 2}));
  EXPECT_NEAR(displacement.values[0], -0.5 * rotation.values[2],
              1e-9);  // along x by the turn about y, half a metre below the hinge
  EXPECT_EQ(run("view modes.h5 -o page.html").code, 0);
}

TEST_F(LinearProgram, FollowsModesOverAParameter) {
  const Outcome outcome =
      run("campbell " + kModels + "rotor_stator.yaml --sweep 'speed=0:1 rev/s:5' --json -o page.html");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json all = json::parse(outcome.out);
  const json& last = all["tables"][0]["rows"].back();
  std::vector<std::string> cells = last;
  EXPECT_TRUE(std::count(cells.begin(), cells.end(), "1.774255 F")) << last;
  EXPECT_TRUE(std::count(cells.begin(), cells.end(), "0.233502 B")) << last;
  EXPECT_EQ(last.size(), 7u);  // six modes that never change their columns
  EXPECT_TRUE(fs::exists(path("page.html")));
}

TEST_F(LinearProgram, WritesCampbellDiagramsForTheViewer) {
  const Outcome outcome =
      run("campbell " + kModels + "rotor_stator.yaml --sweep 'speed=0:1 rev/s:5' -o rotor.h5 -o page.html");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(path("page.html")));
  const io::ResultFile file = io::read_result_file(path("rotor.h5"));
  EXPECT_EQ(file.campbell.parameter, "speed");
  EXPECT_TRUE(file.campbell.is_speed);
  ASSERT_EQ(file.campbell.values.size(), 5u);
  EXPECT_NEAR(file.campbell.values.back(), 2 * std::numbers::pi, 1e-12);
  ASSERT_EQ(file.campbell.labels.size(), 6u);
  bool found = false;
  for (size_t m = 0; m < 6; ++m)
    if (std::abs(file.campbell.frequencies[5 * m + 4] - 1.774255) < 1e-6)  // as in the table above
      found = file.campbell.labels[m].find(", forward") != std::string::npos;
  EXPECT_TRUE(found) << ::testing::PrintToString(file.campbell.labels)
                     << ::testing::PrintToString(file.campbell.frequencies);
  ASSERT_EQ(file.modes.frequencies.size(), 6u);            // of the last speed
  EXPECT_NEAR(file.modes.frequencies[4], 1.774255, 1e-5);  // with the damping: |s| instead of Im s
}

TEST_F(LinearProgram, WritesFrequencyResponsesForTheViewer) {
  ASSERT_EQ(run("frequency swing.yaml --from 0.5 --to 2 --points 3 -o bode.h5").code, 0);
  const io::ResultFile file = io::read_result_file(path("bode.h5"));
  ASSERT_EQ(file.responses.names, (std::vector<std::string>{"theta from push"}));
  EXPECT_EQ(file.responses.units, (std::vector<std::string>{"rad/(N*m)"}));
  for (size_t k = 0; k < 3; ++k) {
    const double w = 2 * std::numbers::pi * file.responses.frequencies[k], H = 1 / (kStiffness - kInertia * w * w);
    EXPECT_NEAR(file.responses.magnitudes[k], std::abs(H), 1e-9);
    EXPECT_NEAR(std::cos(file.responses.phases[k] * std::numbers::pi / 180), H > 0 ? 1 : -1, 1e-6);
  }
}

TEST_F(LinearProgram, KeepsTheValuesAtWhichThereIsAnOperatingPoint) {
  std::ofstream(path("gap.yaml")) << R"(
parameters: {reach: 1}
bodies:
  rod: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0], markers: {tip: {position: [0.5, 0, 0]}}}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}
  rope: {type: distance, between: [ground.post, rod.tip], length: reach}
ground: {markers: {post: {position: [3, 1, 0]}}}
forces:
  spring: {type: torsion-spring, joint: hinge, stiffness: 3}
)";
  const Outcome outcome = run("campbell gap.yaml --sweep reach=1:2.5:4 --json");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("reach = 1: no operating point: the mechanism cannot be assembled"), std::string::npos)
      << outcome.out;
  const json rows = json::parse(outcome.out)["tables"][0]["rows"];
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_TRUE(rows[0].size() == 1 || rows[0][1] == "") << rows;  // no mode where there is no operating point
}

TEST_F(LinearProgram, KeepsTheValuesAtWhichThereIsAModel) {
  const Outcome outcome = run("campbell swing.yaml --sweep k=-20:20:5 --json");
  EXPECT_EQ(outcome.code, 1);
  const json all = json::parse(outcome.out);
  const std::string text = all.dump();
  EXPECT_NE(text.find("k = -20: no operating point: "), std::string::npos) << text;
  EXPECT_NE(text.find("forces.spring.stiffness = -20: must be >= 0"), std::string::npos) << text;
  const json& rows = all["tables"][0]["rows"];
  ASSERT_EQ(rows.size(), 5u);
  for (const int i : {2, 3, 4}) {
    const double k = 10 * (i - 2), f = std::sqrt((kStiffness + k) / kInertia) / (2 * std::numbers::pi);
    EXPECT_NEAR(std::stod(rows[i][1].get<std::string>()), f, 1e-5) << rows[i];
  }
  expect_refused("campbell swing.yaml --sweep k=-20:-10:3", "forces.spring.stiffness = -20: must be >= 0");
}

TEST_F(LinearProgram, SaysThatTheStateIsNoEquilibrium) {
  std::ofstream(path("let_go.yaml")) << kPendulum << "gravity: [3, 0, -9.81]\n";
  const Outcome outcome = run("linearize let_go.yaml");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("the state is no equilibrium: accelerations of up to"), std::string::npos) << outcome.err;
  const json remarks = json::parse(outcome.out)["report"]["remarks"];
  ASSERT_EQ(remarks.size(), 1u);
}

TEST_F(LinearProgram, RunsFirstIfATimeIsGiven) {
  std::ofstream(path("let_go.yaml")) << kPendulum << "gravity: [3, 0, -9.81]\n";
  const json at_start = json::parse(run("linearize let_go.yaml").out),
             later = json::parse(run("linearize let_go.yaml --time 0.3").out);
  EXPECT_GT(std::abs(at_start["A"][1][0].get<double>() - later["A"][1][0].get<double>()), 1e-3);
  const json swept = json::parse(run("campbell let_go.yaml --sweep k=1:2:2 --time 0.3 --json").out);
  const json fixed = json::parse(run("modes let_go.yaml --set k=1 --time 0.3 --json").out);
  EXPECT_NEAR(std::stod(swept["tables"][0]["rows"][0][1].get<std::string>()),
              fixed["modes"][0]["frequency"].get<double>(), 1e-5);
}

TEST_F(LinearProgram, ShowsTheFrequencyResponse) {
  const Outcome outcome = run("frequency swing.yaml --from 0.5 --to 2 --points 3 -o bode.html --csv bode.csv");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string csv = io::read_file(path("bode.csv"));
  double f = 0, magnitude = 0, phase = 0;
  ASSERT_EQ(std::sscanf(csv.c_str() + csv.find('\n') + 1, "%lf,%lf,%lf", &f, &magnitude, &phase), 3);
  const double w = 2 * std::numbers::pi * 0.5;
  EXPECT_NEAR(magnitude, 1 / std::abs(kStiffness - kInertia * w * w), 1e-9);
  EXPECT_NEAR(phase, 0, 1e-6);
}

TEST_F(LinearProgram, RefusesWhatMakesNoSense) {
  expect_refused("linearize swing.yaml --point statc", "--point = statc: unknown; did you mean 'static'?");
  expect_refused("linearize swing.yaml --state 'angle(hing)'", "unknown joint 'hing'");
  expect_refused("linearize swing.yaml --state 'angel(hinge)'", "did you mean 'angle'?");
  expect_refused("linearize swing.yaml --state 'speed(rod)'", "is no position");
  expect_refused("linearize swing.yaml --reference rood", "unknown marker 'rood'; did you mean 'rod'?");
  expect_refused("linearize swing.yaml --output-signal tehta", "unknown signal 'tehta'; did you mean 'theta'?");
  expect_refused("linearize swing.yaml -o m.doc", "the ending says the format");
  expect_refused("linearize swing.yaml --time -1", "--time = -1: must be > 0");
  expect_refused("modes swing.yaml --count -3", "--count = -3: must be >= 0");
  expect_refused("campbell swing.yaml --sweep kk=0:1:3", "unknown parameter 'kk'");
  expect_refused("campbell swing.yaml --sweep k=0:1", "expected name=first:last:points");
  expect_refused("campbell swing.yaml --sweep k=1:2:3 -o k.doc",
                 "--output = k.doc: the ending says the format; known: .html, .h5");
  expect_refused("frequency swing.yaml --from 5 --to 1", "must be larger than --from");
  expect_refused("linearize swing.yaml --point steady --reference rod", "its body moves by itself");
}

}  // namespace linear_cli_test
}  // namespace bricard
