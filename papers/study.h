// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bricard/results/report.h"

// The studies behind `bricard reproduce NAME`: published numbers against the ones of this program.
// A new study is one file in this folder, one declaration here and one line in studies.cpp.
namespace bricard {

using Study = Report;

/// What a study finds around it.
struct StudyContext {
  std::filesystem::path models;  ///< the folder of the model files
  bool quick = false;            ///< the parts that take longest are shortened or left out, in studies that say so
};

struct StudyEntry {
  std::string name, description;
  std::function<Study(const StudyContext&)> reproduce;
};

/// All studies of this version, in the order in which `all` runs them.
std::vector<StudyEntry> studies();

/// Scaling and the augmented Lagrangian term (papers/scaling.cpp).
Study reproduce_000(const StudyContext& context);

/// Preconditioning (papers/preconditioning.cpp).
Study reproduce_001(const StudyContext& context);

/// Singular positions with augmented Lagrangian methods (papers/singular_positions.cpp).
Study reproduce_002(const StudyContext& context);

/// Linearization (papers/linearization.cpp).
Study reproduce_003(const StudyContext& context);

/// The IFToMM benchmark problems (papers/iftomm.cpp).
Study reproduce_iftomm(const StudyContext& context);

/// The comparison of six integrators of paper 004 (papers/six_integrators.cpp).
Study reproduce_six_integrators(const StudyContext& context);

/// Benchmark problems of flexible beams (papers/beams.cpp).
Study reproduce_beams(const StudyContext& context);

}  // namespace bricard
