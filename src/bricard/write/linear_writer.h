// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/analysis/campbell.h"
#include "bricard/analysis/frequency_response.h"
#include "bricard/analysis/linearize.h"
#include "bricard/write/result_file.h"

// Linearized equations and modes in the formats that other programs read.
namespace bricard::io {

/// Endings of the files that write_linearization knows.
const std::vector<std::string>& linear_formats();

/// By the ending of `path`:
///   .json  everything;  .mat  MATLAB 5;  .npz  numpy: matrices, names and units of states, inputs and outputs
///   .csv, .mtx  one file per matrix, name_A.csv …, with names in the first row and column; Matrix Market without names
/// Returns the files. Throws FileError.
std::vector<std::string> write_linearization(const Linearization& linearization, const std::string& point,
                                             const std::string& path);

/// The files that write_linearization would write.
std::vector<std::string> files_of(const std::string& path);

std::string linearization_json(const Linearization& linearization, const std::string& point);
std::string modes_json(const EigenmodeResult& result, const Model& model, const System& system, const State& s,
                       const LinearizeReport& report, const std::string& point);
/// One line per mode: eigenvalue, frequency, damping, label.
std::string modes_csv(const std::vector<Eigenmode>& modes);

/// What a viewer needs to show modes: poses of all bodies and how they move.
ModeTable mode_table(const std::vector<Eigenmode>& modes, const Model& model, const System& system, const State& s);
CampbellTable campbell_table(const CampbellPlan& plan, const Campbell& campbell);
ResponseTable response_table(const Linearization& linearization, const FrequencyResponse& response);

/// A result file with one state, to which one of these tables is added.
ResultFile state_file(const Model& model, const System& system, const State& s, const std::string& analysis);

}  // namespace bricard::io
