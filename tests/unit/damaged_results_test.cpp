// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "bricard/analysis/run_model.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "bricard/read/result_reader.h"
#include "bricard/write/checksum.h"
#include "bricard/write/files.h"
#include "bricard/write/result_writer.h"

// Result files with flipped bits, as bad disks and copies make them, and with their ends cut off.
namespace bricard::io {
namespace damaged_results_test {

namespace fs = std::filesystem;

class DamagedResults : public ::testing::Test {
 protected:
  DamagedResults() {
    std::string name = (fs::temp_directory_path() / "bricard-damaged-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    const Model model = read_model_text("bodies: {stone: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n"
                                        "run: {duration: 0.1, step: 0.01}\n",
                                        "stone.yaml");
    const System system = assemble(model);
    const Results results = run(model, system, start_of(model, system, Analysis::dynamics), Analysis::dynamics, {});
    const ResultFile file = make_result_file(model, system, results);
    write_result_file(file, path());
    whole_ = {read_file(path())};
    ResultStream stream(make_head(model, system), file.table.channels, 10, path());
    Channels channels(model, system, 0);
    for (const Sample& sample : results.samples) stream.add(sample.state.t, channels.evaluate(sample));
    stream.finish("{}");
    whole_.push_back(read_file(path()));
  }
  ~DamagedResults() override { fs::remove_all(folder_); }
  std::string path() const { return (folder_ / "run.h5").string(); }

  /// What reading says; "" if it succeeds.
  std::string reading(const std::string& bytes) const {
    std::ofstream(path(), std::ios::binary) << bytes;
    try {
      read_result_file(path());
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
  std::vector<std::string> whole_;  ///< files written at once, and while a run goes on
};

TEST_F(DamagedResults, WithFlippedBitsAreRefused) {
  std::mt19937 random(1);
  for (const std::string& whole : whole_) {
    ASSERT_EQ(reading(whole), "");
    for (int i = 0; i < 100; ++i) {
      std::string bytes = whole;
      for (int flips = i % 3; flips >= 0; --flips) {
        const size_t at = i % 2 ? random() % bytes.size() : bytes.size() - 1 - random() % 60;  // the last line, too
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
      }
      if (bytes == whole) continue;
      EXPECT_NE(reading(bytes).find("is damaged"), std::string::npos) << i;
    }
  }
}

TEST_F(DamagedResults, ThatAreCutOffAreRefused) {
  std::mt19937 random(2);
  for (const std::string& whole : whole_)
    for (int i = 0; i < 50; ++i) {
      const size_t line = checksum_line("").size();  // without its checksum a file is as one that was not finished
      const size_t left = random() % (whole.size() - line);
      EXPECT_NE(reading(whole.substr(0, left)), "") << left << " of " << whole.size();
    }
}

}  // namespace damaged_results_test
}  // namespace bricard::io
