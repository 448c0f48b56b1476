// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bricard/read/model_reader.h"

// Every wrong model in bad/ is refused with exactly the words in its .expected file.
namespace bricard {
namespace bad_models_test {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(BRICARD_SOURCE_DIR) / "tests" / "end_to_end" / "bad";

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string without_folder(std::string text) {
  const std::string folder = kFolder.string() + "/";
  for (size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
    text.erase(at, folder.size());
  return text;
}

std::string faults_of(const fs::path& path) {
  try {
    io::read_model(path.string());
  } catch (const ModelError& error) {
    return without_folder(error.what()) + "\n";
  }
  return "no fault\n";
}

std::vector<std::string> bad_models() {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(kFolder))
    if (file.path().extension() == ".yaml") names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class BadModel : public ::testing::TestWithParam<std::string> {};

TEST_P(BadModel, IsRefusedWithExactlyTheseWords) {
  EXPECT_EQ(faults_of(kFolder / (GetParam() + ".yaml")), text_of(kFolder / (GetParam() + ".expected")));
}

INSTANTIATE_TEST_SUITE_P(All, BadModel, ::testing::ValuesIn(bad_models()), [](const auto& test) { return test.param; });

TEST(BadModels, ReportAllFaultsAtOnce) {
  try {
    io::read_model((kFolder / "five_faults.yaml").string());
    FAIL() << "no fault";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.faults().size(), 5);
  }
}

TEST(BadModels, NameAFileThatCannotBeRead) {
  EXPECT_EQ(faults_of(kFolder / "nowhere.yaml"), "nowhere.yaml: cannot be read: No such file or directory\n");
  EXPECT_EQ(faults_of(kFolder / "parts"), "parts: is a directory; expected a model file\n");
}

}  // namespace bad_models_test
}  // namespace bricard
