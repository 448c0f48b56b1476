// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/math/curve.h"
#include "bricard/math/jet.h"

// Where two shapes are nearest to each other.                               theory: docs/theory/contact.md
// A pair of shapes is one function: the pose of the marker of B in the axes of that of A goes in; the gap, the normal from A to
// B and the point of B that is deepest come out. Written for any scalar, it gives values with double and exact derivatives
// with Jet. With
//     dg/dt = n · (velocity of B's point − velocity of A's point there)
// forces follow from these three, and their tangent from the derivatives.
namespace bricard {

/// Where the marker of B is: its origin and its axes z.
template <class T>
struct ShapePose {
  Triple<T> d;  ///< origin
  Triple<T> u;  ///< direction of its z axis
};

/// Sizes of both shapes.
struct ShapeSizes {
  double radius = 0;         ///< of B
  double second_radius = 0;  ///< of A, or of the section of B's rim
  const Curve* curve = nullptr;
};

template <class T>
struct Touch {
  T gap;        ///< < 0: they overlap
  Triple<T> n;  ///< outwards of A
  Triple<T> c;  ///< the deepest point of B
};

//     g = d·ẑ − r,   n = ẑ
template <class T>
Touch<T> sphere_on_plane(const ShapePose<T>& x, const ShapeSizes& s) {
  const T gap = x.d.z + T(-s.radius);
  return {gap, {T(0.0), T(0.0), T(1.0)}, {x.d.x, x.d.y, gap}};
}

//     g = |d| − r_a − r_b,   n = d/|d|
template <class T>
Touch<T> sphere_on_sphere(const ShapePose<T>& x, const ShapeSizes& s) {
  const T length = root(dot(x.d, x.d));
  const Triple<T> n = scaled(inverse(length), x.d);
  return {length + T(-s.radius - s.second_radius), n, x.d - scaled(T(s.radius), n)};
}

// The lowest point of the rim is R e from the centre, e = −(ẑ − (u·ẑ) u)/σ with σ = |ẑ − (u·ẑ) u|:
//     g = d·ẑ − R σ − ρ,   n = ẑ
// A disc that lies flat has no lowest point: e is then 0.
template <class T>
Touch<T> disc_on_plane(const ShapePose<T>& x, const ShapeSizes& s) {
  const Triple<T> across{-(x.u.z * x.u.x), -(x.u.z * x.u.y), T(1.0) - x.u.z * x.u.z};
  const T sigma = root(dot(across, across));
  const Triple<T> e = value_of(sigma) > 0 ? scaled(T(-s.radius) * inverse(sigma), across) : Triple<T>{};
  const Triple<T> rim = x.d + e;
  const T gap = rim.z + T(-s.second_radius);
  return {gap, {T(0.0), T(0.0), T(1.0)}, {rim.x, rim.y, gap}};
}

// With the signed distance φ of a point from the curve, ∇φ = n, ∇∇φ = κ t tᵀ:
//     g = φ − r,   c = d − r n
template <class T>
Touch<T> sphere_on_curve(const ShapePose<T>& x, const ShapeSizes& s) {
  const Vector2d X(value_of(x.d.x), value_of(x.d.y));
  const CurveDistance at = distance_from(*s.curve, X);
  const T dx = x.d.x + T(-X.x()), dy = x.d.y + T(-X.y());
  const T along = T(at.t.x()) * dx + T(at.t.y()) * dy;
  const T phi = T(at.value) + T(at.n.x()) * dx + T(at.n.y()) * dy;
  const T turn = T(at.curvature) * along;
  const Triple<T> n{T(at.n.x()) + T(at.t.x()) * turn, T(at.n.y()) + T(at.t.y()) * turn, T(0.0)};
  return {phi + T(-s.radius), n, x.d - scaled(T(s.radius), n)};
}

}  // namespace bricard
