// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

// What a study hands to the people who read it: numbers against references, tables, curves and maps. How they are shown
// (terminal, JSON, HTML page) is decided elsewhere.
namespace bricard {

/// One number against its reference.
struct Check {
  std::string name;
  double value = 0, reference = 0, tolerance = 0;
  bool pass = false;
};

/// A check that passes if |value − reference| ≤ tolerance; a value that is not a number fails.
Check compare(std::string name, double value, double reference, double tolerance);

struct ReportTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::string verdict;  ///< one plain sentence: what came out, and why it differs where it does
};

struct ReportCurve {
  std::string name;
  std::vector<double> x, y;
  bool published = false;  ///< read from a paper, drawn as points
};

/// p of y ≈ c xᵖ by least squares over the points with x, y > 0; not a number if there are fewer than two of different x.
double fitted_slope(const ReportCurve& curve);

struct ReportPlot {
  std::string title, x, y;  ///< labels with units
  bool log_x = false, log_y = false;
  std::vector<ReportCurve> curves = {};
  std::vector<double> slopes = {};  ///< guide lines of these orders, for plots with two logarithmic axes
  std::string verdict = {};
};

/// values[i + j·x_values.size()] belongs to x_values[i], y_values[j].
struct ReportMap {
  std::string title, x, y, value;
  std::vector<double> x_values, y_values, values;
  bool log_x = false, log_y = false, log_value = false;
  std::string verdict;
};

struct Report {
  std::string name, description;
  std::vector<Check> checks;
  std::string text;  ///< remarks, shown first
  std::vector<ReportTable> tables;
  std::vector<ReportPlot> plots;
  std::vector<ReportMap> maps;
};

/// How many checks pass.
long passed(const Report& report);

}  // namespace bricard
