// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/run_checks.h"

#include <cmath>

#include "bricard/check/checker.h"
#include "bricard/integrate/augmented_settings.h"
#include "bricard/integrate/step_control.h"
#include "bricard/model/integrator_kinds.h"

namespace bricard::io {
namespace {

constexpr double kMostSamplesInAStep = 1e5;

class RunChecker : Checker {
 public:
  using Checker::Checker;

  void check(const RunSettings& run) {
    check_ranges(run, "run");
    if (run.step > run.duration && run.duration > 0 && !log_.is_faulty("run.duration")) check_step_fits(run);
    require_within("run.alpha", run.alpha, -1.0 / 3, 0, "must be from -1/3 to 0");
    require_within("run.rho_infinity", run.rho_infinity, 0, 1, "must be from 0 to 1");
    require(run.gamma >= 0.5, "run.gamma", run.gamma, "must be >= 1/2");
    require(run.tolerance > 0 && run.tolerance <= 1e-2, "run.tolerance", run.tolerance, "must be > 0 and <= 0.01");
    require_within("run.max_iterations", run.max_iterations, 2, 100, "must be from 2 to 100");
    require(std::abs(run.b - 0.5) > 1e-6, "run.b", run.b,
            "must not be 1/2, where both constraint forces cannot be told apart");
    if (run.order) require_within("run.order", *run.order, 1, 5, "must be from 1 to 5");
    check_factors(run);
    if (run.passes) require_within("run.passes", *run.passes, 1, 100, "must be from 1 to 100");
    require_within("run.singular_refinement", run.singular_refinement, 1, 100, "must be from 1 to 100");
    check_tolerance(run);
    check_output(run);
    std::apply([&](const auto&... field) { (check_use(run, field.name), ...); }, RunSettings::fields());
  }

 private:
  void require_within(const std::string& path, double value, double least, double most, const std::string& rule) {
    require(value >= least && value <= most, path, value, rule);
  }

  /// Of the augmented Lagrangian methods. The automatic value is that for a motion of a hundredth of the model's size in a step.
  void check_factors(const RunSettings& run) {
    double mass = 0;
    for (const Body& body : model_.bodies) mass += body.mass / static_cast<double>(model_.bodies.size());
    const AugmentedParameters automatic = automatic_parameters(chosen_integrator(run), mass, run.step, 0.01);
    const auto check = [&](const char* name, const std::optional<double>& value, double chosen) {
      if (value)
        require(*value > 0, name, *value,
                fmt::format("must be > 0; if it is left out, the program takes about {:.2g}", chosen));
    };
    check("run.penalty", run.penalty, automatic.alpha);
    check("run.omega", run.omega, automatic.omega);
    check("run.xi", run.xi, automatic.xi);
  }

  void check_use(const RunSettings& run, const std::string& setting) {
    const Place* place = log_.place_of("run." + setting);
    const bool judged = setting == "rtol" || log_.is_faulty("run.integrator") || log_.is_faulty("run.rtol");
    if (!place || judged) return;  // check_tolerance has more to say about rtol
    if (const std::string why = why_unused(run, setting); !why.empty()) log_.fault(*place, "run." + setting, why);
  }

  void check_tolerance(const RunSettings& run) {
    if (run.rtol) require_within("run.rtol", *run.rtol, 1e-13, 0.1, "must be from 1e-13 to 0.1");
    check_smallest_step(run);
    if (!run.rtol || knows_its_error(chosen_integrator(run))) return;
    const std::string method = name_of(run.integrator),
                      rule = fmt::format(
                          "'{}' runs with fixed steps only; take hht, generalized-alpha, bdf or radau for a tolerance",
                          method);
    if (given("run.rtol")) return require(false, "run.rtol", *run.rtol, rule);
    if (const Place* place = log_.place_of("run.integrator"))
      log_.fault(*place, "run.integrator", fmt::format("{}; rtol is {}", rule, *run.rtol), method);
  }

  void check_smallest_step(const RunSettings& run) {
    const double hmax = run.hmax.value_or(kLargestOfDuration * run.duration);
    if (!run.rtol || !run.hmin || *run.hmin <= hmax || hmax <= 0) return;
    if (given("run.hmin"))
      return require(false, "run.hmin", *run.hmin,
                     fmt::format("must be <= hmax, which is {}{}", hmax,
                                 run.hmax ? "" : " (a twentieth of the duration) if not given"));
    require(false, "run.hmax", hmax, fmt::format("must be >= hmin, which is {}", *run.hmin));
  }

  /// All samples of one step are in memory at once.
  void check_output(const RunSettings& run) {
    if (!run.output_step || *run.output_step <= 0) return;  // the range of its field says what is wrong
    if (log_.is_faulty("run.step") || log_.is_faulty("run.duration")) return;
    const double longest = run.rtol ? run.hmax.value_or(kLargestOfDuration * run.duration) : run.step;
    const double least = longest / kMostSamplesInAStep;
    require(!(*run.output_step < least), "run.output_step", *run.output_step,
            fmt::format("must be >= {:.3g}, which is {:.0e} of {}", least, 1 / kMostSamplesInAStep,
                        run.rtol ? "the longest step, hmax" : "the step"));
  }

  // Of the two, the fault is where the user said something.
  void check_step_fits(const RunSettings& run) {
    const std::string rule = fmt::format("must be <= the duration, which is {}{}", run.duration,
                                         given("run.duration") ? "" : " if not given");
    if (given("run.step")) return require(false, "run.step", run.step, rule);
    require(false, "run.duration", run.duration,
            fmt::format("must be >= the step, which is {} if not given", run.step));
  }
};

}  // namespace

void check_run(const Model& model, ReadLog& log) { RunChecker(model, log).check(model.run); }

}  // namespace bricard::io
