// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "bricard/read/result_reader.h"
#include "bricard/report/page_writer.h"
#include "bricard/write/base64.h"
#include "bricard/write/csv_writer.h"
#include "bricard/write/files.h"
#include "bricard/write/json_writer.h"
#include "bricard/write/result_writer.h"
#include "bricard/write/sha256.h"

namespace bricard {
namespace result_files_test {

namespace fs = std::filesystem;

constexpr const char* kModel = R"(
name: swing </script>
bodies:
  rod:
    mass: 2
    inertia: [0.2, 0.2, 0.3]
    position: [0.5, 0, 0]
    markers: {end: {position: [0.5, 0, 0]}}
  weight: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}
joints:
  hinge: {type: cylindrical, between: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}
  weld: {type: fixed, between: [rod, weight], at: [1, 0, 0]}
forces:
  spring: {type: spring-damper, between: [ground, rod.end], stiffness: 50, damping: 2, preload: 3}
  twist: {type: torsion-spring, joint: hinge, stiffness: 4, damping: 0.5, free_angle: 0.1}
points: {end: rod.end}
run: {duration: 0.1, step: 0.01}
)";

struct RunOutcome {
  Model model;
  System system;
  Results results;
};

RunOutcome make_run(const std::vector<double>& at = {}) {
  Model model = io::read_model_text(kModel, "swing.yaml");
  System system = assemble(model);
  State start = initial_wishes(model, system);
  EXPECT_TRUE(consistent_start(system, model.run.solver, start).assembled);
  Results results = simulate(system, start, model.run, {at, {}, {}});
  return {std::move(model), std::move(system), std::move(results)};
}

/// A folder that is gone when the test is over.
class ResultFiles : public ::testing::Test {
 protected:
  ResultFiles() {
    std::string name = (fs::temp_directory_path() / "bricard-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~ResultFiles() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  size_t files() const { return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {})); }

 private:
  fs::path folder_;
};

const std::vector<double>& values_of(const ChannelTable& table, const std::string& owner, const std::string& name) {
  for (size_t c = 0; c < table.channels.size(); ++c)
    if (table.channels[c].owner == owner && table.channels[c].name == name) return table.values[c];
  throw std::runtime_error("no channel " + owner + " " + name);
}

void expect_equal(const Channel& a, const Channel& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.owner, b.owner);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.frame, b.frame);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (size_t i = 0; i < a.columns.size(); ++i) {
    EXPECT_EQ(a.columns[i].name, b.columns[i].name);
    EXPECT_EQ(a.columns[i].unit, b.columns[i].unit);
  }
}

void expect_equal(const ChannelTable& a, const ChannelTable& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.values, b.values);
  ASSERT_EQ(a.channels.size(), b.channels.size());
  for (size_t c = 0; c < a.channels.size(); ++c) expect_equal(a.channels[c], b.channels[c]);
}

TEST_F(ResultFiles, KeepEveryValueNameAndUnit) {
  const RunOutcome run = make_run();
  const io::ResultFile written = io::make_result_file(run.model, run.system, run.results);
  io::write_result_file(written, path("run.h5"));
  const io::ResultFile read = io::read_result_file(path("run.h5"));
  EXPECT_EQ(read.version, written.version);
  EXPECT_EQ(read.model_file, "swing.yaml");
  EXPECT_EQ(read.model_text, kModel);
  EXPECT_EQ(read.model_sha256, io::sha256(kModel));
  EXPECT_EQ(read.model, written.model);
  EXPECT_EQ(read.certificate, written.certificate);
  expect_equal(read.table, written.table);
}

TEST_F(ResultFiles, KeepTablesOfManyChunks) {
  io::ResultFile file;
  const size_t rows = 300'000;  // several chunks
  file.table.channels = {{Channel::Kind::body, "rod", "position", "ground", {{"x", "m"}, {"y", "m"}, {"z", "m"}}}};
  file.table.values.emplace_back();
  for (size_t i = 0; i < rows; ++i) {
    file.table.time.push_back(1e-3 * static_cast<double>(i));
    for (const double value : {std::sin(file.table.time[i]), 0.0, 1.5}) file.table.values[0].push_back(value);
  }
  io::write_result_file(file, path("long.h5"));
  const io::ResultFile read = io::read_result_file(path("long.h5"));
  EXPECT_EQ(read.table.time, file.table.time);
  EXPECT_EQ(read.table.values, file.table.values);
}

