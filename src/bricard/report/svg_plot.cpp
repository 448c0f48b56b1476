// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bricard/report/svg.h"

namespace bricard::io {
namespace {

constexpr double kPlotWidth = 480, kPlotHeight = 330, kRight = 14;
constexpr int kColors = 6;
constexpr size_t kMostMarked = 40;     ///< curves of more points are drawn as lines only
constexpr double kGuideDistance = 13;  ///< of a guide line from its curve

/// How a curve looks: after one round of colours and marks the lines are told apart by dashes.
struct CurveStyle {
  int color, dashes;
  bool line, marks, hollow;
};

/// A published curve has the colour of ours of the same name.
std::vector<CurveStyle> styles_of(const ReportPlot& plot) {
  std::vector<CurveStyle> styles;
  int next = 0;
  for (size_t i = 0; i < plot.curves.size(); ++i) {
    const ReportCurve& curve = plot.curves[i];
    int number = -1;
    for (size_t j = 0; j < i; ++j)
      if (plot.curves[j].name == curve.name) number = styles[j].color + kColors * styles[j].dashes;
    if (number < 0) number = next++;
    styles.push_back({number % kColors, number / kColors % 3, !curve.published,
                      curve.published || curve.x.size() <= kMostMarked, curve.published});
  }
  return styles;
}

/// The outline of mark k around (0, 0): circle, square, triangle, diamond, hanging triangle, plus.
const char* mark_outline(int k) {
  static const char* const outlines[] = {"M-3.4 0a3.4 3.4 0 1 1 6.8 0a3.4 3.4 0 1 1-6.8 0z",
                                         "M-3-3h6v6h-6z",
                                         "M0-4.2L4 2.9H-4z",
                                         "M0-4.4L4.4 0L0 4.4L-4.4 0z",
                                         "M0 4.2L4-2.9H-4z",
                                         "M-1.3-4h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7v-2.6h2.7z"};
  return outlines[k];
}

std::string mark_svg(const CurveStyle& style, double x, double y, const std::string& tip) {
  return fmt::format("<path class=\"point{}\" transform=\"translate({} {})\" d=\"{}\">{}</path>",
                     style.hollow ? " hollow" : "", place_text(x), place_text(y), mark_outline(style.color),
                     tip.empty() ? "" : fmt::format("<title>{}</title>", tip));
}

std::string curve_svg(const ReportCurve& curve, const CurveStyle& style, const PlotScale& x, const PlotScale& y) {
  std::string path, marks;
  bool pen_down = false;
  for (size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    const bool shown = x.can_show(curve.x[i]) && y.can_show(curve.y[i]);
    if (shown) {
      path += fmt::format("{}{} {}", pen_down ? 'L' : 'M', place_text(x(curve.x[i])), place_text(y(curve.y[i])));
      if (style.marks)
        marks += mark_svg(style, x(curve.x[i]), y(curve.y[i]),
                          fmt::format("{}: ({:.4g}, {:.4g})", escaped(curve.name), curve.x[i], curve.y[i]));
    }
    pen_down = shown;
  }
  const std::string line = style.line ? fmt::format("<path class=\"curve d{}\" d=\"{}\"/>", style.dashes, path) : "";
  return fmt::format("<g class=\"c{}\">{}{}</g>\n", style.color, line, marks);
}

/// Middle of a curve in the logarithms, which is on its fitted line, and how far it reaches.
struct Middle {
  double x = 0, y = 0, low = INFINITY, high = -INFINITY, order = NAN;
};

Middle middle_of(const ReportCurve& curve) {
  Middle m;
  double n = 0;
  for (size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    const double x = std::log10(curve.x[i]), y = std::log10(curve.y[i]);
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    m.x += x, m.y += y, ++n;
    m.low = std::min(m.low, x), m.high = std::max(m.high, x);
  }
  m.x /= n, m.y /= n;
  m.order = fitted_slope(curve);
  return m;
}

/// The curve beside which a guide line of order p says most: of those that have this order the lowest, else the nearest.
Middle partner_of(const ReportPlot& plot, double p) {
  constexpr double kSame = 0.25;
  Middle best;
  for (const ReportCurve& curve : plot.curves) {
    const Middle m = middle_of(curve);
    if (!std::isfinite(m.order)) continue;
    const double distance = std::max(kSame, std::abs(m.order - p)), present = std::max(kSame, std::abs(best.order - p));
    const double height = m.y - p * m.x, present_height = best.y - p * best.x;
    if (!std::isfinite(best.order) || distance < present || (distance == present && height < present_height)) best = m;
  }
  return best;
}

/// A right-angled triangle on a guide line, with 1 along x and p along y; `height` gives the line.
template <class Height>
std::string slope_triangle(double left, double right, double slope, double p, const Height& height,
                           const PlotArea& area) {
  constexpr double kMostWidth = 46, kMostHeight = 70, kRoom = 16;
  double width = std::min(kMostWidth, 0.4 * (right - left));
  if (std::abs(slope) * width > kMostHeight) width = kMostHeight / std::abs(slope);
  const double a = left + 0.62 * (right - left) - width / 2, b = a + width;
  // Below the line where there is room: the right angle is then at its lower end's height.
  const bool above = std::max(height(a), height(b)) + kRoom > area.bottom;
  const bool rises = height(b) < height(a);
  const double corner_x = above == rises ? a : b;
  const double corner_y = above ? std::min(height(a), height(b)) : std::max(height(a), height(b));
  return fmt::format("<path class=\"triangle\" d=\"M{0} {1}L{2} {3}L{4} {5}Z\"/>"
                     "<text class=\"slope\" text-anchor=\"middle\" x=\"{6}\" y=\"{7}\">1</text>"
                     "<text class=\"slope\" text-anchor=\"{8}\" x=\"{9}\" y=\"{10}\">{11:g}</text>\n",
                     place_text(a), place_text(height(a)), place_text(corner_x), place_text(corner_y), place_text(b),
                     place_text(height(b)), place_text((a + b) / 2), place_text(corner_y + (above ? -4 : 12)),
                     corner_x == b ? "start" : "end", place_text(corner_x + (corner_x == b ? 4 : -4)),
                     place_text((height(a) + height(b)) / 2 + 4), p);
}

//     log y = p (log x − x₀) + y₀, moved away from the curve to the side below, cut off where it leaves the picture
std::string guide_svg(const ReportPlot& plot, double p, const PlotScale& x, const PlotScale& y, const PlotArea& area) {
  const Middle m = partner_of(plot, p);
  if (!std::isfinite(m.order)) return "";
  const double decade_x = x(10) - x(1), decade_y = y(1) - y(10), slope = p * decade_y / decade_x;
  const double x0 = x(std::pow(10, m.x)), y0 = y(std::pow(10, m.y)) + kGuideDistance * std::hypot(1, slope);
  const auto height = [&](double place) { return y0 - slope * (place - x0); };
  double left = std::max(area.left, x(std::pow(10, m.low))), right = std::min(area.right, x(std::pow(10, m.high)));
  if (slope != 0) {
    const double a = x0 + (y0 - area.bottom) / slope, b = x0 + (y0 - area.top) / slope;
    left = std::max(left, std::min(a, b)), right = std::min(right, std::max(a, b));
  }
  if (right - left < 10) return "";
  return fmt::format("<path class=\"guide\" d=\"M{} {}L{} {}\"/>", place_text(left), place_text(height(left)),
                     place_text(right), place_text(height(right))) +
         slope_triangle(left, right, slope, p, height, area);
}

std::string legend(const ReportPlot& plot, const std::vector<CurveStyle>& styles) {
  std::string items;
  for (size_t i = 0; i < plot.curves.size(); ++i) {
    const CurveStyle& style = styles[i];
    const double slope = plot.log_x && plot.log_y ? fitted_slope(plot.curves[i]) : NAN;
    items += fmt::format(
        "<li><svg class=\"swatch c{}\" viewBox=\"0 0 28 12\" aria-hidden=\"true\">{}{}</svg>{}{}{}</li>", style.color,
        style.line ? fmt::format("<path class=\"curve d{}\" d=\"M0 6H28\"/>", style.dashes) : "",
        style.marks ? mark_svg(style, 14, 6, "") : "", escaped(plot.curves[i].name),
        plot.curves[i].published ? " <small>published</small>" : "",
        std::isfinite(slope) ? fmt::format(" <small>slope {:.2f}</small>", slope) : "");
  }
  return "<ul class=\"legend\">" + items + "</ul>\n";
}

/// Points that a logarithmic axis cannot show are missing from the picture: say so.
std::string hidden_points(const ReportPlot& plot, const PlotScale& x, const PlotScale& y) {
  long hidden = 0;
  for (const ReportCurve& curve : plot.curves)
    for (size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i)
      hidden += !(x.can_show(curve.x[i]) && y.can_show(curve.y[i]));
  return hidden == 0 ? ""
                     : fmt::format("<p class=\"note\">{} point{} not drawn: zero, negative or without a value.</p>\n",
                                   hidden, hidden == 1 ? "" : "s");
}

}  // namespace

std::string plot_figure(const ReportPlot& plot) {
  std::vector<double> xs, ys;
  for (const ReportCurve& curve : plot.curves) {
    xs.insert(xs.end(), curve.x.begin(), curve.x.end());
    ys.insert(ys.end(), curve.y.begin(), curve.y.end());
  }
  PlotScale x(xs, plot.log_x, 0.05), y(ys, plot.log_y, 0.07);
  const PlotArea area = place_axes(x, y, kPlotWidth, kPlotHeight, kRight);
  const std::vector<CurveStyle> styles = styles_of(plot);
  std::string inside;
  if (plot.log_x && plot.log_y)
    for (const double p : plot.slopes) inside += guide_svg(plot, p, x, y, area);
  for (size_t i = 0; i < plot.curves.size(); ++i) inside += curve_svg(plot.curves[i], styles[i], x, y);
  return fmt::format("<figure><svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}{}</svg>\n{}{}</figure>\n",
                     kPlotWidth, kPlotHeight, escaped(plot.title + ": " + plot.y + " against " + plot.x),
                     axes_svg(area, x, y, plot.x, plot.y), inside, legend(plot, styles), hidden_points(plot, x, y));
}

}  // namespace bricard::io
