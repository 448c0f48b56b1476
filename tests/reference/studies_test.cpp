// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <nlohmann/json.hpp>

// `bricard reproduce NAME`: the studies themselves say what is compared with what (papers/).
namespace bricard {
namespace studies_test {

struct Output {
  int code;
  std::string text;
};

Output output_of(const std::string& arguments) {
  const std::string command = "'" BRICARD_EXECUTABLE "' " + arguments;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return {-1, ""};
  Output output{-1, ""};
  char buffer[4096];
  while (const size_t count = fread(buffer, 1, sizeof buffer, pipe)) output.text.append(buffer, count);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) output.code = WEXITSTATUS(status);
  return output;
}

/// `times`: how the names of checks of run times begin. They depend on what else the machine does and are no test.
void expect_reproduced(const std::string& name, size_t least_checks, const std::string& times = "") {
  const Output output = output_of("reproduce " + name + " --quick --json");
  const nlohmann::json study = nlohmann::json::parse(output.text, nullptr, false);
  ASSERT_FALSE(study.is_discarded()) << output.text;
  EXPECT_EQ(study["study"], name);
  EXPECT_GE(study["checks"].size(), least_checks);
  for (const nlohmann::json& check : study["checks"])
    if (times.empty() || !check["name"].get<std::string>().starts_with(times)) {
      EXPECT_TRUE(check["pass"]) << check.dump(2);
    }
  if (times.empty()) {
    EXPECT_EQ(output.code, 0);
  }
}

TEST(Iftomm, ReproducesTheReferenceValuesAtSecondOrder) { expect_reproduced("iftomm", 35); }

TEST(Study000, ReproducesTheEffectsOfScalingAndAugmentation) { expect_reproduced("000", 120); }

TEST(Study001, ReproducesTheEffectsOfPreconditioning) { expect_reproduced("001", 40); }

TEST(Study002, ReproducesMethodsForSingularPositions) { expect_reproduced("002", 46); }

TEST(Study003, ReproducesFrequenciesOfRotorBladeAndWashingMachine) { expect_reproduced("003", 10); }

TEST(StudyBeams, ReproducesTheBenchmarksOfTheLiterature) { expect_reproduced("beams", 200); }

TEST(Study004, ReproducesOrdersEnergyAndDriftOfSixIntegrators) { expect_reproduced("004", 40, "Fig. 16"); }

}  // namespace studies_test
}  // namespace bricard
