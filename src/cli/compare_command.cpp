// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "bricard/analysis/compare_runs.h"
#include "bricard/assemble/assemble.h"
#include "bricard/model/enum_names.h"
#include "bricard/model/integrator_kinds.h"
#include "bricard/read/model_reader.h"
#include "bricard/report/report_writer.h"
#include "bricard/write/files.h"
#include "cli/commands.h"
#include "cli/run_input.h"
#include "cli/run_overrides.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

struct CompareOptions {
  std::string model, integrators = "all", steps, tolerances, reference, html;
  std::vector<std::string> quantities, parameters;
  bool json = false, quiet = false;
  RunOverrides settings;
};

// Formulas are compared: what Newton's method leaves behind must not show.
constexpr double kTolerance = 1e-12;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// `hht:alpha=-0.1` : an integrator, perhaps with settings of its own.
CompareMethod parse_method(const std::string& option, const std::string& text, const RunSettings& settings) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.empty() || parts[0].empty())
    throw UsageError(fmt::format("{}: the name of an integrator is missing", option));
  CompareMethod method{text, settings};
  std::vector<std::string> names;
  const io::EnumName<IntegratorType>* found = nullptr;
  for (const io::EnumName<IntegratorType>& entry : io::enum_names(IntegratorType{})) {
    names.push_back(entry.name);
    if (parts[0] == entry.name) found = &entry;
  }
  if (!found) throw UsageError(fmt::format("{} = {}: unknown integrator{}", option, parts[0], hint(parts[0], names)));
  method.settings.integrator = found->value;
  if (parts.size() == 1) return method;
  std::map<std::string, std::string> given;
  for (size_t i = 1; i < parts.size(); ++i) {
    const size_t equals = parts[i].find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("{} = {}: expected integrator:setting=value, as hht:alpha=-0.1", option, text));
    const std::string field = parts[i].substr(0, equals);
    for (const char* common :
         {"duration", "step", "output_step", "integrator", "start", "rtol", "atol", "hmin", "hmax"})
      if (field == common)
        throw UsageError(
            fmt::format("{} = {}: {} is not a setting of one integrator; runs have fixed steps and the same "
                        "duration and start",
                        option, text, field));
    given[field] = parts[i].substr(equals + 1);
  }
  method.settings = RunOverrides(given).apply(method.settings);
  return method;
}

/// Every integrator that there is (and can adapt its steps), or those of the list.
std::vector<CompareMethod> parse_methods(const std::string& text, const RunSettings& settings, bool by_tolerance) {
  std::vector<CompareMethod> methods;
  if (text == "all") {
    for (const IntegratorKind& kind : integrator_kinds())
      if (!by_tolerance || knows_its_error(kind.type))
        methods.push_back(parse_method("--integrators", kind.word, settings));
    return methods;
  }
  for (const std::string& part : split(text, ',')) {
    for (const CompareMethod& method : methods)
      if (method.name == part) throw UsageError(fmt::format("--integrators: {} is given twice", part));
    methods.push_back(parse_method("--integrators", part, settings));
    if (by_tolerance && !knows_its_error(methods.back().settings.integrator))
      throw UsageError(fmt::format("--integrators: {} does not estimate its error; give --steps", part));
  }
  if (methods.empty()) throw UsageError("--integrators: the list is empty; give names, or all");
  return methods;
}

double parse_step(const char* option, const std::string& text, double duration) {
  const double step = parse_number(option, text, "s");
  if (!(step > 0 && step <= duration))
    throw UsageError(
        fmt::format("{} = {}: must be > 0 and at most the duration, which is {:g} s", option, text, duration));
  return step;
}

/// From coarse to fine; without a list four, two and one times the step of the model.
std::vector<double> parse_steps(const std::string& text, const RunSettings& run) {
  std::vector<double> steps;
  if (text.empty()) {
    for (const double factor : {4, 2, 1})
      if (factor * run.step <= run.duration) steps.push_back(factor * run.step);
    return steps;
  }
  for (const std::string& part : split(text, ',')) steps.push_back(parse_step("--steps", part, run.duration));
  std::sort(steps.begin(), steps.end(), std::greater<>());
  for (size_t i = 1; i < steps.size(); ++i)
    if (steps[i] == steps[i - 1]) throw UsageError(fmt::format("--steps: {:g} is given twice", steps[i]));
  return steps;
}

/// From coarse to fine.
std::vector<double> parse_tolerances(const std::string& text) {
  std::vector<double> tolerances;
  for (const std::string& part : split(text, ',')) {
    const double rtol = parse_number("--rtols", part, "");
    if (!(rtol >= 1e-12 && rtol <= 0.1)) throw UsageError(fmt::format("--rtols = {}: must be from 1e-12 to 0.1", part));
    tolerances.push_back(rtol);
  }
  std::sort(tolerances.begin(), tolerances.end(), std::greater<>());
  for (size_t i = 1; i < tolerances.size(); ++i)
    if (tolerances[i] == tolerances[i - 1])
      throw UsageError(fmt::format("--rtols: {:g} is given twice", tolerances[i]));
  return tolerances;
}

/// METHOD:STEP; without it the most accurate method that there is, four times as fine as the finest step. `richardson` is
/// generalized-alpha extrapolated, which judges Radau's method without being one.
CompareReference parse_reference(const std::string& text, const RunSettings& settings, double finest) {
  if (text.empty()) return {parse_method("", name_of(IntegratorType::radau), settings), finest / 4, false};
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0)
    throw UsageError(fmt::format("--reference = {}: expected METHOD:STEP, as radau:1e-4 or richardson:1e-4", text));
  const std::string name = text.substr(0, colon);
  const bool extrapolate = name == "richardson";
  const CompareMethod method =
      parse_method("--reference", extrapolate ? name_of(IntegratorType::generalized_alpha) : name, settings);
  const double step = parse_step("--reference", text.substr(colon + 1), settings.duration);
  if (!(step < finest))
    throw UsageError(
        fmt::format("--reference = {}: its step must be smaller than all of --steps, the smallest of which "
                    "is {:g} s",
                    text, finest));
  return {method, step, extrapolate};
}

