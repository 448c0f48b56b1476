// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/element.h"

// Natural coordinates: points and vectors in space (d = 3) or in a plane (d = 2), shared by the bodies that meet there.
//                                                             theory: docs/theory/natural_coordinates.md
namespace bricard {

template <int d>
using VectorD = Eigen::Matrix<double, d, 1>;

/// A point or a vector; unknown, or fixed to the ground.
struct NaturalVariable {
  int block = -1;  ///< −1: fixed
  int v = -1;      ///< where it stands in q, v and a
  int row = 0;     ///< where forces on it go in Residual::motion; those on fixed ones to the rows of ground
  Vector3d fixed = Vector3d::Zero();

  bool is_fixed() const { return block < 0; }
  template <int d>
  Eigen::Map<const VectorD<d>> position(const State& s) const {
    return Eigen::Map<const VectorD<d>>(is_fixed() ? fixed.data() : s.q.data() + v);
  }
  /// Its part of v, of a or of another vector of velocities.
  template <int d>
  Eigen::Map<const VectorD<d>> rate(const VectorXd& x) const {
    static const Vector3d none = Vector3d::Zero();
    return Eigen::Map<const VectorD<d>>(is_fixed() ? none.data() : x.data() + v);
  }
};

/// A quarter turn in the plane: i·x, if x is seen as a complex number.
inline Eigen::Vector2d quarter_turn(const Eigen::Vector2d& x) { return {-x.y(), x.x()}; }
inline Eigen::Matrix2d quarter_turn() { return (Eigen::Matrix2d() << 0, -1, 1, 0).finished(); }

}  // namespace bricard
