// SPDX-License-Identifier: Apache-2.0
#include "bricard/check/read_log.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

// What was said in a model is found again by its path, in whatever order it is asked for.
namespace bricard::io {
namespace read_log_test {

/// Paths as models have them, and some that differ by a dot or an index only.
std::vector<std::string> paths() {
  std::vector<std::string> all{"gravity", "run", "run.step", "ground.markers.a.position", "ground.markers.b", "bodies"};
  for (const std::string section : {"bodies", "joints", "forces"})
    for (const std::string name : {"a", "b", "a1", "a11"})
      for (const std::string rest : {"", ".mass", ".shapes", ".shapes[0]", ".shapes[1].size", ".shapes[0].size",
                                     ".markers.tip.position", ".mass.x", ".*"})
        all.push_back(section + "." + name + rest);
  return all;
}

TEST(ReadLog, FindsWhatAPlainTableFinds) {
  const std::vector<std::string> all = paths();
  std::mt19937 random(1);
  ReadLog log;
  std::map<std::string, std::pair<Place, bool>> table;
  for (int i = 0; i < 5000; ++i) {
    const std::string& path = all[random() % all.size()];
    if (i % 20 == 0) {
      const Place place{"file.yaml", 1 + static_cast<int>(random() % 9), 1};
      const bool good = random() % 2;
      log.record(path, place, good);
      table[path] = {place, good};
      continue;
    }
    const auto known = table.find(path);
    const Place* found = log.place_of(path);
    const bool good = known != table.end() && known->second.second;
    ASSERT_EQ(found != nullptr, good) << path;
    EXPECT_TRUE(!good || found->line == known->second.first.line) << path;
    EXPECT_EQ(log.is_faulty(path), known != table.end() && !good) << path;
  }
}

}  // namespace read_log_test
}  // namespace bricard::io
