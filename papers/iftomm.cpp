// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/io/model_reader.h"
#include "bricard/results/channels.h"
#include "papers/iftomm_problems.h"
#include "papers/study.h"

// The problems of the IFToMM benchmark library, and the heavy top, from their model files with the
// production code: errors at several steps, the order p in error ~ hᵖ, and the library's own
// criterion, the energy.
namespace bricard {
namespace {

using iftomm::Problem;
using iftomm::Quantity;

// What Newton's method leaves behind must stay far below the error of the formula, also at the
// finest step.
constexpr double kNewtonTolerance = 1e-12;
constexpr double kOrder = 2, kOrderTolerance = 0.15;
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// The states of one run.
struct Run {
  Model model;
  System system;
  Results results;
};

Run run_model(Model model, const std::vector<double>& at = {}) {
  System system = assemble(model);
  State start = initial_wishes(model, system);
  Results results;
  if (consistent_start(system, model.run.solver, start).assembled)
    results = simulate(system, start, model.run, {at, {}, {}});
  return {std::move(model), std::move(system), std::move(results)};
}

std::string name_of(const Channel& channel, const Column& column) {
  return channel.owner.empty() ? channel.name
                               : channel.owner + "." + channel.name + "." + column.name;
}

/// All channels at the times asked for.
using Table = std::map<double, std::map<std::string, double>>;

Table requested_values(const Run& run, const std::vector<double>& times) {
  Table table;
  Channels channels(run.model, run.system, run.results.report.start_energy);
  for (const Sample& sample : run.results.samples) {
    if (!sample.requested) continue;
    const std::vector<double>& values = channels.evaluate(sample);
    size_t next = 0;
    for (const double time : times)
      if (std::abs(time - sample.state.t) <= 1e-9 * time)
        for (const Channel& channel : channels.list())
          for (const Column& column : channel.columns)
            table[time][name_of(channel, column)] = values[next++];
  }
  return table;
}

/// The largest error of a quantity; not a number if a value is missing.
double error_of(const Quantity& quantity, const Table& table) {
  double largest = 0;
  for (const iftomm::ReferenceValue& reference : quantity.values) {
    const auto row = table.find(reference.time);
    if (row == table.end() || !row->second.count(reference.channel)) return kNothing;
    const double error = std::abs(row->second.at(reference.channel) - reference.value);
    largest = std::max(largest, quantity.unit.empty() ? error / std::abs(reference.value) : error);
  }
  return largest;
}

std::vector<double> times_of(const Problem& problem) {
  std::map<double, bool> times;
  for (const Quantity& quantity : problem.quantities)
    for (const iftomm::ReferenceValue& reference : quantity.values) times[reference.time] = true;
  std::vector<double> list;
  for (const auto& [time, used] : times) list.push_back(time);
  return list;
}

/// One row of the table: a step and the error of each quantity.
struct Row {
  double step;
  std::vector<double> errors;
  RunReport report;
};

Row measure(const Problem& problem, const StudyContext& context, double step) {
  Model model = io::read_model((context.models / problem.model).string());
  model.run.duration = problem.duration;
  model.run.step = step;
  model.run.tolerance = kNewtonTolerance;
  model.run.output_step.reset();
  const std::vector<double> times = times_of(problem);
  const Run run = run_model(std::move(model), times);
  const Table table = requested_values(run, times);
  Row row{step, {}, run.results.report};
  for (const Quantity& quantity : problem.quantities)
    row.errors.push_back(error_of(quantity, table));
  return row;
}

double order_between(const Row& coarse, const Row& fine, size_t quantity) {
  return std::log(coarse.errors[quantity] / fine.errors[quantity]) /
         std::log(coarse.step / fine.step);
}

std::string table_text(const Problem& problem, const std::vector<Row>& rows) {
  std::string text = fmt::format("{} ({})\n  {:>9}", problem.name, problem.model, "step [s]");
  for (const Quantity& quantity : problem.quantities) {
    const std::string unit = quantity.unit.empty() ? "relative" : quantity.unit;
    text += fmt::format("  {:>28} order", fmt::format("{} [{}]", quantity.name, unit));
  }
  text += fmt::format("  {:>10}  iterations/step\n", "energy [J]");
  for (size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("  {:>9.3g}", rows[i].step);
    for (size_t n = 0; n < problem.quantities.size(); ++n)
      text +=
          fmt::format("  {:>28.2e} {:>5}", rows[i].errors[n],
                      i == 0 ? "" : fmt::format("{:.2f}", order_between(rows[i - 1], rows[i], n)));
    const RunReport& report = rows[i].report;
    text += fmt::format("  {:>10.1e}  {:.2f}\n", report.max_energy_defect,
                        static_cast<double>(report.iterations) / static_cast<double>(report.steps));
  }
  return text + "\n";
}

void check_convergence(const Problem& problem, const std::vector<Row>& rows, Study& study) {
  for (size_t n = 0; n < problem.quantities.size(); ++n) {
    const Quantity& quantity = problem.quantities[n];
    const std::string name = problem.name + ", " + quantity.name;
    study.checks.push_back(compare(fmt::format("{}: error at h = {:g} s", name, rows.back().step),
                                   rows.back().errors[n], 0, quantity.tolerance));
    for (size_t i = 1; quantity.show_order && i < rows.size(); ++i)
      study.checks.push_back(compare(
          fmt::format("{}: order from h = {:g} to {:g} s", name, rows[i - 1].step, rows[i].step),
          order_between(rows[i - 1], rows[i], n), kOrder, kOrderTolerance));
  }
}

void check_energy(const Problem& problem, const StudyContext& context, Study& study) {
  Model model = io::read_model((context.models / problem.model).string());
  model.run.duration = problem.duration;
  model.run.step = problem.energy->step;
  model.run.output_step.reset();
  const Run run = run_model(std::move(model));
  const RunReport& report = run.results.report;
  study.checks.push_back(
      compare(fmt::format("{}: energy at h = {:g} s [J]", problem.name, problem.energy->step),
              report.finished ? report.max_energy_defect : kNothing, 0, problem.energy->tolerance));
}

void study_problem(const Problem& problem, const StudyContext& context, Study& study) {
  std::vector<Row> rows;
  for (const double step : problem.steps) rows.push_back(measure(problem, context, step));
  study.text += table_text(problem, rows);
  check_convergence(problem, rows, study);
  if (problem.energy) check_energy(problem, context, study);
}

// ---- N four-bars: 81 bars, 41 degrees of freedom in the singular positions
// ------------------------------------------

/// The top of the first bar by  θ'' = −ρ g cos θ,  ρ = ((N+1)/2 + N)/((N+1)/3 + N),  the law while
/// the bars stay parallel; classical Runge-Kutta with a step at which it has converged to 12
/// digits.
Vector3d exact_top(int loops, double end) {
  const double n = loops, rho = ((n + 1) / 2 + n) / ((n + 1) / 3 + n), h = 1e-4;
  const auto acceleration = [&](double angle) { return -rho * 9.81 * std::cos(angle); };
  double angle = std::numbers::pi / 2, speed = -1;  // tops move to the right
  for (long i = 0, steps = std::lround(end / h); i < steps; ++i) {
    const double v1 = speed, a1 = acceleration(angle);
    const double v2 = speed + h / 2 * a1, a2 = acceleration(angle + h / 2 * v1);
    const double v3 = speed + h / 2 * a2, a3 = acceleration(angle + h / 2 * v2);
    const double v4 = speed + h * a3, a4 = acceleration(angle + h * v3);
    angle += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    speed += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return {std::cos(angle), std::sin(angle), 0};
}

/// How far any bar is from parallel to the others of its kind (the level ones: to where they
/// started), in rad.
double largest_skew(const Run& run) {
  if (!run.results.report.finished) return kNothing;
  Kinematics k = run.system.make_kinematics();
  double skew = 0;
  for (const Sample& sample : run.results.samples) {
    run.system.update(sample.state, k);
    const Matrix3d upright = k.frames[1].R;  // the first body is the first upright
    for (size_t i = 0; i < run.model.bodies.size(); ++i) {
      const bool stands = run.model.bodies[i].name.starts_with("upright");
      const Matrix3d wanted = stands ? upright : Matrix3d::Identity();
      skew = std::max(skew, (k.frames[i + 1].R - wanted).cwiseAbs().maxCoeff());
    }
  }
  return skew;
}

// The limits: energy as for N = 2 in proportion to the energy at the start (0.1 J of 35.8 J); the
// position to 2 cm after five turns, as N = 2 has an error of about 4 mm at this step.
void study_many_loops(const StudyContext& context, Study& study) {
  const int loops = 40;
  Model model = io::read_model((context.models / "n_four_bar.yaml").string(), {{"N", loops}});
  model.run.duration = 10;
  model.run.step = 5e-3;
  const Run run = run_model(std::move(model), {10.0});
  const RunReport& report = run.results.report;
  const Table table = requested_values(run, {10.0});
  double error = kNothing;
  if (report.finished) {
    const std::map<std::string, double>& end = table.at(10.0);
    error = (Vector3d(end.at("B0.x"), end.at("B0.y"), 0) - exact_top(loops, 10)).norm();
  }
  const double skew = largest_skew(run),
               energy = report.finished ? report.max_energy_defect : kNothing;
  study.text += fmt::format(
      "A02 N = {} (n_four_bar.yaml), h = {:g} s: {} steps, {:.2f} iterations per step\n"
      "  energy error {:.2g} J of {:.4g} J, position error at 10 s {:.2e} m, bars parallel to "
      "{:.1e} rad\n",
      loops, 5e-3, report.steps,
      static_cast<double>(report.iterations) / std::max(1L, report.steps), energy,
      report.start_energy, error, skew);
  const std::string name = fmt::format("A02 N = {}, h = 0.005 s", loops);
  study.checks.push_back(compare(name + ": energy relative to the start",
                                 energy / report.start_energy, 0, 0.1 / 35.8));
  study.checks.push_back(compare(name + ": position at 10 s [m]", error, 0, 0.02));
  study.checks.push_back(compare(name + ": bars parallel at all times [rad]", skew, 0, 1e-6));
}

}  // namespace

Study reproduce_iftomm(const StudyContext& context) {
  Study study;
  study.name = "iftomm";
  study.description = "benchmark problems of the IFToMM library and the heavy top";
  for (const Problem& problem : iftomm::problems()) study_problem(problem, context, study);
  study_many_loops(context, study);
  return study;
}

}  // namespace bricard
