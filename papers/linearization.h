// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "bricard/analysis/linearize.h"
#include "bricard/analysis/operating_point.h"
#include "bricard/io/linearization_reader.h"
#include "papers/study.h"

// Parts of the study of paper 003.
namespace bricard {

/// A model file, its operating point and its linear equations.
struct LinearCase {
  io::LinearModel read;
  std::unique_ptr<System> system;
  std::unique_ptr<LinearizeOptions> options;
  OperatingPoint point;
  std::unique_ptr<LinearEquations> equations;
};

/// Roots of the whirl of rotor and stator at Ω, 1/s: translation backward and forward, rocking backward and forward.
std::vector<std::complex<double>> rotor_whirl(double omega);

/// The numerical experiment with rotor and stator: random shaking of the base while the rotor runs up, then spectra
/// (papers/rotor_experiment.cpp).
void add_rotor_experiment(Study& study);

}  // namespace bricard
