// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "generators/judge.h"

// Random mechanisms against minimal coordinates. More of them, and single ones again:
//   BRICARD_GENERATORS=full build/bricard_tests --gtest_filter='*Mechanisms*'    docs/reliability.md
//   BRICARD_SEED=17 BRICARD_DUMP=/tmp build/bricard_tests --gtest_filter='*Mechanisms*four_bar'
namespace bricard::testing {

void PrintTo(const Family& f, std::ostream* out);
void PrintTo(const Family& f, std::ostream* out) { *out << f.name; }

namespace mechanisms_test {

class Mechanisms : public ::testing::TestWithParam<Family> {};

TEST_P(Mechanisms, MoveAndReactAsInMinimalCoordinates) {
  const char* one = std::getenv("BRICARD_SEED");
  const unsigned first = one ? std::atoi(one) : 0, count = one ? 1 : wanted_count(25, GetParam().redundant ? 320 : 340);
  Tally tally(GetParam().name);
  for (unsigned seed = first; seed < first + count; ++seed)
    tally.add(seed, judge(GetParam(), seed));  // driven and free in turn
  std::cout << tally.text();
  EXPECT_EQ(tally.bad(), 0);
}

/// Short links and hinges almost in line: pivots alone do not tell how many of their equations are redundant.
TEST(RandomMechanisms, WithRowsThatAreHardToCountReactAsInMinimalCoordinates) {
  const std::map<std::string, std::vector<unsigned>> seeds = {{"several loops", {68, 130}},
                                                              {"parallelograms", {40}},
                                                              {"Bennett", {161, 173}},
                                                              {"Sarrus", {97}},
                                                              {"Bricard, line-symmetric", {180, 240, 283}},
                                                              {"Bricard, plane-symmetric", {69, 98, 148}},
                                                              {"Bricard, threefold", {100, 242}}};
  for (const Family& family : all_families()) {
    if (!seeds.contains(family.name)) continue;
    Tally tally(family.name);
    for (const unsigned seed : seeds.at(family.name)) tally.add(seed, judge(family, seed));
    EXPECT_EQ(tally.bad(), 0) << tally.text();
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Mechanisms, ::testing::ValuesIn(all_families()), [](const auto& i) {
  std::string name;
  for (const char c : i.param.name)
    if (std::isalnum(c) || c == ' ' || c == '-') name += std::isalnum(c) ? c : '_';
  return name;
});

}  // namespace mechanisms_test
}  // namespace bricard::testing
