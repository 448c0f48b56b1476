// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

// One axis of a drawn plot: from values to places in the picture, and where its marks are.
namespace bricard::io {

struct Tick {
  double value;
  std::string label;  ///< empty for the small marks between
};

class PlotScale {
 public:
  /// Shows all `values` that it can (finite; positive if logarithmic), with `padding` (a part of the range) around.
  PlotScale(const std::vector<double>& values, bool logarithmic, double padding);

  /// Where the axis starts and ends in the picture.
  void place(double from, double to) { from_ = from, to_ = to; }

  bool can_show(double value) const;
  double operator()(double value) const { return from_ + part(value) * (to_ - from_); }
  /// 0 at the start of the axis, 1 at its end.
  double part(double value) const;
  /// The value at a part of the axis.
  double value_at(double part) const;
  double low() const { return value_at(0); }
  double high() const { return value_at(1); }
  bool logarithmic() const { return log_; }

  /// With at most about `most` labels: decades, or round numbers.
  std::vector<Tick> ticks(int most) const;

 private:
  double map(double value) const;
  std::vector<Tick> decades(int most) const;
  std::vector<Tick> round_numbers(int most) const;

  bool log_;
  double low_ = 0, high_ = 1;  ///< mapped
  double from_ = 0, to_ = 1;
};

/// The place of a number in a picture, to a hundredth.
std::string place_text(double x);

/// `10⁻³`
std::string power_of_ten(int exponent);

}  // namespace bricard::io
