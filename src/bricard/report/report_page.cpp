// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "bricard/report/report_style.h"
#include "bricard/report/report_writer.h"
#include "bricard/report/svg.h"
#include "bricard/report/text_table.h"

namespace bricard::io {
namespace {

constexpr size_t kManySections = 6;  ///< from so many on there is a list of contents

/// A word with a sign, so that the colour is not needed.
std::string badge(bool pass) {
  return fmt::format("<span class=\"badge {}\">{}</span>", pass ? "good" : "bad", pass ? "✓ pass" : "✗ FAIL");
}

std::string cell_html(const std::string& text) {
  return text == "pass" || text == "FAIL" ? badge(text == "pass") : escaped(text);
}

std::string table_html(const TextRow& columns, const std::vector<TextRow>& rows) {
  std::vector<const char*> kinds;
  for (size_t c = 0; c < columns.size(); ++c) {
    const bool words =
        std::any_of(rows.begin(), rows.end(), [&](const TextRow& row) { return c < row.size() && row[c].size() > 24; });
    kinds.push_back(is_numeric(rows, c) ? " class=\"num\"" : words ? " class=\"words\"" : " class=\"word\"");
  }
  std::string html = "<div class=\"scroll\"><table><thead><tr>";
  for (size_t c = 0; c < columns.size(); ++c) html += fmt::format("<th{}>{}</th>", kinds[c], escaped(columns[c]));
  html += "</tr></thead><tbody>\n";
  for (const TextRow& row : rows) {
    html += "<tr>";
    for (size_t c = 0; c < columns.size(); ++c)
      html += fmt::format("<td{}>{}</td>", kinds[c], c < row.size() ? cell_html(row[c]) : "");
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string verdict_html(const std::string& verdict) {
  return verdict.empty() ? "" : fmt::format("<p class=\"verdict\">{}</p>\n", escaped(verdict));
}

/// A table with its verdict, beside a picture if there is room for its columns, else below.
std::string table_part(const TextRow& columns, const std::vector<TextRow>& rows, const std::string& verdict) {
  size_t width = 0;
  for (const size_t characters : column_widths(columns, rows)) width += 7 * std::min<size_t>(characters, 30) + 18;
  return fmt::format("<div class=\"part\" style=\"flex-basis:{}px\">{}{}</div>\n", width, table_html(columns, rows),
                     verdict_html(verdict));
}

/// Everything under one title: pictures beside their table.
struct Section {
  std::string title, figures, tables;
};

Section& section(std::vector<Section>& sections, const std::string& title) {
  for (Section& s : sections)
    if (s.title == title) return s;
  return sections.emplace_back(Section{title, {}, {}});
}

std::vector<Section> sections_of(const Report& report) {
  std::vector<Section> sections;
  for (const ReportTable& table : report.tables)
    section(sections, table.title).tables += table_part(table.columns, table.rows, table.verdict);
  for (const ReportPlot& plot : report.plots)
    section(sections, plot.title).figures +=
        fmt::format("<div class=\"part figure\">{}{}</div>\n", plot_figure(plot), verdict_html(plot.verdict));
  for (const ReportMap& map : report.maps)
    section(sections, map.title).figures +=
        fmt::format("<div class=\"part figure\">{}{}</div>\n", map_figure(map), verdict_html(map.verdict));
  if (!report.checks.empty()) {
    std::vector<TextRow> rows;
    for (const Check& check : report.checks)
      rows.push_back({check.name, fmt::format("{:.9g}", check.value), fmt::format("{:.9g}", check.reference),
                      fmt::format("{:.2g}", check.tolerance), check.pass ? "pass" : "FAIL"});
    section(sections, "Checks").tables += table_part({"check", "value", "reference", "tolerance", "verdict"}, rows, "");
  }
  return sections;
}

std::string section_html(const Section& s, size_t number) {
  return fmt::format("<section class=\"card{}\" id=\"s{}\"><h2>{}</h2>\n<div class=\"parts\">\n{}{}</div></section>\n",
                     s.tables.empty() ? "" : " wide", number, escaped(s.title), s.figures, s.tables);
}

/// What was aligned with spaces stays so; the rest flows.
std::string text_html(const std::string& text) {
  std::string html;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find("\n\n", begin), text.size());
    std::string part = text.substr(begin, end - begin);
    part.erase(0, part.find_first_not_of('\n'));
    if (part.find_first_not_of(" \n") != std::string::npos) {
      const char* tag = part.find("  ") != std::string::npos || part.find("\n ") != std::string::npos ? "pre" : "p";
      html += fmt::format("<{0}>{1}</{0}>\n", tag, escaped(part));
    }
    begin = end + 2;
  }
  return html.empty() ? "" : "<div class=\"text\">" + html + "</div>\n";
}

std::string summary_html(const Report& report) {
  if (report.checks.empty()) return "";
  const bool all = passed(report) == static_cast<long>(report.checks.size());
  std::string html =
      fmt::format("<p class=\"sum {}\">{} {}</p>\n", all ? "good" : "bad", all ? "✓" : "✗", verdict_text(report));
  if (all) return html;
  html += "<ul class=\"failed\">\n";
  for (const Check& check : report.checks)
    if (!check.pass)
      html += fmt::format("<li>{}: {:.4g}, expected {:.4g} ± {:.2g}</li>\n", escaped(check.name), check.value,
                          check.reference, check.tolerance);
  return html + "</ul>\n";
}

std::string contents_html(const std::vector<Section>& sections) {
  if (sections.size() < kManySections) return "";
  std::string html = "<nav aria-label=\"Contents\">";
  for (size_t i = 0; i < sections.size(); ++i)
    html += fmt::format("<a href=\"#s{}\">{}</a>", i, escaped(sections[i].title));
  return html + "</nav>\n";
}

}  // namespace

std::string report_page(const Report& report) {
  const std::vector<Section> sections = sections_of(report);
  std::string cards;
  for (size_t i = 0; i < sections.size(); ++i) cards += section_html(sections[i], i);
  const std::string title = escaped(report.name);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src "
      "data:\">\n"
      "<title>{0} · Bricard</title><link rel=\"icon\" href=\"data:,\">\n<style>{1}</style></head>\n<body>\n"
      "<header class=\"top\"><span class=\"brand\">{2}Bricard</span><span>Report</span></header>\n"
      "<main><h1>{0}</h1><p class=\"lead\">{3}</p>\n{4}{5}{6}<div class=\"cards\">\n{7}</div></main>\n"
      "<footer>Written by Bricard {8}.</footer>\n</body></html>\n",
      title, kReportStyle, kReportLogo, escaped(report.description), summary_html(report), text_html(report.text),
      contents_html(sections), cards, BRICARD_VERSION);
}

}  // namespace bricard::io
