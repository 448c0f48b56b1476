// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "bricard/write/files.h"

// The program as a person or a script uses it.
namespace bricard {

namespace fs = std::filesystem;
using nlohmann::json;

inline constexpr const char* kThrow = R"(
name: throw
parameters: {speed: 2}
bodies:
  stone: {mass: 1, inertia: [1, 1, 1], velocity: [speed, 0, 0]}
run: {duration: 1, step: 0.01}
)";

/// A condition: the program has taken SIGTERM into its own hands.
inline constexpr const char* kListens = "grep -q '^SigCgt:.*[4-7c-f]...$' /proc/$!/status";

inline constexpr const char* kPendulum = R"(
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
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.insert(entry.path().filename().string());
    for (const char* known : {"throw.yaml", "pendulum.yaml", ".out", ".err"}) names.erase(known);
    return names;
  }

  /// Runs `bricard arguments` in the test's folder.
  Outcome run(const std::string& arguments, const std::string& before = "") const {
    const std::string command =
        "cd '" + folder_.string() + "' && " + before + "'" + BRICARD_EXECUTABLE + "' " + arguments + " >.out 2>.err";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".err")};
  }

  /// The same, ended by SIGTERM as soon as the condition of the shell holds, however slow the machine is.
  Outcome run_until(const std::string& condition, const std::string& arguments) const {
    const std::string command = "cd '" + folder_.string() + "' && { '" + BRICARD_EXECUTABLE + "' " + arguments +
                                " >.out 2>.err & } && for i in $(seq 3000); do if " + condition +
                                "; then break; fi; sleep 0.02; done; kill $!; wait $!";
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

inline std::set<std::string> keys(const json& object) {
  std::set<std::string> names;
  for (const auto& [key, value] : object.items()) names.insert(key);
  return names;
}

using Names = std::set<std::string>;

}  // namespace bricard
