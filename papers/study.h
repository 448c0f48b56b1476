// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// The studies behind `bricard reproduce NAME`: published numbers against the ones of this program.
// A new study is one file in this folder, one declaration here and one line in studies.cpp.
namespace bricard {

/// One number against its reference.
struct Check {
  std::string name;
  double value = 0, reference = 0, tolerance = 0;
  bool pass = false;
};

/// A check that passes if |value − reference| ≤ tolerance; a value that is not a number fails.
Check compare(std::string name, double value, double reference, double tolerance);

struct Study {
  std::string name, description;
  std::vector<Check> checks;
  std::string text;  ///< tables and remarks for people, shown above the checks
};

/// What a study finds around it.
struct StudyContext {
  std::filesystem::path models;  ///< the folder of the model files
};

struct StudyEntry {
  std::string name, description;
  std::function<Study(const StudyContext&)> reproduce;
};

/// All studies of this version, in the order in which `all` runs them.
std::vector<StudyEntry> studies();

/// Names of studies that later versions are to have.
std::vector<std::string> planned_studies();

/// The IFToMM benchmark problems (papers/iftomm.cpp).
Study reproduce_iftomm(const StudyContext& context);

}  // namespace bricard
