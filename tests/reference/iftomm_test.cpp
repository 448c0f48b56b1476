// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <nlohmann/json.hpp>

// `bricard reproduce iftomm`: the study itself says what is compared with what (papers/iftomm.cpp).
namespace bricard {
namespace {

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
  while (const size_t count = fread(buffer, 1, sizeof buffer, pipe))
    output.text.append(buffer, count);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) output.code = WEXITSTATUS(status);
  return output;
}

TEST(Iftomm, ReproducesTheReferenceValuesAtSecondOrder) {
  const Output output = output_of("reproduce iftomm --json");
  const nlohmann::json study = nlohmann::json::parse(output.text, nullptr, false);
  ASSERT_FALSE(study.is_discarded()) << output.text;
  EXPECT_EQ(study["study"], "iftomm");
  EXPECT_GE(study["checks"].size(), 35);
  for (const nlohmann::json& check : study["checks"]) EXPECT_TRUE(check["pass"]) << check.dump(2);
  EXPECT_EQ(output.code, 0);
}

}  // namespace
}  // namespace bricard
