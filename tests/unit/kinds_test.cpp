// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "bricard/assemble/assemble.h"
#include "bricard/model/enum_names.h"
#include "bricard/read/model_reader.h"
#include "generators/samples.h"

// Everything that lists kinds of forces and joints lists all of them.
namespace bricard::testing {
namespace kinds_test {

/// A section of docs/model_file.md.
std::string pages(const std::string& title) {
  std::ifstream file(std::string(BRICARD_SOURCE_DIR) + "/docs/model_file.md");
  std::ostringstream text;
  text << file.rdbuf();
  const std::string all = text.str(), heading = "\n## " + title + "\n";
  const size_t begin = all.find(heading);
  EXPECT_NE(begin, std::string::npos) << title;
  return all.substr(begin, all.find("\n## ", begin + heading.size()) - begin);
}

std::string quoted(const std::string& word) { return "`" + word + "`"; }

template <class Struct>
void expect_keys(const std::string& section) {
  const std::string text = pages(section);
  const auto expect = [&](const char* key) {
    EXPECT_NE(text.find(quoted(key)), std::string::npos) << section << ": " << key;
  };
  std::apply([&](const auto&... field) { (expect(field.name), ...); }, Struct::fields());
}

/// `a`, `b`; – if there are none.
std::string listed(const std::array<const char*, 3>& words, const std::string& none) {
  std::string text;
  for (const char* word : words)
    if (word) text += (text.empty() ? "" : ", ") + quoted(word);
  return text.empty() ? none : text;
}

TEST(Kinds, TheManualHasEveryForceWithItsKeys) {
  const std::string text = pages("Forces");
  for_each_force_list(ForceLists{}, [&]<class Force>(const std::vector<Force>&) {
    const bool in_forces = Force::kind.section == std::string("forces");
    if (in_forces) {
      EXPECT_NE(text.find(quoted(Force::kind.word)), std::string::npos) << Force::kind.word;
    }
    expect_keys<Force>(in_forces ? "Forces" : "Contacts");
  });
}

TEST(Kinds, TheManualHasEveryJointAsItIsDescribed) {
  const std::string text = pages("Joints");
  for (const JointKind& kind : kJointKinds) {
    const std::string aliases = listed(kind.aliases, "");
    const std::string row = "| " + quoted(kind.word) + " | " + aliases + (aliases.empty() ? "| " : " | ") +
                            kind.leaves_free + " | " + listed(kind.coordinates, "–") + " |\n";
    EXPECT_NE(text.find(row), std::string::npos) << row;
  }
  expect_keys<Joint>("Joints");
}

TEST(Kinds, TheManualHasTheKeysOfMotionsAndCouplers) {
  expect_keys<Motion>("Motions");
  expect_keys<Coupler>("Couplers");
}

TEST(Kinds, HaveWordsOfTheirOwn) {
  std::set<std::string> words;
  for (const std::string& word : force_words()) EXPECT_TRUE(words.insert(word).second) << word;
  words.clear();
  for (const io::EnumName<JointType>& entry : io::enum_names(JointType{}))
    EXPECT_TRUE(words.insert(entry.name).second) << entry.name;
}

TEST(Kinds, EveryForceIsReadAndMadeAndHasAScale) {
  const std::set<std::string> by_formulas{"force", "motor"};  // nobody knows how stiff they are
  for (const std::string& word : force_words()) {
    SCOPED_TRACE(word);
    const Model model = io::read_model_text(model_with_force(word, sample_force(word)), "test.yaml");
    size_t count = 0;
    for_each_force(model, [&]<class Force>(const Force&) {
      EXPECT_EQ(Force::kind.word, word);
      ++count;
    });
    EXPECT_EQ(count, 1);
    Model without = model;
    for_each_force_list(without, [](auto& list) { list.clear(); });
    const System system = assemble(model);
    EXPECT_EQ(system.batches().size(), assemble(without).batches().size() + 1);
    EXPECT_EQ(system.reference_stiffness > 0, by_formulas.count(word) == 0);
  }
}

TEST(Kinds, EveryJointIsReadAndMade) {
  for (const JointKind& kind : kJointKinds) {
    SCOPED_TRACE(kind.word);
    const System system = assemble(io::read_model_text(model_with_joint(kind), "test.yaml"));
    EXPECT_GT(system.multipliers(), 0);
    EXPECT_EQ(std::string(system.joints.at(0).type), kind.word);
    size_t named = 0;
    for (const char* name : kind.coordinates) named += name != nullptr;
    EXPECT_EQ(system.joints[0].coordinates.size(), named);
  }
}

}  // namespace kinds_test
}  // namespace bricard::testing
