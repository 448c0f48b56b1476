// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/math/expression.h"

// A coordinate as a function of time, given by itself, by its velocity or by its acceleration.
//     velocity:       x(t) = x₀ + ∫₀ᵗ u dτ
//     acceleration:   ẋ(t) = ẋ₀ + ∫₀ᵗ u dτ,    x(t) = x₀ + ẋ₀ t + ∫₀ᵗ (t − τ) u dτ
// The integrals are known at knots, which are as close as the formula needs; from a knot on Gauss' formula is exact to
// round-off.
namespace bricard {

class MotionFunction {
 public:
  enum class Kind { displacement, velocity, acceleration };

  MotionFunction(double constant = 0) : formula_(constant) {}  // NOLINT: a number is a motion
  /// `start` and `start_rate` are x₀ and ẋ₀, `duration` the time for which knots are made.
  MotionFunction(Kind kind, Expression formula, double start, double start_rate, double duration);

  TimeJet operator()(double t) const;
  bool is_constant() const { return kind_ == Kind::displacement && formula_.is_constant(); }

 private:
  struct Knot {
    double t, first, second;  ///< ∫u and ∫∫u up to here
  };
  struct Integrals {
    double first, second;
    double size;  ///< ∫|u|
  };
  Integrals integrate(double from, double to) const;
  void add_knots(double from, double to, double largest, double smallest, double before);

  Kind kind_ = Kind::displacement;
  Expression formula_;
  double start_ = 0, start_rate_ = 0;
  std::vector<Knot> knots_;
};

}  // namespace bricard