TEST_F(ResultFiles, OfVersion01StillOpen) {  // written by that version; the same run of this one differs by round-off
  const io::ResultFile old = io::read_result_file(std::string(BRICARD_REFERENCE_DIR) + "/version_0_1.h5");
  Model model = io::read_model_text(old.model_text, "swing.yaml");
  const System system = assemble(model);
  State start = initial_wishes(model, system);
  EXPECT_TRUE(consistent_start(system, model.run.solver, start).assembled);
  const Results results = simulate(system, start, model.run);
  const ChannelTable now = io::make_result_file(model, system, results).table;
  ASSERT_EQ(old.table.time.size(), now.time.size());
  for (size_t c = 0, n = 0; c < old.table.channels.size(); ++c, ++n) {  // there are more of them now
    const Channel& channel = old.table.channels[c];
    SCOPED_TRACE(channel.owner + "." + channel.name);
    const auto is_same = [&](size_t i) {
      return now.channels[i].owner == channel.owner && now.channels[i].name == channel.name;
    };
    while (n < now.channels.size() && !is_same(n)) ++n;
    ASSERT_LT(n, now.channels.size());
    expect_equal(channel, now.channels[n]);
    ASSERT_EQ(old.table.values[c].size(), now.values[n].size());
    for (size_t i = 0; i < now.values[n].size(); ++i) EXPECT_NEAR(old.table.values[c][i], now.values[n][i], 1e-6);
  }
}

TEST_F(ResultFiles, ThatGrowWithTheRunHoldTheSame) {
  const RunOutcome run = make_run();
  const io::ResultFile whole = io::make_result_file(run.model, run.system, run.results);
  Channels channels(run.model, run.system, run.results.report.start_energy);
  {
    io::ResultStream stream(io::make_head(run.model, run.system), channels.list(), 3, path("run.h5"));
    for (const Sample& sample : run.results.samples) stream.add(sample.state.t, channels.evaluate(sample));
    EXPECT_FALSE(fs::exists(path("run.h5")));
    stream.finish(whole.certificate);
  }
  const io::ResultFile read = io::read_result_file(path("run.h5"));
  expect_equal(read.table, whole.table);
  EXPECT_EQ(read.certificate, whole.certificate);
  EXPECT_EQ(read.model, whole.model);
  EXPECT_EQ(files(), 1u);
}

TEST_F(ResultFiles, MayHaveChannelsThatNotAllBodiesHave) {
  io::ResultFile file;
  const std::vector<Column> x{{"x", "m"}}, xy{{"x", "m"}, {"y", "rad"}};
  using Kind = Channel::Kind;
  file.table = {{0, 1},
                {{Kind::body, "a", "position", "ground", x},
                 {Kind::body, "a", "turn", "", xy},
                 {Kind::body, "b", "position", "ground", x},
                 {Kind::joint, "weld", "coordinates", "", {}},
                 {Kind::signal, "", "s", "", {{"", ""}}}},
                {{1, 2}, {3, 4, 5, 6}, {7, 8}, {}, {9, 10}}};
  io::write_result_file(file, path("odd.h5"));
  expect_equal(io::read_result_file(path("odd.h5")).table, file.table);
}

TEST_F(ResultFiles, LeaveAnEarlierFileAloneWhenTheyCannotBeWritten) {
  io::write_file(path("old"), "old");
  fs::create_directory(path("folder"));
  EXPECT_THROW(io::write_file(path("folder"), "new"), io::FileError);
  EXPECT_THROW(io::write_file(path("missing/new"), "new"), io::FileError);
  EXPECT_THROW(io::write_file(path("old") + "/new", "new"), io::FileError);
  EXPECT_THROW(io::write_file("/dev/full", "new"), io::FileError);
  EXPECT_THROW(io::check_writable(path("missing/new")), io::FileError);
  io::check_writable(path("old"));
  EXPECT_EQ(io::read_file(path("old")), "old");
  EXPECT_EQ(files(), 2u);
}

