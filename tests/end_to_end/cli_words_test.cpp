// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "end_to_end/program.h"

// What the program says of numbers and texts that nobody expects, and that it never ends by a signal.
namespace bricard {
namespace cli_words_test {

bool contains(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

std::string with(const std::string& model, const std::string& from, const std::string& to) {
  return std::string(model).replace(model.find(from), from.size(), to);
}

constexpr const char* kSpring = R"(
gravity: [0, 0, -9.81]
bodies:
  rod: {mass: 2, inertia: [0.2, 0.2, 0.2], position: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}
forces:
  spring: {type: spring-damper, between: [ground, rod], stiffness: 31, damping: 0.7, free_length: 0.3, preload: 0.1}
run: {duration: 1, step: 0.01}
)";

TEST_F(Program, RefusesNumbersThatItCannotComputeWith) {
  for (const std::string number : {"-9.81", "mass: 2", "0.5", "[0, 1", "31", "0.7", "0.3", "0.1}", "duration: 1"}) {
    const size_t digits = number.find_first_of("-0123456789");
    const std::string huge = number[0] == '[' ? "[0, 1e200" : number.substr(0, digits) + "1e200";
    write("huge.yaml", with(kSpring, number, number.back() == '}' ? huge + "}" : huge));
    for (const std::string command : {"check", "run"}) {
      SCOPED_TRACE(command + " " + number);
      const Outcome outcome = run(command + " huge.yaml");
      EXPECT_EQ(outcome.code, 2);
      EXPECT_TRUE(contains(outcome.err, "huge.yaml:")) << outcome.err;
      EXPECT_TRUE(contains(outcome.err, "1e+200: is too large to compute with")) << outcome.err;
    }
  }
  write("tiny.yaml", with(kSpring, "mass: 2", "mass: 1e-200"));
  EXPECT_TRUE(contains(run("check tiny.yaml").err, "bodies.rod.mass = 1e-200: is too small to compute with"));
}

TEST_F(Program, NeverEndsByASignalForLargeNumbers) {
  for (const std::string number : {"1e39", "1e20", "1e-39"}) {
    write("large.yaml", with(kSpring, "0.5", number));
    EXPECT_GE(run("check large.yaml").code, 0) << number;
    EXPECT_GE(run("run large.yaml --duration 0.02").code, 0) << number;
  }
}

/// C0, DEL, and C1 in UTF-8 and as bytes: none reaches the terminal, wherever it comes from.
TEST_F(Program, SendsNoControlCharactersToTheTerminal) {
  std::vector<std::string> characters;
  for (int c = 1; c < 0x20; ++c)
    if (c != '\n' && c != '\t' && c != '\r') characters.push_back(std::string(1, static_cast<char>(c)));
  characters.push_back("\x7f");
  for (int c = 0x80; c < 0xa0; ++c) characters.push_back("\xc2" + std::string(1, static_cast<char>(c)));
  for (const char* raw : {"\x9b", "\xe2\x9b", "\xff"}) characters.push_back(raw);
  std::string all;
  for (const std::string& c : characters) all += c;
  const Outcome outcome = run("run '" + all + "ü→.yaml'");
  EXPECT_EQ(outcome.code, 3);
  for (const std::string& c : characters) EXPECT_FALSE(contains(outcome.err, c)) << testing::PrintToString(c);
  EXPECT_TRUE(contains(outcome.err, "\\u001b"));
  EXPECT_TRUE(contains(outcome.err, "ü→.yaml"));
  write("name.yaml", "name: \"a\\x1b[2Jb\"\n" + with(kSpring, "rod: {mass", "\"r\\x1b[31m\": {mass"));
  const Outcome named = run("check name.yaml");
  EXPECT_EQ(named.code, 2);
  EXPECT_TRUE(contains(named.err, "a name must not contain control characters")) << named.err;
  write("title.yaml", "name: \"a\\x1b[2J\\x9bb\"\n" + std::string(kSpring));
  EXPECT_TRUE(contains(run("check title.yaml").out, "a\\u001b[2J\\u009bb: 1 body"));
}

TEST_F(Program, ListsFiftyFaultsAndCountsTheRest) {
  std::string text = "bodies:\n";
  for (int i = 0; i < 1234; ++i) text += fmt::format("  b{}: {{mass: -1, inertia: [1, 1, 1]}}\n", i);
  write("many.yaml", text + "run: {duration: 1, step: 0.1}\n");
  const Outcome outcome = run("check many.yaml");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 51);
  EXPECT_TRUE(contains(outcome.err, "\nand 1184 more\n"));
}

TEST_F(Program, NamesTheFormulaThatHasNoValue) {
  const std::string force = "forces:\n  push: {type: force, on: rod, force: [\"sqrt(0.5 - time)\", 0, 0]}\n";
  const std::string motor = "forces:\n  push: {type: motor, joint: hinge, force: \"sqrt(0.5 - time)\"}\n";
  for (const std::string& forces : {force, motor})
    for (const char* tolerance : {"", " --rtol 1e-4"}) {
      write("lost.yaml", kPendulum + forces);
      const Outcome outcome = run(std::string("run lost.yaml") + tolerance);
      EXPECT_EQ(outcome.code, 1);
      EXPECT_TRUE(contains(outcome.err, "force 'push' has no finite value at t = 0.5")) << outcome.err;
      EXPECT_TRUE(contains(outcome.err, "'sqrt(0.5 - time)'")) << outcome.err;
    }
}

TEST_F(Program, SaysThatAMotionRunsAway) {
  const Outcome outcome = run("run throw.yaml --rtol 1e-3 --set speed=1e20");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "the motion runs away: body 'stone' is ")) << outcome.err;
}

