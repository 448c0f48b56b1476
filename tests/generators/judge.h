// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "generators/families.h"

// Runs a drawn mechanism in the program and holds what comes out against the witness.
namespace bricard::testing {

/// Largest errors by what is compared, each relative to its bound: good is what is not above 1.
struct Judgement {
  std::map<std::string, double> errors;
  std::string stopped;  ///< why a run did not reach its end or was refused; "" if all did
  std::string said;     ///< what the program itself had against a run: no wrong answer, but none either
  std::string model;    ///< the text of the first run that was not good, or else of the first run
  bool good() const;
  void note(const std::string& what, double error, double bound);
};

/// Runs as it stands and in another writing, by `kinematics` if driven, in the plane if planar; free ones also with a
/// tolerance.
Judgement judge(const Family& family, unsigned seed);

/// Counts of one family, printed as a row of a table.
class Tally {
 public:
  explicit Tally(std::string family) : family_(std::move(family)) {}
  void add(unsigned seed, const Judgement& judgement);
  int bad() const { return count_ - good_; }
  int without_answer() const { return said_; }
  /// One row for the table, and lines for what failed.
  std::string text() const;

 private:
  std::string family_;
  int count_ = 0, good_ = 0, said_ = 0;
  std::map<std::string, double> worst_;
  std::map<std::string, int> above_;
  std::vector<std::string> failures_;
};

/// How many mechanisms are drawn: `usual`, or the number in the environment variable BRICARD_GENERATORS.
int wanted_count(int usual, int full);

}  // namespace bricard::testing