TEST_F(ResultFiles, FollowLinks) {
  io::write_file(path("target"), "old");
  fs::create_symlink("target", path("link"));
  io::write_file(path("link"), "new");
  EXPECT_EQ(io::read_file(path("target")), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
}

TEST_F(ResultFiles, AreRefusedIfTheyAreSomethingElse) {
  io::write_file(path("text.h5"), "no HDF5");
  EXPECT_THROW(io::read_result_file(path("text.h5")), io::FileError);
  EXPECT_THROW(io::read_result_file(path("missing.h5")), io::FileError);
  EXPECT_THROW(io::read_result_file(path("")), io::FileError);
}

TEST_F(ResultFiles, GiveThePageEveryPoseInFloats) {
  const RunOutcome run = make_run();
  const io::ResultFile file = io::make_result_file(run.model, run.system, run.results);
  const auto page = nlohmann::json::parse(io::page_json(file));
  EXPECT_EQ(page["name"], "swing </script>");
  ASSERT_EQ(page["bodies"].size(), 2u);
  EXPECT_EQ(page["bodies"][1]["position"], io::base64_differences(values_of(file.table, "weight", "position"), 3));
  EXPECT_EQ(page["joints"][1]["force"],
            io::base64_differences(values_of(file.table, page["joints"][1]["name"], "force"), 3));
  EXPECT_EQ(page["joints"][1]["body_i"], "rod");
  EXPECT_EQ(page["springs"][0]["body_i"], "ground");
  EXPECT_EQ(page["points"][0]["position"], nlohmann::json({0.5, 0.0, 0.0}));
  EXPECT_EQ(page["signals"][0]["unit"], "J");
  EXPECT_TRUE(page["certificate"]["finished"]);
}

TEST_F(ResultFiles, KeepModesAndGiveThemToThePage) {
  const RunOutcome run = make_run();
  io::ResultFile file = io::make_result_file(run.model, run.system, run.results);
  file.modes = {{-1, 2, -3, 4},
                {0.5, 0.75},
                {0.4, 0.6},
                {"rod swings", "weight turns"},
                {{"rod", {1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 7}, std::vector<double>(12, 0.5)},
                 {"weight", std::vector<double>(12, 0), std::vector<double>(12, 0)}}};
  io::write_result_file(file, path("modes.h5"));
  const io::ResultFile again = io::read_result_file(path("modes.h5"));
  EXPECT_EQ(again.modes.labels, file.modes.labels);
  EXPECT_EQ(again.modes.eigenvalues, file.modes.eigenvalues);
  EXPECT_EQ(again.modes.bodies[0].displacement, file.modes.bodies[0].displacement);
  const auto page = nlohmann::json::parse(io::page_json(again));
  ASSERT_EQ(page["modes"]["list"].size(), 2u);
  EXPECT_EQ(page["modes"]["list"][1]["frequency"], 0.75);
  std::vector<double> shape{1, 3, 5, 0.5, 0.5, 0.5, 2, 4, 6, 0.5, 0.5, 0.5};  // of the rod in the first mode
  shape.resize(24, 0);
  EXPECT_EQ(page["modes"]["list"][0]["shape"], io::base64_floats(shape));
}

TEST(Channels, OfAPendulumSatisfyItsEquationsOfMotion) {
  const RunOutcome run = make_run({0.05});
  Channels channels(run.model, run.system, run.results.report.start_energy);
  const ChannelTable table = make_channel_table(channels, run.results.samples);
  ASSERT_EQ(table.time.size(), 11u);  // the sample that was asked for is not among them
  const auto& a = values_of(table, "weight", "acceleration");
  const auto& force = values_of(table, "weld", "force");
  const auto& length = values_of(table, "", "spring.length");
  const auto& angle = values_of(table, "", "hinge.angle");
  const auto& x = values_of(table, "", "end.x");
  const auto& z = values_of(table, "", "end.z");
  for (size_t i = 0; i < table.time.size(); ++i) {
    SCOPED_TRACE(table.time[i]);
    const double round_off = 1e-9;                   // solved to Newton's tolerance, then made consistent
    EXPECT_NEAR(force[3 * i], a[3 * i], round_off);  // m = 1 kg on which only the weld acts
    EXPECT_NEAR(force[3 * i + 2] - 9.81, a[3 * i + 2], round_off);
    EXPECT_NEAR(length[i], std::hypot(x[i], z[i]), round_off);
    EXPECT_NEAR(x[i], std::cos(angle[i]), round_off);
    EXPECT_NEAR(z[i], -std::sin(angle[i]), round_off);
  }
  EXPECT_NEAR(values_of(table, "", "spring.force")[0], 3, 1e-12);  // at rest: the preload
  EXPECT_NEAR(values_of(table, "", "twist.torque")[0], 0.4, 1e-12);
}

TEST(Sha256, AgreesWithPublishedDigests) {  // FIPS 180-4 examples (NIST CSRC), and their lengths
  EXPECT_EQ(io::sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(io::sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(io::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(io::sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Base64, AgreesWithTheExamplesOfRfc4648) {
  EXPECT_EQ(io::base64(""), "");
  EXPECT_EQ(io::base64("f"), "Zg==");
  EXPECT_EQ(io::base64("fo"), "Zm8=");
  EXPECT_EQ(io::base64("foo"), "Zm9v");
  EXPECT_EQ(io::base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(io::base64("\xff\xfe"), "//4=");
  for (const char* text : {"", "f", "fo", "foo", "foobar", "\xff\xfe"})
    EXPECT_EQ(io::base64_bytes(io::base64(text)), text);
  EXPECT_EQ(io::base64_floats(std::vector<double>{1.0}), "AACAPw==");  // 0x3f800000
  // 1, 2 and −2 are 0x3f800000, 0x40000000 and 0xc0000000: the second row differs by 0 and by 0x80000000
  EXPECT_EQ(io::base64_differences(std::vector<double>{1, 2, 1, -2}, 2),
            "d2:" + io::base64(std::string("\0\0\0\0"
                                           "\0\0\0\0"
                                           "\x80\0\0\0"
                                           "\x3f\x40\0\x80",
                                           16)));
}

TEST(Csv, HasAColumnWithUnitForEveryValue) {
  const ChannelTable table{
      {0, 0.1},
      {{Channel::Kind::body, "rod, long", "position", "ground", {{"x", "m"}, {"y", "m"}, {"z", "m"}}},
       {Channel::Kind::joint, "hinge", "coordinates", "", {{"angle", "rad"}}},
       {Channel::Kind::signal, "", "hinge.angle", "", {{"", "rad"}}}},
      {{1, 2, 3, 4, 5, 6}, {7, 8}, {7, 1e-300}}};
  EXPECT_EQ(io::csv_text(table), "time [s],\"rod, long.position.x [m]\",\"rod, long.position.y [m]\","
                                 "\"rod, long.position.z [m]\",hinge.angle [rad]\n"
                                 "0,1,2,3,7\n"
                                 "0.1,4,5,6,1e-300\n");
}

TEST(Page, CannotBeLeftByANameInTheModel) {
  const std::string json = R"({"name":"</script><!--<script>"})";
  const std::string page = io::page_text("<script>/*BRICARD_DATA*/</script>", json);
  EXPECT_EQ(page, R"(<script>{"name":"\u003c/script>\u003c!--\u003cscript>"}</script>)");
  EXPECT_EQ(nlohmann::json::parse(page.substr(8, page.size() - 17)), nlohmann::json::parse(json));
  EXPECT_THROW(io::page_text("<script></script>", json), io::FileError);
}

}  // namespace result_files_test
}  // namespace bricard
