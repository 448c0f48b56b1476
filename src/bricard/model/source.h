// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

// Where in which file something was said, so that every message can point at it.
namespace bricard {

struct SourceFile {
  std::string path;
  std::string text;
};

/// A position in a model file; line and column count from 1, line 0: not from a file.
struct Place {
  std::string file;
  int line = 0, column = 0;
};

/// The name of another element, and where it was written.
struct Reference {
  std::string name;
  Place place;
};

struct Fault {
  Place place;
  std::string message;  ///< path of the element, what is wrong, what is allowed
};

/// `arm.yaml:41:7: joints.elbow.between: …`
std::string to_string(const Fault& fault);

/// The user's input is wrong. Carries every fault found; what() lists them, one per line.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(std::vector<Fault> faults);
  const std::vector<Fault>& faults() const { return faults_; }

 private:
  std::vector<Fault> faults_;
};

/// The candidate nearest to `word` in editing distance, "" if none is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace bricard
