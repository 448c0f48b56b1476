// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "bricard/analysis/linearize.h"
#include "bricard/analysis/operating_point.h"
#include "bricard/read/linearization_reader.h"
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

/// Throws std::runtime_error if there is no such operating point.
LinearCase linear_case(const StudyContext& context, const std::string& name, const io::Overrides& parameters,
                       PointType type, const std::string& reference);

/// Roots of the whirl of rotor and stator at Ω, 1/s: translation backward and forward, rocking backward and forward.
std::vector<std::complex<double>> rotor_whirl(double omega);

/// The numerical experiment with rotor and stator: random shaking of the base while the rotor runs up, then spectra
/// (papers/rotor_experiment.cpp).
void add_rotor_experiment(Study& study);

/// The washing machine and the all-terrain vehicle against two ways of numerical differentiation
/// (papers/linearized_machines.cpp).
void add_machines(const StudyContext& context, Study& study);

}  // namespace bricard
