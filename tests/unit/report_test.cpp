// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "bricard/report/plot_scale.h"
#include "bricard/report/report_writer.h"
#include "bricard/report/text_table.h"

namespace bricard {
namespace report_test {

using io::PlotScale;

Report sample() {
  Report report;
  report.name = "study <1>";
  report.description = "a & b";
  report.text = "a remark";
  report.checks = {compare("good one", 1, 1, 0.1), compare("bad \"one\"", 2, 1, 0.1)};
  report.tables = {{"errors", {"method", "error [m]"}, {{"hht", "1.0e-03"}, {"newmark", "2.0e-12"}}, "as <expected>"}};
  report.plots = {{"convergence",
                   "step [s]",
                   "error",
                   true,
                   true,
                   {{"hht", {1e-1, 1e-2, 1e-3}, {1e-2, 1e-4, 1e-6}, false},
                    {"hht", {1e-2}, {2e-4}, true},
                    {"newmark", {1e-1, 1e-2, 1e-3}, {1e-1, 0, NAN}, false}},
                   {2},
                   "slope as it should be"}};
  report.maps = {{"condition",
                  "h [s]",
                  "stiffness",
                  "number",
                  {1, 2, 4},
                  {1, 10},
                  {1, 10, 100, 1e3, NAN, 1e5},
                  true,
                  true,
                  true,
                  ""}};
  return report;
}

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Report, FitsTheSlopeOfAPowerLaw) {
  EXPECT_NEAR(fitted_slope({"", {1, 0.1, 0.01}, {5, 5e-3, 5e-6}, false}), 3, 1e-12);
  EXPECT_NEAR(fitted_slope({"", {1, 10, 100, 7}, {1, 1e-4, 1e-8, 0}, false}), -4, 1e-12);  // zero has no logarithm
  EXPECT_TRUE(std::isnan(fitted_slope({"", {1, 1}, {2, 3}, false})));
  EXPECT_TRUE(std::isnan(fitted_slope({"", {1, 2}, {2, NAN}, false})));
}

TEST(Report, AlignsTablesAndBreaksLongWordsAtHundredColumns) {
  const std::string text = io::text_table({"name", "error [m]"}, {{"ä", "1"}, {"abc", "-22.5"}});
  EXPECT_EQ(text, "      error\nname    [m]\nä         1\nabc   -22.5\n");
  std::string longer;
  for (int i = 0; i < 30; ++i) longer += "many words ";
  std::istringstream lines(io::text_table({"name", "a", "b"}, {{longer, "1", "2"}}));
  int n = 0;
  for (std::string line; std::getline(lines, line); ++n) EXPECT_LE(line.size(), 100u);
  EXPECT_EQ(n, 5);  // 329 characters in lines of 94, the later ones indented, and the headings
}

TEST(Report, WritesTablesSlopesAndChecksForATerminal) {
  const std::string text = io::report_text(sample());
  EXPECT_NE(text.find("           error\nmethod       [m]\nhht      1.0e-03\n"), std::string::npos) << text;
  EXPECT_NE(text.find("0.001 to 0.1  1e-06 to 0.01   2.00"), std::string::npos) << text;
  EXPECT_NE(text.find("hht (published)"), std::string::npos) << text;
  EXPECT_NE(text.find("FAIL"), std::string::npos) << text;
  EXPECT_NE(text.find("1 of 2 checks pass\n"), std::string::npos) << text;
}

TEST(Report, WritesAllNumbersAsJson) {
  const nlohmann::json json = nlohmann::json::parse(io::report_json(sample()));
  EXPECT_EQ(json["passed"], 1);
  EXPECT_EQ(json["tables"][0]["rows"][1][1], "2.0e-12");
  EXPECT_NEAR(json["plots"][0]["curves"][0]["slope"], 2, 1e-12);
  EXPECT_TRUE(json["plots"][0]["curves"][1]["published"]);
  EXPECT_TRUE(json["plots"][0]["curves"][2]["y"][2].is_null());
  EXPECT_EQ(json["maps"][0]["values"][5], 1e5);
  EXPECT_TRUE(json["maps"][0]["values"][4].is_null());
}

/// Every element of the page is closed in the place where it must be.
void expect_well_formed(const std::string& page) {
  const std::regex tag("<(/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]*?)(/?)>");
  const std::set<std::string> open_ended{"meta", "link"};
  std::vector<std::string> stack;
  const std::string body = page.substr(page.find("</style>"));
  for (std::sregex_iterator i(body.begin(), body.end(), tag), end; i != end; ++i) {
    const std::string name = (*i)[2];
    if ((*i)[4].length() || open_ended.count(name)) continue;
    if (!(*i)[1].length()) {
      stack.push_back(name);
    } else if (name != "style" && name != "head" && name != "html") {
      ASSERT_FALSE(stack.empty()) << (*i)[0];
      ASSERT_EQ(stack.back(), name) << body.substr(static_cast<size_t>(i->position()), 100);
      stack.pop_back();
    }
  }
  EXPECT_TRUE(stack.empty()) << stack.back();
}

TEST(Report, WritesOnePageThatNeedsNothingElse) {
  const std::string page = io::report_page(sample());
  expect_well_formed(page);
  for (const char* foreign : {"<script", "src=", "http:", "https:", "@import", "url("})
    EXPECT_EQ(page.find(foreign), std::string::npos) << foreign;
  EXPECT_NE(page.find("<h1>study &lt;1&gt;</h1>"), std::string::npos);
  EXPECT_NE(page.find("1 of 2 checks pass"), std::string::npos);
  EXPECT_NE(page.find("<li>bad &quot;one&quot;: 2, expected 1 ± 0.1</li>"), std::string::npos);
  EXPECT_EQ(count(page, "✓ pass</span>"), 1u);
  EXPECT_EQ(count(page, "✗ FAIL</span>"), 1u);
  EXPECT_EQ(count(page, "nan"), 0u);
  expect_well_formed(io::report_page({}));
}

TEST(Report, DrawsGuidesPublishedPointsAndSaysWhatIsNotDrawn) {
  const std::string page = io::report_page(sample());
  EXPECT_EQ(count(page, "class=\"triangle\""), 1u);
  EXPECT_EQ(count(page, "class=\"point hollow\""), 2u);  // in the picture and in its legend
  EXPECT_EQ(count(page, "2 points not drawn"), 1u);
  EXPECT_EQ(count(page, "class=\"nothing\""), 1u);
  Report linear = sample();
  linear.plots[0].log_y = false;
  EXPECT_EQ(count(io::report_page(linear), "class=\"triangle\""), 0u);  // not a straight line there
}

TEST(Report, ColoursOfMapsGetEvenlyLighter) {
  const std::string page = io::report_page(sample());
  const std::regex color("height=\"[0-9.]+\" fill=\"#(..)(..)(..)\"/>");  // the slices of the colour bar
  double last = -1;
  int n = 0;
  for (std::sregex_iterator i(page.begin(), page.end(), color), end; i != end; ++i, ++n) {
    const auto linear = [&](size_t k) {  // of sRGB
      const double c = std::stoi((*i)[k], nullptr, 16) / 255.0;
      return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const double y = 0.2126 * linear(1) + 0.7152 * linear(2) + 0.0722 * linear(3);
    const double lightness = 116 * std::cbrt(y) - 16;  // CIE L*
    if (n > 0) {
      EXPECT_NEAR(lightness - last, 1.2, 0.4) << n;  // rounding to 8 bits costs up to 0.2
    }
    last = lightness;
  }
  EXPECT_EQ(n, 64);
}

TEST(PlotScale, HasMarksAtDecades) {
  PlotScale scale({1e-6, 1e-2, 0, -1, NAN}, true, 0);
  scale.place(100, 500);
  EXPECT_NEAR(scale(1e-4), 300, 1e-9);
  EXPECT_FALSE(scale.can_show(0));
  std::string labels;
  for (const io::Tick& tick : scale.ticks(8)) labels += tick.label.empty() ? "" : tick.label + " ";
  EXPECT_EQ(labels, "10⁻⁶ 10⁻⁵ 10⁻⁴ 10⁻³ 0.01 ");
}

TEST(PlotScale, HasMarksAtRoundNumbers) {
  for (const auto& [low, high, expected] : {std::tuple{0.0, 1.0, "0.0 0.2 0.4 0.6 0.8 1.0 "},
                                            {-3.0, 47.0, "0 10 20 30 40 "},
                                            {0.0, 3e6, "0 500000 1e+06 1.5e+06 2e+06 2.5e+06 3e+06 "}}) {
    std::string labels;
    for (const io::Tick& tick : PlotScale({low, high}, false, 0).ticks(7)) labels += tick.label + " ";
    EXPECT_EQ(labels, expected);
  }
}

TEST(PlotScale, ShowsOneValueInTheMiddle) {
  for (const bool logarithmic : {false, true}) EXPECT_NEAR(PlotScale({3}, logarithmic, 0).part(3), 0.5, 1e-12);
  EXPECT_NEAR(PlotScale({0}, false, 0).part(0), 0.5, 1e-12);
  EXPECT_FALSE(PlotScale({}, true, 0).ticks(8).empty());
}

}  // namespace report_test
}  // namespace bricard
