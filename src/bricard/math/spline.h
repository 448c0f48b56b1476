// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "bricard/math/units.h"

// Functions given by points, joined by cubics.                         theory: docs/theory/expressions.md
namespace bricard {

/// What a cubic spline does at its ends: no curvature; one cubic over the first two and the last two pieces; given slopes.
enum class SplineEnds { natural, not_a_knot, slopes };

/// The points of a function, x strictly increasing.
struct Table {
  std::vector<double> x, y;
  SplineEnds ends = SplineEnds::natural;
  std::array<double, 2> slopes{};          ///< at the first and the last point, if given
  Dimension x_dimension{}, y_dimension{};  ///< in SI if it is known what they measure, else numbers in the file's units
};

/// Index of the first x that is not larger than the one before, −1 if there is none.
int first_not_increasing(const std::vector<double>& x);

enum class SplineType { cubic, akima };
constexpr int least_points(SplineType type) { return type == SplineType::cubic ? 3 : 4; }

/// A curve through all points with continuous slope, outside a straight line with the slope of the end.
///   cubic: continuous second derivative; the table says what holds at its ends
///   akima: slopes from neighbouring points only, so that a jump in the data makes no waves   [Akima1970]
class Spline {
 public:
  Spline(const Table& table, SplineType type);

  /// The value and the first three derivatives at x. (The third jumps at the points, of Akima's also the second.)
  std::array<double, 4> operator()(double x) const;

  /// F(x) = ∫ y dx from the first point.
  double integral(double x) const;

 private:
  struct Piece {
    double x, a, b, c, d;  ///< y = a + b s + c s² + d s³,  s = ξ − x
    double area;           ///< up to x
  };
  const Piece& piece_at(double x) const;
  std::vector<Piece> pieces_;  ///< the straight lines outside are the first and the last
};

}  // namespace bricard
