// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "bricard/analysis/compare_runs.h"

namespace bricard {
namespace {

constexpr const char* kErrorsAtEnd = "Relative errors at the end";
constexpr const char* kDrift = "Energy and constraints";

std::string resolution(const ComparePlan& plan) { return plan.by_tolerance ? "rtol" : "step [s]"; }

std::string errors_title(const Comparison& comparison) {
  if (comparison.times.size() == 1) return kErrorsAtEnd;
  return fmt::format("Relative errors, the largest of {} times", comparison.times.size());
}

/// One kind of error: where it is found, and what it is called.
struct ErrorKind {
  std::string name;
  std::function<double(const RunErrors&)> of;
};

std::vector<ErrorKind> error_kinds(const ComparePlan& plan, const Comparison& comparison) {
  std::vector<ErrorKind> kinds{{"positions", [](const RunErrors& e) { return e.positions; }},
                               {"velocities", [](const RunErrors& e) { return e.velocities; }}};
  if (comparison.has_reactions) kinds.push_back({"reactions", [](const RunErrors& e) { return e.reactions; }});
  for (size_t i = 0; i < plan.quantities.size(); ++i)
    kinds.push_back({plan.quantities[i], [i](const RunErrors& e) { return e.quantities[i]; }});
  return kinds;
}

using Value = std::function<double(const ComparedRun&)>;

/// p of y ∝ hᵖ between a run and the one before it; not a number for the first of a method or where a value is missing.
double order_at(const std::vector<ComparedRun>& runs, size_t i, const Value& value) {
  if (i == 0 || runs[i - 1].method != runs[i].method) return NAN;
  return std::log(value(runs[i - 1]) / value(runs[i])) / std::log(runs[i - 1].step / runs[i].step);
}

std::string order_text(double order) { return std::isfinite(order) ? fmt::format("{:.2f}", order) : ""; }

/// An error, but not a number where it drowns in that of the reference or in round-off.
double seen(double error, double uncertainty) { return error > 2 * uncertainty ? error : NAN; }

double energy_defect(const ComparedRun& run) {
  const RunReport& r = run.report;
  const double round_off = 1e-14 * std::max({std::abs(r.start_energy), std::abs(r.end_energy), std::abs(r.work)});
  return seen(r.max_energy_defect, round_off);
}

double velocity_drift(const ComparedRun& run) { return seen(run.report.max_velocity_violation, 1e-12); }

/// The curve of each method over the steps.
std::vector<ReportCurve> curves(const ComparePlan& plan, const Comparison& comparison, const Value& x, const Value& y) {
  std::vector<ReportCurve> list;
  for (const CompareMethod& method : plan.methods) {
    ReportCurve curve{method.name, {}, {}, false};
    for (const ComparedRun& run : comparison.runs)
      if (run.method == method.name && run.finished) curve.x.push_back(x(run)), curve.y.push_back(y(run));
    if (!curve.x.empty()) list.push_back(std::move(curve));
  }
  return list;
}

/// The whole orders that curves are near to.
std::vector<double> whole_orders(const std::vector<ReportCurve>& list) {
  std::set<double> orders;
  for (const ReportCurve& curve : list) {
    const double p = fitted_slope(curve), whole = std::round(p);
    if (whole >= 1 && std::abs(p - whole) < 0.2) orders.insert(whole);
  }
  return {orders.begin(), orders.end()};
}

double step_of(const ComparedRun& run) { return run.step; }

ReportPlot step_plot(const ComparePlan& plan, const Comparison& comparison, const std::string& title,
                     const std::string& label, const Value& value) {
  ReportPlot plot{title, resolution(plan), label, true, true, curves(plan, comparison, step_of, value), {}, ""};
  plot.slopes = whole_orders(plot.curves);
  return plot;
}

ReportTable error_table(const ComparePlan& plan, const Comparison& comparison, const std::vector<ErrorKind>& kinds,
                        bool at_end) {
  const auto errors = [&](const ComparedRun& run) -> const RunErrors& { return at_end ? run.end : run.largest; };
  ReportTable table{at_end ? kErrorsAtEnd : errors_title(comparison), {"integrator", resolution(plan)}, {}, ""};
  for (const ErrorKind& kind : kinds) table.columns.insert(table.columns.end(), {kind.name, "order"});
  for (size_t i = 0; i < comparison.runs.size(); ++i) {
    const ComparedRun& run = comparison.runs[i];
    std::vector<std::string> row{run.method, fmt::format("{:g}", run.step)};
    for (const ErrorKind& kind : kinds) {
      const double error = kind.of(errors(run)), uncertainty = kind.of(comparison.uncertainty);
      const Value value = [&](const ComparedRun& r) { return seen(kind.of(errors(r)), uncertainty); };
      row.push_back(!run.finished         ? "failed"
                    : error > uncertainty ? fmt::format("{:.2e}", error)
                                          : fmt::format("<{:.0e}", uncertainty));
      row.push_back(order_text(order_at(comparison.runs, i, value)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportTable drift_table(const ComparePlan& plan, const Comparison& comparison) {
  ReportTable table{kDrift,
                    {"integrator", resolution(plan), "energy defect [J]", "order", "position constraints [m]",
                     "velocity constraints [m/s]", "order"},
                    {},
                    "Largest |T + V - E0 - work|, |g| and |dg/dt| of the run."};
  for (size_t i = 0; i < comparison.runs.size(); ++i) {
    const ComparedRun& run = comparison.runs[i];
    std::vector<std::string> row{run.method, fmt::format("{:g}", run.step)};
    if (run.finished) {
      row.insert(row.end(), {fmt::format("{:.2e}", run.report.max_energy_defect),
                             order_text(order_at(comparison.runs, i, energy_defect)),
                             fmt::format("{:.1e}", run.report.max_position_violation),
                             fmt::format("{:.1e}", run.report.max_velocity_violation),
                             order_text(order_at(comparison.runs, i, velocity_drift))});
    } else {
      row.push_back("failed");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The time in which a method reaches an error, between its runs on straight lines in the logarithms; the time of the
/// coarsest run if that is good enough.
double time_for(const ReportCurve& work, double error) {
  for (size_t i = 0; i < work.x.size(); ++i) {
    if (!(work.y[i] <= error)) continue;
    if (i == 0 || !(work.y[i - 1] > error)) return work.x[i];
    const double part = std::log(work.y[i - 1] / error) / std::log(work.y[i - 1] / work.y[i]);
    return work.x[i - 1] * std::pow(work.x[i] / work.x[i - 1], part);
  }
  return NAN;
}

/// The order of the methods by the time they need for an error that all of them reach.
std::string work_verdict(const std::vector<ReportCurve>& work) {
  double error = 0;
  for (const ReportCurve& curve : work) {
    double best = INFINITY;
    for (const double y : curve.y) best = std::isfinite(y) ? std::min(best, y) : best;
    if (std::isfinite(best)) error = std::max(error, best);
  }
  std::vector<std::pair<double, std::string>> times;
  for (const ReportCurve& curve : work)
    if (const double time = time_for(curve, error); std::isfinite(time)) times.emplace_back(time, curve.name);
  if (error == 0 || times.size() < 2) return "";
  std::sort(times.begin(), times.end());
  std::string text = fmt::format("Time for an error of {:.2g} in positions, which all reach:", error);
  for (size_t i = 0; i < times.size(); ++i)
    text += fmt::format("{} {} {:.2g} s", i == 0 ? "" : ",", times[i].second, times[i].first);
  return text + ".";
}

ReportTable work_table(const ComparePlan& plan, const Comparison& comparison) {
  ReportTable table{"Work",
                    {"integrator", resolution(plan), "steps", plan.by_tolerance ? "rejected" : "halved", "iterations",
                     "per step", "factorizations", "time [s]"},
                    {},
                    ""};
  for (const ComparedRun& run : comparison.runs) {
    const RunReport& r = run.report;
    table.rows.push_back(
        {run.method, fmt::format("{:g}", run.step), fmt::format("{}", r.steps),
         fmt::format("{}", plan.by_tolerance ? r.rejected_steps : r.halved_steps), fmt::format("{}", r.iterations),
         r.steps ? fmt::format("{:.2f}", static_cast<double>(r.iterations) / static_cast<double>(r.steps)) : "",
         fmt::format("{}", r.linear.factorizations), run.finished ? fmt::format("{:.3g}", run.seconds) : "failed"});
  }
  return table;
}

ReportTable failure_table(const ComparePlan& plan, const Comparison& comparison) {
  ReportTable table{"Runs that did not reach their end", {"integrator", resolution(plan), "reason"}, {}, ""};
  for (const ComparedRun& run : comparison.runs)
    if (!run.finished) table.rows.push_back({run.method, fmt::format("{:g}", run.step), run.problem});
  return table;
}

std::string reference_text(const ComparePlan& plan, const Comparison& comparison, const std::vector<ErrorKind>& kinds) {
  const CompareReference& reference = plan.reference;
  if (!comparison.has_reference)
    return fmt::format("No reference, hence no errors: {} with {} did not reach the end: {}\n", reference.method.name,
                       resolution_text(plan, reference.step), comparison.reference_problem);
  std::string text = fmt::format("Reference: {} at {}", reference.method.name, resolution_text(plan, reference.step));
  if (reference.extrapolate) text += fmt::format(", extrapolated with {:g} s (Richardson)", 2 * reference.step);
  text += fmt::format(", {:.2g} s of computing. Its own uncertainty is about", comparison.reference_seconds);
  for (size_t i = 0; i < kinds.size(); ++i)
    text += fmt::format("{} {:.0e} in {}", i == 0 ? "" : ",", kinds[i].of(comparison.uncertainty), kinds[i].name);
  text += "; errors of less than twice this have no order and are not drawn.\n";
  for (const CompareMethod& method : plan.methods)
    if (!reference.extrapolate && method.settings.integrator == reference.method.settings.integrator)
      text += fmt::format("{} is judged by a reference of its own kind, which hides errors that both share.\n",
                          method.name);
  return text +
         fmt::format(
             "\nErrors are relative: positions to the largest motion of any body away from the start, velocities "
             "and reactions to the largest one. Turns count as arcs at {:.3g} m.\n",
             comparison.reference_length);
}

std::string runs_text(const Comparison& comparison) {
  const auto finished = std::count_if(comparison.runs.begin(), comparison.runs.end(),
                                      [](const ComparedRun& run) { return run.finished; });
  std::string text = fmt::format("{} of {} runs reached their end.", finished, comparison.planned);
  if (comparison.interrupted)
    text +=
        fmt::format(" Interrupted: {} were not begun or not finished.", comparison.planned - comparison.runs.size());
  return text + "\n\n";
}

}  // namespace

Report comparison_report(const Model& model, const ComparePlan& plan, const Comparison& comparison) {
  Report report;
  report.name = "compare " + model.name;
  report.description =
      fmt::format("{} integrator{} at {} {}{} over {:g} s", plan.methods.size(), plan.methods.size() == 1 ? "" : "s",
                  plan.steps.size(), plan.by_tolerance ? "tolerance" : "step", plan.steps.size() == 1 ? "" : "s",
                  model.run.duration);
  const std::vector<ErrorKind> kinds = error_kinds(plan, comparison);
  report.text = runs_text(comparison);
  if (comparison.has_reference || !comparison.interrupted) report.text += reference_text(plan, comparison, kinds);
  if (model.run.rtol && !plan.by_tolerance) report.text += "Steps are fixed: the rtol of the model is not used.\n";
  const ReportTable failures = failure_table(plan, comparison);
  if (!failures.rows.empty()) report.tables.push_back(failures);
  if (comparison.runs.empty()) return report;

  const auto error_of = [&](const ErrorKind& kind) -> Value {
    return [&](const ComparedRun& run) { return seen(kind.of(run.largest), kind.of(comparison.uncertainty)); };
  };
  const Value seconds = [](const ComparedRun& run) { return run.seconds; };
  report.tables.push_back(work_table(plan, comparison));
  if (comparison.has_reference) {
    const std::vector<ReportCurve> work = curves(plan, comparison, seconds, error_of(kinds[0]));
    report.plots.push_back({"Work", "time [s]", "relative error of positions", true, true, work, {}, ""});
    report.tables.back().verdict = work_verdict(work);
    report.tables.push_back(error_table(plan, comparison, kinds, false));
    if (comparison.times.size() > 1) report.tables.push_back(error_table(plan, comparison, kinds, true));
    for (const ErrorKind& kind : kinds)
      report.plots.push_back(
          step_plot(plan, comparison, errors_title(comparison), "relative error of " + kind.name, error_of(kind)));
  }
  report.tables.push_back(drift_table(plan, comparison));
  report.plots.push_back(step_plot(plan, comparison, kDrift, "energy defect [J]", energy_defect));
  if (comparison.has_reactions)
    report.plots.push_back(step_plot(plan, comparison, kDrift, "velocity constraints |dg/dt| [m/s]", velocity_drift));
  return report;
}

}  // namespace bricard
