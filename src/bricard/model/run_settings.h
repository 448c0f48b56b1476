// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "bricard/model/fields.h"

// How a model is to be run.
namespace bricard {

/// What each is: integrator_kinds.h
enum class IntegratorType {
  automatic,
  hht,
  newmark,
  generalized_alpha,
  midpoint,
  nstiff,
  bdf,
  radau,
  radau_1,
  energy_decaying,
  nstiff_si2,
  hht_add,
  hht_si2,
  rk4,
  dopri,
  penalty_euler,
  al_euler,
  ah_euler,
  penalty,
  al,
  ah,
  alnr,
  ahnr,
  ali3
};
enum class SolverType { automatic, dense, skyline, sparse_ldlt, sparse_lu, klu };

/// What a run is computed in: six coordinates for each body, or points and vectors that bodies share.
enum class Coordinates { bodies, natural };

/// Whether velocities, accelerations and multipliers are made consistent after each step: never, where it is needed
/// (redundant constraints, singular positions, formulas without damping), always.
enum class ProjectionMode { none, automatic, full };

/// How the equations of a time step and their multipliers are scaled: rows times h² and s of the model; s = 1; not at all.
enum class Scaling { full, unit, none };

/// What a run starts from: the positions and velocities of the model file, or rest in the equilibrium near them.
enum class StartType { given, equilibrium };

struct RunSettings {
  double duration = 1;
  double step = 1e-3;
  std::optional<double> output_step;
  IntegratorType integrator = IntegratorType::automatic;
  double alpha = -0.05;
  double rho_infinity = 0.8;
  double beta = 0.25, gamma = 0.5;
  double b = 0;
  std::optional<int> order;
  std::optional<double> rtol;
  double atol = 0;
  std::optional<double> hmin, hmax;
  ProjectionMode projection = ProjectionMode::automatic;
  double tolerance = 1e-8;
  int max_iterations = 20;
  SolverType solver = SolverType::automatic;
  Scaling scaling = Scaling::full;
  double augmentation = 0;
  std::optional<double> reference_length;
  Coordinates coordinates = Coordinates::bodies;
  std::optional<double> penalty, omega, xi;
  std::optional<int> passes;
  int singular_refinement = 1;
  StartType start = StartType::given;
  static constexpr auto fields() {
    return std::tuple{
        field(&RunSettings::duration, "duration", "s", "simulated time, > 0", Range::positive),
        field(&RunSettings::step, "step", "s", "time step, > 0 and at most the duration", Range::positive),
        field(&RunSettings::output_step, "output_step", "s",
              "time between stored samples; if absent every step, but at most about 1000 samples", Range::positive),
        field(&RunSettings::integrator, "integrator", "",
              "automatic (hht, with rtol radau), or one of hht, newmark, generalized-alpha, midpoint, nstiff, bdf, "
              "radau, radau-1, "
              "energy-decaying, nstiff-si2, hht-add, hht-si2, rk4, dopri; augmented Lagrangian: penalty, al, ah, each "
              "also with "
              "-euler, alnr, ahnr or ali3"),
        field(&RunSettings::alpha, "alpha", "", "hht, hht-add, hht-si2: numerical damping, -1/3 (most) to 0 (none)"),
        field(&RunSettings::rho_infinity, "rho_infinity", "",
              "generalized-alpha: spectral radius at infinity, 0 (most damping) to 1 (none)"),
        field(&RunSettings::beta, "beta", "", "newmark: > 0", Range::positive),
        field(&RunSettings::gamma, "gamma", "", "newmark: >= 1/2"),
        field(&RunSettings::b, "b", "", "hht-add: weight of the constraint forces at the end of a step, not 1/2"),
        field(&RunSettings::order, "order", "", "bdf: 1 to 5; if absent 2, with rtol the best of 1 to 5 in each step"),
        field(&RunSettings::rtol, "rtol", "",
              "tolerance instead of a step: wanted error of positions per reference length and of angles in rad, 1e-13 "
              "to 0.1; "
              "`step` is then only the first guess"),
        field(&RunSettings::atol, "atol", "m", "with rtol: error of positions that is allowed besides, >= 0",
              Range::not_negative),
        field(&RunSettings::hmin, "hmin", "s", "with rtol: smallest step; if absent 1e-12 of the duration",
              Range::positive),
        field(&RunSettings::hmax, "hmax", "s", "with rtol: largest step; if absent a twentieth of the duration",
              Range::positive),
        field(&RunSettings::projection, "projection", "",
              "makes velocities, accelerations and multipliers consistent after a step: automatic (with redundant "
              "constraints, near singular positions, where bodies turn far in a step, without numerical damping), full "
              "(always) or none"),
        field(&RunSettings::tolerance, "tolerance", "", "Newton correction relative to the step's motion"),
        field(&RunSettings::max_iterations, "max_iterations", "", "of Newton's method per step, 2 to 100"),
        field(&RunSettings::solver, "solver", "", "automatic, dense, skyline, sparse-ldlt, sparse-lu or klu"),
        field(&RunSettings::scaling, "scaling", "",
              "of the equations and multipliers of a step: full (independent of step and masses), unit (of the step "
              "only) or none"),
        field(&RunSettings::augmentation, "augmentation", "", "augmented Lagrangian factor rho, >= 0",
              Range::not_negative),
        field(&RunSettings::reference_length, "reference_length", "m",
              "length that turns angles into lengths, > 0; if absent that of the model's joints", Range::positive),
        field(&RunSettings::coordinates, "coordinates", "",
              "bodies: six for each body; natural: points and vectors that neighbours share"),
        field(&RunSettings::penalty, "penalty", "",
              "augmented Lagrangian methods: factor of the constraints, as a mass (ali3: a stiffness), > 0; if absent "
              "chosen by "
              "the program"),
        field(&RunSettings::omega, "omega", "1/s",
              "the same, but ali3: stabilization frequency, > 0; if absent chosen by the program"),
        field(&RunSettings::xi, "xi", "",
              "the same, but ali3: stabilization damping, > 0; if absent chosen by the program"),
        field(&RunSettings::passes, "passes", "",
              "augmented Lagrangian methods: corrections per step, 1 to 100; if absent until they converge"),
        field(&RunSettings::singular_refinement, "singular_refinement", "",
              "parts into which a step near a singular position is cut, 1 to 100"),
        field(&RunSettings::start, "start", "",
              "given: from the positions and velocities of the file; static: from the equilibrium near them, with "
              "these velocities")};
  }
};

}  // namespace bricard
