// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "bricard/report/report_writer.h"
#include "bricard/report/text_table.h"

namespace bricard::io {
namespace {

constexpr size_t kTextWidth = 100;

std::string paragraph(const std::string& text) {
  return text.empty() ? "" : fmt::format("{}\n", fmt::join(wrapped(text, kTextWidth), "\n"));
}

/// Lines stay lines; those that are too long are broken, unless they are part of something aligned with spaces.
std::string remarks(const std::string& text) {
  std::string out;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    out += line.find("  ") == std::string::npos && !line.empty() ? paragraph(line) : line + "\n";
  return out;
}

/// `1e-05 to 0.01` of the values that are finite.
std::string range_text(const std::vector<double>& values) {
  double low = INFINITY, high = -INFINITY;
  for (const double value : values)
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  return low > high    ? "no values"
         : low == high ? fmt::format("{:.3g}", low)
                       : fmt::format("{:.3g} to {:.3g}", low, high);
}

std::string plot_text(const ReportPlot& plot) {
  const bool slopes = plot.log_x && plot.log_y;
  TextRow columns{"curve", plot.x, plot.y};
  if (slopes) columns.push_back("slope");
  std::vector<TextRow> rows;
  for (const ReportCurve& curve : plot.curves) {
    const double slope = fitted_slope(curve);
    rows.push_back({curve.name + (curve.published ? " (published)" : ""), range_text(curve.x), range_text(curve.y)});
    if (slopes) rows.back().push_back(std::isfinite(slope) ? fmt::format("{:.2f}", slope) : "-");
  }
  return fmt::format("{} (curves)\n{}{}\n", plot.title, text_table(columns, rows, kTextWidth), paragraph(plot.verdict));
}

std::string map_text(const ReportMap& map) {
  return fmt::format(
      "{} (map)\n{}{}\n", map.title,
      text_table({map.x, map.y, map.value},
                 {{range_text(map.x_values), range_text(map.y_values), range_text(map.values)}}, kTextWidth),
      paragraph(map.verdict));
}

std::string checks_text(const Report& report) {
  std::vector<TextRow> rows;
  for (const Check& check : report.checks)
    rows.push_back({check.name, fmt::format("{:.5g}", check.value), fmt::format("{:.5g}", check.reference),
                    fmt::format("{:.2g}", check.tolerance), check.pass ? "pass" : "FAIL"});
  return text_table({"check", "value", "reference", "tolerance", ""}, rows, kTextWidth);
}

}  // namespace

std::string verdict_text(const Report& report) {
  const size_t checks = report.checks.size();
  if (checks == 0) return "";
  return fmt::format("{} of {} check{} pass", passed(report), checks, checks == 1 ? "" : "s");
}

std::string report_text(const Report& report) {
  std::string text = paragraph(report.name + ": " + report.description) + "\n";
  if (!report.text.empty()) text += remarks(report.text) + "\n";
  for (const ReportTable& table : report.tables)
    text += fmt::format("{}\n{}{}\n", table.title, text_table(table.columns, table.rows, kTextWidth),
                        paragraph(table.verdict));
  for (const ReportPlot& plot : report.plots) text += plot_text(plot);
  for (const ReportMap& map : report.maps) text += map_text(map);
  if (!report.checks.empty()) text += checks_text(report) + verdict_text(report) + "\n";
  return text;
}

}  // namespace bricard::io
