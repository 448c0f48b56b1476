// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/analysis/eigenmodes.h"
#include "bricard/results/report.h"

// Steady oscillation of the outputs when an input oscillates:  H(iω) = C (iω − A)⁻¹ B + D.
//                                                                            theory: docs/theory/linearization.md
namespace bricard {

struct FrequencyResponse {
  std::vector<double> frequencies;  ///< Hz
  std::vector<MatrixXcd> H;         ///< outputs by inputs, at each
};

/// A is brought to Hessenberg form once; each frequency then costs n² per input.
FrequencyResponse find_frequency_response(const Linearization& lin, const std::vector<double>& frequencies);

/// Phases in degrees of one output for one input, without jumps of a whole turn.
std::vector<double> phases_of(const FrequencyResponse& response, size_t output, size_t input);

/// Unit of an output per input.
std::string response_unit(const NamedQuantity& output, const NamedQuantity& input);

/// `count` values from `first` to `last`, evenly spaced in their logarithms.
std::vector<double> logarithmic(double first, double last, int count);

/// Bode plots: magnitude and phase of each output, one page per input.
Report frequency_report(const std::string& model, const Linearization& lin, const FrequencyResponse& response);

/// Frequency, then magnitude and phase in degrees of every pair.
std::string frequency_csv(const Linearization& lin, const FrequencyResponse& response);

}  // namespace bricard
