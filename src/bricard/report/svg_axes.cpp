// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "bricard/report/svg.h"

namespace bricard::io {
namespace {

constexpr double kCharacter = 6.6;  ///< usual width at a font size of 12
constexpr double kTop = 28, kBottom = 44;

std::string line(const char* kind, double x1, double y1, double x2, double y2) {
  return fmt::format("<path class=\"{}\" d=\"M{} {}L{} {}\"/>", kind, place_text(x1), place_text(y1), place_text(x2),
                     place_text(y2));
}

std::string number(double x, double y, const char* anchor, const std::string& label) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>", place_text(x), place_text(y), anchor,
                     label);
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

double label_width(const std::vector<Tick>& ticks) {
  size_t longest = 1;
  for (const Tick& tick : ticks) {
    const auto characters =
        std::count_if(tick.label.begin(), tick.label.end(), [](char c) { return (c & 0xC0) != 0x80; });
    longest = std::max(longest, static_cast<size_t>(characters));
  }
  return kCharacter * static_cast<double>(longest);
}

PlotArea place_axes(PlotScale& x, PlotScale& y, double width, double height, double right_margin) {
  const PlotArea area{14 + label_width(y.ticks(kTicksUp)), kTop, width - right_margin, height - kBottom};
  x.place(area.left, area.right);
  y.place(area.bottom, area.top);
  return area;
}

std::string axes_svg(const PlotArea& area, const PlotScale& x, const PlotScale& y, const std::string& x_label,
                     const std::string& y_label) {
  std::string grid, marks, numbers;
  for (const Tick& tick : x.ticks(kTicksAcross)) {
    const double place = x(tick.value);
    if (tick.label.empty()) {
      marks += line("mark", place, area.bottom, place, area.bottom - 3);
      continue;
    }
    grid += line("grid", place, area.top, place, area.bottom);
    numbers += number(place, area.bottom + 16, "middle", tick.label);
  }
  for (const Tick& tick : y.ticks(kTicksUp)) {
    const double place = y(tick.value);
    if (tick.label.empty()) {
      marks += line("mark", area.left, place, area.left + 3, place);
      continue;
    }
    grid += line("grid", area.left, place, area.right, place);
    numbers += number(area.left - 6, place + 4, "end", tick.label);
  }
  const std::string frame = fmt::format("<path class=\"frame\" d=\"M{0} {1}V{3}H{2}\"/>", place_text(area.left),
                                        place_text(area.top), place_text(area.right), place_text(area.bottom));
  return fmt::format("{}{}{}<g class=\"numbers\">{}</g><text class=\"label\" x=\"{}\" y=\"{}\" "
                     "text-anchor=\"end\">{}</text><text class=\"label\" x=\"2\" y=\"14\">{}</text>\n",
                     grid, frame, marks, numbers, place_text(area.right), place_text(area.bottom + 35),
                     escaped(x_label), escaped(y_label));
}

}  // namespace bricard::io
