// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bricard/analysis/simulate.h"
#include "bricard/model/model.h"
#include "bricard/results/report.h"

// One model with several integrators and steps (or tolerances): errors against a reference, orders, energy, drift and work.
//     positions    largest |δ| of any body between run and reference, turns as arcs at the reference length ℓ_r,
//                  relative to the largest motion of any body away from the start
//     velocities   largest difference of any body, relative to the largest velocity; turns as above
//     reactions    largest difference of any joint's force (torque/ℓ_r), relative to the largest reaction
//     quantities   |difference| of a channel, relative to its largest value
namespace bricard {

/// An integrator with its parameters, under the name it is shown by.
struct CompareMethod {
  std::string name;
  RunSettings settings;  ///< step or rtol, and output_step, are set by the comparison
};

/// What the errors are measured against. A method that is compared with a finer run of its own kind would not see an
/// error that both share; hence a method of higher order, or extrapolation.
struct CompareReference {
  CompareMethod method;
  double step = 0;           ///< or rtol
  bool extrapolate = false;  ///< Richardson's (4 y_h − y_2h)/3, for methods of order two
};

struct ComparePlan {
  std::vector<CompareMethod> methods;
  std::vector<double> steps;  ///< from coarse to fine: time steps in s or, by tolerance, values of rtol
  bool by_tolerance = false;
  CompareReference reference;
  std::vector<std::string> quantities;  ///< names as quantity_names() lists them
};

struct CompareHooks {
  std::function<bool()> cancelled;
  std::function<void(const std::string& run)> begin;  ///< called before each run with its name
  std::function<void(const Progress&)> progress;
};

/// Relative errors; not a number where there is none.
struct RunErrors {
  double positions, velocities, reactions;
  std::vector<double> quantities;
};

struct ComparedRun {
  std::string method;
  double step = 0;  ///< or rtol
  bool finished = false;
  std::string problem;     ///< in plain words, if not finished
  RunErrors largest, end;  ///< largest over all times of the comparison; at its end
  RunReport report;
  double seconds = 0;  ///< of stepping; of short runs the fastest of three
};

struct Comparison {
  std::vector<ComparedRun> runs;  ///< by method, from coarse to fine; those that were done
  size_t planned = 0;             ///< number of runs
  std::vector<double> times;      ///< at which errors were measured
  bool has_reference = false;
  std::string reference_problem;  ///< why there is none
  RunErrors uncertainty;          ///< of the reference, estimated from coarser steps of its own
  double reference_seconds = 0;
  double reference_length = 1;
  bool has_reactions = false, interrupted = false;
};

/// `hinge.angle`, `rod.position.x` …
std::vector<std::string> quantity_names(const Model& model, const System& system);

/// Runs everything, the coarse steps of all methods first. A run that fails is kept with its reason.
Comparison compare_runs(const Model& model, const System& system, const State& start, const ComparePlan& plan,
                        const CompareHooks& hooks = {});

/// `0.001 s` or `rtol 1e-05`.
std::string resolution_text(const ComparePlan& plan, double step);

/// Tables and plots of a comparison.
Report comparison_report(const Model& model, const ComparePlan& plan, const Comparison& comparison);

}  // namespace bricard
