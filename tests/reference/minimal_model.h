// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "bricard/math/expression.h"
#include "bricard/math/rotation.h"

// A second formulation of mechanisms: minimal coordinates u and Kane's equations, all in ground axes, integrated by the
// classical Runge–Kutta method. It shares no equation with the program: each body is reached from ground by a path of
// elementary turns and shifts, and there are no constraints.
namespace bricard::testing {

/// One piece of a path: a turn about or a shift along an axis by factor·u[coordinate], a shift along an ellipse, or a
/// constant displacement.
struct Piece {
  enum class Kind { turn, shift, ellipse, constant } kind;
  Vector3d axis = Vector3d::Zero();  ///< of an ellipse: half axes; of a constant: displacement
  int coordinate = -1;
  double factor = 1;
  Matrix3d R = Matrix3d::Identity();
};
Piece turn(const Vector3d& axis, int coordinate, double factor = 1);
Piece shift(const Vector3d& axis, int coordinate, double factor = 1);
Piece ellipse(double a, double b, int coordinate);
Piece constant(const Vector3d& p, const Matrix3d& R = Matrix3d::Identity());

struct MinimalBody {
  double mass;
  Matrix3d inertia;
  std::vector<Piece> path;  ///< from ground to the centre of mass
};

struct BodyMotion {
  Vector3d p, v, w, a, alpha;
  Matrix3d R;
};

/// Force and torque about the centre of mass that something not modelled must exert.
struct NeededWrench {
  Vector3d force, torque;
};

struct MinimalModel {
  std::vector<MinimalBody> bodies;
  Vector3d gravity{0, 0, -9.81};
  int coordinates = 0;
  /// Generalized forces of what acts on the coordinates themselves.
  std::function<VectorXd(double t, const VectorXd& u, const VectorXd& u1)> forces;
  /// Coordinates that are given as functions of time.
  std::vector<std::optional<std::function<TimeJet(double)>>> prescribed;

  BodyMotion motion(size_t body, const VectorXd& u, const VectorXd& u1, const VectorXd& u2) const;
  VectorXd accelerations(double t, const VectorXd& u, const VectorXd& u1) const;
  /// What the rest of the world does to a body besides gravity.
  NeededWrench needed(size_t body, const VectorXd& u, const VectorXd& u1, const VectorXd& u2) const;
  void integrate(double duration, int steps, VectorXd& u, VectorXd& u1) const;
  void set_prescribed(double t, VectorXd& u, VectorXd& u1) const;
};

}  // namespace bricard::testing
