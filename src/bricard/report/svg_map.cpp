// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "bricard/report/svg.h"

namespace bricard::io {
namespace {

constexpr double kMapWidth = 480, kMapHeight = 350, kBar = 14;

/// From Oklab, in which equal distances look equally different, to the eight-bit sRGB of a page.  [Ottosson2020]
std::array<int, 3> srgb(double L, double a, double b) {
  const double l = std::pow(L + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(L - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(L - 0.0894841775 * a - 1.2914855480 * b, 3);
  const std::array<double, 3> linear{4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                                     -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                                     -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
  std::array<int, 3> out{};
  for (size_t i = 0; i < 3; ++i) {
    const double c = std::clamp(linear[i], 0.0, 1.0);
    out[i] = static_cast<int>(std::lround(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055)));
  }
  return out;
}

/// From dark violet over green to light yellow: lightness and hue change evenly and the chroma is constant (as
/// large as the screen's colours allow on the whole way), hence steps of equal size are equally visible; the lightness alone tells the order, also in grey and for colour-blind eyes.
std::string color_at(double part) {
  constexpr double kDark = 0.28, kLight = 0.93, kChroma = 0.095, kViolet = 300, kYellow = 100;
  const double x = std::clamp(part, 0.0, 1.0), hue = (kViolet + (kYellow - kViolet) * x) * std::numbers::pi / 180;
  const auto [r, g, b] = srgb(kDark + (kLight - kDark) * x, kChroma * std::cos(hue), kChroma * std::sin(hue));
  return fmt::format("#{:02x}{:02x}{:02x}", r, g, b);
}

/// The borders of cells around the places of `values`: half-way between neighbours.
std::vector<double> borders(const std::vector<double>& values, bool logarithmic) {
  const auto map = [&](double v) { return logarithmic ? std::log(v) : v; };
  const size_t n = values.size();
  std::vector<double> list(n + 1);
  for (size_t i = 1; i < n; ++i) list[i] = (map(values[i - 1]) + map(values[i])) / 2;
  const double first = n > 1 ? list[1] - map(values[0]) : 0.5, last = n > 1 ? map(values[n - 1]) - list[n - 1] : 0.5;
  list[0] = map(values[0]) - first;
  list[n] = map(values[n - 1]) + last;
  if (logarithmic)
    for (double& border : list) border = std::exp(border);
  return list;
}

std::string color_bar(const PlotArea& area, PlotScale& scale, const std::string& label) {
  constexpr int kSlices = 64;
  const double left = area.right + 14, height = (area.bottom - area.top) / kSlices;
  std::string svg = "<g shape-rendering=\"crispEdges\">";
  for (int i = 0; i < kSlices; ++i)
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>", place_text(left),
                       place_text(area.bottom - (i + 1) * height), kBar, place_text(height + 0.3),
                       color_at((i + 0.5) / kSlices));
  svg += "</g>";
  scale.place(area.bottom, area.top);
  for (const Tick& tick : scale.ticks(kTicksUp))
    if (!tick.label.empty())
      svg += fmt::format("<path class=\"frame\" d=\"M{0} {2}H{1}\"/><text x=\"{3}\" y=\"{4}\">{5}</text>",
                         place_text(left + kBar), place_text(left + kBar + 4), place_text(scale(tick.value)),
                         place_text(left + kBar + 7), place_text(scale(tick.value) + 4), tick.label);
  return fmt::format(
      "<g class=\"numbers\">{}</g><text class=\"label\" x=\"{}\" y=\"14\" text-anchor=\"end\">{}</text>\n", svg,
      kMapWidth - 2, escaped(label));
}

}  // namespace

std::string map_figure(const ReportMap& map) {
  const size_t nx = map.x_values.size(), ny = map.y_values.size();
  if (nx == 0 || ny == 0 || map.values.size() != nx * ny) return "<p class=\"note\">No values.</p>\n";
  const std::vector<double> xs = borders(map.x_values, map.log_x), ys = borders(map.y_values, map.log_y);
  PlotScale x(xs, map.log_x, 0), y(ys, map.log_y, 0), value(map.values, map.log_value, 0);
  const double right = 14 + kBar + 8 + label_width(value.ticks(kTicksUp)) + 4;
  const PlotArea area = place_axes(x, y, kMapWidth, kMapHeight, right);
  std::string cells;
  for (size_t j = 0; j < ny; ++j)
    for (size_t i = 0; i < nx; ++i) {
      const double v = map.values[i + j * nx], left = std::min(x(xs[i]), x(xs[i + 1])),
                   top = std::min(y(ys[j]), y(ys[j + 1]));
      cells += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}><title>({:.4g}, {:.4g}): {}</title></rect>\n",
          place_text(left), place_text(top), place_text(std::abs(x(xs[i + 1]) - x(xs[i]))),
          place_text(std::abs(y(ys[j + 1]) - y(ys[j]))),
          value.can_show(v) ? fmt::format("fill=\"{}\"", color_at(value.part(v))) : "class=\"nothing\"",
          map.x_values[i], map.y_values[j], std::isfinite(v) ? fmt::format("{:.4g}", v) : "no value");
    }
  return fmt::format("<figure><svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}"
                     "<g shape-rendering=\"crispEdges\">{}</g>{}</svg></figure>\n",
                     kMapWidth, kMapHeight, escaped(map.title + ": " + map.value + " over " + map.x + " and " + map.y),
                     axes_svg(area, x, y, map.x, map.y), cells, color_bar(area, value, map.value));
}

}  // namespace bricard::io
