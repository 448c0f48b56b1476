// SPDX-License-Identifier: Apache-2.0
#include "bricard/report/report_writer.h"
#include "bricard/write/json_text.h"

namespace bricard::io {
namespace {

Json to_json(const Check& check) {
  return {{"name", check.name},
          {"value", check.value},
          {"reference", check.reference},
          {"tolerance", check.tolerance},
          {"pass", check.pass}};
}

Json to_json(const ReportTable& table) {
  return {{"title", table.title}, {"columns", table.columns}, {"rows", table.rows}, {"verdict", table.verdict}};
}

Json to_json(const ReportPlot& plot) {
  Json curves = Json::array();
  for (const ReportCurve& curve : plot.curves) {
    curves.push_back({{"name", curve.name}, {"published", curve.published}, {"x", curve.x}, {"y", curve.y}});
    if (plot.log_x && plot.log_y) curves.back()["slope"] = fitted_slope(curve);
  }
  return {{"title", plot.title}, {"x", plot.x},      {"y", plot.y},           {"log_x", plot.log_x},
          {"log_y", plot.log_y}, {"curves", curves}, {"slopes", plot.slopes}, {"verdict", plot.verdict}};
}

Json to_json(const ReportMap& map) {
  return {{"title", map.title},
          {"x", map.x},
          {"y", map.y},
          {"value", map.value},
          {"log_x", map.log_x},
          {"log_y", map.log_y},
          {"log_value", map.log_value},
          {"x_values", map.x_values},
          {"y_values", map.y_values},
          {"values", map.values},
          {"verdict", map.verdict}};
}

template <class Part>
Json list(const std::vector<Part>& parts) {
  Json json = Json::array();
  for (const Part& part : parts) json.push_back(to_json(part));
  return json;
}

}  // namespace

std::string report_json(const Report& report) {
  const Json json{{"study", report.name},        {"description", report.description},
                  {"passed", passed(report)},    {"checks", list(report.checks)},
                  {"text", report.text},         {"tables", list(report.tables)},
                  {"plots", list(report.plots)}, {"maps", list(report.maps)}};
  return text_of(json, 2) + "\n";
}

}  // namespace bricard::io
