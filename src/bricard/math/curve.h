// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/math/expression.h"
#include "bricard/math/rotation.h"

// A smooth curve in a plane: a cubic spline through points, an ellipse, or two formulas.   theory: docs/theory/joints.md
// Closed curves run counter-clockwise. The normal n points to the right of the direction of travel, which is outwards for
// a closed curve. Open curves go on as straight lines (splines have no curvature at their ends).
namespace bricard {

using Eigen::Vector2d;

class Curve {
 public:
  struct Point {
    Vector2d c, d1, d2;  ///< c(s) and its derivatives
  };

  /// Parameter: length of the polygon through the points. At least two points, three if closed; no two alike in a row.
  static Curve spline(std::vector<Vector2d> points, bool closed);
  /// Half axes along x and y; parameter: c = (a cos s, b sin s).
  static Curve ellipse(double a, double b);
  /// x(u) and y(u), which see one input; parameter: s = u − first, from the other end where a closed curve would run
  /// clockwise.
  static Curve formula(const Expression& x, const Expression& y, double first, double last, bool closed);

  Point at(double s) const;
  double period() const { return closed_ ? end_ : 0; }  ///< 0: open
  double end() const { return end_; }

  /// The parameter of the point nearest to X.
  double nearest(const Vector2d& X) const;
  /// The same from a value that is already near.
  double nearest(const Vector2d& X, double s) const;

  const std::vector<double>& sample_parameters() const { return samples_; }
  const std::vector<Vector2d>& sample_points() const { return sample_points_; }
  /// The same for a picture: a closed curve ends where it begins.
  std::vector<Vector2d> outline() const;

 private:
  void add_samples(int per_interval);
  Point spline_at(double s) const;
  Point formula_at(double s) const;

  enum class Kind { spline, ellipse, formula };
  Kind kind_ = Kind::spline;
  bool closed_ = false;
  double a_ = 0, b_ = 0, end_ = 0;
  std::vector<double> knots_;
  std::vector<Vector2d> points_, curvatures_;  ///< c and c″ at the knots
  Expression x_, y_;
  double first_ = 0, direction_ = 1;  ///< of a formula: u = first + direction s
  std::vector<double> samples_;
  std::vector<Vector2d> sample_points_;
};

/// The signed distance of a point from a curve, positive on the side of the normal, with
///     ∇φ = n,   ∇∇φ = curvature t tᵀ
struct CurveDistance {
  double s, value;
  Vector2d n, t;
  double curvature;
};
CurveDistance distance_from(const Curve& curve, const Vector2d& X);

}  // namespace bricard