TEST_F(Program, RemarksSignalsThatLoseTheirValues) {
  write("lost.yaml", kPendulum + std::string("signals:\n  root: \"sqrt(0.505 - time)\"\n"));
  const Outcome outcome = run("run lost.yaml");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.err, "signal 'root' is not finite, first at t = 0.51 s")) << outcome.err;
}

TEST_F(Program, TakesBackATolerance) {
  write("rtol.yaml", with(kPendulum, "step: 0.01", "step: 0.01, rtol: 1e-4"));
  EXPECT_EQ(json::parse(run("run rtol.yaml --json").out)["certificate"]["integrator"], "radau");
  const json fixed = json::parse(run("run rtol.yaml --json --rtol none").out)["certificate"];
  EXPECT_EQ(fixed["integrator"], "hht");
  EXPECT_EQ(fixed["steps"], 100);
}

TEST_F(Program, TellsASpringOfNoLengthWhatItHasTooMuch) {
  const std::string start = "bodies:\n  rod: {mass: 1, inertia: [1, 1, 1]}\nrun: {duration: 1, step: 0.1}\nforces:\n"
                            "  s: {type: spring-damper, between: [ground, rod], ";
  const auto words = [&](const std::string& keys) {
    write("s.yaml", start + keys + "}\n");
    return run("check s.yaml").err;
  };
  EXPECT_TRUE(contains(words("law: 5 + 100*length"), "or give a stiffness in the place of the law, free_length: 0"));
  for (const char* keys : {"stiffness: 1, free_length: 0, preload: 1", "stiffness: 1, free_length: 1"})
    EXPECT_TRUE(contains(words(keys), "or set free_length: 0 and no preload"));
  for (const char* keys : {"stiffness: 1, free_length: 0", "law: 100*length"}) EXPECT_EQ(words(keys), "");
}

/// The force of a spring as a vector on its second end, and accelerations, in JSON.
TEST_F(Program, GivesForcesOfSpringsAndAccelerationsInJson) {
  write("spring.yaml", kSpring);
  const json final = json::parse(run("run spring.yaml --json").out)["final"];
  const json& rod = final["bodies"]["rod"];
  ASSERT_EQ(rod["acceleration"].size(), 3u);
  ASSERT_EQ(rod["angular_acceleration"].size(), 3u);
  const double pull = final["signals"]["spring.force"], length = final["signals"]["spring.length"];
  const char* axes[] = {"x", "y", "z"};
  for (size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(final["signals"][std::string("spring.force_") + axes[i]].get<double>(),
                -pull * rod["position"][i].get<double>() / length, 1e-12);
}

/// From too little for the program itself to enough: an exit code and words, no signal.
TEST_F(Program, EndsInOrderWhereMemoryIsShort) {
  const std::string chain = std::string(BRICARD_SOURCE_DIR) + "/models/chain.yaml";
  for (const int kilobytes : {60000, 70000, 80000}) {
    const Outcome outcome =
        run("run " + chain + " --set N=1500 --duration 0.01", fmt::format("ulimit -v {} && ", kilobytes));
    EXPECT_TRUE(outcome.code == 0 || contains(outcome.err, "out of memory") || outcome.code == 127) << outcome.err;
  }
}

TEST_F(Program, ChecksModelsWithJointsThatAreOff) {
  const Outcome outcome = run("check " + std::string(BRICARD_SOURCE_DIR) + "/models/release_and_catch.yaml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(contains(outcome.out, "redundant")) << outcome.out;
}

TEST_F(Program, ChecksBeamsAsAWhole) {
  const Outcome outcome = run("check " + std::string(BRICARD_SOURCE_DIR) + "/models/soft_pendulum.yaml --json");
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["bodies"], 0);
  ASSERT_EQ(report["beams"].size(), 1u);
  EXPECT_EQ(report["beams"][0]["elements"], 6);
  EXPECT_EQ(report["beams"][0]["nodes"], 19);
  EXPECT_NEAR(report["beams"][0]["longest_element"].get<double>(), 1.0 / 6, 1e-9);
  EXPECT_FALSE(contains(outcome.out, "rod_1")) << outcome.out;
  EXPECT_GT(report["time_scales"]["suggested_step"].get<double>(), 1e-4);  // 1e-5 is that of the mesh
}

}  // namespace cli_words_test
}  // namespace bricard
