// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
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
  return channel.owner.empty() ? channel.name : channel.owner + "." + channel.name + "." + column.name;
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
          for (const Column& column : channel.columns) table[time][name_of(channel, column)] = values[next++];
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
  for (const Quantity& quantity : problem.quantities) row.errors.push_back(error_of(quantity, table));
  return row;
}

double order_between(const Row& coarse, const Row& fine, size_t quantity) {
  return std::log(coarse.errors[quantity] / fine.errors[quantity]) / std::log(coarse.step / fine.step);
}

/// `position [m]`
std::string label_of(const Quantity& quantity) {
  return fmt::format("{} [{}]", quantity.name, quantity.unit.empty() ? "relative" : quantity.unit);
}

std::string title_of(const Problem& problem) { return fmt::format("{} ({})", problem.name, problem.model); }

std::string iterations_text(const RunReport& report) {
  return fmt::format("{:.2f}",
                     static_cast<double>(report.iterations) / static_cast<double>(std::max(1L, report.steps)));
}

/// What the orders between the finest steps say.
std::string order_verdict(const Problem& problem, const std::vector<Row>& rows) {
  double worst = 0;
  std::string missed;
  for (size_t n = 0; n < problem.quantities.size(); ++n) {
    if (!problem.quantities[n].show_order) continue;
    for (size_t i = 1; i < rows.size(); ++i) {
      const double distance = std::abs(order_between(rows[i - 1], rows[i], n) - kOrder);
      if (!(distance <= kOrderTolerance)) missed = problem.quantities[n].name;
      worst = std::max(worst, distance);
    }
  }
  if (!missed.empty()) return fmt::format("The errors do not fall with h² as they should: {}.", missed);
  return fmt::format("Errors fall with h², as the formula promises: orders are within {:.1g} of 2.", worst);
}

ReportTable make_table(const Problem& problem, const std::vector<Row>& rows) {
  ReportTable table{title_of(problem), {"step [s]"}, {}, order_verdict(problem, rows)};
  for (const Quantity& quantity : problem.quantities)
    table.columns.insert(table.columns.end(), {label_of(quantity), "order"});
  table.columns.insert(table.columns.end(), {"energy [J]", "iterations per step"});
  for (size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> cells{fmt::format("{:g}", rows[i].step)};
    for (size_t n = 0; n < problem.quantities.size(); ++n) {
      cells.push_back(fmt::format("{:.2e}", rows[i].errors[n]));
      cells.push_back(i == 0 ? "" : fmt::format("{:.2f}", order_between(rows[i - 1], rows[i], n)));
    }
    cells.push_back(fmt::format("{:.1e}", rows[i].report.max_energy_defect));
    cells.push_back(iterations_text(rows[i].report));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

ReportPlot make_plot(const Problem& problem, const std::vector<Row>& rows) {
  ReportPlot plot{title_of(problem), "step [s]", "largest error", true, true, {}, {kOrder}, ""};
  for (size_t n = 0; n < problem.quantities.size(); ++n) {
    ReportCurve curve{label_of(problem.quantities[n]), {}, {}, false};
    for (const Row& row : rows) {
      curve.x.push_back(row.step);
      curve.y.push_back(row.errors[n]);
    }
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

void check_convergence(const Problem& problem, const std::vector<Row>& rows, Study& study) {
  for (size_t n = 0; n < problem.quantities.size(); ++n) {
    const Quantity& quantity = problem.quantities[n];
    const std::string name = problem.name + ", " + quantity.name;
    study.checks.push_back(compare(fmt::format("{}: error at h = {:g} s", name, rows.back().step),
                                   rows.back().errors[n], 0, quantity.tolerance));
    for (size_t i = 1; quantity.show_order && i < rows.size(); ++i)
      study.checks.push_back(
          compare(fmt::format("{}: order from h = {:g} to {:g} s", name, rows[i - 1].step, rows[i].step),
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
  study.checks.push_back(compare(fmt::format("{}: energy at h = {:g} s [J]", problem.name, problem.energy->step),
                                 report.finished ? report.max_energy_defect : kNothing, 0, problem.energy->tolerance));
}

void study_problem(const Problem& problem, const StudyContext& context, Study& study) {
  std::vector<Row> rows;
  for (const double step : problem.steps) rows.push_back(measure(problem, context, step));
  study.tables.push_back(make_table(problem, rows));
  study.plots.push_back(make_plot(problem, rows));
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
  constexpr int loops = 40;
  constexpr double kStep = 5e-3;
  Model model = io::read_model((context.models / "n_four_bar.yaml").string(), {{"N", loops}});
  model.run.duration = 10;
  model.run.step = kStep;
  const Run run = run_model(std::move(model), {10.0});
  const RunReport& report = run.results.report;
  const Table table = requested_values(run, {10.0});
  double error = kNothing;
  if (report.finished) {
    const std::map<std::string, double>& end = table.at(10.0);
    error = (Vector3d(end.at("B0.x"), end.at("B0.y"), 0) - exact_top(loops, 10)).norm();
  }
  const double skew = largest_skew(run), energy = report.finished ? report.max_energy_defect : kNothing;
  study.tables.push_back(
      {fmt::format("A02 N = {} (n_four_bar.yaml): {} bars, singular positions in every turn", loops, 2 * loops + 1),
       {"step [s]", "steps", "iterations per step", "energy [J]", "energy at the start [J]", "position at 10 s [m]",
        "bars parallel [rad]"},
       {{fmt::format("{:g}", kStep), fmt::format("{}", report.steps), iterations_text(report),
         fmt::format("{:.2g}", energy), fmt::format("{:.4g}", report.start_energy), fmt::format("{:.2e}", error),
         fmt::format("{:.1e}", skew)}},
       "Each singular position has as many ways on as there are loops; the run must stay on the one where all bars "
       "remain parallel."});
  const std::string name = fmt::format("A02 N = {}, h = 0.005 s", loops);
  study.checks.push_back(compare(name + ": energy relative to the start", energy / report.start_energy, 0, 0.1 / 35.8));
  study.checks.push_back(compare(name + ": position at 10 s [m]", error, 0, 0.02));
  study.checks.push_back(compare(name + ": bars parallel at all times [rad]", skew, 0, 1e-6));
}

}  // namespace

Study reproduce_iftomm(const StudyContext& context) {
  Study study;
  study.name = "iftomm";
  study.description = "benchmark problems of the IFToMM library and the heavy top";
  study.text = "Each problem runs from its model file with the integrator of that file and several steps. Errors "
               "are the largest over the times for which reference values are known. Energy is the largest defect "
               "|T + V - E0 - work|.\n";
  for (const Problem& problem : iftomm::problems()) study_problem(problem, context, study);
  study_many_loops(context, study);
  return study;
}

}  // namespace bricard
