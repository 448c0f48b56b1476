// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/report/plot_scale.h"
#include "bricard/results/report.h"

// Plots and maps as pictures inside an HTML page. Colours come from the page's style (classes c0 … c5 and variables),
// so that one picture serves light, dark and paper.
namespace bricard::io {

/// Text inside HTML or SVG.
std::string escaped(const std::string& text);

/// The picture of a plot and, below it, its legend.
std::string plot_figure(const ReportPlot& plot);

/// The picture of a map with its colour bar.
std::string map_figure(const ReportMap& map);

/// The part of a picture inside its axes.
struct PlotArea {
  double left, top, right, bottom;
};

/// Room for the labels of `y` on the left; the scales are placed along the sides of the area.
PlotArea place_axes(PlotScale& x, PlotScale& y, double width, double height, double right_margin);

/// Grid lines, marks, numbers and labels.
std::string axes_svg(const PlotArea& area, const PlotScale& x, const PlotScale& y, const std::string& x_label,
                     const std::string& y_label);

/// Room that the numbers of an axis need.
double label_width(const std::vector<Tick>& ticks);

inline constexpr int kTicksAcross = 7, kTicksUp = 8;

}  // namespace bricard::io
