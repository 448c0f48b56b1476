// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "bricard/model/fields.h"

// How a model is to be run.
namespace bricard {

enum class IntegratorType { hht, newmark, generalized_alpha };
enum class SolverType { automatic, dense, skyline, sparse_ldlt, sparse_lu, klu };

/// Whether velocities, accelerations and multipliers are made consistent after each step: never, where it is needed
/// (redundant constraints, singular positions, formulas without damping), always.
enum class ProjectionMode { none, automatic, full };

/// What a run starts from: the positions and velocities of the model file, or rest in the equilibrium near them.
enum class StartType { given, equilibrium };

struct RunSettings {
  double duration = 1;
  double step = 1e-3;
  std::optional<double> output_step;
  IntegratorType integrator = IntegratorType::hht;
  double alpha = -0.05;
  double rho_infinity = 0.8;
  double beta = 0.25, gamma = 0.5;
  ProjectionMode projection = ProjectionMode::automatic;
  double tolerance = 1e-8;
  int max_iterations = 20;
  SolverType solver = SolverType::automatic;
  double augmentation = 0;
  StartType start = StartType::given;
  static constexpr auto fields() {
    return std::tuple{
        field(&RunSettings::duration, "duration", "s", "simulated time, > 0"),
        field(&RunSettings::step, "step", "s", "time step, > 0 and at most the duration"),
        field(&RunSettings::output_step, "output_step", "s",
              "time between stored samples; if absent every step, but at most about 1000 samples"),
        field(&RunSettings::integrator, "integrator", "", "hht, newmark or generalized-alpha"),
        field(&RunSettings::alpha, "alpha", "", "hht: numerical damping, -1/3 (most) to 0 (none)"),
        field(&RunSettings::rho_infinity, "rho_infinity", "",
              "generalized-alpha: spectral radius at infinity, 0 (most damping) to 1 (none)"),
        field(&RunSettings::beta, "beta", "", "newmark: > 0"),
        field(&RunSettings::gamma, "gamma", "", "newmark: >= 1/2"),
        field(&RunSettings::projection, "projection", "",
              "makes velocities, accelerations and multipliers consistent after a step: automatic (with redundant "
              "constraints, near singular positions, without numerical damping), full (always) or none"),
        field(&RunSettings::tolerance, "tolerance", "", "Newton correction relative to the step's motion"),
        field(&RunSettings::max_iterations, "max_iterations", "", "of Newton's method per step, 2 to 100"),
        field(&RunSettings::solver, "solver", "", "automatic, dense, skyline, sparse-ldlt, sparse-lu or klu"),
        field(&RunSettings::augmentation, "augmentation", "", "augmented Lagrangian factor rho, >= 0"),
        field(&RunSettings::start, "start", "", "given: from the positions and velocities of the file; static: from rest in the equilibrium near them")};
  }
};

constexpr const char* name_of(IntegratorType type) {
  switch (type) {
    case IntegratorType::hht: return "hht";
    case IntegratorType::newmark: return "newmark";
    case IntegratorType::generalized_alpha: return "generalized-alpha";
  }
  return "";
}

}  // namespace bricard