void check_quantities(const std::vector<std::string>& wanted, const Model& model, const System& system) {
  if (wanted.empty()) return;
  const std::vector<std::string> names = quantity_names(model, system);
  for (const std::string& name : wanted)
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const std::string near = did_you_mean(name, names);
      throw UsageError(fmt::format("--quantity = {}: no such quantity{}", name,
                                   near.empty() ? "; the columns of `bricard run --csv` have their names"
                                                : fmt::format("; did you mean '{}'?", near)));
    }
}

int compare(const CompareOptions& o) {
  Model model = io::read_model_text(io::read_file(o.model), o.model, parse_parameters(o.parameters));
  model.run.integrator = IntegratorType::hht;  // which looks at all settings that runs share; each run has its own
  model.run = o.settings.apply(model.run);
  ComparePlan plan;
  plan.by_tolerance = !o.tolerances.empty();
  if (!o.settings.gives("tolerance") && !plan.by_tolerance)
    model.run.tolerance = std::min(model.run.tolerance, kTolerance);
  plan.methods = parse_methods(o.integrators, model.run, plan.by_tolerance);
  plan.steps = plan.by_tolerance ? parse_tolerances(o.tolerances) : parse_steps(o.steps, model.run);
  plan.reference = plan.by_tolerance ? CompareReference{parse_method("", name_of(IntegratorType::radau), model.run),
                                                        std::max(1e-13, 1e-2 * plan.steps.back()), false}
                                     : parse_reference(o.reference, model.run, plan.steps.back());
  plan.quantities = o.quantities;
  if (!o.html.empty()) check_output(model, o.html);
  const System system = assemble(model);
  check_quantities(o.quantities, model, system);

  const InterruptNote note;
  const StartState start = find_start(model, system, model.run.start);
  ProgressLine line(!o.quiet);
  const Comparison comparison =
      compare_runs(model, system, start.state, plan,
                   {[] { return InterruptNote::signal() != 0; }, [&](const std::string& run) { line.begin(run); },
                    [&](const Progress& progress) { line.show(progress); }});
  line.clear();
  const Report report = comparison_report(model, plan, comparison);
  if (!o.html.empty()) io::write_file(o.html, io::report_page(report));
  print(o.json ? io::report_json(report) : io::report_text(report));
  if (comparison.interrupted) return 128 + InterruptNote::signal();
  const bool some =
      std::any_of(comparison.runs.begin(), comparison.runs.end(), [](const ComparedRun& run) { return run.finished; });
  return some && comparison.has_reference ? kGood : kNotFinished;
}

constexpr const char* kCompareFooter =
    "Errors are measured against a reference: radau, four times as fine as the smallest step, or what\n"
    "--reference says; there, richardson is generalized-alpha with Richardson extrapolation.\n"
    "An integrator may bring its own settings, as hht:alpha=-0.3 or newmark:beta=0.3025:gamma=0.6.\n"
    "Newton's method goes on to a tolerance of 1e-12 unless --tolerance says otherwise.\n"
    "A run that fails is reported with its reason. Ctrl-C keeps the runs that are done.\n\n"
    "Exit code 0 if there is a reference and a run reached its end, else 1.\n\n"
    "Examples:\n"
    "  bricard compare models/pendulum.yaml --steps 4e-3,2e-3,1e-3 -o pendulum.html\n"
    "  bricard compare models/andrews.yaml --integrators hht,bdf,radau --rtols 1e-3,1e-5,1e-7\n"
    "  bricard compare models/four_bar.yaml --integrators hht:alpha=-0.3,hht:alpha=-0.05 --json";

}  // namespace

void add_compare_command(Program& app, int& exit_code) {
  const auto o = std::make_shared<CompareOptions>();
  Command* command = app.add_subcommand("compare", "Errors, orders, drift and time of several integrators and steps");
  command->add_option("MODEL", o->model, "The model file (YAML)")->required()->type_name("");
  command->add_option("--integrators", o->integrators, "Their names, or `all`")->type_name("A,B,..");
  command->add_option("--steps", o->steps, "Time steps in s; if absent 4, 2 and 1 times that of the file")
      ->type_name("H1,H2,..");
  command
      ->add_option("--rtols", o->tolerances,
                   "Tolerances in the place of steps; the reference is radau, 100 times finer")
      ->type_name("R1,R2,..")
      ->excludes("--steps");
  command->add_option("--reference", o->reference, "What is taken for exact")
      ->type_name("METHOD:STEP")
      ->excludes("--rtols");
  command->add_option("--quantity", o->quantities, "Also the error of this, as hinge.angle; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command->add_option("-o,--html", o->html, "Write a page with tables and plots")->type_name("FILE");
  command->add_flag("--json", o->json, "Print all numbers as JSON");
  command->add_option("--set", o->parameters, "Set a parameter of the model; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_flag("-q,--quiet", o->quiet, "No progress on stderr");
  o->settings.add_options(*command,
                          {"duration", "tolerance", "max_iterations", "solver", "projection", "augmentation", "start"});
  command->footer(kCompareFooter);
  command->callback([o, &exit_code] { exit_code = compare(*o); });
}

}  // namespace bricard::cli
