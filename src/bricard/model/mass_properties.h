// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/model/model.h"

// Mass, mass centre and inertia of solids and of what is put together from them.     theory: docs/theory/rigid_body.md
namespace bricard {

struct MassProperties {
  double mass = 0;
  Vector3d center = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero();  ///< about the mass centre
};

/// m (d² 1 − d dᵀ): what the inertia about a point at distance d from the mass centre has more.      (Steiner)
Matrix3d steiner(double mass, const Vector3d& d);

/// Both welded together.
MassProperties operator+(const MassProperties& a, const MassProperties& b);

/// A shape with a mass (or, if it has none, with its density), in the body frame.
MassProperties mass_properties(const Shape& shape);

}  // namespace bricard
